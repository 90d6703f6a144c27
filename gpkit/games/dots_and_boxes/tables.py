"""The board as the kernels read it: strings and boxes as masks, and positions as numbers."""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.kernel.boxes import Board
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.strings import boxes_of_strings, strings_of_box
from gpkit.games.state import NOBODY

NEVER = 1 << 62
"""A string that no board has, so that a box with it is never closed."""

GROUND = -1
"""In place of a box: the border."""


def mask_of(strings: Iterable[int]) -> int:
    """The mask of strings that differ.

    >>> bin(mask_of((0, 3)))
    '0b1001'
    """
    return sum(1 << string for string in strings)


def strings_of(mask: int) -> tuple[int, ...]:
    """The strings of a mask, ascending."""
    return tuple(string for string in range(mask.bit_length()) if mask >> string & 1)


def position(state: State) -> int:
    """The mask of the drawn strings of a state."""
    return mask_of(state.drawn)


def state_of(drawn: int, rules: Rules) -> State:
    """The state in which these strings are drawn, as a mask; nobody owns a box, and player 0 is to draw."""
    return State(rules, frozenset(strings_of(drawn)), (NOBODY,) * rules.boxes)


@cache
def box_sides(rules: Rules) -> NDArray[np.int64]:
    """By box the mask of its four strings: int64 (boxes,)."""
    return _constant(np.array([mask_of(strings_of_box(box, rules)) for box in range(rules.boxes)], np.int64))


@cache
def touching(rules: Rules) -> NDArray[np.int64]:
    """By string its boxes, the second ``GROUND`` at the border: int64 (strings, 2)."""
    pairs = [(*boxes, GROUND)[:2] for boxes in boxes_of_strings(rules)]
    return _constant(np.array(pairs, dtype=np.int64))


@cache
def other_sides(rules: Rules) -> NDArray[np.int64]:
    """By string, for both of its boxes, the mask of the other three strings; ``NEVER`` in place of the ground."""
    sides = box_sides(rules)
    table = np.full((rules.strings, 2), NEVER, dtype=np.int64)
    for string, boxes in enumerate(boxes_of_strings(rules)):
        for place, box in enumerate(boxes):
            table[string, place] = int(sides[box]) & ~(1 << string)
    return _constant(table)


@cache
def board_of(rules: Rules) -> Board:
    """All of this."""
    return Board(box_sides(rules), touching(rules), other_sides(rules))


def _constant(table: NDArray[np.int64]) -> NDArray[np.int64]:
    table.setflags(write=False)
    return table
