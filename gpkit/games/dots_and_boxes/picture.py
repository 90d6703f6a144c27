"""Boards as pictures: SVG text, pure functions of the state.

Drawn edges are lines in the colour of nobody, as it does not matter who drew them; boxes are filled in the colour of
their owner. An open box shows the symbol of its degree. Nothing in a picture refers to anything outside it.
"""

from collections.abc import Collection, Iterator, Sequence
from html import escape

from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.svg import CREAM, INK, MUTED, document
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Spot
from gpkit.games.dots_and_boxes.board import DEGREE_SIGNS, OWNERS, edge_name, lettered
from gpkit.games.dots_and_boxes.edges import horizontal, vertical
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State

CELL = 54.0
MARGIN = 24.0
HEADER = 52.0
EDGE = 18.0
"""Width of the place where an edge can be chosen."""

FAINT, GOLD = "#d9d6cc", "#e8b023"
FILLS = ("#2b6cb0", "#c2502e")
"""The colours of the players."""


def board_svg(
    state: State,
    player: int | None = None,
    names: Sequence[str] = OWNERS,
    *,
    last: int = NOBODY,
    marked: Collection[int] = (),
) -> str:
    """The board as an SVG document.

    Args:
        state: the position.
        player: who looks; nothing is hidden from anybody.
        names: of the players.
        last: the edge that was drawn last, shown in gold; −1 for none.
        marked: undrawn edges to be shown as dashed golden lines, such as those that a rule proposes.
    """
    rules = state.board
    board_width, board_height = rules.width * CELL, rules.height * CELL
    score = " · ".join(f"{name}: {state.boxes_of(owner)}" for owner, name in enumerate(lettered(names)))
    width = 2 * MARGIN + max(board_width, 12.0 + 7.5 * len(score), 160.0)
    height = HEADER + board_height + MARGIN
    x0, y0 = MARGIN, HEADER
    parts = [
        f'<rect width="{_n(width)}" height="{_n(height)}" fill="{CREAM}"/>',
        f'<text x="{_n(MARGIN)}" y="30" font-size="14" fill="{INK}" font-weight="bold">{escape(score)}</text>',
        *_boxes(state, x0, y0),
        *_edges(state, x0, y0, last, marked),
        *_dots(rules, x0, y0),
    ]
    return document(width, height, score, parts)


def action_spots(state: State, player: int | None = None) -> dict[int, Spot]:
    """The undrawn edges, without their ends, where edges meet."""
    spots = squares(state)
    return {edge: spots[edge] for edge in state.legal_actions()}


def squares(state: State) -> dict[int, Spot]:
    """All edges, without their ends, where edges meet."""
    spots, reach = {}, EDGE / 2
    for y in range(state.board.height + 1):
        for x in range(state.board.width + 1):
            left, top = MARGIN + x * CELL, HEADER + y * CELL
            if x < state.board.width:
                spots[horizontal(x, y, state.board)] = Spot(left + reach, top - reach, CELL - EDGE, EDGE)
            if y < state.board.height:
                spots[vertical(x, y, state.board)] = Spot(left - reach, top + reach, EDGE, CELL - EDGE)
    return spots


def _boxes(state: State, x0: float, y0: float) -> Iterator[str]:
    for box, owner in enumerate(state.owners):
        y, x = divmod(box, state.board.width)
        left, top = x0 + x * CELL, y0 + y * CELL
        sign, colour = DEGREE_SIGNS[state.undrawn_sides(box)], MUTED
        if owner != NOBODY:
            sign, colour = OWNERS[owner], "#ffffff"
            yield (
                f'<rect x="{_n(left + 4)}" y="{_n(top + 4)}" width="{_n(CELL - 8)}" height="{_n(CELL - 8)}" '
                f'rx="6" fill="{FILLS[owner]}"/>'
            )
        yield (
            f'<text x="{_n(left + CELL / 2)}" y="{_n(top + CELL / 2 + 6)}" font-size="17" text-anchor="middle" '
            f'fill="{colour}">{sign}</text>'
        )


def _edges(state: State, x0: float, y0: float, last: int, marked: Collection[int]) -> Iterator[str]:
    """Undrawn edges first, so that drawn ones lie above them."""
    for edge, path in sorted(_paths(state.board, x0, y0), key=lambda pair: pair[0] in state.drawn):
        title = f"<title>{edge_name(edge, state.board)}</title>"
        if edge in state.drawn:
            style = f'stroke="{GOLD if edge == last else INK}" stroke-width="5" stroke-linecap="round"'
        elif edge in marked:
            style = f'stroke="{GOLD}" stroke-width="5" stroke-dasharray="8 6"'
        else:
            style = f'stroke="{FAINT}" stroke-width="1.5" stroke-dasharray="2 4"'
        yield f'<path d="{path}" {style}>{title}</path>'


def _paths(rules: Rules, x0: float, y0: float) -> Iterator[tuple[int, str]]:
    for y in range(rules.height + 1):
        for x in range(rules.width):
            yield horizontal(x, y, rules), f"M{_n(x0 + x * CELL)} {_n(y0 + y * CELL)}h{_n(CELL)}"
    for y in range(rules.height):
        for x in range(rules.width + 1):
            yield vertical(x, y, rules), f"M{_n(x0 + x * CELL)} {_n(y0 + y * CELL)}v{_n(CELL)}"


def _dots(rules: Rules, x0: float, y0: float) -> Iterator[str]:
    for y in range(rules.height + 1):
        for x in range(rules.width + 1):
            yield f'<circle cx="{_n(x0 + x * CELL)}" cy="{_n(y0 + y * CELL)}" r="4.5" fill="{INK}"/>'
