"""Boards as pictures: SVG text, pure functions of the state.

Drawn edges are lines in the colour of nobody, as it does not matter who drew them; boxes are filled in the colour of
their owner. An open box shows the symbol of its degree. Nothing in a picture refers to anything outside it. On a page a
player sees a larger board with the score above it, in which the owner of a box is a shape, too.
"""

from collections.abc import Collection, Iterator, Sequence
from html import escape

from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.svg import CREAM, INK, MUTED, button, document, pill, places
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Overlay, Spot
from gpkit.games.dots_and_boxes.board import DEGREE_SIGNS, OWNERS, edge_name, lettered
from gpkit.games.dots_and_boxes.edges import horizontal, place_of, vertical
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State

CELL = 54.0
MARGIN = 24.0
HEADER = 52.0
EDGE = 18.0
"""Width of the place where an edge can be chosen."""

SCORE, BORDER = 56.0, 26.0
"""Height of the bar with the score, and room around the board, of boards on the page, in pixels."""

FAINT, GOLD = "#d9d6cc", "#e8b023"
FILLS = ("#2b6cb0", "#c2502e")
"""The colours of the players."""


def board_svg(
    state: State,
    player: int | None = None,
    names: Sequence[str] = OWNERS,
    overlay: Overlay | None = None,
    *,
    last: int = NOBODY,
    marked: Collection[int] = (),
) -> str:
    """The board as an SVG document.

    Args:
        state: the position.
        player: who looks; nothing is hidden from anybody.
        names: of the players.
        overlay: marks and places; to a player the board is drawn as on the page.
        last: the edge that was drawn last, shown in gold; −1 for none.
        marked: undrawn edges to be shown as dashed golden lines, such as those that a rule proposes.
    """
    if overlay is not None and player is not None:
        return _page_svg(state, player, names, overlay)
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
        *_dots(rules, x0, y0, CELL, f'r="4.5" fill="{INK}"'),
        *places({} if state.is_terminal else action_spots(state), overlay),
    ]
    return document(width, height, score, parts, overlay)


def _page_svg(state: State, player: int, names: Sequence[str], overlay: Overlay) -> str:
    """The board for a player on a page: in pixels, with the score above it."""
    rules = state.board
    width = 366.0 if overlay.is_narrow else 800.0
    cell = min(
        126.0, (width - 2 * BORDER) / rules.width, (366.0 if overlay.is_narrow else 520.0) / rules.height
    )
    x0, y0 = (width - cell * rules.width) / 2, SCORE + 16 + 1.5 * BORDER
    score = ", ".join(f"{name} {state.boxes_of(seat)}" for seat, name in enumerate(names))
    undrawn, drawn = list[str](), list[str]()
    for edge, path in _paths(rules, x0, y0, cell):
        if edge == overlay.last:
            drawn.append(f'<path class="line" d="{path}"/><path class="line last" d="{path}"/>')
        elif edge in state.drawn:
            drawn.append(f'<path class="line" d="{path}"/>')
        elif edge in overlay.labels:
            target = _diamond(*_middle(edge, rules, x0, y0, cell), cell / 2)
            shape = f'<path class="hit" d="{target}"/><path class="free" d="{path}"/>'
            undrawn.append(button(edge, overlay, shape))
        else:
            undrawn.append(f'<path class="free" d="{path}"/>')
    pills = (pill(*_middle(edge, rules, x0, y0, cell), edge, overlay) for edge in overlay.values)
    height = y0 + cell * rules.height + BORDER
    parts = [
        f'<rect class="card" width="{_n(width)}" height="{_n(height)}" rx="16"/>',
        *_score(state, player, names, width),
        *_owned(state, player, x0, y0, cell),
        *undrawn,
        *drawn,
        *_dots(rules, x0, y0, cell, 'class="dot"'),
        *pills,
    ]
    return document(width, height, score, parts, overlay)


