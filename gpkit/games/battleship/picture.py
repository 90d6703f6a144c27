"""Boards as pictures: SVG text, pure functions of the boards.

A miss is a ring, a hit a cross, a hit of a ship that is known to be sunk a cross on black. Ships are shown
where they are not hidden. The last shot has a golden edge. Nothing in a picture refers to anything outside it.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from gpkit.draw.palette import blend
from gpkit.gamekit.svg import CREAM, INK, MUTED, document, places
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Overlay, Spot
from gpkit.games.battleship.board import SEATS, Chances, column_name, shot_text, sides, square_name
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, State

CELL = 30.0
MARGIN = 18.0
LABEL = 26.0
"""Room for the names of rows and columns."""

HEADER = 52.0
DUEL_TITLE = 22.0
"""Room for whose board it is."""

BETWEEN = 34.0
"""Between two boards."""

SEA, SEA_LINE, SEA_TEXT = "#2b5876", "#4a7795", "#ffffff"
HOTTEST = "#f08c28"
"""Colour of a certain ship; that of no chance is ``SEA``."""
SHIP, SHIP_LINE = "#8a9199", "#d5d9dd"
HIT, GOLD = "#d1383d", "#e8b023"


def board_svg(
    state: State,
    player: int | None = None,
    names: Sequence[str] = SEATS,
    overlay: Overlay | None = None,
    heat: tuple[Board, Chances] | None = None,
) -> str:
    """The board, in a duel both side by side, as an SVG document.

    Args:
        state, player, names: as of ``sides``.
        overlay: marks and places on the squares that can be shot at.
        heat: a board of the state, and the chance of a ship on each of its squares, which colours them.
    """
    if overlay is not None and player is not None:
        return _page_svg(state, player, names, overlay)
    boards, rules = sides(state, player, names), state.rules
    said = _told(state, names)
    board_width, board_height = LABEL + rules.width * CELL, LABEL + rules.height * CELL
    above = DUEL_TITLE if rules.is_duel else 0.0
    content = len(boards) * board_width + (len(boards) - 1) * BETWEEN
    width = 2 * MARGIN + max(content, 320.0)
    height = HEADER + above + board_height + MARGIN
    parts = [
        f'<rect width="{_n(width)}" height="{_n(height)}" fill="{CREAM}"/>',
        _text(MARGIN, 30, said, size=14, weight="bold"),
    ]
    for number, (board, title, reveal) in enumerate(boards):
        x = MARGIN + number * (board_width + BETWEEN)
        if rules.is_duel:
            parts.append(_text(x + LABEL, HEADER + 8, title, size=13, colour=MUTED))
        parts += _board(board, x, HEADER + above, reveal, heat[1] if heat and board is heat[0] else None)
    parts += places({} if state.is_terminal else action_spots(state, player), overlay)
    return document(width, height, said, parts, overlay)


def _page_svg(state: State, player: int, names: Sequence[str], overlay: Overlay) -> str:
    """The board at which a player shoots, on a page, and in a duel its own fleet beside or below it."""
    rules, narrow = state.rules, overlay.is_narrow
    across, down = LABEL + rules.width * CELL, LABEL + rules.height * CELL
    target, *others = sides(state, player, names)
    room = 390.0 if narrow else 800.0
    large = min((room - 12) / across, (560.0 if not others or narrow else 500.0) / down, 2.0)
    small = 0.6 if narrow else min(0.75, (room - large * across - 50) / across)
    left = 4.0 if others or narrow else (room - large * across - 8) / 2
    parts = [_scaled(_board(target.board, 0, 0, target.reveal, None), left, 8, large)]
    height = large * down + 20
    for own in others:
        x, y = (24.0, height + 24) if narrow else (left + large * across + 30, 36.0)
        parts.append(_text(x + 10, y - 8, f"Shots of {names[1 - player]}", size=14))
        parts.append(_scaled(_board(own.board, 0, 0, own.reveal, None), x, y, small))
        height = max(height, y + small * down + 12)
    spots = {
        square: Spot(
            left + large * (LABEL + spot.x), 8 + large * (LABEL + spot.y), large * CELL, large * CELL
        )
        for square, spot in _squares(rules).items()
        if square in overlay.labels
    }
    paper = f'<rect width="{_n(room)}" height="{_n(height)}" rx="{0 if narrow else 16}" fill="var(--board-paper)"/>'
    return document(room, height, _told(state, names), [paper, *parts, *places(spots, overlay)], overlay)


def _scaled(parts: Iterable[str], x: float, y: float, scale: float) -> str:
    return f'<g transform="translate({_n(x)} {_n(y)}) scale({scale:.4g})">{"".join(parts)}</g>'


def action_spots(state: State, player: int | None = None) -> dict[int, Spot]:
    """The squares that can be shot at, on the board of who is to shoot."""
    boards, rules = sides(state, player, SEATS), state.rules
    number = next(k for k, (board, _, _) in enumerate(boards) if board is state.board)
    x0 = MARGIN + number * (LABEL + rules.width * CELL + BETWEEN) + LABEL
    y0 = HEADER + (DUEL_TITLE if rules.is_duel else 0.0) + LABEL
    return {
        square: Spot(x0 + square % rules.width * CELL, y0 + square // rules.width * CELL, CELL, CELL)
        for square in state.legal_actions()
    }


def squares(state: State) -> dict[int, Spot]:
    """Every square, as on a board that stands alone."""
    return _squares(state.rules)


def _squares(rules: Rules) -> dict[int, Spot]:
    width = rules.width
    return {k: Spot(k % width * CELL, k // width * CELL, CELL, CELL) for k in range(rules.squares)}


def laying_svg(board: Board, rules: Rules, overlay: Overlay) -> str:
    """The board of a fleet that is being laid out, as an SVG document.

    Args:
        board: with the ships that lie.
        rules: with all ships.
        overlay: the squares that can be clicked, by name.
    """
    width = 2 * MARGIN + LABEL + rules.width * CELL
    height = HEADER + LABEL + rules.height * CELL + MARGIN
    said = f"{len(board.rules.fleet)} of {len(rules.fleet)} ships placed"
    named = {
        square_name(square, rules): Spot(MARGIN + LABEL + spot.x, HEADER + LABEL + spot.y, CELL, CELL)
        for square, spot in _squares(rules).items()
    }
    parts = [
        f'<rect width="{_n(width)}" height="{_n(height)}" fill="{CREAM}"/>',
        _text(MARGIN, 30, said, size=14, weight="bold"),
        *_board(board, MARGIN, HEADER, True, None),
        *places(named, overlay),
    ]
    return document(width, height, said, parts, overlay)


def _told(state: State, names: Sequence[str]) -> str:
    """Number of shots taken; in solitaire also the last one."""
    if state.rules.is_duel:
        counts = zip(names, state.boards, strict=True)
        return " · ".join(f"{name}: {board.turns} shots" for name, board in counts)
    board = state.boards[0]
    last = f"; the last at {shot_text(board.shots[-1], board.rules)}" if board.shots else ""
    return f"{board.turns} shots{last}"


def _board(board: Board, left: float, top: float, reveal: bool, chances: Chances | None) -> Iterator[str]:
    rules = board.rules
    x0, y0 = left + LABEL, top + LABEL
    sea_width, sea_height = rules.width * CELL, rules.height * CELL
    for x in range(rules.width):
        yield _text(x0 + (x + 0.5) * CELL, y0 - 8, column_name(x), size=12, anchor="middle", colour=MUTED)
    for y in range(rules.height):
        yield _text(x0 - 8, y0 + (y + 0.5) * CELL + 4, str(y + 1), size=12, anchor="end", colour=MUTED)
    yield f'<rect x="{_n(x0)}" y="{_n(y0)}" width="{_n(sea_width)}" height="{_n(sea_height)}" rx="6" fill="{SEA}"/>'
    for square, chance in enumerate(() if chances is None else chances):
        if board.known[square] == "unshot":
            y, x = divmod(square, rules.width)
            yield (
                f'<rect x="{_n(x0 + x * CELL)}" y="{_n(y0 + y * CELL)}" width="{_n(CELL)}" height="{_n(CELL)}" '
                f'fill="{blend(SEA, HOTTEST, chance)}"><title>{square_name(square, rules)}: {chance:.3f}</title></rect>'
            )
    lines = [f"M{_n(x0 + x * CELL)} {_n(y0)}v{_n(sea_height)}" for x in range(1, rules.width)]
    lines += [f"M{_n(x0)} {_n(y0 + y * CELL)}h{_n(sea_width)}" for y in range(1, rules.height)]
    yield f'<path d="{"".join(lines)}" stroke="{SEA_LINE}" fill="none"/>'
    for placement, length in zip(board.fleet, rules.fleet, strict=True) if reveal else ():
        yield _ship(squares_of(placement, length, rules), board, x0, y0)
    for square, known in enumerate(board.known):
        y, x = divmod(square, rules.width)
        yield from _mark(known, x0 + (x + 0.5) * CELL, y0 + (y + 0.5) * CELL)
    if board.shots and board.shots[-1].square >= 0:
        y, x = divmod(board.shots[-1].square, rules.width)
        yield (
            f'<rect x="{_n(x0 + x * CELL + 1.5)}" y="{_n(y0 + y * CELL + 1.5)}" width="{_n(CELL - 3)}" '
            f'height="{_n(CELL - 3)}" rx="4" fill="none" stroke="{GOLD}" stroke-width="3"/>'
        )


def _ship(squares: Sequence[int], board: Board, x0: float, y0: float) -> str:
    """A ship's outline around its squares."""
    (top, left), (bottom, right) = (divmod(s, board.rules.width) for s in (squares[0], squares[-1]))
    x, y = x0 + left * CELL + 4, y0 + top * CELL + 4
    width, height = (right - left + 1) * CELL - 8, (bottom - top + 1) * CELL - 8
    return (
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="10" fill="{SHIP}" '
        f'stroke="{SHIP_LINE}" stroke-width="1.5"/>'
    )


def _mark(known: str, x: float, y: float) -> Iterator[str]:
    if known == "miss":
        yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="4.5" fill="none" stroke="{SEA_TEXT}" stroke-width="2"/>'
    if known == "sunk":
        yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="10" fill="{INK}"/>'
    if known in ("open", "sunk"):
        yield (
            f'<path d="M{_n(x - 6)} {_n(y - 6)}l12 12m0-12l-12 12" stroke="{HIT}" stroke-width="4" '
            'stroke-linecap="round"/>'
        )


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: int,
    anchor: str = "start",
    colour: str = INK,
    weight: str = "normal",
) -> str:
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )
