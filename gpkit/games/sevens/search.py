"""A determinised search, to be read: sample what the others may hold, play every candidate out, choose the best mean.

Perfect information Monte Carlo (Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game", 2001),
here with a program that plays all seats in the sampled worlds. The opponent ``pimc:WORLDS`` is the same, compiled.
"""

from dataclasses import replace

from gpkit.games.sevens.decisions import Chooser, play_out
from gpkit.games.sevens.kernel.layout import CARD_BITS, WORLD_COUNTERS
from gpkit.games.sevens.rules import State
from gpkit.vm.keyed import keyed_word_readable


def search(state: State, *, worlds: int, deal_key: int, policy: Chooser) -> int:
    """The legal card with the highest score over ``worlds`` sampled worlds; the first of equals."""
    totals = total_scores(state, worlds=worlds, deal_key=deal_key, policy=policy)
    return max(totals, key=lambda card: totals[card])


def total_scores(state: State, *, worlds: int, deal_key: int, policy: Chooser) -> dict[int, float]:
    """For every legal card, ascending, the sum of the current player's scores over the sampled worlds.

    All candidates meet the same worlds, and ``policy`` plays them out for everybody.
    """
    legal = state.legal_actions()
    totals = dict.fromkeys(legal, 0.0)
    for number in range(worlds):
        world = sample_world(state, deal_key, number)
        for card in legal:
            totals[card] += play_out(world.apply(card), policy).returns()[state.current_player]
    return totals


def sample_world(state: State, deal_key: int, number: int) -> State:
    """The state with the cards that the current player does not see dealt anew to the others, uniformly.

    Hands keep their sizes. The seats take their cards in order, each card drawn from those that are left.
    """
    unseen = sorted(
        card for seat, hand in enumerate(state.hands) if seat != state.current_player for card in hand
    )
    hands = []
    for seat, hand in enumerate(state.hands):
        if seat != state.current_player:
            drawn = []
            for _ in hand:
                counter = WORLD_COUNTERS + (number << CARD_BITS) + len(unseen)
                word = keyed_word_readable(deal_key, state.actions, counter)
                drawn.append(unseen.pop((word >> 20) * len(unseen) >> 32))
            hand = tuple(sorted(drawn))
        hands.append(hand)
    return replace(state, hands=tuple(hands))
