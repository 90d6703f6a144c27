"""Layout of fleets by patterns: for every ship the weights of its placements.

After J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and Placement
Strategies", Figure 2, and for ``one-by-one`` after the authors of the Monte Carlo agent for Battleships, section III. A
ship is drawn with a chance in proportion to the weight of its placement, and the whole fleet is drawn anew if ships
overlap, or touch where they may not; in the patterns of ``REDRAWS`` that ship alone.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.fleets import Redraw, is_on_board
from gpkit.games.battleship.options import Rules

PATTERNS: Mapping[str, str] = {
    "uniform": "every legal fleet is equally likely",
    "corner": "the lower left quarter is favoured nine to one",
    "wall": "ships stand on the bottom row and reach upward",
    "corners": "one ship in each corner, the others anywhere",
    "lines": "all ships lie along the rows",
    "one-by-one": "the longest ship first, each anywhere that it fits beside those before it",
}

REDRAWS: Mapping[str, Redraw] = {"one-by-one": "ship"}
"""Redrawn parts of the patterns that draw no whole fleets anew."""

CORNER_WEIGHT = 9.0


def weights(pattern: str, rules: Rules) -> NDArray[np.float64]:
    """The weights of the placements of each ship: float64 (ships, 2 · squares).

    Placement 2 · square + 1 is vertical, 2 · square horizontal; the square is its top or left end. What leaves the
    board weighs nothing. If no placement of a ship fits the pattern, it is laid out uniformly.

    Args:
        pattern: one of ``PATTERNS``.
        rules: the board and the fleet.
    """
    table = np.zeros((len(rules.fleet), 2 * rules.squares))
    for ship, length in enumerate(rules.fleet):
        for placement in range(2 * rules.squares):
            if is_on_board(placement, length, rules):
                table[ship, placement] = _weight(pattern, ship, placement, length, rules)
        if not table[ship].any():
            table[ship] = weights("uniform", rules)[ship]
    return table


def _weight(pattern: str, ship: int, placement: int, length: int, rules: Rules) -> float:
    """The weight of a placement on the board."""
    (y, x), vertical = divmod(placement >> 1, rules.width), bool(placement & 1)
    right, below = (x, y + length - 1) if vertical else (x + length - 1, y)
    if pattern == "corner":
        return CORNER_WEIGHT if right < (rules.width + 1) // 2 and y >= rules.height // 2 else 1.0
    if pattern == "wall":
        return float(vertical and below + 1 == rules.height)
    if pattern == "corners":
        in_corner = bool({x, right} & {0, rules.width - 1} and {y, below} & {0, rules.height - 1})
        return float(ship >= 4 or in_corner)
    return float(pattern != "lines" or not vertical)
