"""Boards as text and pictures; columns have letters and rows have numbers, so a square has a name such as C4.

A picture is a pure function of the boards. A miss is a ring. A hit is a cross on a ship's hull, which is dark if the
ship is known to be sunk. Ships are shown unless they are hidden. The last shot has a golden outline.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from gpkit.core.errors import UsageError
from gpkit.core.wording import YOU
from gpkit.gamekit.svg import box, button, document, golden, places
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Overlay, Spot, title
from gpkit.games.battleship.rules import (
    BattleshipRules,
    Board,
    Known,
    Placements,
    Shot,
    announced,
    is_on_board,
    squares_of,
    surroundings,
)
from gpkit.games.battleship.state import BattleshipState

SIGNS: dict[Known, str] = {"unshot": ".", "miss": "o", "open": "x", "sunk": "#"}
"""The symbol for each square, indexed by the shooter's knowledge of the square."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

SEATS = ("seat 0", "seat 1")
"""The default names of players."""

GAP = "    "
"""The space between two boards that are side by side."""


def column_name(column: int) -> str:
    """The name of a column: A to Z, and then AA, AB, …

    >>> column_name(0), column_name(25), column_name(26)
    ('A', 'Z', 'AA')
    """
    more, letter = divmod(column, len(_LETTERS))
    return (column_name(more - 1) if more else "") + _LETTERS[letter]


def square_name(square: int, rules: BattleshipRules) -> str:
    """The column and row of a square with a name such as C4."""
    y, x = divmod(square, rules.width)
    return f"{column_name(x)}{y + 1}"


def square_of_name(text: str, rules: BattleshipRules) -> int:
    """The square with this name, in upper or lower case.

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
"""The directions in which a ship extends from its first square, by the letter that people type."""


def placement_of_name(text: str, laid: Placements, rules: BattleshipRules) -> int:
    """The placement of the next ship, after the ships already ``laid``, from text such as ``C4 v``.

    The text names the ship's top or left end, and its direction: h (to the right) or v (down). A ship of length one
    needs no direction.

    >>> placement_of_name("C4 v", (), BattleshipRules())
    65

    Raises:
        UsageError: the text describes no placement, or the ship cannot lie there; the message explains the reason.
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
                f"a ship of {length} there touches the ship of {size}; these rules forbid touching, even at corners"
            )
    return placement


def shot_text(shot: Shot, rules: BattleshipRules) -> str:
    """A shot and its announced result, as text such as ``C4: hit, sinks the ship of 3``."""
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
    """A board to show, with its title; with ``reveal``, ships that were not hit are also visible."""

    board: Board
    title: str
    reveal: bool


def sides(state: BattleshipState, player: int | None = None, names: Sequence[str] = SEATS) -> list[Side]:
    """The boards to show, from left to right.

    Args:
        state: the game.
        player: the player from whose point of view the boards are shown. The board that this player shoots at comes
            first, with its ships hidden until the end of the game. None shows everything.
        names: the names of the players.
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


def board_text(state: BattleshipState, player: int | None = None, names: Sequence[str] = SEATS) -> str:
    """The board, or both boards of a duel side by side under the players' names; ``sides`` explains the arguments."""
    shown = sides(state, player, names)
    if len(shown) == 1:
        return grid_text(shown[0].board, reveal=shown[0].reveal)
    left, right = ([title, *grid_text(board, reveal=reveal).splitlines()] for board, title, reveal in shown)
    width = max(map(len, left))
    return "".join(f"{a:{width}}{GAP}{b}".rstrip() + "\n" for a, b in zip(left, right, strict=True))


def grid_text(board: Board, *, reveal: bool = False) -> str:
    """A board as lines of text: ``.`` unshot, ``o`` miss, ``x`` hit, ``#`` hit on a sunk ship.

    With ``reveal``, squares of ships that were not hit show the length of the ship (``+`` for lengths of 10 or more).
    """
    rules = board.rules
    symbols = dict.fromkeys(range(rules.squares), SIGNS["unshot"])
    for placement, length in zip(board.fleet, rules.fleet, strict=True) if reveal else ():
        symbols |= dict.fromkeys(squares_of(placement, length, rules), str(length) if length < 10 else "+")
    return _grid(board, symbols, len(column_name(rules.width - 1)), " ")


