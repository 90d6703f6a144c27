"""The view of Dots and Boxes (``gpkit.gamekit.view.View``): boards, parsing of edges, sentences, and feature tables.

In pictures, all drawn edges have the same neutral colour, because it does not matter who drew them. A closed box shows
the colour and the shape of its owner. The score is above the board.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import dist
from operator import itemgetter
from types import MappingProxyType
from typing import Any

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.core.primitives import Sensor
from gpkit.core.wording import does
from gpkit.gamekit.sensors import FeatureTable
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.svg import button, document, pill
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Move, Overlay, Played, Spot, View, Words, everywhere, number_word, title
from gpkit.games.dots_and_boxes.board import (
    DEGREE_SIGNS,
    OWNERS,
    box_name,
    edge_name,
    edge_of_name,
    marked_text,
)
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState, boxes_of_edges, place_of

SCORE, BORDER = 56.0, 26.0
"""The height of the score bar, and the space around the board."""

WIDE, NARROW = (800.0, 520.0), (366.0, 366.0)
"""For wide and narrow pictures: the maximum width of the picture and height of the board."""

LARGEST, LEAST = 106.0, 500.0
"""The maximum side length of a box, and the minimum width of a wide picture."""


@dataclass(frozen=True, slots=True)
class DotGrid:
    """The position of a board in a picture: its top left dot, and the side length of a box."""

    rules: DotsAndBoxesRules
    left: float
    top: float
    cell: float

    def middle(self, edge: int) -> tuple[float, float]:
        """The middle of an edge."""
        x, y = place_of(edge, self.rules)
        return self.left + x * self.cell / 2, self.top + y * self.cell / 2

    def path(self, edge: int) -> str:
        """The SVG path of an edge."""
        (x, y), half = self.middle(edge), self.cell / 2
        if place_of(edge, self.rules)[0] % 2:
            return f"M{_n(x - half)} {_n(y)}h{_n(self.cell)}"
        return f"M{_n(x)} {_n(y - half)}v{_n(self.cell)}"


def board_svg(
    state: DotsAndBoxesState,
    player: int | None = None,
    names: Sequence[str] = OWNERS,
    overlay: Overlay | None = None,
) -> str:
    """The board as an SVG document.

    Args:
        state: the position.
        player: the viewing player, who is on the left and has discs as pieces. None treats the first player as the
            viewing player, and shows the number of undrawn sides of each open box as a symbol.
        names: the names of the players.
        overlay: marks and places; None for a small picture.
    """
    overlay, rules = overlay or Overlay(is_narrow=True), state.board
    width, tallest = NARROW if overlay.is_narrow else WIDE
    cell = min(LARGEST, (width - 2 * BORDER) / rules.width, tallest / rules.height)
    width = width if overlay.is_narrow else max(LEAST, cell * rules.width + 2 * BORDER)
    grid = DotGrid(rules, (width - cell * rules.width) / 2, SCORE + 16 + 1.5 * BORDER, cell)
    height = grid.top + cell * rules.height + BORDER
    dots = (
        f'<circle cx="{_n(grid.left + x * cell)}" cy="{_n(grid.top + y * cell)}" r="{7 if overlay.is_narrow else 9}"/>'
        for y in range(rules.height + 1)
        for x in range(rules.width + 1)
    )
    beside = [  # the letters of the columns, and the numbers of the rows
        *((grid.left + (x + 0.5) * cell, grid.top - 17, box_name(x, rules)[0]) for x in range(rules.width)),
        *((max(grid.left - 22, 8), grid.top + (y + 0.5) * cell + 5, str(y + 1)) for y in range(rules.height)),
    ]
    named = (
        f'<text class="dim" x="{_n(x)}" y="{_n(y)}" font-size="14" text-anchor="middle">{text}</text>'
        for x, y, text in beside
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
        f'<g aria-hidden="true">{"".join(named)}</g>',
        *(pill(*grid.middle(edge), edge, overlay) for edge in overlay.values),
    ]
    score = ", ".join(f"{name} {state.boxes_of(seat)}" for seat, name in enumerate(names))
    return document(width, height, score, parts, overlay)


def _edge(edge: int, state: DotsAndBoxesState, grid: DotGrid, overlay: Overlay) -> str:
    """An edge; if a player can choose it, its click target is as large as the boxes allow."""
    path = grid.path(edge)
    if edge in state.drawn:
        return f'<path class="line" d="{path}"/>' + (
            f'<path class="line last" d="{path}"/>' if edge == overlay.last else ""
        )
    free = f'<path class="free{" best" if edge in overlay.best else ""}" d="{path}"/>'
    if edge not in overlay.labels:
        return free
    return button(
        edge, overlay, f'<path class="hit" d="{_diamond(*grid.middle(edge), grid.cell / 2)}"/>{free}'
    )


def _score(state: DotsAndBoxesState, player: int, names: Sequence[str], width: float) -> Iterator[str]:
    """A bar with the players' names, their status, and their numbers of boxes; the viewing player is on the left."""
    bar = min(width - 16, 560.0)
    left, middle = (width - bar) / 2, width / 2
    yield f'<rect class="sunk" x="{_n(left)}" y="16" width="{_n(bar)}" height="{_n(SCORE)}" rx="8"/>'
    yield f'<rect class="card" x="{_n(middle - 1)}" y="16" width="2" height="{_n(SCORE)}"/>'
    letters, most = (13, 11) if width < LEAST else (16, 17)
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


