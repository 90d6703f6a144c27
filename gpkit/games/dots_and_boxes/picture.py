"""Boards as pictures: SVG text, pure functions of the boards.

Drawn edges are lines in the colour of nobody, as it does not matter who drew them; a closed box has the tint and the
shape of its owner. Above the board is the score.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.svg import button, document, pill
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Overlay, Spot
from gpkit.games.dots_and_boxes.board import DEGREE_SIGNS, OWNERS
from gpkit.games.dots_and_boxes.edges import place_of
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State

SCORE, BORDER = 56.0, 26.0
"""Height of the bar with the score, and room around the board."""

WIDE, NARROW = (800.0, 520.0), (366.0, 366.0)
"""Width of a picture, and height of its board at most."""

LARGEST = 126.0
"""Side of a box at most."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A board's place on a picture: its first dot, and the side of a box."""

    rules: Rules
    left: float
    top: float
    cell: float

    def middle(self, edge: int) -> tuple[float, float]:
        """The middle of an edge."""
        x, y = place_of(edge, self.rules)
        return self.left + x * self.cell / 2, self.top + y * self.cell / 2

    def path(self, edge: int) -> str:
        """An edge."""
        (x, y), half = self.middle(edge), self.cell / 2
        if place_of(edge, self.rules)[0] % 2:
            return f"M{_n(x - half)} {_n(y)}h{_n(self.cell)}"
        return f"M{_n(x)} {_n(y - half)}v{_n(self.cell)}"


def board_svg(
    state: State, player: int | None = None, names: Sequence[str] = OWNERS, overlay: Overlay | None = None
) -> str:
    """The board as an SVG document.

    Args:
        state: the position.
        player: who looks, on the left and with a disc; None: the first, and open boxes show the symbol of their degree.
        names: of the players.
        overlay: marks and places; None: a small picture.
    """
    overlay, rules = overlay or Overlay(is_narrow=True), state.board
    width, tallest = NARROW if overlay.is_narrow else WIDE
    cell = min(LARGEST, (width - 2 * BORDER) / rules.width, tallest / rules.height)
    grid = Grid(rules, (width - cell * rules.width) / 2, SCORE + 16 + 1.5 * BORDER, cell)
    height = grid.top + cell * rules.height + BORDER
    dots = (
        f'<circle cx="{_n(grid.left + x * cell)}" cy="{_n(grid.top + y * cell)}" r="{7 if overlay.is_narrow else 9}"/>'
        for y in range(rules.height + 1)
        for x in range(rules.width + 1)
    )
    parts = [
        f'<rect class="card" width="{_n(width)}" height="{_n(height)}" rx="{0 if overlay.is_narrow else 16}"/>',
        *_score(state, player or 0, names, width),
        *_boxes(state, player, grid),
        *(
            _edge(edge, state, grid, overlay)
            for edge in sorted(range(rules.edges), key=state.drawn.__contains__)
        ),
        f'<g class="dot">{"".join(dots)}</g>',
        *(pill(*grid.middle(edge), edge, overlay) for edge in overlay.values),
    ]
    score = ", ".join(f"{name} {state.boxes_of(seat)}" for seat, name in enumerate(names))
    return document(width, height, score, parts, overlay)


def _edge(edge: int, state: State, grid: Grid, overlay: Overlay) -> str:
    """An edge; one that can be chosen has a target as large as the boxes allow."""
    path = grid.path(edge)
    if edge in state.drawn:
        line = f'<path class="line" d="{path}"/>'
        return line + (f'<path class="line last" d="{path}"/>' if edge == overlay.last else "")
    free = f'<path class="free{" best" if edge in overlay.best else ""}" d="{path}"/>'
    if edge not in overlay.labels:
        return free
    return button(
        edge, overlay, f'<path class="hit" d="{_diamond(*grid.middle(edge), grid.cell / 2)}"/>{free}'
    )