def _score(state: State, player: int, names: Sequence[str], width: float) -> Iterator[str]:
    """A bar with both players, the one who looks at the left: name, what it does now, boxes."""
    bar = min(width - 16, 560.0)
    left = (width - bar) / 2
    yield f'<rect class="sunk" x="{_n(left)}" y="16" width="{_n(bar)}" height="{_n(SCORE)}" rx="8"/>'
    for side, seat in enumerate((player, 1 - player)):
        sign, anchor = (-1, "start") if side == 0 else (1, "end")
        edge, middle = left + side * bar, left + bar / 2
        if state.is_terminal:
            does = "drew" if state.winner is None else "won" if state.winner == seat else "lost"
        else:
            does = "to move" if state.current_player == seat else "waiting"
        if state.current_player == seat:
            half = f'x="{_n(min(edge, middle))}" y="{_n(SCORE + 12)}" width="{_n(bar / 2)}" height="4"'
            yield f'<rect class="go" {half} rx="2"/>'
        name = names[seat][:1].upper() + names[seat][1:] if side == 0 else names[seat]
        x = edge - sign * 50
        yield _owner_shape(side, edge - sign * 26, 16 + SCORE / 2, 10)
        yield f'<text class="name" x="{_n(x)}" y="39" font-size="16" text-anchor="{anchor}">{escape(name[:14])}</text>'
        yield f'<text class="dim" x="{_n(x)}" y="59" font-size="14" text-anchor="{anchor}">{does}</text>'
        yield (
            f'<text class="name" x="{_n(middle + sign * 14)}" y="53" font-size="26" '
            f'text-anchor="{"end" if side == 0 else "start"}">{state.boxes_of(seat)}</text>'
        )


def _owned(state: State, player: int, x0: float, y0: float, cell: float) -> Iterator[str]:
    """The closed boxes: a tint, and the shape of the owner."""
    for box, owner in enumerate(state.owners):
        if owner != NOBODY:
            y, x = divmod(box, state.board.width)
            side, left, top = int(owner != player), x0 + x * cell, y0 + y * cell
            yield (
                f'<rect class="{("you", "opponent")[side]}-tint" x="{_n(left + 6)}" y="{_n(top + 6)}" '
                f'width="{_n(cell - 12)}" height="{_n(cell - 12)}" rx="4"/>'
            )
            yield _owner_shape(side, left + cell / 2, top + cell / 2, cell / 6)


def _owner_shape(side: int, x: float, y: float, size: float) -> str:
    """A disc for who looks, a diamond for the other."""
    if side == 0:
        return f'<circle class="you" cx="{_n(x)}" cy="{_n(y)}" r="{_n(size)}"/>'
    return f'<path class="opponent" d="{_diamond(x, y, 1.15 * size)}"/>'


def _diamond(x: float, y: float, reach: float) -> str:
    """A path around (x, y)."""
    return f"M{_n(x)} {_n(y - reach)}" + "l{0} {0}l-{0} {0}l-{0}-{0}z".format(_n(reach))


def _middle(edge: int, rules: Rules, x0: float, y0: float, cell: float) -> tuple[float, float]:
    """The middle of an edge on the picture."""
    x, y = place_of(edge, rules)
    return x0 + x * cell / 2, y0 + y * cell / 2


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
    for edge, path in sorted(_paths(state.board, x0, y0, CELL), key=lambda pair: pair[0] in state.drawn):
        title = f"<title>{edge_name(edge, state.board)}</title>"
        if edge in state.drawn:
            style = f'stroke="{GOLD if edge == last else INK}" stroke-width="5" stroke-linecap="round"'
        elif edge in marked:
            style = f'stroke="{GOLD}" stroke-width="5" stroke-dasharray="8 6"'
        else:
            style = f'stroke="{FAINT}" stroke-width="1.5" stroke-dasharray="2 4"'
        yield f'<path d="{path}" {style}>{title}</path>'


def _paths(rules: Rules, x0: float, y0: float, cell: float) -> Iterator[tuple[int, str]]:
    for y in range(rules.height + 1):
        for x in range(rules.width):
            yield horizontal(x, y, rules), f"M{_n(x0 + x * cell)} {_n(y0 + y * cell)}h{_n(cell)}"
    for y in range(rules.height):
        for x in range(rules.width + 1):
            yield vertical(x, y, rules), f"M{_n(x0 + x * cell)} {_n(y0 + y * cell)}v{_n(cell)}"


def _dots(rules: Rules, x0: float, y0: float, cell: float, style: str) -> Iterator[str]:
    for y in range(rules.height + 1):
        for x in range(rules.width + 1):
            yield f'<circle cx="{_n(x0 + x * cell)}" cy="{_n(y0 + y * cell)}" {style}/>'
