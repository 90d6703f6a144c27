"""Whole games: one with its log, and every deal in every seating in one call."""

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest
from gpkit.games.sevens.kernel import layout as at
from gpkit.games.sevens.kernel.choice import choose
from gpkit.games.sevens.kernel.rules import apply, begin, deal, score
from gpkit.games.sevens.kernel.search import search
from gpkit.games.sevens.kernel.worlds import note


@inlined
def play_game(deck, key, rotation, rules, linked, scratch, log):  # type: ignore[no-untyped-def]
    """Play one game to its end, in ``scratch.states[0]``; returns 1 if a program exceeded its steps, else 0.

    Args:
        deck: int64 (52,).
        key: the deal's key for random numbers, of at least 0 and below 2^26.
        rotation: agent a sits at seat (a + rotation) % players.
        rules: int64 (RULES_SIZE,).
        linked: the agents with their programs.
        scratch: the game, and room for a search.
        log: int64 (rows, LOG_SIZE): one row for each action, as far as there are rows.
    """
    players = rules[at.PLAYERS]
    state = scratch.states[0]
    invalid = 0
    deal(scratch.hands[0], deck, rules)
    begin(state, scratch.hands[0], rules)
    row = 0
    while state[at.PHASE] != at.OVER:
        legal = state[at.LEGAL]
        if row < scratch.course.shape[0]:
            note(scratch.course, row, state)
        if legal & (legal - 1) == 0:
            card = lowest(legal)
        else:
            a = (state[at.ACTOR] + players - rotation) % players
            agent, slots = linked.agents[a], linked.memory[2 * a : 2 * a + 2]
            if agent[at.WORLDS] > 0:
                card, failed = search(state, row, rules, agent, (linked.code, slots), key, scratch, log[:0])
            else:
                card, failed = choose(state, rules, agent, linked.code, slots, key)
            invalid |= failed
        if row < scratch.course.shape[0]:
            scratch.course[row, at.COURSE_CARD] = card
        row += 1
        apply(state, card, rules, log)
    return invalid


@kernel
def play_deals(decks, keys, rules, linked, scratch, log, scores):  # type: ignore[no-untyped-def]
    """Play every deal once in each seating; returns (stalled, invalid), numbers of games.

    Args:
        decks: int64 (deals, 52).
        keys: int64 (deals,).
        rules, linked, scratch: as of ``play_game``.
        log: int64 (rows, LOG_SIZE): the actions of the last game.
        scores: float64 (deals, rotations), written: of agent 0. As many seatings are played as there are columns.
    """
    stalled = 0
    invalid = 0
    for number in range(decks.shape[0]):
        for rotation in range(scores.shape[1]):
            invalid += play_game(decks[number], keys[number], rotation, rules, linked, scratch, log)
            scores[number, rotation] = score(scratch.states[0], rotation, rules)
            stalled += scratch.states[0, at.STALLED]
    return stalled, invalid
