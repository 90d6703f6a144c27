"""The compiled sensors, the sampling of worlds that agree with a player's observations, and the compiled games.

The search ``pimc`` samples worlds and plays them out.
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import is_higher, lowest, nth, ones
from gpkit.games.sevens.kernel import rules as at
from gpkit.games.sevens.kernel.rules import apply, begin, deal, score
from gpkit.vm.isa import HALT
from gpkit.vm.kernel.keyed import keyed_uniform, keyed_word
from gpkit.vm.keyed import HALF
from gpkit.vm.machine import run

ROUNDS, SUIT, SUITID, RANK, SAFE, BLOCK, SELFBLOCK, DIST = range(8)
DEPTH, HAND, SMALLEST, NEXT, PREVIOUS, RECEIVER, PLAYABLE = range(8, 15)
RUN, OPENS, ISEND, LEFT, OPENED, PLAYERS, GIFT, SENSOR_COUNT = range(15, 23)

TABLE_SENSORS = sum(
    1 << slot for slot in (ROUNDS, HAND, SMALLEST, NEXT, PREVIOUS, RECEIVER, PLAYABLE, LEFT, OPENED, PLAYERS)
)
"""The sensors that have the same value for every candidate of a decision."""


@inlined
def sense_table(memory, used, state, rules):  # type: ignore[no-untyped-def]
    """Write the sensors in ``used`` that have the same value for every candidate.

    Args:
        memory: float64 (slots,), modified in place.
        used: the mask of the sensors to write.
        state: int64 (STATE_SIZE,).
        rules: int64 (RULES_SIZE,).
    """
    actor = state[at.ACTOR]
    hand = state[at.HANDS + actor]
    players = rules[at.PLAYERS]
    if used >> ROUNDS & 1:
        memory[ROUNDS] = state[at.TURN] // players
    if used >> HAND & 1:
        memory[HAND] = ones(hand)
    if used >> SMALLEST & 1:
        smallest = at.CARDS
        for seat in range(players):
            if seat != actor and state[at.PLACES + seat] == 0:
                smallest = min(smallest, ones(state[at.HANDS + seat]))
        memory[SMALLEST] = smallest
    if used >> NEXT & 1:
        memory[NEXT] = ones(state[at.HANDS + _neighbour(state, actor, 1, players)])
    if used >> PREVIOUS & 1:
        memory[PREVIOUS] = ones(state[at.HANDS + _neighbour(state, actor, players - 1, players)])
    if used >> RECEIVER & 1:
        memory[RECEIVER] = ones(state[at.HANDS + state[at.PLAYER]]) if state[at.PHASE] == at.SEND else 0
    if used >> PLAYABLE & 1:
        memory[PLAYABLE] = ones(hand & state[at.OPEN])
    if used >> LEFT & 1:
        memory[LEFT] = at.CARDS - ones(state[at.PLAYED])
    if used >> OPENED & 1:
        opened = 0
        for suit in range(at.SUITS):
            opened += state[at.LOW + suit] >= 0
        memory[OPENED] = opened
    if used >> PLAYERS & 1:
        memory[PLAYERS] = players


@inlined
def _neighbour(state, actor, step, players):  # type: ignore[no-untyped-def]
    """The nearest seat in the direction of ``step`` that is still in the game."""
    seat = (actor + step) % players
    while state[at.PLACES + seat] != 0:
        seat = (seat + step) % players
    return seat


@inlined
def sense_card(memory, used, state, card, rules):  # type: ignore[no-untyped-def]
    """Write the sensors in ``used`` for one candidate card; the other arguments are the same as in ``sense_table``."""
    suit = card // at.SUIT_SIZE
    position = card - at.SUIT_SIZE * suit
    seven = rules[at.SEVEN]
    own = state[at.HANDS + state[at.ACTOR]] >> (at.SUIT_SIZE * suit) & at.SUIT_MASK
    above = at.SUIT_MASK & ~((2 << position) - 1) if position >= seven else 0
    below = (1 << position) - 1 if position <= seven else 0
    outward = above | below
    if used >> SUIT & 1:
        memory[SUIT] = ones(own)
    if used >> SUITID & 1:
        memory[SUITID] = suit
    if used >> RANK & 1:
        memory[RANK] = position + 7 - seven
    if used >> SAFE & 1:
        nearest = outward & (1 << (position + 1) | 1 << position >> 1)
        memory[SAFE] = 1.0 if nearest & ~own == 0 else 0.0
    if used >> BLOCK & 1:
        memory[BLOCK] = ones(outward & ~own)
    if used >> SELFBLOCK & 1:
        memory[SELFBLOCK] = ones(outward & own)
    if used >> DIST & 1:
        memory[DIST] = _distance(state, suit, position, rules)
    if used >> DEPTH & 1:
        memory[DEPTH] = abs(position - seven)
    if used >> RUN & 1:
        memory[RUN] = ones(state[at.PLAYED] >> (at.SUIT_SIZE * suit) & at.SUIT_MASK)
    if used >> OPENS & 1:
        memory[OPENS] = (above != 0) + (below != 0)
    if used >> ISEND & 1:
        memory[ISEND] = 1.0 if position == 0 or position == at.SUIT_SIZE - 1 else 0.0
    if used >> GIFT & 1:
        first = own & above & -(own & above)  # the nearest own card above and all cards above it are no gift
        up = ones(above & (first - 1)) if first else ones(above)
        down = own & below
        while down & (down - 1):
            down &= down - 1
        memory[GIFT] = up + (ones(below & ~(2 * down - 1)) if down else ones(below))


@inlined
def _distance(state, suit, position, rules):  # type: ignore[no-untyped-def]
    """The number of cards that must be played before this one fits on the table."""
    seven = rules[at.SEVEN]
    low = state[at.LOW + suit]
    high = state[at.HIGH + suit]
    if low < 0:
        distance = abs(position - seven)
    elif position > high:
        distance = position - high - 1
    else:
        distance = low - position - 1
    if rules[at.GATES] != 0:
        if position > seven and (low < 0 or low == seven):
            distance += 1  # the six must come before the eight
        if position < seven - 1 and high <= seven:
            distance += 1  # the eight must come before the five
    return distance


@inlined
def choose(state, rules, agent, code, memory, key):  # type: ignore[no-untyped-def]
    """The card that the agent's program values highest; ties go to the lowest card, and NaN is below all numbers.

    Args:
        state: int64 (STATE_SIZE,), at a decision.
        rules: int64 (RULES_SIZE,).
        agent: int64 (AGENT_SIZE,).
        code: uint32 (rows, 5): the linked programs.
        memory: float64 (2, slots): for the agent's play and send programs; modified in place.
        key: the deal's key, 26 bits.

    Returns:
        The card, and 1 if a program exceeded its step limit, else 0.
    """
    section = at.PLAY if state[at.PHASE] == at.PLAY else at.SEND
    column = section * at.PROGRAM_SIZE
    used = agent[column + at.USED]
    slots = memory[section]
    if used & TABLE_SENSORS:
        sense_table(slots, used, state, rules)
    candidates = state[at.LEGAL]
    best_card = lowest(candidates)
    best = np.nan
    invalid = 0
    while candidates:
        card = lowest(candidates)
        candidates &= candidates - 1
        sense_card(slots, used, state, card, rules)
        for k in range(agent[column + at.RANDOMS]):
            slots[SENSOR_COUNT + k] = keyed_uniform(key, state[at.ACTIONS], (k << at.CARD_BITS) + card)
        stopped, _, _ = run(code, slots, agent[column + at.ENTRY], code.shape[0])
        invalid |= stopped != HALT
        value = slots[agent[column + at.RESULT]]
        higher = is_higher(value, best)
        best = value if higher else best
        best_card = card if higher else best_card
    return best_card, invalid


@inlined
def note(course, row, state):  # type: ignore[no-untyped-def]
    """Write the public part of a state, without the card, into a row of the course, int64 (rows, COURSE_SIZE)."""
    for column in range(at.COURSE_CARD):
        course[row, column] = state[column]
    course[row, at.COURSE_CARD] = -1


@inlined
def is_hidden(past, row):  # type: ignore[no-untyped-def]
    """Whether the card in a row was sent between two other players."""
    return (
        past.course[row, at.PHASE] == at.SEND
        and past.course[row, at.ACTOR] != past.viewer
        and past.course[row, at.PLAYER] != past.viewer
    )


@inlined
def hidden_sends(past):  # type: ignore[no-untyped-def]
    """The number of cards that were sent unseen."""
    count = 0
    for row in range(past.rows):
        count += is_hidden(past, row)
    return count


@inlined
def unplaced(past, state):  # type: ignore[no-untyped-def]
    """The mask of the cards in other hands whose holders the viewer does not know.

    The viewer knows the holder of a card that the viewer sent until the holder sends an unseen card.
    """
    course, viewer = past.course, past.viewer
    cards = (1 << at.CARDS) - 1 & ~state[at.PLAYED] & ~state[at.HANDS + viewer]
    for row in range(past.rows):
        if course[row, at.PHASE] == at.SEND and course[row, at.ACTOR] == viewer:
            is_sent_on = False
            for later in range(row + 1, past.rows):
                is_theirs = course[later, at.ACTOR] == course[row, at.PLAYER]
                is_sent_on = is_sent_on or (is_theirs and is_hidden(past, later))
            if not is_sent_on:
                cards &= ~(1 << course[row, at.COURSE_CARD])
    return cards


@inlined
def deal_unplaced(hands, state, past, rules, key, number):  # type: ignore[no-untyped-def]
    """Write the hands of a state after the unplaced cards are dealt again at random to the players who hold them.

    The random numbers are drawn with ``key`` and ``number``.
    """
    cards = past.unplaced
    left = ones(cards)
    for seat in range(rules[at.PLAYERS]):
        hand = state[at.HANDS + seat]
        hands[seat] = hand & ~past.unplaced
        for _ in range(ones(hand & past.unplaced)):
            card = nth(cards, (keyed_word(key, number, at.FIRST_WORLD + 2 + left) >> 20) * left >> 32)
            cards &= ~(1 << card)
            hands[seat] |= 1 << card
            left -= 1


@inlined
def first_world(state, past, world, rules, key):  # type: ignore[no-untyped-def]
    """Write an initial world by dealing the unknown cards at random and undoing the course.

    The world does not have to agree with every moment of the course.

    Args:
        state: int64 (STATE_SIZE,): the current state; of its unplaced cards, only the number in each hand is used.
        past: a ``Past``.
        world: output: a deal, int64 (MOST_PLAYERS,) with a mask for each seat, and int64 (rows,), the cards sent unseen
            in order.
        rules: int64 (RULES_SIZE,).
        key: the key of the random numbers.
    """
    course, (dealt, sent) = past.course, world
    deal_unplaced(dealt, state, past, rules, key, 0)
    number = hidden_sends(past)
    for back in range(past.rows):
        row = past.rows - 1 - back
        card, actor = course[row, at.COURSE_CARD], course[row, at.ACTOR]
        if course[row, at.PHASE] == at.SEND:
            receiver = course[row, at.PLAYER]
            if is_hidden(past, row):
                number -= 1
                among = dealt[receiver] & past.unplaced
                among = among if among else dealt[receiver]
                card = nth(among, (keyed_word(key, row, at.FIRST_WORLD) >> 20) * ones(among) >> 32)
                sent[number] = card
            if not dealt[receiver] >> card & 1:
                _give(dealt, card, receiver, rules)
            dealt[receiver] &= ~(1 << card)
        dealt[actor] |= 1 << card


@inlined
def _give(dealt, card, receiver, rules):  # type: ignore[no-untyped-def]
    """Give a player a card in exchange for the lowest card in their hand."""
    other = lowest(dealt[receiver])
    for seat in range(rules[at.PLAYERS]):
        if dealt[seat] >> card & 1:
            dealt[seat] ^= 1 << card | 1 << other
            dealt[receiver] ^= 1 << card | 1 << other
            return


@inlined
def copy(source, target):  # type: ignore[no-untyped-def]
    """Copy one state into another."""
    for index in range(at.STATE_SIZE):
        target[index] = source[index]


@inlined
def replay(game, past, world, mind, key, floor):  # type: ignore[no-untyped-def]
    """Replay the course in a world to find the number of moments that agree and the plausibility of others' choices.

    Args:
        game: int64 (STATE_SIZE,), output: the current state, if all ``rows + 1`` moments agree.
        past: a ``Past``.
        world: see ``first_world``.
        mind: the rules, int64 (RULES_SIZE,), and the programs with which a search plays out worlds: the agent, int64
            (AGENT_SIZE,), whose doubt is the assumed rate of random choices by the others; the linked programs, uint32
            (rows, 5); the memory of the agent's play and send programs, float64 (2, slots), modified in place; and a
            log, int64 (0, LOG_SIZE), because nothing is recorded.
        key: the key of the programs' random numbers.
        floor: the plausibility below which the replay ends; if the floor is negative, plausibility is not computed.

    Returns:
        The number of moments that agree, and the plausibility; a replay that ends early returns fewer than ``rows + 1``
        moments.
    """
    course, (dealt, sent) = past.course, world
    rules, agent, code, memory, log = mind
    plausibility = 1.0
    doubt = agent[at.DOUBT] / 100.0
    hidden = 0
    begin(game, dealt, rules)
    for row in range(past.rows + 1):
        for column in range(at.COURSE_CARD):
            if game[column] != course[row, column]:
                return row, 0.0
        if row == past.rows:
            break
        card = course[row, at.COURSE_CARD]
        if is_hidden(past, row):
            card = sent[hidden]
            hidden += 1
        legal = game[at.LEGAL]
        if not legal >> card & 1:
            return row, 0.0
        if floor >= 0.0 and doubt < 1.0 and game[at.ACTOR] != past.viewer and legal & (legal - 1):
            liked, _ = choose(game, rules, agent, code, memory, key)
            plausibility *= doubt / ones(legal) + (1.0 - doubt if liked == card else 0.0)
            if plausibility < floor:
                return row, 0.0
        apply(game, card, rules, log)
    return past.rows + 1, plausibility


@inlined
def propose(past, world, sends, hand, words, swaps):  # type: ignore[no-untyped-def]
    """Swap one or more pairs of cards in a world, and record them in ``swaps``, int64 (MOST_SWAPS, 4).

    Args:
        past: a ``Past``.
        world: see ``first_world``; modified in place.
        sends: the number of cards that were sent unseen.
        hand: the mask of the viewer's hand.
        words: the key and the step, from which random numbers are drawn.
        swaps: output.

    Returns:
        The number of pairs, and whether any swap changed the world.
    """
    everything = (1 << at.CARDS) - 1 & ~hand
    key, step = words
    count, changed = 0, False
    while count < at.MOST_SWAPS:
        cards = keyed_word(key, step, 1 + 2 * count)
        how = keyed_word(key, step, 2 + 2 * count)
        first_of = everything if sends and how & 3 == 0 else past.unplaced
        second_of = everything if sends and how >> 2 & 3 == 0 else past.unplaced
        first, last = 0, sends
        if how >> 4 & 1:
            first = (how >> 16 & 0xFFFF) * (sends + 1) >> 16
            last = first + ((how >> 32 & 0xFFFF) * (sends + 1 - first) >> 16)
        swaps[count, 0] = nth(first_of, (cards >> 26) * ones(first_of) >> 26)
        swaps[count, 1] = nth(second_of, (cards & HALF - 1) * ones(second_of) >> 26)
        swaps[count, 2] = first
        swaps[count, 3] = last
        changed = exchange(world, past.viewer, swaps[count]) or changed
        count += 1
        if how >> 5 & 3:
            break
    return count, changed


@inlined
def exchange(world, viewer, swap):  # type: ignore[no-untyped-def]
    """Swap two cards in a range of unseen sends, where 0 is the deal; returns True if the world changes.

    The viewer keeps the cards that it was dealt. Repeating a swap undoes it.
    """
    a, b, first, last = swap[0], swap[1], swap[2], swap[3]
    dealt, sent = world
    both = 1 << a | 1 << b
    changed = False
    if a == b or (first == 0 and dealt[viewer] & both):
        return changed
    if first == 0:
        for seat in range(at.MOST_PLAYERS):
            if ones(dealt[seat] & both) == 1:
                dealt[seat] ^= both
                changed = True
    for number in range(max(first - 1, 0), last):
        if sent[number] == a:
            sent[number] = b
            changed = True
        elif sent[number] == b:
            sent[number] = a
            changed = True
    return changed


@inlined
def walk(found, state, past, mind, scratch, key):  # type: ignore[no-untyped-def]
    """Continue the chain to its next world.

    Until all moments agree, the chain accepts a step if at least as many moments agree after it as before. After that,
    it accepts steps by the rule of Metropolis et al. (1953).

    Args:
        found: the number of steps so far, the number of moments that agree in the current world, and the plausibility
            of that world.
        state: int64 (STATE_SIZE,): the current state.
        past: a ``Past``.
        mind: see ``replay``.
        scratch: scratch space, in which the second row of ``hands`` and ``sent`` contain the current world; if all
            moments agree, the second row of ``states`` is the current state in that world. The fourth row of ``states``
            is overwritten.
        key: the key of the random numbers.

    Returns:
        The values of ``found`` after the walk.
    """
    world, swaps, game = (scratch.hands[1], scratch.sent), scratch.swaps, scratch.states[3]
    hand = state[at.HANDS + past.viewer]
    sends = hidden_sends(past)
    policy = keyed_word(key, 0, at.POLICY_KEY) >> 26
    step, reached, plausibility = found
    goal = step + (at.THINNING if reached > past.rows else at.SEEKING)
    while step < goal:
        count, changed = propose(past, world, sends, hand, (key, step), swaps)
        step += 1
        if not changed:
            continue
        is_found = reached > past.rows
        floor = keyed_uniform(key, step - 1, 0) * plausibility if is_found else -1.0
        far, likely = replay(game, past, world, mind, policy, floor)
        if far >= reached:
            reached = far
            if is_found:
                plausibility = likely
            elif far > past.rows:
                goal = step + at.WARMING
            if far > past.rows:
                copy(game, scratch.states[1])
        else:
            for back in range(count):
                exchange(world, past.viewer, swaps[count - 1 - back])
    return step, reached, plausibility


@inlined
def search(state, rows, rules, agent, linked, key, scratch, log):  # type: ignore[no-untyped-def]
    """The card with the highest mean score over sampled worlds, which the agent's own programs play out (``pimc``).

    This is perfect information Monte Carlo (Ginsberg, "GIB: Imperfect Information in a Computationally Challenging
    Game", 2001); ``gpkit_experiments.readable.sevens`` contains it in readable Python.

    Args:
        state: int64 (STATE_SIZE,), at a decision.
        rows: the number of cards chosen so far; ``scratch.course`` has a row for each of them, and one for the current
            moment.
        rules: int64 (RULES_SIZE,).
        agent: int64 (AGENT_SIZE,).
        linked: uint32 (rows, 5) and float64 (2, slots): the linked programs, and the memory of the agent's programs;
            modified in place.
        key: the deal's key, 26 bits.
        scratch: modified in place, except for the game itself.
        log: int64 (0, LOG_SIZE), because playouts are not recorded.

    Returns:
        The card, and 1 if a program exceeded its step limit, else 0.
    """
    code, memory = linked
    mind = rules, agent, code, memory, log
    own = keyed_word(key, state[at.ACTIONS], at.SEARCH_KEY) >> 26
    infers = agent[at.DOUBT] != at.BLIND
    bare = at.Past(scratch.course, rows if infers else 0, state[at.ACTOR], 0)
    past = at.Past(scratch.course, rows, state[at.ACTOR], unplaced(bare, state))
    infers = infers and past.unplaced != 0
    if infers:
        first_world(state, past, (scratch.hands[1], scratch.sent), rules, own)
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
        invalid |= _play_out(state, mind, keyed_word(own, number, at.PLAYOUT_KEY) >> 26, scratch)
    best_card = lowest(state[at.LEGAL])
    for card in range(at.CARDS):
        if state[at.LEGAL] >> card & 1 and scratch.totals[card] > scratch.totals[best_card]:
            best_card = card
    return best_card, invalid


@inlined
def _play_out(state, mind, key, scratch):  # type: ignore[no-untyped-def]
    """Play out every candidate in the world ``scratch.states[1]``, and add up the scores; 1 if a program fails."""
    rules, agent, code, memory, log = mind
    game = scratch.states[2]
    candidates = state[at.LEGAL]
    invalid = 0
    while candidates:
        card = lowest(candidates)
        candidates &= candidates - 1
        copy(scratch.states[1], game)
        apply(game, card, rules, log)
        while game[at.PHASE] != at.OVER:
            if game[at.LEGAL] & (game[at.LEGAL] - 1) == 0:
                move = lowest(game[at.LEGAL])
            else:
                move, failed = choose(game, rules, agent, code, memory, key)
                invalid |= failed
            apply(game, move, rules, log)
        scratch.totals[card] += score(game, state[at.ACTOR], rules)
    return invalid


@kernel
def search_after(hands, chosen, rules, linked, key, scratch, log):  # type: ignore[no-untyped-def]
    """Search in a game with these hands after these choices, and write the totals into ``scratch``.

    Args:
        hands: int64 (MOST_PLAYERS,): a mask for each seat.
        chosen: int64 (cards,): the cards chosen so far.
        rules: int64 (RULES_SIZE,).
        linked: the agent that chooses, with its programs, see ``play_game``.
        key, scratch, log: see ``search``.
    """
    state = scratch.states[0]
    begin(state, hands, rules)
    for row in range(chosen.shape[0]):
        note(scratch.course, row, state)
        scratch.course[row, at.COURSE_CARD] = chosen[row]
        apply(state, chosen[row], rules, log)
    note(scratch.course, chosen.shape[0], state)
    agents, code, memory = linked
    search(state, chosen.shape[0], rules, agents[0], (code, memory), key, scratch, log)


@inlined
def _root(scratch, number, deck, rules):  # type: ignore[no-untyped-def]
    """The root node of a game, or −1 if no tree is used; deals the game if it is new."""
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
    """The node after a choice (or −1 if no node is left), and whether the node is new.

    A new node still contains the state before the choice.
    """
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
def _pick(state, row, rules, agent, programs, key, scratch, totals, log):  # type: ignore[no-untyped-def]
    """The card that an agent chooses, with or without a search; the arguments are the same as for ``search``.

    ``totals`` is an attribute of ``scratch``. If ``totals`` is None, Numba does not compile the search.
    """
    if totals is not None and agent[at.WORLDS] > 0:
        return search(state, row, rules, agent, programs, key, scratch, log)
    return choose(state, rules, agent, programs[0], programs[1], key)


@inlined
def play_game(deck, key, place, rules, linked, scratch, log):  # type: ignore[no-untyped-def]
    """Play one game to its final state in ``scratch.states[0]``; returns 1 if a program ran out of steps, else 0.

    If a tree is used, it supplies the other players' moves after choices that an earlier first player already made.

    Args:
        deck: int64 (52,).
        key: the deal's key of random numbers, from 0 to 2^26 − 1.
        place: the number of the game among all games on these deals, and the rotation; agent a sits in seat (a +
            rotation) % players.
        rules: int64 (RULES_SIZE,).
        linked: int64 (players, AGENT_SIZE), uint32 (rows, 5) and float64 (2 · players, slots): the agents, the linked
            programs, and the memory of each agent's play and send programs, modified in place.
        scratch: scratch arrays for the game and for a search.
        log: int64 (rows, LOG_SIZE): one row for each action, until the rows run out; empty if a tree is used.
    """
    agents, code, memory = linked
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
            programs = code, memory[2 * a : 2 * a + 2]
            card, failed = _pick(
                state, row, rules, agents[a], programs, key, scratch, scratch.totals, log[:0]
            )
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
    """Play every deal once in each seating; returns the numbers of stalled and invalid games.

    Args:
        decks: int64 (deals, 52).
        keys: int64 (deals,).
        rules, linked, scratch: see ``play_game``.
        log: int64 (rows, LOG_SIZE): the actions of the last game.
        scores: float64 (deals, rotations), output: the scores of agent 0, with a column for each seating.
    """
    stalled, invalid = 0, 0
    for number in range(decks.shape[0]):
        for rotation in range(scores.shape[1]):
            place = (number * scores.shape[1] + rotation, rotation)
            invalid += play_game(decks[number], keys[number], place, rules, linked, scratch, log)
            scores[number, rotation] = score(scratch.states[0], rotation, rules)
            stalled += scratch.states[0, at.STALLED]
    return stalled, invalid
