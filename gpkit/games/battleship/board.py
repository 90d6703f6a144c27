"""Boards as text: columns are letters, rows are numbers, so that a square is called C4."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gpkit.core.errors import UsageError
from gpkit.core.wording import YOU
from gpkit.gamekit.words import title
from gpkit.games.battleship.fleets import Placements, is_on_board, squares_of, surroundings
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, Known, Shot, announced
from gpkit.games.battleship.state import State

SIGNS: dict[Known, str] = {"unshot": ".", "miss": "o", "open": "x", "sunk": "#"}
"""Signs of squares on a board, by what is known of them."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

SEATS = ("seat 0", "seat 1")
"""Names of players who were given none."""

GAP = "    "
"""Between two boards side by side."""


def column_name(column: int) -> str:
    """A, B, …, Z, AA, AB, …

    >>> column_name(0), column_name(25), column_name(26)
    ('A', 'Z', 'AA')
    """
    more, letter = divmod(column, len(_LETTERS))
    return (column_name(more - 1) if more else "") + _LETTERS[letter]


def square_name(square: int, rules: Rules) -> str:
    """The column and the row of a square, such as C4."""
    y, x = divmod(square, rules.width)
    return f"{column_name(x)}{y + 1}"


def square_of_name(text: str, rules: Rules) -> int:
    """The square that is called so; capitals do not matter.

    Raises:
        UsageError: there is no such square.
    """
    word = text.strip().upper()
    by_name = {square_name(square, rules): square for square in range(rules.squares)}
    if word in by_name:
        return by_name[word]
    last = square_name(rules.squares - 1, rules)
    shown = text if len(text) <= 20 else f"{text[:19]}…"
    raise UsageError(f"`{shown}` is not a square: expected a letter and a number, from A1 to {last}")


TOWARDS = {"h": "to the right", "v": "down"}
"""Directions in which a ship lies from its first square, by how they are typed."""


def placement_of_name(text: str, laid: Placements, rules: Rules) -> int:
    """The placement of the next ship after those ``laid``: its top or left end, and h for to the right or v for down.

    A ship of one square needs no direction.

    >>> placement_of_name("C4 v", (), Rules())
    65

    Raises:
        UsageError: there is no such placement, or the ship cannot lie there; the message says why.
    """
    length = rules.fleet[len(laid)]
    word = text.strip()
    towards = TOWARDS.get(word[1:][-1:].lower(), "")
    square = square_of_name(word[:-1].strip() if towards else word, rules)
    name = square_name(square, rules)
    if length > 1 and not towards:
        raise UsageError(f"which direction from {name}? `{name} h` is to the right, `{name} v` is down")
    placement = 2 * square + (length > 1 and towards == "down")
    if not is_on_board(placement, length, rules):
        raise UsageError(f"a ship of {length} from {name} {towards} leaves the board")
    squares = set(squares_of(placement, length, rules))
    for other, size in zip(laid, rules.fleet, strict=False):
        theirs = squares_of(other, size, rules)
        if common := squares.intersection(theirs):
            where = square_name(min(common), rules)
            raise UsageError(f"a ship of {length} there overlaps the ship of {size} at {where}")
        if squares & surroundings(theirs, rules):
            raise UsageError(
                f"a ship of {length} there touches the ship of {size}; by these rules ships lie apart, even at corners"
            )
    return placement


def shot_text(shot: Shot, rules: Rules) -> str:
    """A shot as it is announced, such as ``C4: hit, sinks the ship of 3``."""
    if shot.square < 0:
        return "a place off the board: miss"
    said = f"{square_name(shot.square, rules)}: {'hit' if shot.hit else 'miss'}"
    if shot.known:
        return f"{said}, already known"
    told = announced(shot, rules)
    if told is None:
        return said
    return f"{said}, sinks the ship of {told}" if told else f"{said}, sinks a ship"


class Side(NamedTuple):
    """A board as it is shown: its title, and whether ships show that were not hit."""

    board: Board
    title: str
    reveal: bool


def sides(state: State, player: int | None = None, names: Sequence[str] = SEATS) -> list[Side]:
    """The boards from left to right.

    Args:
        state: the game.
        player: who looks, whose own target comes first, its ships hidden until the end; None: all is open.
        names: of the players.
    """
    order = range(len(state.boards)) if not player else (player, 1 - player)
    return [
        Side(
            state.boards[seat],
            f"{title(names[seat])} {'shoot' if names[seat] == YOU else 'shoots'} at",
            player is None or state.is_terminal or seat != player,
        )
        for seat in order
    ]


def board_text(state: State, player: int | None = None, names: Sequence[str] = SEATS) -> str:
    """The board, in a duel both side by side under the players' names; arguments as of ``sides``."""
    shown = sides(state, player, names)
    if len(shown) == 1:
        return grid_text(shown[0].board, reveal=shown[0].reveal)
    left, right = ([title, *grid_text(board, reveal=reveal).splitlines()] for board, title, reveal in shown)
    width = max(map(len, left))
    return "".join(f"{a:{width}}{GAP}{b}".rstrip() + "\n" for a, b in zip(left, right, strict=True))


def grid_text(board: Board, *, reveal: bool = False) -> str:
    """A board in lines that end with a line break: ``.`` unshot, ``o`` miss, ``x`` hit, ``#`` of a ship sunk.

    With ``reveal`` squares of ships that were not hit show the length of the ship (a ``+`` if it has two digits).
    """
    rules = board.rules
    symbols = dict.fromkeys(range(rules.squares), SIGNS["unshot"])
    for placement, length in zip(board.fleet, rules.fleet, strict=True) if reveal else ():
        sign = str(length) if length < 10 else "+"
        symbols |= dict.fromkeys(squares_of(placement, length, rules), sign)
    return _grid(board, symbols, len(column_name(rules.width - 1)), " ")


def _grid(board: Board, symbols: Mapping[int, str], wide: int, blank: str) -> str:
    """A board in lines: signs of unshot squares, and what is known of the others.

    Args:
        board: the board.
        symbols: by square.
        wide: characters of a square; of the names of columns the last ones are shown.
        blank: between two squares.
    """
    rules = board.rules
    margin = len(str(rules.height))
    lines = [f"{'':{margin}} " + blank.join(f"{column_name(x)[-wide:]:>{wide}}" for x in range(rules.width))]
    for y in range(rules.height):
        known = enumerate(board.known[y * rules.width :][: rules.width], y * rules.width)
        row = [symbols[square] if what == "unshot" else SIGNS[what] for square, what in known]
        lines.append(f"{y + 1:{margin}} " + blank.join(f"{sign:>{wide}}" for sign in row))
    return "".join(f"{line}\n" for line in lines)


Chances = Sequence[float]
"""By square the chance of a ship."""

WIDEST = 24
"""Columns of a board that is shown with chances in percent; wider ones have them in tenths."""


def heat_text(board: Board, chances: Chances) -> str:
    """A board in lines that end with a line break: chances of unshot squares, and what is known of the others.

    Chances are in hundredths, on wide boards (where columns show their last letter) in tenths, rounded down;
    ``o`` miss, ``x`` hit, ``#`` of a ship sunk.
    """
    rules = board.rules
    wide, parts, blank = (2, 100, " ") if rules.width <= WIDEST else (1, 10, "")
    symbols = {square: str(min(int(parts * chance), parts - 1)) for square, chance in enumerate(chances)}
    return _grid(board, symbols, wide, blank)