def _boxes(state: DotsAndBoxesState, player: int | None, grid: DotGrid) -> Iterator[str]:
    """Yield the closed boxes in the colours of their owners; without a player, also the symbols of open boxes."""
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
    """A disc for the viewing player, or a diamond for the opponent."""
    if side == 0:
        return f'<circle class="you" cx="{_n(x)}" cy="{_n(y)}" r="{_n(size)}"/>'
    return f'<path class="opponent" d="{_diamond(x, y, 1.15 * size)}"/>'


def _diamond(x: float, y: float, reach: float) -> str:
    """The path of a diamond around (x, y)."""
    return f"M{_n(x)} {_n(y - reach)}" + "l{0} {0}l-{0} {0}l-{0}-{0}z".format(_n(reach))


def squares(state: DotsAndBoxesState) -> dict[int, Spot]:
    """The places of all edges as narrow rectangles that do not overlap. A box is 40 units wide."""
    spots = {}
    for edge in range(state.board.edges):
        x, y = place_of(edge, state.board)
        across, down = (28, 12) if x % 2 else (12, 28)
        spots[edge] = Spot(20 * x - across / 2, 20 * y - down / 2, across, down)
    return spots


COLUMNS = (
    Sensor("drawn", "1 if the edge is drawn, else 0", 0, 1),
    Sensor("sides1", "drawn sides of its first box", 0, 4),
    Sensor("sides2", "drawn sides of its second box; 0 at the border", 0, 4),
    Sensor("owner1", "owner of its first box: 1 the player, 2 the opponent, 0 nobody", 0, 2),
    Sensor("owner2", "owner of its second box; 0 at the border", 0, 2),
)
"""The columns of the feature table; each row describes an edge and the one or two boxes beside it."""


def columns() -> tuple[Sensor, ...]:
    """The columns of the feature table."""
    return COLUMNS


def actions(rules: DotsAndBoxesRules) -> int:
    """The number of edges."""
    return rules.edges


def encode(state: DotsAndBoxesState, player: int) -> FeatureTable:
    """The position from a player's point of view as a table: float64 (edges, columns)."""
    table = np.zeros((state.rules.edges, len(COLUMNS)))
    for edge, boxes in enumerate(boxes_of_edges(state.rules)):
        table[edge, 0] = edge in state.drawn
        for place, box in enumerate(boxes):
            owner = state.owners[box]
            table[edge, 1 + place] = 4 - state.undrawn_sides(box)
            table[edge, 3 + place] = 0 if owner == NOBODY else 1 if owner == player else 2
    return table


def action_text(state: DotsAndBoxesState, edge: int) -> str:
    """The name of an edge: a box and one of its sides, such as ``B2 top``."""
    return edge_name(edge, state.board)


def parse_action(state: DotsAndBoxesState, text: str) -> int:
    """The undrawn edge with this name.

    Raises:
        UsageError: there is no such undrawn edge; the message gives the reason and may suggest a name.
    """
    edge = edge_of_name(text, state.board)
    if edge not in state.drawn:
        return edge
    here = place_of(edge, state.board)
    close = min(state.legal_actions(), key=lambda other: dist(here, place_of(other, state.board)))
    raise UsageError(
        f"{action_text(state, edge)} is already drawn; the nearest undrawn side is {action_text(state, close)}"
    )


def drawing_text(state: DotsAndBoxesState, edge: int, name: str) -> str:
    """A sentence about the edge that a player draws and the boxes that it closes."""
    closed = " and ".join(box_name(box, state.board) for box in state.closed_by(edge))
    closes = f", which closes {closed}" if closed else ""
    return f"{does(name, 'draws')} {edge_name(edge, state.board)}{closes}"


