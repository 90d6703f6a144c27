"""Shots by formulas: the sensors of all squares at once, and the square of the highest value."""

from typing import Any, NamedTuple

import numpy as np

from gpkit.core.compiled import inlined
from gpkit.core.kernel.choosing import is_higher
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.aiming import is_afloat, is_open, may_lie, square_in_order
from gpkit.games.battleship.kernel.gunnery import is_on_board, step_x, step_y
from gpkit.games.battleship.kernel.propagation import sense_beliefs
from gpkit.vm.keyed import HALF, keyed_uniform
from gpkit.vm.machine import apply_rows


class Formulas(NamedTuple):
    """The formulas of both agents, and room for their values.

    Attributes:
        facts: int64 (2, FACTS): see ``layout``.
        code: uint32 (rows, 5): the linked programs.
        memory: float64 (2, slots, squares): constants in every column; scratch.
        covers: int64 (KINDS_OF_COVER, squares), scratch.
        beliefs: scratch of belief propagation.
    """

    facts: Any
    code: Any
    memory: Any
    covers: Any
    beliefs: Any


@inlined
def best_square(agent, counters, board, ends, key, formulas, rules):  # type: ignore[no-untyped-def]
    """The unshot square of the highest value, the first of the order among equals; NaN is worse than anything.

    Args:
        agent: whose formula it is.
        counters: int64 (COUNTERS,), changed.
        board: int16 (BOARDS, squares), changed: its order.
        ends: int16 (squares,): where the groups of the order end.
        key: of the player's shots, 26 bits.
        formulas: changed: its memory.
        rules: int64, see ``layout``.
    """
    facts, memory, known = formulas.facts[agent], formulas.memory[agent], board[at.KNOWN]
    if rules[at.FOUND] and counters[at.TURNS] == 0:
        return square_in_order(counters, board, ends, key, 0)
    sense(memory, facts[at.USED_SENSORS], counters, board, formulas.covers, rules)
    sense_beliefs(memory, facts[at.USED_SENSORS], board, formulas.beliefs, rules)
    for place in range(facts[at.RANDOMS]):
        for square in range(known.shape[0]):
            counter = (((place + at.ORDER_NUMBERS) << at.SQUARE_BITS) + square) & (HALF - 1)
            memory[at.SENSORS + place, square] = keyed_uniform(key, counters[at.TURNS], counter)
    for row in range(facts[at.FIRST_ROW], facts[at.LAST_ROW]):
        code = formulas.code[row]
        apply_rows(memory, code[0], code[1], code[2], code[3], code[4])
    chosen, best = -1, np.nan
    for place in range(known.shape[0]):
        square = square_in_order(counters, board, ends, key, place)
        if known[square] == at.UNSHOT:
            value = memory[facts[at.RESULT], square]
            if chosen < 0 or is_higher(value, best):
                chosen, best = square, value
    return chosen


@inlined
def sense(memory, used, counters, board, covers, rules):  # type: ignore[no-untyped-def]
    """Write the sensors of all unshot squares but for beliefs; those of others mean nothing.

    Args:
        memory: float64 (slots, squares), changed.
        used: the mask of the sensors that are wanted.
        counters: int64 (COUNTERS,).
        board: int16 (BOARDS, squares).
        covers: int64 (KINDS_OF_COVER, squares), scratch.
        rules: int64, see ``layout``.
    """
    known, width, height = board[at.KNOWN], rules[at.WIDTH], rules[at.HEIGHT]
    if used & ((1 << at.PARITY) - 1):
        count_placements(covers, board, rules)
        for kind in range(at.KINDS_OF_COVER):
            for square in range(known.shape[0]):
                memory[at.COVER + kind, square] = covers[kind, square]
    if used >> at.PARITY & ((1 << (at.SENSED_OPEN - at.PARITY)) - 1):
        for square in range(known.shape[0]):
            if known[square] != at.UNSHOT:
                continue
            y = square // width
            x = square - y * width
            memory[at.PARITY, square] = (x + y) & 1
            memory[at.EDGE, square] = min(min(x, y), min(width - 1 - x, height - 1 - y))
            if used >> at.NEAR & 1:
                memory[at.NEAR, square] = nearest_open(x, y, known, rules)
            look_around(memory, x, y, known, rules)
    if used >> at.SENSED_OPEN & ((1 << (at.CHANCE - at.SENSED_OPEN)) - 1):
        sense_moment(memory, counters, board, rules)


@inlined
def count_placements(covers, board, rules):  # type: ignore[no-untyped-def]
    """Count by square the placements of ships afloat that cover it, by the open hits that they cover."""
    known, width = board[at.KNOWN], rules[at.WIDTH]
    covers[:] = 0
    for ship in range(rules[at.SHIPS_COUNT]):
        if not is_afloat(board, ship, rules):
            continue
        length = rules[at.LENGTHS + ship]
        for square in range(known.shape[0]):
            for vertical in range(2 if length > 1 else 1):
                hits = may_lie(known, square, vertical, length, rules)
                if hits >= 0:
                    cover = covers[min(hits, at.KINDS_OF_COVER - 1)]
                    step = width if vertical else 1
                    for k in range(length):
                        cover[square + k * step] += 1


@inlined
def look_around(memory, x, y, known, rules):  # type: ignore[no-untyped-def]
    """Write the sensors ``BESIDE``, ``LINE`` and ``BLOCKED`` of a square."""
    width = rules[at.WIDTH]
    beside, longest, blocked = 0, 0, 0
    for direction in range(4):
        dx, dy = step_x(direction), step_y(direction)
        run = 0
        while is_open(known, x + (run + 1) * dx, y + (run + 1) * dy, rules):
            run += 1
        beside += run > 0
        longest = max(longest, run)
        if not is_on_board(x + dx, y + dy, rules):
            blocked += 1
        else:
            state = known[(y + dy) * width + x + dx]
            blocked += state == at.MISS or state == at.SUNKEN
    square = y * width + x
    memory[at.BESIDE, square] = beside
    memory[at.LINE, square] = longest
    memory[at.BLOCKED, square] = blocked


@inlined
def nearest_open(x, y, known, rules):  # type: ignore[no-untyped-def]
    """Columns and rows to the nearest open hit, 0 if there is none."""
    least = 0
    for square in range(known.shape[0]):
        if known[square] == at.OPEN:
            row = square // rules[at.WIDTH]
            distance = abs(row - y) + abs(square - row * rules[at.WIDTH] - x)
            least = distance if least == 0 else min(least, distance)
    return least


@inlined
def sense_moment(memory, counters, board, rules):  # type: ignore[no-untyped-def]
    """Write the sensors that are the same for all squares."""
    known = board[at.KNOWN]
    longest, shortest, afloat = 0, 0, 0
    for ship in range(rules[at.SHIPS_COUNT]):
        if is_afloat(board, ship, rules):
            length = rules[at.LENGTHS + ship]
            longest = max(longest, length)
            shortest = length if afloat == 0 else min(shortest, length)
            afloat += 1
    left, opened = 0, 0
    for square in range(known.shape[0]):
        left += known[square] == at.UNSHOT
        opened += known[square] == at.OPEN
    for square in range(known.shape[0]):
        memory[at.SENSED_OPEN, square] = opened
        memory[at.LONGEST, square] = longest
        memory[at.SHORTEST, square] = shortest
        memory[at.AFLOAT, square] = afloat
        memory[at.SENSED_LEFT, square] = left
        memory[at.SENSED_TURNS, square] = counters[at.TURNS]
