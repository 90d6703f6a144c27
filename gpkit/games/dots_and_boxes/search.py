"""Values of positions on boards of any size, by search; ``solution`` has the same for small ones."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.kernel.search import UNKNOWN, search
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.strings import boxes_of_strings, strings_of_box, symmetries
from gpkit.games.dots_and_boxes.tables import board_of, position

PLACES = 1 << 22
"""Positions that are remembered: 40 MiB."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What searches of one board have found; it is added to by each of them, and never changes a value.

    Attributes:
        rules: the rules.
        keys: int64 (places,): positions, or ``UNKNOWN``.
        bounds: int8 (places, 2): the least and the greatest value that each may have.
        counters: int64 (1,): positions searched.
    """

    rules: Rules
    keys: NDArray[np.int64]
    bounds: NDArray[np.int8]
    counters: NDArray[np.int64]

    @classmethod
    def of(cls, rules: Rules, places: int = PLACES) -> "Memory":
        """An empty one with so many places, a power of two."""
        return cls(
            rules,
            np.full(places, UNKNOWN, dtype=np.int64),
            np.zeros((places, 2), dtype=np.int8),
            np.zeros(1, dtype=np.int64),
        )


@cache
def twins(rules: Rules) -> NDArray[np.int64]:
    """Pairs of strings from one box to the ground, the lower one first, in an order that sorts: int64 (pairs, 2)."""
    ground = [string for string, boxes in enumerate(boxes_of_strings(rules)) if len(boxes) == 1]
    pairs = []
    for box in range(rules.boxes):
        same = sorted(set(strings_of_box(box, rules)) & set(ground))
        for last in range(len(same) - 1, 0, -1):
            pairs += [(same[place], same[place + 1]) for place in range(last)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@cache
def images(rules: Rules) -> NDArray[np.int64]:
    """By symmetry of the board and byte of a mask its image: int64 (symmetries, bytes, 256)."""
    found = symmetries(rules)
    table = np.zeros((len(found), (rules.strings + 7) // 8, 256), dtype=np.int64)
    for number, moved in enumerate(found):
        for string, image in enumerate(moved):
            holds = np.arange(256) >> string % 8 & 1
            table[number, string // 8] |= holds << image
    return table


def searched_value(state: State, memory: Memory) -> int:
    """The value of a state for the player to draw.

    Zero-width searches close in upon it (Plaat and others, "Best-first fixed-depth minimax algorithms", 1996, MTD(f)).
    """
    rules = state.rules
    assert rules == memory.rules, "a memory is of one board"
    moves = np.zeros((rules.strings + 1, rules.strings), dtype=np.int64)
    left = sum(state.undrawn_sides(box) > 0 for box in range(rules.boxes))
    low, high, guess = -left, left, 0
    while low < high:
        beta = guess + 1 if guess == low else guess
        guess = int(
            search(
                position(state), beta - 1, beta, 0, board_of(rules), twins(rules), images(rules), memory.keys,
                memory.bounds, moves, memory.counters,
            )
        )  # fmt: skip
        low, high = (low, guess) if guess < beta else (guess, high)
    return low


def searched_value_of(state: State, string: int, memory: Memory) -> int:
    """The value of drawing a string, for who draws it."""
    closed = len(state.closed_by(string))
    after = searched_value(state.apply_action(string), memory)
    return closed + after if closed else -after
