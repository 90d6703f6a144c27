"""Games as pictures: a Gantt chart of what was ordered, over curves of minerals and supply on the same axis of time."""

from collections.abc import Sequence
from html import escape

from gpkit.gamekit.svg import CREAM, INK, MUTED, document
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Overlay
from gpkit.games.build_order.board import enemy_text, standing
from gpkit.games.build_order.kernel.things import ACTIONS, DRONE, HATCHERY, OVERLORD, POOL, QUEEN, ZERGLINGS
from gpkit.games.build_order.rules import State

LEFT, RIGHT, TOP = 110.0, 24.0, 54.0
CHART = 560.0
ROW, BAR = 15.0, 11.0
CURVE = 90.0
GAP = 34.0

COLOURS = ("#2b6cb0", "#7b4ba0", "#8a5a2b", "#c2372e", "#e07b39", "#2f855a", "#4a5568", "#4a5568")
"""By action."""

FAINT = "#d9d6cc"


def board_svg(
    state: State, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The game as an SVG document; arguments as of ``board_text``, and an overlay, which has no places here."""
    last = max(state.tick, 10, *(job.done for job in state.orders)) if state.orders else max(state.tick, 10)
    scale = CHART / last
    rows = lanes(state)
    bottom = TOP + max(1, len(rows)) * ROW
    title = standing(state)
    enemy = enemy_text(state, player)
    height = bottom + 2 * (GAP + CURVE) + 20
    width = LEFT + CHART + RIGHT
    parts = [
        f'<rect width="{_n(width)}" height="{_n(height)}" fill="{CREAM}"/>',
        _text(LEFT, 22, title, 14, INK, 'font-weight="bold"'),
        _text(LEFT, 40, enemy, 12, MUTED) if enemy else "",
        *_axis(last, scale, bottom + 2 * (GAP + CURVE)),
        *_bars(state, rows, scale),
        *_curve("minerals", stock(state), scale, bottom + GAP, COLOURS[DRONE]),
        *_curve("supply", supplies(state), scale, bottom + 2 * GAP + CURVE, COLOURS[OVERLORD]),
        f'<line x1="{_n(LEFT + state.tick * scale)}" y1="{_n(TOP - 6)}" x2="{_n(LEFT + state.tick * scale)}" '
        f'y2="{_n(height - 18)}" stroke="{INK}" stroke-dasharray="3 3"/>',
    ]
    return document(width, height, title, [part for part in parts if part])


def lanes(state: State) -> list[list[int]]:
    """Rows of the chart: numbers of orders of one kind that do not overlap, kinds in the order of ``ACTIONS``."""
    found: list[list[int]] = []
    for action in range(len(ACTIONS)):
        own: list[list[int]] = []
        for number, job in enumerate(state.orders):
            if job.action == action:
                free = (row for row in own if state.orders[row[-1]].done <= job.begun)
                row = next(free, None)
                own.append([number]) if row is None else row.append(number)
        found += own
    return found


def stock(state: State) -> list[int]:
    """The minerals in stock at the end of every tick so far, 0 the first."""
    spent = [0] * (state.tick + 1)
    for job in state.orders:
        spent[job.begun] += state.rules.costs[job.action]
    found = [state.rules.minerals - spent[0]]
    for mined, cost in zip(state.mined, spent[1:], strict=True):
        found.append(found[-1] + mined - cost)
    return found


def supplies(state: State) -> list[int]:
    """The supply that orders have taken at the end of every tick so far; what dies in fights does not count."""
    taken = [0] * (state.tick + 1)
    taken[0] = state.rules.drones
    change = {DRONE: 1, ZERGLINGS: 1, QUEEN: 2, POOL: -1, HATCHERY: -1}
    for job in state.orders:
        taken[job.begun] += change.get(job.action, 0)
    return [sum(taken[: tick + 1]) for tick in range(state.tick + 1)]


def _bars(state: State, rows: Sequence[Sequence[int]], scale: float) -> list[str]:
    parts = []
    named = -1
    for place, row in enumerate(rows):
        y = TOP + place * ROW
        action = state.orders[row[0]].action
        if action != named:
            named = action
            parts.append(_text(LEFT - 8, y + BAR - 2, ACTIONS[action], 11, INK, 'text-anchor="end"'))
        for number in row:
            job = state.orders[number]
            message = escape(f"{ACTIONS[action]}: tick {job.begun} to {job.done}")
            parts.append(
                f'<rect x="{_n(LEFT + job.begun * scale)}" y="{_n(y)}" '
                f'width="{_n(max(2.0, (job.done - job.begun) * scale - 1))}" height="{_n(BAR)}" rx="2" '
                f'fill="{COLOURS[action]}" fill-opacity="{"1" if job.done <= state.tick else "0.45"}">'
                f"<title>{message}</title></rect>"
            )
    return parts


def _axis(last: int, scale: float, bottom: float) -> list[str]:
    """Lines of time, at most ten."""
    step = next(each for each in (1, 2, 5, 10, 20, 50, 100, 200, 500) if last / each <= 10)
    parts = []
    for tick in range(0, last + 1, step):
        x = _n(LEFT + tick * scale)
        parts.append(f'<line x1="{x}" y1="{_n(TOP - 6)}" x2="{x}" y2="{_n(bottom)}" stroke="{FAINT}"/>')
        parts.append(_text(LEFT + tick * scale, bottom + 14, str(tick), 10, MUTED, 'text-anchor="middle"'))
    return parts


def _curve(name: str, values: Sequence[int], scale: float, top: float, colour: str) -> list[str]:
    """A stepped curve from tick 0, with its name and its highest value."""
    most = max(*values, 1) if len(values) > 1 else max(values[0], 1)
    points = []
    for tick, value in enumerate(values):
        y = _n(top + CURVE * (1 - value / most))
        points += [f"{_n(LEFT + tick * scale)},{y}", f"{_n(LEFT + (tick + 1) * scale)},{y}"]
    base = _n(top + CURVE)
    return [
        _text(LEFT - 8, top + 10, name, 11, INK, 'text-anchor="end"'),
        _text(LEFT - 8, top + 24, f"up to {most}", 10, MUTED, 'text-anchor="end"'),
        f'<line x1="{_n(LEFT)}" y1="{base}" x2="{_n(LEFT + CHART)}" y2="{base}" stroke="{MUTED}"/>',
        f'<polyline points="{" ".join(points[:-1])}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
    ]


def _text(x: float, y: float, text: str, size: int, colour: str, more: str = "") -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}" fill="{colour}" {more}>{escape(text)}</text>'