def _grid(board: Board, symbols: Mapping[int, str], wide: int, blank: str) -> str:
    """A board as lines of text, with the given symbols for unshot squares and the results of shots for the others.

    Args:
        board: the board.
        symbols: the symbol for each unshot square.
        wide: the number of characters for each square; longer column names are cut to their last characters.
        blank: the text between neighbouring squares.
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
"""The probability that each square of a board holds a ship."""

WIDEST = 24
"""The maximum number of columns of a board that shows chances in percent; wider boards show them in tenths."""


def heat_text(board: Board, chances: Chances) -> str:
    """A board as lines of text, with chances for unshot squares, and the results of shots for the other squares.

    Chances are shown in hundredths, rounded down. On wide boards, they are shown in tenths, and a column's name is cut
    to its last letter. ``o`` is a miss, ``x`` a hit, and ``#`` a hit on a sunk ship.
    """
    wide, parts, blank = (2, 100, " ") if board.rules.width <= WIDEST else (1, 10, "")
    symbols = {square: str(min(int(parts * chance), parts - 1)) for square, chance in enumerate(chances)}
    return _grid(board, symbols, wide, blank)


CELL = 30.0
HEADINGS = 0.87
"""The space for the names of rows and columns, in squares."""

AFLOAT = 24.0
"""The size of a square of the ships beside the board."""

HULL, SUNK, EDGE, CROSS = "#8a9199", "#22262b", "#d5d9dd", "#d1383d"


@dataclass(frozen=True, slots=True)
class Sea:
    """The position of a board in a picture: the top left corner of its first square, and the size of a square."""

    rules: BattleshipRules
    left: float = 0.0
    top: float = 0.0
    cell: float = CELL

    def spot(self, square: int, last: int = -1) -> Spot:
        """The area of a square, or of all squares of a ship from this square to the last one."""
        (y, x), (bottom, right) = (divmod(each, self.rules.width) for each in (square, max(square, last)))
        size = ((right - x + 1) * self.cell, (bottom - y + 1) * self.cell)
        return Spot(self.left + x * self.cell, self.top + y * self.cell, *size)


def board_svg(
    state: BattleshipState,
    player: int | None = None,
    names: Sequence[str] = SEATS,
    overlay: Overlay | None = None,
) -> str:
    """An SVG document with the board, or both boards of a duel; the player's own fleet is drawn smaller, or below.

    Args:
        state, player, names: see ``sides``.
        overlay: marks and clickable places for the unshot squares of one board: the board that the overlay's seat
            shoots at or, without a seat, the viewing player's board, or else the next player's board.
    """
    overlay, rules, boards = overlay or Overlay(), state.rules, sides(state, player, names)
    narrow, room = overlay.is_narrow, 390.0 if overlay.is_narrow else 800.0 if rules.is_duel else 600.0
    across, down, above = rules.width + HEADINGS, rules.height + HEADINGS, 24.0 if rules.is_duel else 0.0
    tallest = 560.0 if narrow else 480.0
    large = min((room - 12) / across, tallest / down, 2 * CELL)
    if rules.is_duel and player is None:
        large = min(large, (room - 42) / across / 2)
    beside = (room - 42) / across - large
    below = beside < min(large, CELL) / 2
    small = large if player is None else 0.6 * CELL if below else min(0.75 * CELL, beside)
    marked = state.boards[next(k for k in (overlay.seat, player, state.current_player) if k is not None)]
    x, y, cell, parts = 4.0, 8.0, large, list[str]()
    for side in boards:
        sea = Sea(rules, x + HEADINGS * cell, y + above + HEADINGS * cell, cell)
        if rules.is_duel:
            parts.append(
                f'<text class="on" x="{_n(sea.left)}" y="{_n(y + 14)}" font-size="14">{escape(side.title)}</text>'
            )
        parts += _board(side.board, sea, side.reveal)
        if side.board is marked:
            unshot = (square for square, known in enumerate(marked.known) if known == "unshot")
            parts += places({square: sea.spot(square) for square in unshot}, overlay)
        height = y + above + cell * down + 12
        x, y, cell = (24.0, height, small) if below else (x + cell * across + 30, y, small)
    height = max(height, 20 + above + large * down)
    if not (narrow or rules.is_duel):
        parts += _afloat(marked, large * across + 24, height)
        room = large * across + AFLOAT * max(rules.fleet) + 36
    paper = f'<rect class="sea" width="{_n(room)}" height="{_n(height)}" rx="{0 if narrow else 16}"/>'
    return document(room, height, _told(state, names), [paper, *parts], overlay)


def _afloat(board: Board, x: float, height: float) -> Iterator[str]:
    """The ships of a fleet, longest first, beside the board; ships that are known to be sunk are dark."""
    fleet, afloat = sorted(board.rules.fleet, reverse=True), board.afloat
    step = min(1.5 * AFLOAT, (height - 40) / len(fleet))
    for place, length in enumerate(fleet):
        is_afloat = place - fleet.index(length) < afloat.count(length)
        hull = box(Spot(x, 34 + place * step, AFLOAT * length - 4, 0.66 * step), 0.4)
        yield f'<rect class="afloat" {hull} fill="{HULL if is_afloat else SUNK}" stroke="{EDGE}"/>'


def squares(state: BattleshipState) -> dict[int, Spot]:
    """The area of each square in a picture of a single board."""
    return {square: Sea(state.rules).spot(square) for square in range(state.rules.squares)}


def laying_svg(board: Board, rules: BattleshipRules, ghosts: Mapping[str, tuple[int, int, str]]) -> str:
    """An SVG document with the fleet that a person is laying out, on a board with clickable squares.

    Args:
        board: the board with the ships placed so far.
        rules: the rules, which define all ships.
        ghosts: for each square name, the first and last square of the next ship if the ship begins there, and the
            reason why it cannot begin there (empty if it can).
    """
    cell = min(48.0, 560.0 / rules.height)
    sea = Sea(rules, 8 + HEADINGS * cell, 8 + HEADINGS * cell, cell)
    width, height = sea.left + rules.width * cell + 12, sea.top + rules.height * cell + 44
    overlay = Overlay(
        {name: f"{name}: {why}" if why else f"Place at {name}" for name, (*_, why) in ghosts.items()}
    )
    parts = [
        f'<rect class="sea" width="{_n(width)}" height="{_n(height)}" rx="16"/>',
        *_board(board, sea, True),
    ]
    for square, (name, (first, last, why)) in enumerate(ghosts.items()):
        ghost = (
            f'<rect class="hit" {box(sea.spot(square))}/><rect class="ghost{" no" if why else ""}" '
            f"{box(sea.spot(first, last))}/>"
        )
        reason = f'<text class="why" x="12" y="{_n(height - 14)}" font-size="18">{why}</text>' if why else ""
        parts.append(button(name, overlay, ghost + reason, is_off=bool(why)))
    return document(
        width, height, f"{len(board.rules.fleet)} of {len(rules.fleet)} ships placed", parts, overlay
    )


def _told(state: BattleshipState, names: Sequence[str]) -> str:
    """The number of shots taken and, in solitaire, the last shot."""
    if state.rules.is_duel:
        return " · ".join(
            f"{name}: {board.turns} shots" for name, board in zip(names, state.boards, strict=True)
        )
    board = state.boards[0]
    last = f"; the last at {shot_text(board.shots[-1], board.rules)}" if board.shots else ""
    return f"{board.turns} shots{last}"


def _board(board: Board, sea: Sea, reveal: bool) -> Iterator[str]:
    """The SVG elements of a board: column and row names, the sea, ships, the results of shots, and the last shot."""
    rules, cell, size = sea.rules, sea.cell, _n(0.4 * sea.cell)
    right, down = rules.width * cell, rules.height * cell
    for x in range(rules.width):
        at = f'x="{_n(sea.left + (x + 0.5) * cell)}" y="{_n(sea.top - 0.27 * cell)}" text-anchor="middle"'
        yield f'<text {at} font-size="{size}" fill="#fff">{column_name(x)}</text>'
    for y in range(rules.height):
        at = f'x="{_n(sea.left - 0.2 * cell)}" y="{_n(sea.top + (y + 0.64) * cell)}" text-anchor="end"'
        yield f'<text {at} font-size="{size}" fill="#fff">{y + 1}</text>'
    at = f'x="{_n(sea.left)}" y="{_n(sea.top)}" width="{_n(right)}" height="{_n(down)}"'
    yield f'<rect {at} rx="2" fill="#1f4f74" stroke="#4a7795"/>'
    lines = [f"M{_n(sea.left + x * cell)} {_n(sea.top)}v{_n(down)}" for x in range(1, rules.width)]
    lines += [f"M{_n(sea.left)} {_n(sea.top + y * cell)}h{_n(right)}" for y in range(1, rules.height)]
    yield f'<path d="{"".join(lines)}" stroke="#4a7795" fill="none"/>'
    for placement, length in zip(board.fleet, board.rules.fleet, strict=True) if reveal else ():
        ship = squares_of(placement, length, rules)
        hull = box(_within(sea.spot(ship[0], ship[-1]), cell / 8))
        fill = SUNK if board.known[ship[0]] == "sunk" else HULL
        yield f'<rect class="ship" {hull} fill="{fill}" stroke="{EDGE}"/>'
    for square, known in enumerate(board.known):
        spot, arm = sea.spot(square), cell / 5
        middle_x, middle_y = spot.x + cell / 2, spot.y + cell / 2
        if known == "miss":
            at = f'cx="{_n(middle_x)}" cy="{_n(middle_y)}" r="{_n(0.16 * cell)}"'
            yield f'<circle {at} fill="none" stroke="#fff" stroke-width="{_n(cell / 15)}"/>'
        elif known != "unshot":
            if not reveal:
                fill = SUNK if known == "sunk" else HULL
                yield f'<rect {box(_within(spot, cell / 12))} fill="{fill}" stroke="{EDGE}"/>'
            cross = f"M{_n(middle_x - arm)} {_n(middle_y - arm)}l{{0}} {{0}}m0-{{0}}l-{{0}} {{0}}".format(
                _n(2 * arm)
            )
            yield f'<path d="{cross}" stroke="{CROSS}" stroke-width="{_n(cell / 8)}" stroke-linecap="round"/>'
    if board.shots and board.shots[-1].square >= 0:
        yield golden(_within(sea.spot(board.shots[-1].square), 1.5))


def _within(spot: Spot, margin: float) -> Spot:
    """The rectangle shrunk by a margin on each side."""
    return Spot(spot.x + margin, spot.y + margin, spot.width - 2 * margin, spot.height - 2 * margin)
