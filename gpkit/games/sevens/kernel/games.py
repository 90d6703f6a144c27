"""Whole games: every deal in every seating, in one call."""

import numpy as np

from gpkit.core.compiled import kernel
from gpkit.games.sevens.kernel import layout as at
from gpkit.games.sevens.kernel.players import choose, search
from gpkit.games.sevens.kernel.rules import apply, begin, lowest, score


@kernel
def play_game(state, deck, key, rotation, rules, agents, code, memory, scratch, log):  # type: ignore[no-untyped-def]
    """Play one game to its end; returns 1 if a program exceeded its steps, else 0.

    Args:
        state: int64 (STATE_SIZE,): holds the end of the game afterwards.
        deck: int64 (52,).
        key: the deal's key for random numbers, of at least 0 and below 2^26.
        rotation: agent a sits at seat (a + rotation) % players.
        rules: int64 (RULES_SIZE,).
        agents: int64 (players, AGENT_SIZE).
        code: uint32 (rows, 5): the linked programs.
        memory: float64 (2 · players, slots): play and send program of each agent.
        scratch: int64 (2, STATE_SIZE).
        log: int64 (rows, LOG_SIZE): one row for each action, as far as there are rows.
    """
    players = rules[at.PLAYERS]
    no_log = log[:0]
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
                card, failed = search(state, rules, agents[a], code, slots, key, scratch, no_log)
            else:
                card, failed = choose(state, rules, agents[a], code, slots, key)
            invalid |= failed
        apply(state, card, rules, log)
    return invalid


@kernel
def play_deals(decks, keys, rules, agents, code, memory):  # type: ignore[no-untyped-def]
    """Play every deal once in each seating.

    Args:
        decks: int64 (deals, 52).
        keys: int64 (deals,).
        rules, agents, code: as of ``play_game``.
        memory: float64 (2 · players, slots), used as scratch.

    Returns:
        scores: float64 (deals, players): of agent 0, one column for each rotation.
        stalled: games that the cap on laps ended.
        invalid: games in which a program exceeded its steps.
    """
    players = rules[at.PLAYERS]
    state = np.zeros(at.STATE_SIZE, dtype=np.int64)
    scratch = np.zeros((2, at.STATE_SIZE), dtype=np.int64)
    log = np.zeros((0, at.LOG_SIZE), dtype=np.int64)
    scores = np.zeros((decks.shape[0], players))
    stalled = 0
    invalid = 0
    for deal in range(decks.shape[0]):
        for rotation in range(players):
            invalid += play_game(
                state, decks[deal], keys[deal], rotation, rules, agents, code, memory, scratch, log
            )
            scores[deal, rotation] = score(state, rotation, rules)
            stalled += state[at.STALLED]
    return scores, stalled, invalid
