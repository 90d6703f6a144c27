"""Perfect play: the value of a position is the margin that the player to draw gets from here on.

Boxes closed before do not matter for what is best, so a position is its set of drawn strings. Three ways to the same
values: plain recursion to be read (``readable_value``), a table of all positions for boards of up to 24 strings
(``table``), and a search for larger boards (``gpkit.games.dots_and_boxes.search``).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.kernel.rules import solve
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.tables import board_of, other_sides, position, strings_of

TABLE_STRINGS = 24
"""A table has a byte for every set of strings: 16 MiB for the 24 of 3x3 boxes."""

NO_TABLE = np.zeros(0, dtype=np.int8)
"""In place of a table, for policies that do without."""
NO_TABLE.setflags(write=False)


@lru_cache(maxsize=2)
def table(rules: Rules) -> NDArray[np.int8]:
    """By mask of drawn strings the value for the player to draw: int8 (2^strings,), read-only."""
    assert rules.strings <= TABLE_STRINGS, "larger boards are searched"
    values = np.empty(1 << rules.strings, dtype=np.int8)
    solve(board_of(rules), values)
    values.setflags(write=False)
    return values


def readable_value(state: State, known: dict[frozenset[int], int] | None = None) -> int:
    """The value of a state for the player to draw, by trying everything.

    Args:
        state: with few strings left: the time doubles with each of them.
        known: values found before, by the drawn strings; added to.
    """
    if known is None:
        known = {}
    if state.is_terminal:
        return 0
    if state.drawn not in known:
        known[state.drawn] = max(readable_value_of(state, string, known) for string in state.legal_actions())
    return known[state.drawn]


def readable_value_of(state: State, string: int, known: dict[frozenset[int], int] | None = None) -> int:
    """The value of drawing a string, for who draws it."""
    closed = len(state.closed_by(string))
    after = readable_value(state.apply(string), known)
    return closed + after if closed else -after


def best_strings(state: State) -> tuple[int, ...]:
    """All strings that keep the value of a state, on a board that has a table."""
    values = table(state.rules)
    drawn, others = position(state), other_sides(state.rules)
    undrawn = strings_of(~drawn & (len(values) - 1))
    scores = {}
    for string in undrawn:
        closed = sum(int(drawn & int(other)) == int(other) for other in others[string])
        after = int(values[drawn | 1 << string])
        scores[string] = closed + after if closed else -after
    best = max(scores.values(), default=0)
    return tuple(string for string in undrawn if scores[string] == best)
