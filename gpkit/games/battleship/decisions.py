"""From numbers to shots: a formula's value of each square, and the square of the highest value.

Squares are looked at in the order of the player ``uniform``, which the key of the shots decides, so that equal values
favour none of them.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import count

from gpkit.gamekit.state import best_place
from gpkit.games.battleship.kernel.layout import ORDER_NUMBERS, SQUARE_BITS
from gpkit.games.battleship.rules import Board
from gpkit.games.battleship.sensors import sense
from gpkit.vm.keyed import HALF, keyed_uniform_readable

Utility = Callable[[Mapping[str, float], int], float]
"""The value of a square, given its sensors and its number; NaN is worse than anything."""


def choose(squares: Sequence[int], utility: Utility, board: Board) -> int:
    """The unshot square of the highest value; the first of equals, and the first one if every value is NaN.

    Args:
        squares: of ``aiming.target_squares`` for ``uniform``.
        utility: what a formula makes of a square.
        board: what the shooter knows; with the rule ``found`` the first square is the first shot.
    """
    sensors = sense(board)
    unshot = [square for square in squares if square in sensors]
    if board.rules.found and not board.shots:
        return unshot[0]
    return unshot[best_place([utility(sensors[square], square) for square in unshot])]


def random_numbers(key: int, turns: int, square: int) -> Callable[[], float]:
    """A source of the values of ``math.random()`` for one square: the k-th call is the k-th place in the formula.

    ``key`` is that of the player's shots, 26 bits; ``turns`` are those before this shot. Values lie in [0, 1).
    """
    places = count(ORDER_NUMBERS)
    return lambda: keyed_uniform_readable(key, turns, ((next(places) << SQUARE_BITS) + square) % HALF)
