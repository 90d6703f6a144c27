"""The sensors compiled, those that a program reads, into the first slots of its memory; and the card it chooses."""

import numpy as np

from gpkit.core.compiled import inlined
from gpkit.core.kernel.choosing import is_higher
from gpkit.core.kernel.masks import lowest, ones
from gpkit.games.sevens.kernel import layout as at
from gpkit.vm.isa import HALT
from gpkit.vm.keyed import keyed_uniform
from gpkit.vm.machine import run

ROUNDS, SUIT, SUITID, RANK, SAFE, BLOCK, SELFBLOCK, DIST = range(8)
DEPTH, HAND, SMALLEST, NEXT, PREVIOUS, RECEIVER, PLAYABLE = range(8, 15)
RUN, OPENS, ISEND, LEFT, OPENED, PLAYERS, GIFT = range(15, 22)
SENSOR_COUNT = 22

TABLE_SENSORS = sum(
    1 << slot for slot in (ROUNDS, HAND, SMALLEST, NEXT, PREVIOUS, RECEIVER, PLAYABLE, LEFT, OPENED, PLAYERS)
)
"""The sensors that are the same for every candidate of a decision."""


@inlined
def sense_table(memory, used, state, rules):  # type: ignore[no-untyped-def]
    """Write the used sensors that are the same for every candidate.

    Args:
        memory: float64 (slots,), changed in place.
        used: mask of sensors.
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
    """The nearest seat in the direction of ``step`` that still plays."""
    seat = (actor + step) % players
    while state[at.PLACES + seat] != 0:
        seat = (seat + step) % players
    return seat


@inlined
def sense_card(memory, used, state, card, rules):  # type: ignore[no-untyped-def]
    """Write the used sensors of one candidate card; arguments as of ``sense_table``."""
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
        first = own & above & -(own & above)  # the nearest own card above, and all above it, are no gift
        up = ones(above & (first - 1)) if first else ones(above)
        down = own & below
        while down & (down - 1):
            down &= down - 1
        memory[GIFT] = up + (ones(below & ~(2 * down - 1)) if down else ones(below))


@inlined
def _distance(state, suit, position, rules):  # type: ignore[no-untyped-def]
    """The cards that must be played before this one fits on the table."""
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
    """The card that a program gives the highest value: candidates ascending, the first wins ties, NaN loses.

    Args:
        state: int64 (STATE_SIZE,), at a decision.
        rules: int64 (RULES_SIZE,).
        agent: int64 (AGENT_SIZE,).
        code: uint32 (rows, 5), the linked programs.
        memory: float64 (2, slots): of the agent's play and send program; changed in place.
        key: the deal's key, 26 bits.

    Returns:
        (card, 1 if a program exceeded its steps, else 0).
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
