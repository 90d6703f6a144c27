"""Boards as pictures: SVG text, pure functions of the boards.

A miss is a ring, a hit a cross on a hull, a hit of a ship that is known to be sunk a cross on a dark hull. Ships are
shown where they are not hidden. The last shot has a golden edge.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from gpkit.gamekit.svg import box, button, document, golden, places
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Overlay, Spot
from gpkit.games.battleship.board import SEATS, column_name, shot_text, sides
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board
from gpkit.games.battleship.state import State

CELL = 30.0
HEADINGS = 0.87
"""Room for the names of rows and columns, in squares."""

HULL, SUNK, EDGE, CROSS = "#8a9199", "#22262b", "#d5d9dd", "#d1383d"


@dataclass(frozen=True, slots=True)
class Sea:
    """A board's place on a picture: the upper left corner of its first square, and the side of a square."""

    rules: Rules
    left: float = 0.0
    top: float = 0.0
    cell: float = CELL

    def spot(self, square: int, last: int = -1) -> Spot:
        """A square, or those from one to the last one of a ship."""
        (y, x), (bottom, right) = (divmod(each, self.rules.width) for each in (square, max(square, last)))
        size = ((right - x + 1) * self.cell, (bottom - y + 1) * self.cell)
        return Spot(self.left + x * self.cell, self.top + y * self.cell, *size)


def board_svg(
    state: State,
    player: int | None = None,
    names: Sequence[str] = SEATS,
    overlay: Overlay | None = None,
) -> str:
    """The board, in a duel both side by side, to a player the own fleet smaller or below, as an SVG document.

    Args:
        state, player, names: as of ``sides``.
        overlay: marks and places on the squares that were not shot at, at the target of its seat; without one, at that
            of who looks, or of who is to shoot.
    """
    overlay, rules, boards = overlay or Overlay(), state.rules, sides(state, player, names)
    narrow, room = overlay.is_narrow, 390.0 if overlay.is_narrow else 800.0
    across, down, above = rules.width + HEADINGS, rules.height + HEADINGS, 24.0 if rules.is_duel else 0.0
    tallest = 560.0 if narrow or not rules.is_duel else 500.0
    large = min((room - 12) / across, tallest / down, 2 * CELL)
    if rules.is_duel and player is None:
        large = min(large, (room - 42) / across / 2)
    beside = (room - 42) / across - large
    below = beside < min(large, CELL) / 2
    small = large if player is None else 0.6 * CELL if below else min(0.75 * CELL, beside)
    marked = state.boards[next(k for k in (overlay.seat, player, state.current_player) if k is not None)]
    x, y, cell, parts = (
        4.0 if rules.is_duel or narrow else (room - large * across - 8) / 2,
        8.0,
        large,
        list[str](),
    )
    for side in boards:
        sea = Sea(rules, x + HEADINGS * cell, y + above + HEADINGS * cell, cell)
        if rules.is_duel:
            parts.append(
                f'<text x="{_n(sea.left)}" y="{_n(y + 14)}" font-size="14">{escape(side.title)}</text>'
            )
        parts += _board(side.board, sea, side.reveal)
        if side.board is marked:
            unshot = (square for square, known in enumerate(marked.known) if known == "unshot")
            parts += places({square: sea.spot(square) for square in unshot}, overlay)
        height = y + above + cell * down + 12
        x, y, cell = (24.0, height, small) if below else (x + cell * across + 30, y, small)
    height = max(height, 20 + above + large * down)
    paper = f'<rect class="board-paper" width="{_n(room)}" height="{_n(height)}" rx="{0 if narrow else 16}"/>'
    return document(room, height, _told(state, names), [paper, *parts], overlay)


def squares(state: State) -> dict[int, Spot]:
    """Every square, as on a board that stands alone."""
    return {square: Sea(state.rules).spot(square) for square in range(state.rules.squares)}


def laying_svg(board: Board, rules: Rules, ghosts: Mapping[str, tuple[int, int, str]]) -> str:
    """The board of a fleet that is being laid out, as an SVG document in which squares can be clicked.

    Args:
        board: with the ships that lie.
        rules: with all ships.
        ghosts: by name of a square the first and the last square of the next ship if it begins there, and why it
            cannot; empty where it can.
    """
    cell = min(48.0, 560.0 / rules.height)
    sea = Sea(rules, 8 + HEADINGS * cell, 8 + HEADINGS * cell, cell)
    width, height = sea.left + rules.width * cell + 12, sea.top + rules.height * cell + 44
    overlay = Overlay(
        {name: f"{name}: {why}" if why else f"Place at {name}" for name, (*_, why) in ghosts.items()}
    )
    parts = [
        f'<rect class="board-paper" width="{_n(width)}" height="{_n(height)}" rx="16"/>',
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


def _told(state: State, names: Sequence[str]) -> str:
    """Number of shots taken; in solitaire also the last one."""
    if state.rules.is_duel:
        counts = zip(names, state.boards, strict=True)
        return " · ".join(f"{name}: {board.turns} shots" for name, board in counts)
    board = state.boards[0]
    last = f"; the last at {shot_text(board.shots[-1], board.rules)}" if board.shots else ""
    return f"{board.turns} shots{last}"


def _board(board: Board, sea: Sea, reveal: bool) -> Iterator[str]:
    """A board: names of columns and rows, the sea, ships, what is known of squares, and the last shot."""
    rules, cell, size = sea.rules, sea.cell, _n(0.4 * sea.cell)
    right, down = rules.width * cell, rules.height * cell
    for x in range(rules.width):
        at = f'x="{_n(sea.left + (x + 0.5) * cell)}" y="{_n(sea.top - 0.27 * cell)}" text-anchor="middle"'
        yield f'<text {at} font-size="{size}" fill="{SUNK}">{column_name(x)}</text>'
    for y in range(rules.height):
        at = f'x="{_n(sea.left - 0.2 * cell)}" y="{_n(sea.top + (y + 0.64) * cell)}" text-anchor="end"'
        yield f'<text {at} font-size="{size}" fill="{SUNK}">{y + 1}</text>'
    at = f'x="{_n(sea.left)}" y="{_n(sea.top)}" width="{_n(right)}" height="{_n(down)}"'
    yield f'<rect {at} rx="6" fill="#1f4f74"/>'
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
    """The rectangle without a margin."""
    return Spot(spot.x + margin, spot.y + margin, spot.width - 2 * margin, spot.height - 2 * margin)