class DotsWords(Words):
    """The sentences about a game of Dots and Boxes."""

    noun = "line"
    candidate = "edge"
    setups = MappingProxyType({f"{size} boxes": {"board": size} for size in ("2x2", "3x3", "5x5")})
    examples = (
        ("Next capture", "closes > 0"),
        ("Its next capture", "mine and closes > 0"),
        ("No rule matched", "mine and rule == 0"),
    )
    worth = "A value is the number of boxes by which you end ahead if nobody makes a mistake."
    rules = (
        "In turn, each player draws a line between two dots. Whoever draws the fourth side of a box owns it and draws "
        "again. When all lines are drawn, whoever owns more boxes wins."
    )

    def step(self, step: Any) -> str:
        """A sentence about the drawn edge, with the names of the rules of the traced program that chose the edge."""
        if step.before is None:
            return "the board is empty"
        said = drawing_text(step.before, step.action, step.name)
        if not hasattr(step.decision, "drawing"):  # not a rule list
            return said
        titles = " and ".join(each.title for each in step.decision.drawing)
        return said + (f", by {titles}" if titles else ", as no rule matches")

    def stage(self, state: DotsAndBoxesState) -> str:
        """The size of the board."""
        return f"{state.board.width} by {state.board.height}"

    def prompt(self, played: Played) -> tuple[str, str]:
        """A request to draw a line, and a hint or a sentence about the opponent's last line."""
        latest = played.moves[-1]
        if latest.before is not None and latest.before.current_player == played.seat:
            return "You closed a box. Go again", "A line that closes no box ends your turn."
        return "Your turn: draw a line", self.lately(played) or "Close a box, keep it and go again."

    def act(self, state: DotsAndBoxesState, action: int, text: str) -> str:
        """The action in words, such as ``draw B2 top``."""
        return f"draw {text}"

    def fact(self, state: DotsAndBoxesState, action: int) -> str:
        """A phrase about the boxes that a line closes, or that it leaves to the opponent."""
        from gpkit.games.dots_and_boxes.opponents import captures, gift  # compiles, which drawings need not

        if closed := len(state.closed_by(action)):
            return f"it closes {'a box' if closed == 1 else 'two boxes'}, and you go again"
        gifts = {edge: gift(state, edge) for edge in state.legal_actions()}
        if not gifts[action]:
            return "your opponent cannot close a box next"
        boxes = "a box" if gifts[action] == 1 else f"{number_word(gifts[action])} boxes"
        if captures(state):
            return f"it leaves {boxes} and the next line to your opponent"
        least = ", and every other line at least as many" if gifts[action] == min(gifts.values()) else ""
        return f"it gives away {boxes}{least}"

    def lately(self, played: Played) -> str:
        """A sentence about the boxes that the opponent closed and the last line that it drew."""
        theirs = [move for move in played.since if move.before.current_player != played.seat]
        if not theirs:
            return ""
        name, state = played.names[1 - played.seat], played.state
        closed = state.boxes_of(1 - played.seat) - played.since[0].before.boxes_of(1 - played.seat)
        took = f"closed {'a box' if closed == 1 else f'{number_word(closed)} boxes'}, then " if closed else ""
        return f"{name} {took}drew {played.text(theirs[-1].before, theirs[-1].action)}."

    def label(self, state: DotsAndBoxesState, action: int, text: str) -> str:
        """The label of a line, such as ``Draw B2 top``."""
        return f"Draw {text}"

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """Yield the line, and the number of boxes that it closed."""
        for seat, what in super().happened(move, played):
            closed = len(move.before.closed_by(move.action))
            yield seat, what + (f", closes {'a box' if closed == 1 else f'{closed} boxes'}" if closed else "")

    def ending(self, played: Played) -> tuple[str, str]:
        """The result in boxes, and the line that gave away the most boxes."""
        state = played.state
        mine, theirs = state.boxes_of(played.seat), state.boxes_of(1 - played.seat)
        if mine == theirs:
            return f"A draw, {mine} boxes each", ""
        winner = played.seat if mine > theirs else 1 - played.seat
        result = f"{title(played.names[winner])} won, {max(mine, theirs)} boxes to {min(mine, theirs)}"
        drawn = [move for move in played.moves if move.before is not None]
        gifts = [move for move in drawn if move.after.current_player == winner != move.before.current_player]
        sizes = (
            end.after.boxes_of(winner) - gift.after.boxes_of(winner)
            for gift, end in zip(gifts, [*gifts[1:], drawn[-1]], strict=False)
        )
        size, gift = max(zip(sizes, gifts, strict=False), key=itemgetter(0), default=(0, drawn[-1]))
        if not size:
            return result, ""
        line, boxes = played.text(gift.before, gift.action), "box" if size == 1 else "boxes"
        giver, taker = title(played.names[1 - winner]), played.names[winner]
        return result, f"{giver} gave {taker} {number_word(size)} {boxes} with {line}."


VIEW = View(
    action_text,
    parse_action,
    marked_text,
    board_svg,
    lambda state, edge: {},  # no sensors: rules match the graph of the position
    placed=everywhere,
    squares=squares,
    words=DotsWords(),
)