def _score(state: State, player: int, names: Sequence[str], width: float) -> Iterator[str]:
    """A bar with both players, the one who looks at the left: name, what it does now, boxes."""
    bar = min(width - 16, 560.0)
    left, middle = (width - bar) / 2, width / 2
    yield f'<rect class="sunk" x="{_n(left)}" y="16" width="{_n(bar)}" height="{_n(SCORE)}" rx="8"/>'
    yield f'<rect class="card" x="{_n(middle - 1)}" y="16" width="2" height="{_n(SCORE)}"/>'
    letters, most = (13, 11) if width < WIDE[0] else (16, 20)
    for side, seat in enumerate((player, 1 - player)):
        sign, outer, inner = (1, "end", "start") if side else (-1, "start", "end")
        edge = left + side * bar
        if state.is_terminal:
            does = "drew" if state.winner is None else "won" if state.winner == seat else "lost"
        else:
            does = "to move" if state.current_player == seat else "waiting"
        if state.current_player == seat:
            half = f'x="{_n(min(edge, middle))}" y="{_n(SCORE + 12)}" width="{_n(bar / 2)}" height="4"'
            yield f'<rect class="go" {half} rx="2"/>'
        name = names[seat] if side else names[seat][:1].upper() + names[seat][1:]
        name = name if len(name) <= most else f"{name[: most - 1]}…"
        yield _owner(side, edge - sign * 26, 16 + SCORE / 2, 10)
        for kind, x, y, size, anchor, text in (
            ("name", edge - sign * 48, 39, letters, outer, escape(name)),
            ("dim", edge - sign * 48, 59, 14, outer, does),
            ("name", middle + sign * 14, 52, letters + 10, inner, state.boxes_of(seat)),
        ):
            yield f'<text class="{kind}" x="{_n(x)}" y="{y}" font-size="{size}" text-anchor="{anchor}">{text}</text>'


def _boxes(state: State, player: int | None, grid: Grid) -> Iterator[str]:
    """The closed boxes: a tint, and the shape of the owner; to nobody in particular the degrees of open ones."""
    for box, owner in enumerate(state.owners):
        y, x = divmod(box, grid.rules.width)
        left, top, half = grid.left + x * grid.cell, grid.top + y * grid.cell, grid.cell / 2
        if owner != NOBODY:
            side = int(owner != (player or 0))
            yield (
                f'<rect class="{("you", "opponent")[side]}-tint" x="{_n(left + 6)}" y="{_n(top + 6)}" '
                f'width="{_n(grid.cell - 12)}" height="{_n(grid.cell - 12)}" rx="4"/>'
            )
            yield _owner(side, left + half, top + half, grid.cell / 6)
        elif player is None:
            at = f'x="{_n(left + half)}" y="{_n(top + half + 6)}" font-size="17" text-anchor="middle"'
            yield f'<text class="dim" {at}>{DEGREE_SIGNS[state.undrawn_sides(box)]}</text>'


def _owner(side: int, x: float, y: float, size: float) -> str:
    """A disc for who looks, a diamond for the other."""
    if side == 0:
        return f'<circle class="you" cx="{_n(x)}" cy="{_n(y)}" r="{_n(size)}"/>'
    return f'<path class="opponent" d="{_diamond(x, y, 1.15 * size)}"/>'


def _diamond(x: float, y: float, reach: float) -> str:
    """A path around (x, y)."""
    return f"M{_n(x)} {_n(y - reach)}" + "l{0} {0}l-{0} {0}l-{0}-{0}z".format(_n(reach))


def squares(state: State) -> dict[int, Spot]:
    """All edges, narrow, and without their ends, where edges meet; a box is 40 units wide."""
    spots = {}
    for edge in range(state.board.edges):
        x, y = place_of(edge, state.board)
        across, down = (28, 12) if x % 2 else (12, 28)
        spots[edge] = Spot(20 * x - across / 2, 20 * y - down / 2, across, down)
    return spots
