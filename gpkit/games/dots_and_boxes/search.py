"""Values of positions on boards of any size, by search; ``solution`` has the same for small ones."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.arrays import board_of, position
from gpkit.games.dots_and_boxes.edges import boxes_of_edges, edges_of_box, symmetries
from gpkit.games.dots_and_boxes.kernel.endgame import KINDS
from gpkit.games.dots_and_boxes.kernel.search import ROW, Alike, Scratch, begin, reaches
from gpkit.games.dots_and_boxes.kernel.transpositions import UNKNOWN, Transpositions
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State

LEAST_PLACES, MOST_PLACES = 1 << 10, 1 << 26
"""So many positions are remembered, each in 10 bytes: 640 MiB at most."""

FEWER = 8
"""With n edges left 2^(n - 8) positions are remembered: about as many as are met that are not alike. Of whole boards
a search meets 1.2 times as many with 2x4 boxes, 0.4 with 3x3, 0.5 with 2x5."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of the searches of one board; each of them adds to it, and none changes a value.

    Attributes:
        rules: the rules.
        known: by position.
    """

    rules: Rules
    known: Transpositions

    @classmethod
    def of(cls, rules: Rules, places: int) -> "Memory":
        """An empty one with so many places, a power of two."""
        keys = np.full(places, UNKNOWN, dtype=np.int64)
        return cls(
            rules,
            Transpositions(keys, np.zeros((places, 2), dtype=np.int8), np.zeros(1, dtype=np.int64)),
        )

    @classmethod
    def fit_for(cls, state: State) -> "Memory":
        """An empty one for about as many positions as the search of a state meets, or as large as it may be."""
        left = state.rules.edges - len(state.drawn)
        return cls.of(state.rules, min(max(1 << max(left - FEWER, 0), LEAST_PLACES), MOST_PLACES))

    @property
    def searched(self) -> int:
        """Number of positions searched so far, each as often as it was."""
        return int(self.known.searched[0])


@cache
def twins(rules: Rules) -> NDArray[np.int64]:
    """Pairs of edges from one box to the ground, the lower one first, in an order that sorts: int64 (pairs, 2)."""
    ground = [edge for edge, boxes in enumerate(boxes_of_edges(rules)) if len(boxes) == 1]
    pairs = []
    for box in range(rules.boxes):
        same = sorted(set(edges_of_box(box, rules)) & set(ground))
        for last in range(len(same) - 1, 0, -1):
            pairs += [(same[place], same[place + 1]) for place in range(last)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@cache
def images(rules: Rules) -> NDArray[np.int64]:
    """By symmetry of the board and byte of a mask its image: int64 (symmetries, bytes, 256)."""
    found = symmetries(rules)
    table = np.zeros((len(found), (rules.edges + 7) // 8, 256), dtype=np.int64)
    for number, moved in enumerate(found):
        for edge, image in enumerate(moved):
            holds = np.arange(256) >> edge % 8 & 1
            table[number, edge // 8] |= holds << image
    return table


def searched_value(state: State, memory: Memory) -> int:
    """The value of a state for the player to draw; of the goals that it may reach, those next to 0 are tried first."""
    rules = state.rules
    assert rules == memory.rules, "a memory is of one board"
    scratch = Scratch(
        rows=np.zeros((rules.edges + 1, rules.edges, ROW), dtype=np.int64),
        lengths=np.zeros((KINDS, rules.boxes), dtype=np.int64),
        values=np.zeros(rules.boxes + 1, dtype=np.int64),
    )
    board, alike = board_of(rules), Alike(twins(rules), images(rules))
    settled, taken, run = begin(position(state), board, alike)
    high = sum(state.undrawn_sides(box) > 0 for box in range(rules.boxes)) - taken - run
    low = -high
    while low < high:
        goal = min(max(low + 2, 0), high)
        goal += (goal - low) % 2
        if reaches(goal, settled, 0, board, alike, memory.known, scratch):
            low = goal
        else:
            high = goal - 2
    return int(taken + (abs(low + run) if run else low))


def searched_value_of(state: State, edge: int, memory: Memory) -> int:
    """The value of drawing an edge, for who draws it."""
    closed = len(state.closed_by(edge))
    after = searched_value(state.apply(edge), memory)
    return closed + after if closed else -after
