"""Whole games, one with its log, or every deal in every seating in one call; and a search for the card to choose.

The search samples worlds and plays them out (``pimc``).
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest
from gpkit.games.sevens.kernel import layout as at
from gpkit.games.sevens.kernel.rules import apply, begin, deal, score
from gpkit.games.sevens.kernel.sensors import choose
from gpkit.games.sevens.kernel.worlds import copy, deal_unplaced, first_world, note, unplaced, walk
from gpkit.vm.keyed import keyed_word


@inlined
def search(state, rows, rules, agent, linked, key, scratch, log):  # type: ignore[no-untyped-def]
    """The card that scores most, on average, over sampled worlds played out by the agent's own programs (``pimc``).

    ``gpkit_experiments.readable.sevens`` says what it means: perfect information Monte Carlo (Ginsberg, "GIB: Imperfect
    Information in a Computationally Challenging Game", 2001).

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
            copy(state, scratch.states[1])
            hands = scratch.states[1, at.HANDS : at.HANDS + at.MOST_PLAYERS]
            deal_unplaced(hands, state, past, rules, own, number)
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


@kernel
def search_after(hands, chosen, rules, linked, key, scratch, log):  # type: ignore[no-untyped-def]
    """Search in the game that has begun with these hands, after these cards; the totals are those of ``scratch``.

    Args:
        hands: int64 (MOST_PLAYERS,): a mask for each seat.
        chosen: int64 (cards,): the cards chosen so far.
        rules: int64 (RULES_SIZE,).
        linked: one agent with its programs: who is to choose.
        key, scratch, log: as of ``search``.
    """
    state = scratch.states[0]
    begin(state, hands, rules)
    for row in range(chosen.shape[0]):
        note(scratch.course, row, state)
        scratch.course[row, at.COURSE_CARD] = chosen[row]
        apply(state, chosen[row], rules, log)
    note(scratch.course, chosen.shape[0], state)
    agent, programs = linked.agents[0], (linked.code, linked.memory)
    search(state, chosen.shape[0], rules, agent, programs, key, scratch, log)


@inlined
def _root(scratch, number, deck, rules):  # type: ignore[no-untyped-def]
    """The node that a game begins at, dealt if it has not been played before; or -1 where no tree is kept."""
    nodes = scratch.nodes
    if nodes.shape[0] == 0:
        deal(scratch.hands[0], deck, rules)
        begin(scratch.states[0], scratch.hands[0], rules)
        return -1
    if nodes[number, at.FAILED] == at.UNKNOWN:
        deal(scratch.hands[0], deck, rules)
        begin(nodes[number], scratch.hands[0], rules)
        nodes[number, at.CHILD] = -1
        nodes[number, at.FAILED] = 0
    return number


@inlined
def _follow(scratch, node, card):  # type: ignore[no-untyped-def]
    """The node that a choice leads to, and whether it is new, still with the state before it; -1 where none is left."""
    nodes = scratch.nodes
    child = nodes[node, at.CHILD]
    while child >= 0 and nodes[child, at.CHOSEN] != card:
        child = nodes[child, at.SIBLING]
    if child >= 0:
        return child, False
    child = scratch.used[0]
    if child == nodes.shape[0]:
        copy(nodes[node], scratch.states[0])
        return np.int64(-1), True
    scratch.used[0] = child + 1
    copy(nodes[node], nodes[child])
    nodes[child, at.CHILD] = -1
    nodes[child, at.SIBLING] = nodes[node, at.CHILD]
    nodes[child, at.CHOSEN] = card
    nodes[child, at.FAILED] = 0
    nodes[node, at.CHILD] = child
    return child, True


@inlined
def play_game(deck, key, place, rules, linked, scratch, log):  # type: ignore[no-untyped-def]
    """Play one game to its end, which is ``scratch.states[0]``; returns 1 if a program exceeded its steps, else 0.

    Where a tree is kept, what the others do after the same choices of the first player is looked up.

    Args:
        deck: int64 (52,).
        key: the deal's key for random numbers, of at least 0 and below 2^26.
        place: the number of the game among all of these deals, and the rotation: agent a sits at seat
            (a + rotation) % players.
        rules: int64 (RULES_SIZE,).
        linked: the agents with their programs.
        scratch: the game, and room for a search.
        log: int64 (rows, LOG_SIZE): one row for each action, as far as there are rows; none where a tree is kept.
    """
    players = rules[at.PLAYERS]
    number, rotation = place
    node = _root(scratch, number, deck, rules)
    state = scratch.states[0] if node < 0 else scratch.nodes[node]
    invalid = 0 if node < 0 else scratch.nodes[node, at.FAILED]
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
            if node >= 0 and a > 0:
                scratch.nodes[node, at.FAILED] |= failed
            elif node >= 0:
                node, is_new = _follow(scratch, node, card)
                state = scratch.states[0] if node < 0 else scratch.nodes[node]
                if not is_new:
                    invalid |= state[at.FAILED]
                    continue
        if row < scratch.course.shape[0]:
            scratch.course[row, at.COURSE_CARD] = card
        row += 1
        apply(state, card, rules, log)
    if node >= 0:
        copy(state, scratch.states[0])
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
            place = (number * scores.shape[1] + rotation, rotation)
            invalid += play_game(decks[number], keys[number], place, rules, linked, scratch, log)
            scores[number, rotation] = score(scratch.states[0], rotation, rules)
            stalled += scratch.states[0, at.STALLED]
    return stalled, invalid
