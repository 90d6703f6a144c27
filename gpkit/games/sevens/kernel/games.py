"""Whole games: one with its log, and every deal in every seating in one call."""

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest
from gpkit.games.sevens.kernel import layout as at
from gpkit.games.sevens.kernel.players import choose, search
from gpkit.games.sevens.kernel.rules import apply, begin, score


@inlined
def play_game(deck, key, rotation, rules, agents, code, memory, states, totals, log):  # type: ignore[no-untyped-def]
    """Play one game to its end, which is left in ``states[0]``; returns 1 if a program exceeded its steps, else 0.

    Args:
        deck: int64 (52,).
        key: the deal's key for random numbers, of at least 0 and below 2^26.
        rotation: agent a sits at seat (a + rotation) % players.
        rules: int64 (RULES_SIZE,).
        agents: int64 (players, AGENT_SIZE).
        code: uint32 (rows, 5): the linked programs.
        memory: float64 (2 · players, slots): play and send program of each agent.
        states: int64 (3, STATE_SIZE): the game, and two for a search.
        totals: float64 (52,), for a search.
        log: int64 (rows, LOG_SIZE): one row for each action, as far as there are rows.
    """
    players = rules[at.PLAYERS]
    state = states[0]
    invalid = 0
    begin(state, deck, rules)
    while state[at.PHASE] != at.OVER:
        legal = state[at.LEGAL]
        if legal & (legal - 1) == 0:
            card = lowest(legal)
        else:
            a = (state[at.ACTOR] + players - rotation) % players
            slots = memory[2 * a : 2 * a + 2]
            if agents[a, at.WORLDS] > 0:
                card, failed = search(state, rules, agents[a], code, slots, key, states[1:], totals, log[:0])
            else:
                card, failed = choose(state, rules, agents[a], code, slots, key)
            invalid |= failed
        apply(state, card, rules, log)
    return invalid


@kernel
def play_deals(decks, keys, rules, agents, code, memory, states, totals, log, scores):  # type: ignore[no-untyped-def]
    """Play every deal once in each seating; returns (stalled, invalid), numbers of games.

    Args:
        decks: int64 (deals, 52).
        keys: int64 (deals,).
        rules, agents, code, memory, states, totals: as of ``play_game``; the last three are scratch.
        log: int64 (rows, LOG_SIZE): the actions of the last game.
        scores: float64 (deals, rotations), written: of agent 0. As many seatings are played as there are columns.
    """
    stalled = 0
    invalid = 0
    for deal in range(decks.shape[0]):
        for rotation in range(scores.shape[1]):
            invalid += play_game(
                decks[deal], keys[deal], rotation, rules, agents, code, memory, states, totals, log
            )
            scores[deal, rotation] = score(states[0], rotation, rules)
            stalled += states[0, at.STALLED]
    return stalled, invalid
