"""Perfect play: the value of a position is the margin that the player to draw gets from here on.

Boxes closed before do not matter for what is best, so a position is its set of drawn edges. Three ways to the same
values: plain recursion to be read (``readable_value``), a table of all positions for boards of up to 24 edges
(``table``), and a search for larger boards (``gpkit.games.dots_and_boxes.search``).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.arrays import board_of, edges_of, other_sides, position
from gpkit.games.dots_and_boxes.kernel.rules import solve
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State

TABLE_EDGES = 24
"""A table has a byte for every set of edges: 16 MiB for the 24 of 3x3 boxes."""

NO_TABLE = np.zeros(0, dtype=np.int8)
"""In place of a table, for policies that do without."""
NO_TABLE.setflags(write=False)


@lru_cache(maxsize=2)
def table(rules: Rules) -> NDArray[np.int8]:
    """By mask of drawn edges the value for the player to draw: int8 (2^edges,), read-only."""
    assert rules.edges <= TABLE_EDGES, "larger boards are searched"
    values = np.empty(1 << rules.edges, dtype=np.int8)
    solve(board_of(rules), values)
    values.setflags(write=False)
    return values


def readable_value(state: State, known: dict[frozenset[int], int] | None = None) -> int:
    """The value of a state for the player to draw, by trying everything.

    Args:
        state: with few edges left: the time doubles with each of them.
        known: values found before, by the drawn edges; added to.
    """
    if known is None:
        known = {}
    if state.is_terminal:
        return 0
    if state.drawn not in known:
        known[state.drawn] = max(readable_value_of(state, edge, known) for edge in state.legal_actions())
    return known[state.drawn]


def readable_value_of(state: State, edge: int, known: dict[frozenset[int], int] | None = None) -> int:
    """The value of drawing an edge, for who draws it."""
    closed = len(state.closed_by(edge))
    after = readable_value(state.apply(edge), known)
    return closed + after if closed else -after


def best_edges(state: State) -> tuple[int, ...]:
    """All edges that keep the value of a state, on a board that has a table."""
    values = table(state.rules)
    drawn, others = position(state), other_sides(state.rules)
    undrawn = edges_of(~drawn & (len(values) - 1))
    scores = {}
    for edge in undrawn:
        closed = sum(int(drawn & int(other)) == int(other) for other in others[edge])
        after = int(values[drawn | 1 << edge])
        scores[edge] = closed + after if closed else -after
    best = max(scores.values(), default=0)
    return tuple(edge for edge in undrawn if scores[edge] == best)
