"""Values of positions on boards of any size, and of coins, by search; ``classes`` has the same for small ones.

A best line of a position shows who is in control (Berlekamp, "The Dots and Boxes Game", 2000): the one to whom the
first long chain, or loop, is given. From then on the other one has to give all that follow. Who that will be is what
the middle of a game is about.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpkit.gamekit.state import played
from gpkit.games.dots_and_boxes.arrays import board_of, mask_of
from gpkit.games.dots_and_boxes.classes import value_of_edge
from gpkit.games.dots_and_boxes.edges import Field, boxes_of_edges, edges_of_box, symmetries
from gpkit.games.dots_and_boxes.kernel.boxes import KINDS, SHORT, SHORT_LOOP, Board
from gpkit.games.dots_and_boxes.kernel.search import (
    ROW,
    UNKNOWN,
    Alike,
    SolverScratch,
    Transpositions,
    reaches,
    settle_alone,
)
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import state_graph

LEAST_PLACES, MOST_PLACES = 1 << 10, 1 << 26
"""So many positions are remembered, each in 10 bytes: 640 MiB at most."""

ROOM, FEWER = 22, 8
"""With n edges left, those of a chain counted as one, there are 2^n positions. Up to 2^22 all have room; of more
2^(n - 8), about as many as are met that are not alike: of whole boards a search meets 1.2 times as many with 2x4 boxes,
0.4 with 3x3, 0.5 with 2x5."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of the searches of one board; each of them adds to it, and none changes a value.

    Attributes:
        rules: what is played on.
        known: by position.
        board, alike, scratch: see ``kernel.search``.
    """

    rules: Field
    known: Transpositions
    board: Board
    alike: Alike
    scratch: SolverScratch

    @classmethod
    def of(cls, rules: Field, places: int) -> "Memory":
        """An empty one with so many places, a power of two."""
        scratch = SolverScratch(
            rows=np.zeros((rules.edges + 1, rules.edges, ROW), dtype=np.int64),
            lengths=np.zeros((KINDS, rules.boxes), dtype=np.int64),
            values=np.zeros(rules.boxes + 1, dtype=np.int64),
        )
        known = Transpositions(
            np.full(places, UNKNOWN, dtype=np.int64),
            np.zeros((places, 2), dtype=np.int8),
            np.zeros(1, dtype=np.int64),
        )
        return cls(rules, known, board_of(rules), Alike(twins(rules), images(rules)), scratch)

    @classmethod
    def fit_for(cls, state: State) -> "Memory":
        """An empty one for about as many positions as the search of a state meets, or as large as it may be."""
        alike = sum(len(path) - 1 for path in state_graph(state).paths if path)
        left = state.rules.edges - len(state.drawn) - alike
        places = 1 << max(min(left, ROOM), left - FEWER)
        return cls.of(state.rules, min(max(places, LEAST_PLACES), MOST_PLACES))

    @property
    def searched(self) -> int:
        """Number of positions searched so far, each as often as it was."""
        return int(self.known.searched[0])


@cache
def twins(rules: Field) -> NDArray[np.int64]:
    """Pairs of edges from one box to the ground, the lower one first, in an order that sorts: int64 (pairs, 2)."""
    ground = [edge for edge, boxes in enumerate(boxes_of_edges(rules)) if len(boxes) == 1]
    pairs = []
    for box in range(rules.boxes):
        same = sorted(set(edges_of_box(box, rules)) & set(ground))
        for last in range(len(same) - 1, 0, -1):
            pairs += [(same[place], same[place + 1]) for place in range(last)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@cache
def images(rules: Field) -> NDArray[np.int64]:
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
    settled, taken, run = _settled(state, memory)
    high = sum(state.undrawn_sides(box) > 0 for box in range(state.rules.boxes)) - taken - run
    low = -high
    while low < high:
        goal = min(max(low + 2, 0), high)
        goal += (goal - low) % 2
        if _reaches(goal, settled, memory):
            low = goal
        else:
            high = goal - 2
    return int(taken + (abs(low + run) if run else low))


def searched_value_of(state: State, edge: int, memory: Memory) -> int:
    """The value of drawing an edge, for who draws it."""
    return value_of_edge(state, edge, lambda after: searched_value(after, memory))


def reaches_by(state: State, edge: int, goal: int, memory: Memory) -> bool:
    """Whether the value of drawing an edge, for who draws it, is at least a goal; faster than the value."""
    closed = len(state.closed_by(edge))
    settled, taken, run = _settled(state.apply(edge), memory)
    goal = (goal - closed if closed else 1 - goal) - taken
    reached = (
        (run > 0 and goal <= 0)
        or _reaches(goal - run, settled, memory)
        or (run > 0 and not _reaches(1 - goal - run, settled, memory))
    )
    return reached if closed else not reached


def _settled(state: State, memory: Memory) -> tuple[int, int, int]:
    """A state after what is best taken at once, see ``kernel.search.settle``."""
    assert state.rules == memory.rules, "a memory is of one board"
    settled: tuple[int, int, int] = settle_alone(mask_of(state.drawn), memory.board, memory.alike)
    return settled


def _reaches(goal: int, settled: int, memory: Memory) -> bool:
    """Whether the value of a settled position is at least a goal."""
    return bool(reaches(goal, settled, 0, memory.board, memory.alike, memory.known, memory.scratch))


@dataclass(frozen=True, slots=True)
class Control:
    """Gift of the first long chain or loop in a line.

    Attributes:
        player: to whom it is given.
        turn: number of edges of the line that are drawn before it.
        chains: boxes of each long chain that is there then, ascending.
        loops: the same of loops.
    """

    player: int
    turn: int
    chains: tuple[int, ...]
    loops: tuple[int, ...]


def best_line(state: State, memory: Memory) -> tuple[int, ...]:
    """Edges to the end of a game that both play as well as can be; of equally good edges the first in their order."""
    value = searched_value(state, memory)

    def best(state: State) -> int:
        nonlocal value
        edge = next(each for each in state.legal_actions() if reaches_by(state, each, value, memory))
        closed = len(state.closed_by(edge))
        value = value - closed if closed else -value
        return edge

    return tuple(edge for _, edge, _ in played(state, best))


def control_of(state: State, line: Sequence[int]) -> Control | None:
    """The first gift of a long chain or loop in a line; None if there is none."""
    for turn, edge in enumerate(line):
        graph = state_graph(state)
        can_take = any(state.undrawn_sides(box) == 1 for box in range(state.rules.boxes))
        loops = {node for node, ends in enumerate(graph.ends) if ends == (node, node)}
        lengths = {node: each.length for node, each in enumerate(graph.graph.nodes)}
        long = [node for node in lengths if lengths[node] > (SHORT_LOOP if node in loops else SHORT)]
        if not can_take and any(edge in graph.paths[node] for node in long):
            by_kind = (
                tuple(sorted(lengths[node] for node in long if (node in loops) == is_loop))
                for is_loop in (False, True)
            )
            return Control(1 - state.current_player, turn, *by_kind)
        state = state.apply(edge)
    return None
