"""Choosing a card by sampling worlds and playing them out (``pimc``)."""

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import lowest
from gpkit.games.sevens.kernel import layout as at
from gpkit.games.sevens.kernel.choice import choose
from gpkit.games.sevens.kernel.rules import apply, score
from gpkit.games.sevens.kernel.worlds import copy, deal_anew, first_world, unplaced, walk
from gpkit.vm.keyed import keyed_word


@inlined
def search(state, rows, rules, agent, linked, key, scratch, log):  # type: ignore[no-untyped-def]
    """The card that scores most, on average, over sampled worlds played out by the agent's own programs (``pimc``).

    ``search.py`` and ``worlds.py`` beside this folder say what it means.

    Args:
        state: int64 (STATE_SIZE,), at a decision.
        rows: how many cards have been chosen; so many rows of ``scratch.course`` say which, the next one speaks of now.
        rules: int64 (RULES_SIZE,).
        agent: int64 (AGENT_SIZE,).
        linked: uint32 (rows, 5) and float64 (2, slots): linked programs, and memory of the agent's; changed in place.
        key: the deal's key, 26 bits.
        scratch: changed, but for the game itself.
        log: int64 (0, LOG_SIZE): playouts are not recorded.

    Returns:
        (card, 1 if a program exceeded its steps, else 0).
    """
    code, memory = linked
    mind = at.Mind(rules, agent, code, memory, log)
    own = keyed_word(key, state[at.ACTIONS], at.SEARCH_KEY) >> 26
    infers = agent[at.DOUBT] != at.BLIND
    bare = at.Past(scratch.course, rows if infers else 0, state[at.ACTOR], 0)
    past = at.Past(scratch.course, rows, state[at.ACTOR], unplaced(bare, state))
    infers = infers and past.unplaced != 0
    if infers:
        first_world(state, past, at.World(scratch.hands[1], scratch.sent), rules, own)
    scratch.totals[:] = 0.0
    found = (0, 0, 0.0)
    invalid = 0
    for number in range(agent[at.WORLDS]):
        if infers and (number == 0 or found[1] > rows):
            found = walk(found, state, past, mind, scratch, own)
        if found[1] <= rows:
            deal_anew(scratch.states[1], state, past, rules, own, number)
        playout = keyed_word(own, number, at.PLAYOUT_KEY) >> 26
        invalid |= _play_out(state, mind, playout, scratch)
    best_card = lowest(state[at.LEGAL])
    for card in range(at.CARDS):
        if state[at.LEGAL] >> card & 1 and scratch.totals[card] > scratch.totals[best_card]:
            best_card = card
    return best_card, invalid


@inlined
def _play_out(state, mind, key, scratch):  # type: ignore[no-untyped-def]
    """Play every candidate out in the world of ``scratch.states[1]``, and add to the totals; 1 if that was invalid."""
    game = scratch.states[2]
    candidates = state[at.LEGAL]
    invalid = 0
    while candidates:
        card = lowest(candidates)
        candidates &= candidates - 1
        copy(scratch.states[1], game)
        apply(game, card, mind.rules, mind.log)
        while game[at.PHASE] != at.OVER:
            if game[at.LEGAL] & (game[at.LEGAL] - 1) == 0:
                move = lowest(game[at.LEGAL])
            else:
                move, failed = choose(game, mind.rules, mind.agent, mind.code, mind.memory, key)
                invalid |= failed
            apply(game, move, mind.rules, mind.log)
        scratch.totals[card] += score(game, state[at.ACTOR], mind.rules)
    return invalid
