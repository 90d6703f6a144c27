"""Perfect play of Dots and Boxes: all positions of a board in a table, the same by plain recursion, and search."""

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.classes import board_of, readable_value, state_of
from gpkit.games.dots_and_boxes.kernel.boxes import solve
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.games.dots_and_boxes.solving import SearchMemory, searched_value
from gpkit_experiments.bench.measure import Outcome, Session, Target, Work, interleaved, measured, rate, times

TABLE_SECONDS = Target("at most", required=5.0)
"""For all positions of 3x3 boxes."""

QUICK = (DotsAndBoxesRules(2, 1), DotsAndBoxesRules(3, 2), DotsAndBoxesRules(3, 3))
FULL = (DotsAndBoxesRules(2, 2), DotsAndBoxesRules(3, 3), DotsAndBoxesRules(3, 4))
"""The boards of the recursion, of the table and of the search."""


def measure(session: Session) -> Outcome:
    """Time the values of all positions of a board, of all of a smaller one by recursion, and of a larger empty one."""
    rounds = 3
    small, board, large = QUICK if session.quick else FULL
    session.watch(
        f"solving: {rounds} times all positions of {_size(board)}, and the empty {_size(large)} by search"
    )
    assert np.array_equal(by_table(small), by_recursion(small)), "same values"
    assert by_search(board) == by_table(board)[0], "same values"

    def search(_: int) -> float:
        by_search(large)
        return 1.0

    works: list[Work] = [
        lambda _: float(by_table(board).size),
        lambda _: float(by_recursion(small).size),
        search,
    ]
    tables, recursions, searches = interleaved(works, rounds, session.clock)
    return Outcome(
        f"the 2^{board.edges} positions of {_size(board)} boxes in a table, the 2^{small.edges} of {_size(small)} "
        f"by plain recursion, the empty board of {_size(large)} by search; {rounds} rounds",
        (
            measured("table", "the whole table", "seconds", [t.seconds for t in tables], TABLE_SECONDS),
            rate("positions", "the table", tables, unit="positions/s"),
            rate("recursion", "plain recursion", recursions, unit="positions/s"),
            times("table_over_recursion", "the table / recursion", recursions, tables),
            measured("search", "the larger board by search", "seconds", [t.seconds for t in searches]),
        ),
    )


def by_table(rules: DotsAndBoxesRules) -> NDArray[np.int8]:
    """The values of all positions by their masks, compiled: int8 (2^edges,)."""
    values = np.empty(1 << rules.edges, dtype=np.int8)
    solve(board_of(rules), values)
    return values


def by_recursion(rules: DotsAndBoxesRules) -> NDArray[np.int8]:
    """The same in plain Python."""
    known: dict[frozenset[int], int] = {}
    values = [readable_value(state_of(mask, rules), known) for mask in range(1 << rules.edges)]
    return np.array(values, dtype=np.int8)


def by_search(rules: DotsAndBoxesRules) -> int:
    """The value of the empty board by search that remembers nothing from before."""
    state = DotsAndBoxesState.begin(rules)
    return searched_value(state, SearchMemory.fit_for(state))


def _size(rules: DotsAndBoxesRules) -> str:
    return f"{rules.width}x{rules.height}"
