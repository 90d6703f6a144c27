"""A determinised search, to be read: sample what the others may hold, play every candidate out, choose the best mean.

Perfect information Monte Carlo (Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game", 2001),
here with a program that plays all seats in the sampled worlds, and with worlds that explain what has been seen. The
opponents ``pimc:WORLDS``, ``pimc-certain`` and ``pimc-blind`` are the same, compiled.
"""

from collections.abc import Callable, Iterator
from itertools import chain, repeat

from gpkit.games.sevens.decisions import Chooser, play_out
from gpkit.games.sevens.kernel import layout as at
from gpkit.games.sevens.rules import State
from gpkit.games.sevens.worlds import deal_anew, remember, sample
from gpkit.vm.keyed import keyed_word_readable

Policy = Callable[[int], Chooser]
"""A program as who chooses, for a key of random numbers."""


def search(state: State, *, worlds: int, deal_key: int, policy: Policy, doubt: int) -> int:
    """The legal card with the highest score over ``worlds`` sampled worlds; the first of equals."""
    totals = total_scores(state, worlds=worlds, deal_key=deal_key, policy=policy, doubt=doubt)
    return max(totals, key=lambda card: totals[card])


def total_scores(state: State, *, worlds: int, deal_key: int, policy: Policy, doubt: int) -> dict[int, float]:
    """For every legal card, ascending, the sum of the current player's scores over the sampled worlds.

    All candidates meet the same worlds, and ``policy`` plays them out for everybody, in each world with random numbers
    of its own. ``doubt`` is the percentage of the others' choices that are taken for random; ``CERTAIN`` infers only
    what must be, ``BLIND`` not even that.
    """
    legal = state.legal_actions()
    totals = dict.fromkeys(legal, 0.0)
    key = keyed_word_readable(deal_key, state.actions, at.SEARCH_KEY) >> 26
    for number, world in zip(range(worlds), sampled(state, key, policy, doubt), strict=False):
        chooser = policy(keyed_word_readable(key, number, at.PLAYOUT_KEY) >> 26)
        for card in legal:
            totals[card] += play_out(world.apply(card), chooser).returns()[state.current_player]
    return totals


def sampled(state: State, key: int, policy: Policy, doubt: int) -> Iterator[State]:
    """Endless worlds: of the chain where it finds any, else with the cards that are not placed dealt anew."""
    memory = remember(state, course=doubt != at.BLIND)
    dealt = (deal_anew(state, memory.unplaced, key, number) for number, _ in enumerate(repeat(None)))
    if doubt == at.BLIND or not memory.unplaced or not state.dealt:
        return dealt
    likely = policy(keyed_word_readable(key, 0, at.POLICY_KEY) >> 26)
    return chain(sample(memory, likely, doubt, key), dealt)
