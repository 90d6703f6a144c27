"""The orders in which targeting players take squares: groups, each of which is shuffled."""

from collections.abc import Mapping
from itertools import chain

DIAGONALS = 4
"""Every so many squares a diagonal of the pattern database."""

UNDERLYING: Mapping[str, str] = {"filter": "uniform", "density": "uniform", "hunt": "checkerboard"}
"""The orders of players that look at what is known; among equal squares they take the first."""


def order_groups(target: str, width: int, height: int) -> list[list[int]]:
    """The groups of squares, ascending in each, in which a targeting player takes them.

    ``checkerboard``: squares with an even sum of row and column, then the others. ``uniform``: all alike. ``raster``:
    one by one along the rows. ``diagonal``: every fourth rising diagonal, the longest one among them; then those midway
    between; then the rest (after the pattern database described by the authors of the Monte Carlo agent for
    Battleships, section IV, whose figure leaves the exact squares open).

    >>> order_groups("checkerboard", 2, 2)
    [[0, 3], [1, 2]]
    """
    squares = range(width * height)
    target = UNDERLYING.get(target, target)
    if target == "raster":
        return [[square] for square in squares]
    if target == "uniform":
        return [list(squares)]
    sums = [square % width + square // width for square in squares]
    if target == "checkerboard":
        kinds = [total % 2 for total in sums]
    else:
        longest = (width + height - 2) // 2
        kinds = [(0, 2, 1, 2)[(total - longest) % DIAGONALS] for total in sums]
    groups = [[square for square in squares if kinds[square] == kind] for kind in range(max(kinds) + 1)]
    assert sorted(chain.from_iterable(groups)) == list(squares), "every square is in one group"
    return [group for group in groups if group]
