"""Games as pictures: what there is, and a Gantt chart of what was ordered, a bar for each order, in rows by thing."""

from collections.abc import Iterator, Sequence
from html import escape

from gpkit.gamekit.svg import box, document, golden
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Overlay, Spot
from gpkit.games.build_order.board import clock, spoken
from gpkit.games.build_order.kernel.things import ACTIONS, THINGS
from gpkit.games.build_order.rules import State

TOP, ROW, BAR, FOOT = 72.0, 26.0, 18.0, 40.0
"""Height of the numbers above, of a row, of its bar, and of the axis below, in pixels."""

SLATE, RULE, DONE = "#22303a", "#4a5b66", "#6db7f2"

AXIS = 90
"""Ticks that are shown at least."""


def board_svg(
    state: State, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The game as an SVG document; arguments as of ``board_text``, and an overlay, which has no places here."""
    narrow = overlay is not None and overlay.is_narrow
    width, left = (390.0, 146.0) if narrow else (848.0, 150.0)
    last = max(AXIS, state.tick, *(job.done for job in state.orders), 0)
    scale = (width - left - 24) / last
    rows = lanes(state)
    bottom = TOP + ROW * len(rows)
    numbers = (
        ("Minerals", f"{state.minerals}"),
        ("Supply", f"{state.supply} of {state.cap()}"),
        ("Larvae", f"{state.larvae}"),
    )
    parts = [f'<rect class="plank" width="{_n(width)}" height="{_n(bottom + FOOT)}" fill="{SLATE}"/>']
    for place, (name, value) in enumerate(numbers):
        x = 16 + place * (width - 16) / 3
        parts += [_text(x, 24, name, 15), _text(x, 50, value, 24, 'font-weight="bold"')]
    step = next(each for each in (15, 30, 60, 120, 300, 600) if last / each <= (5 if narrow else 10))
    for tick in range(0, last + 1, step):
        x = left + tick * scale
        parts.append(f'<path d="M{_n(x)} {_n(TOP - 4)}V{_n(bottom)}" stroke="{RULE}"/>')
        if abs(tick - state.tick) * scale > 52:
            parts.append(_text(x, bottom + 22, clock(tick), 14, 'text-anchor="middle"'))
    for place, (action, row) in enumerate(rows):
        y = TOP + place * ROW
        if not place or rows[place - 1][0] != action:
            count = state.counts[action] if action < len(THINGS) else state.making(action)
            parts.append(_text(16, y + 15, f"{spoken(action)} {count}", 15))
        parts += [line for number in row for line in _bar(state, number, y, left, scale, overlay)]
    x = left + state.tick * scale
    parts += [
        f'<path d="M{_n(x)} {_n(TOP - 8)}V{_n(bottom + 6)}" stroke="#ffffff" stroke-width="2" stroke-dasharray="5 4"/>',
        _text(
            min(x, width - 44),
            bottom + 22,
            f"now {clock(state.tick)}",
            14,
            'text-anchor="middle" font-weight="bold"',
        ),
    ]
    things = ", ".join(f"{spoken(k)} {count}" for k, count in enumerate(state.counts) if count)
    title = f"{clock(state.tick)}: {', '.join(f'{name} {value}' for name, value in numbers)}, {things}"
    return document(width, bottom + FOOT, title, parts, overlay)


def lanes(state: State) -> list[tuple[int, list[int]]]:
    """Rows of the chart, by action: numbers of its orders that do not overlap; of every thing there is at least one."""
    found: list[tuple[int, list[int]]] = []
    for action in range(len(ACTIONS)):
        own: list[list[int]] = [[]] if action < len(THINGS) else []
        for number, job in enumerate(state.orders):
            if job.action == action:
                free = (row for row in own if not row or state.orders[row[-1]].done <= job.begun)
                row = next(free, None)
                own.append([number]) if row is None else row.append(number)
        found += [(action, row) for row in own]
    return found


def _bar(
    state: State, number: int, y: float, left: float, scale: float, overlay: Overlay | None
) -> Iterator[str]:
    """The bar of an order: full where it is done; the last one has a golden edge on a page."""
    job = state.orders[number]
    spot = Spot(left + job.begun * scale, y, max(3.0, (job.done - job.begun) * scale - 2), BAR)
    told = f"{spoken(job.action)}: {clock(job.begun)} to {clock(job.done)}"
    opacity = 1 if job.done <= state.tick else 0.4
    yield f'<rect {box(spot)} fill="{DONE}" fill-opacity="{opacity}"><title>{escape(told)}</title></rect>'
    if overlay is not None and number == len(state.orders) - 1:
        yield golden(spot)


def _text(x: float, y: float, text: str, size: int, more: str = "") -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}" fill="#ffffff" {more}>{escape(text)}</text>'
