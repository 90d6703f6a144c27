"""Every fleet of a small board of Battleship."""

from collections.abc import Iterator
from itertools import product

from gpkit.games.battleship.fleets import Placements, is_legal, is_on_board
from gpkit.games.battleship.options import Rules


def legal_fleets(rules: Rules) -> Iterator[Placements]:
    """Every legal fleet of a small board; ships of one length are told apart.

    A ship of one square has one placement, the horizontal one.
    """
    choices = [
        [p for p in range(2 * rules.squares) if is_on_board(p, length, rules) and not (length == 1 and p & 1)]
        for length in rules.fleet
    ]
    return (fleet for fleet in product(*choices) if is_legal(fleet, rules))
