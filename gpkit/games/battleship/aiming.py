"""Players that answer the instruction ``Target``, in plain Python; ``kernel/shooting.py`` is the compiled version.

Each player orders the squares in its own way and chooses the first suitable square. The order consists of groups, each
shuffled with the key of the shots. The player repeats its answer until that square is shot, so all programs get the
same targets on the same board.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, chain

from gpkit.gamekit.state import best_place
from gpkit.games.battleship.kernel.layout import LARGEST_EXPONENT
from gpkit.games.battleship.rules import BattleshipRules, Board, placements_of, squares_of
from gpkit.vm.keyed import keyed_uniform_readable

DIAGONALS = 4
"""The distance between diagonals of the pattern database, in squares."""

UNDERLYING: Mapping[str, str] = {"filter": "uniform", "density": "uniform", "hunt": "checkerboard"}
"""The order of squares for each player that uses knowledge of the board; ties between squares go to the first in the
order."""


def order_groups(target: str, width: int, height: int) -> list[list[int]]:
    """The groups of squares in a targeting player's order; each group is in ascending order.

    ``checkerboard`` starts with the squares for which the sum of row and column is even. ``uniform`` has a single group
    of all squares. ``raster`` proceeds square by square along the rows. ``diagonal`` starts with every fourth rising
    diagonal, including the longest one, then takes the diagonals midway between these, and then the remaining ones. The
    order ``diagonal`` follows the pattern database in the paper about the Monte Carlo agent for Battleships (section
    IV). The paper's figure does not define the exact squares.

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


Weights = Sequence[Sequence[float]]
"""Weights of placements, indexed by ship, by direction (horizontal before vertical), and by first square."""


def target_squares(target: str, key: int, board: Board) -> tuple[int, ...]:
    """All squares in a targeting player's order.

    Each group is shuffled: the square at each place i is swapped with that at a random place from i to the end of the
    group. With the rule ``found``, a random ship square comes first, and the other squares follow in their usual order.

    Args:
        target: one of ``primitives.TARGETS``.
        key: the key of the player's shots, 26 bits.
        board: the board before the first shot.
    """
    rules = board.rules
    groups = order_groups(target, rules.width, rules.height)
    squares = [square for group in groups for square in group]
    ends = [end for end, group in zip(accumulate(map(len, groups)), groups, strict=True) for _ in group]
    first = 0
    if rules.found:
        ships = [square for square in range(rules.squares) if board.ship_at(square) >= 0]
        found = ships[int(keyed_uniform_readable(key, 0, 2) * len(ships))]
        squares.remove(found)
        squares.insert(0, found)
        first = 1
    for place in range(first, len(squares)):
        left = ends[place] - place
        if left > 1:
            other = place + int(keyed_uniform_readable(key, place, 0) * left)
            squares[place], squares[other] = squares[other], squares[place]
    return tuple(squares)


def answer(target: str, squares: Sequence[int], board: Board) -> int:
    """The square that a targeting player chooses.

    Args:
        target: one of ``primitives.TARGETS``.
        squares: the result of ``target_squares``.
        board: the player's view of the board, with at least one unshot square.
    """
    unshot = [square for square in squares if board.known[square] == "unshot"]
    return _PLAYERS[target](unshot, board) if target in _PLAYERS else unshot[0]


def _filter(unshot: Sequence[int], board: Board) -> int:
    """The first square that the longest ship afloat may cover."""
    longest = max(board.afloat, default=0)
    covered = {
        square
        for placement in possible_placements(longest, board)
        for square in squares_of(placement, longest, board.rules)
    }
    return next((square for square in unshot if square in covered), unshot[0])


def possible_placements(length: int, board: Board) -> list[int]:
    """The placements of a ship that cover no misses and no ships known to be sunk, without repeats."""
    rules = board.rules
    return [
        placement
        for placement in placements_of(length, rules)
        if all(board.known[square] in ("unshot", "open") for square in squares_of(placement, length, rules))
    ]


def _hunt(unshot: Sequence[int], board: Board) -> int:
    """The first square that extends a line of open hits, or else is beside an open hit, or else the first of all."""
    near = [square for square in unshot if any(open_runs(square, board))]
    lines = (square for square in near if max(open_runs(square, board)) >= 2)
    return next(lines, next(iter(near), unshot[0]))


STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The steps to the neighbouring squares in the north, east, south and west, as columns and rows."""


def open_runs(square: int, board: Board) -> list[int]:
    """For each direction in ``STEPS``, the number of open hits in an unbroken line next to a square."""
    rules, runs = board.rules, [0] * len(STEPS)
    for direction, (right, down) in enumerate(STEPS):
        x, y = square % rules.width + right, square // rules.width + down
        while 0 <= x < rules.width and 0 <= y < rules.height and board.known[y * rules.width + x] == "open":
            runs[direction] += 1
            x, y = x + right, y + down
    return runs


def squares_beside(square: int, rules: BattleshipRules) -> list[int]:
    """The neighbours of a square, in the order of ``STEPS``."""
    y, x = divmod(square, rules.width)
    places = ((x + right, y + down) for right, down in STEPS)
    return [b * rules.width + a for a, b in places if 0 <= a < rules.width and 0 <= b < rules.height]


def expected(squares: Sequence[int], weights: Weights, board: Board) -> int:
    """The square that placements cover with the largest total weight; ties go to the first.

    Only placements of ships afloat count. The weight of a placement is multiplied by 16 for each of up to
    ``LARGEST_EXPONENT`` open hits that it covers. If there are open hits, placements that cover none of them do not
    count.

    Args:
        squares: the result of ``target_squares``.
        weights: the weights of all ships' placements; empty for the player ``density``, which weights all placements
            equally.
        board: the player's view of the board, with at least one unshot square.
    """
    any_open = "open" in board.known
    values = [0.0] * board.rules.squares
    for ship in board.ships_afloat:
        length = board.rules.fleet[ship]
        for placement in possible_placements(length, board):
            covered = squares_of(placement, length, board.rules)
            hits = sum(board.known[square] == "open" for square in covered)
            if hits or not any_open:
                start, vertical = divmod(placement, 2)
                weight = weights[2 * ship + vertical][start] if weights else 1.0
                for square in covered:
                    values[square] += 16 ** min(hits, LARGEST_EXPONENT) * weight
    unshot = [square for square in squares if board.known[square] == "unshot"]
    return unshot[best_place([values[square] for square in unshot])]


_PLAYERS: Mapping[str, Callable[[Sequence[int], Board], int]] = {
    "filter": _filter,
    "hunt": _hunt,
    "density": lambda unshot, board: expected(unshot, (), board),
}
"""The players that use knowledge of the board."""
