"""Line charts as small SVG documents, made by pure functions without a library, and readable on light and dark pages.

The charts show the history of a run: strength, sizes and diversity by generation.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from gpkit.core.layout import aligned
from gpkit.core.wording import in_markup
from gpkit.show.graph import short_number

HEIGHT = 280
NARROW, WIDE = 464, 944
"""A page shows two narrow charts side by side, or one wide chart; on a phone, only narrow charts are readable."""
LEFT, RIGHT, TOP, BOTTOM = 58, 18, 60, 44
"""Margins around the plotted area, in pixels like all lengths here; the top margin has room for one legend row."""
ROW = 18
"""The height of each further row of the legend."""
_HUGE = 1e100
"""Values of at least this size are left out like NaN, because they would flatten the rest of the chart."""

_DASHES = ("", "7 4", "2 3", "9 3 2 3", "1 5")

STYLE = """
.gpkit-chart{--ink:#24292f;--dim:#57606a;--grid:#e3e6e9;--c0:#0072b2;--c1:#d55e00;--c2:#00795a;--c3:#a8518a;--c4:#8a6d00;
font:12px Helvetica,Arial,sans-serif}
@media screen and (prefers-color-scheme:dark){.gpkit-chart{--ink:#e6e9ec;--dim:#9aa4ad;--grid:#333a41;--c0:#56b4e9;
--c1:#f0894a;--c2:#3fc79a;--c3:#e39cc4;--c4:#f0c14b}}
.gpkit-chart text{fill:var(--dim)}.gpkit-chart .title{fill:var(--ink);font-size:14px;font-weight:bold}
.gpkit-chart .name{fill:var(--ink)}.gpkit-chart .grid{stroke:var(--grid)}.gpkit-chart .axis{stroke:var(--dim)}
.gpkit-chart .line{fill:none;stroke-width:2;stroke-linejoin:round}.gpkit-chart .band{stroke:none;opacity:.18}
.gpkit-chart .s0{stroke:var(--c0)}.gpkit-chart .s1{stroke:var(--c1)}.gpkit-chart .s2{stroke:var(--c2)}
.gpkit-chart .s3{stroke:var(--c3)}.gpkit-chart .s4{stroke:var(--c4)}
.gpkit-chart .f0{fill:var(--c0)}.gpkit-chart .f1{fill:var(--c1)}.gpkit-chart .f2{fill:var(--c2)}
.gpkit-chart .f3{fill:var(--c3)}.gpkit-chart .f4{fill:var(--c4)}
"""


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a chart: points (x, y) in ascending order of x; NaN and infinity leave a gap.

    ``band`` is empty, or has (low, high) for every point. If ``dots`` is true, every point is also drawn as a dot; if
    ``line`` is false, only the dots are drawn.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    band: tuple[tuple[float, float], ...] = ()
    dots: bool = False
    line: bool = True


def ticks(low: float, high: float, count: int) -> list[float]:
    """About ``count`` round numbers, 1, 2 or 5 times a power of ten apart, from at most ``low`` to at least ``high``.

    >>> ticks(0.31, 0.84, 5)
    [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    """
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= 0.75 * rough)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [round(k * step, digits) for k in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class _Scale:
    """The plotted area, and the mapping of numbers to positions; ``top`` is the margin above the area."""

    width: int
    top: int
    x_low: float
    x_high: float
    y_marks: tuple[float, ...]

    def x(self, value: float) -> str:
        return f"{LEFT + (value - self.x_low) / (self.x_high - self.x_low) * (self.width - LEFT - RIGHT):.1f}"

    def y(self, value: float) -> str:
        share = (value - self.y_marks[0]) / (self.y_marks[-1] - self.y_marks[0])
        return f"{self.floor - share * (self.floor - self.top):.1f}"

    @property
    def floor(self) -> int:
        """The vertical position of the horizontal axis."""
        return self.top + HEIGHT - TOP - BOTTOM


def chart(
    title: str,
    series: Sequence[Series],
    *,
    x: str,
    y: str,
    zero: bool = False,
    width: int = NARROW,
    whole: bool = True,
) -> str:
    """A line chart as SVG text: title, legend, axes with round numbers, a line and a band for every series.

    If the legend is wider than the chart, it breaks into several rows, and the chart becomes taller.

    Args:
        x: the name of the quantity on the horizontal axis.
        y: the name of the quantity on the vertical axis, with its unit, if any.
        zero: whether the vertical axis reaches 0.
        width: the width of the chart, in pixels.
        whole: whether the horizontal axis counts in whole numbers.
    """
    xs = [px for line in series for px, _ in line.points]
    ends = [v for line in series for b in line.band for v in b]
    ys = [v for v in (*(py for line in series for _, py in line.points), *ends) if _is_shown(v)]
    words = "; ".join(map(_summary, series))
    legend = _legend_rows(series, width)
    top = TOP + ROW * (len(legend) - 1)
    height = HEIGHT + top - TOP
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gpkit-chart" role="img" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>{in_markup(title)}</title><desc>{in_markup(words)}</desc><style>{STYLE}</style>",
        f'<text class="title" x="8" y="20">{in_markup(title)}</text>',
        *_legend(legend),
    ]
    if ys:
        low, high = min(xs), max(xs)
        high = max(high, low + max(1.0, 1e-9 * abs(low))) if whole or high == low else high
        scale = _Scale(width, top, low, high, tuple(_y_marks(ys, zero)))
        rows += [
            *_axes(scale, x, y, whole),
            *(row for k, line in enumerate(series) for row in _drawn(k, line, scale)),
        ]
    else:
        rows.append(f'<text x="{width / 2:g}" y="{height / 2:g}" text-anchor="middle">no data</text>')
    return "\n".join([*rows, "</svg>"])


def _is_shown(value: float) -> bool:
    return abs(value) < _HUGE


def _summary(line: Series) -> str:
    known = [py for _, py in line.points if _is_shown(py)]
    if known and not line.line:
        return f"{line.name}: {len(known)} points from {min(known):.4g} to {max(known):.4g}"
    return f"{line.name}: {known[0]:.4g} to {known[-1]:.4g}" if known else f"{line.name}: nothing"


def _y_marks(ys: Sequence[float], zero: bool) -> list[float]:
    low, high = min(ys), max(ys)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low < 1e-9 * max(1.0, abs(high)):
        room = max(0.5, abs(high) / 2)
        low, high = low - (0.0 if zero else room), high + room
    return ticks(low, high, 5)


def _legend_rows(series: Sequence[Series], width: int) -> list[list[tuple[int, int, Series]]]:
    """The entries of the legend by row, each with its distance from the left, its index, and its series."""
    rows, left = [list[tuple[int, int, Series]]()], 8
    for index, line in enumerate(series):
        room = 32 + round(6.4 * len(line.name))
        if rows[-1] and left + room > width:
            rows, left = [*rows, []], 8
        rows[-1].append((left, index, line))
        left += room + 24
    return rows


def _legend(rows: Sequence[Sequence[tuple[int, int, Series]]]) -> Iterator[str]:
    for row, entries in enumerate(rows):
        at = 38 + ROW * row
        for left, index, line in entries:
            sample = f'<circle class="f{index % 5}" cx="{left + 13}" cy="{at}" r="3"/>'
            if line.line:
                ends = f'x1="{left}" y1="{at}" x2="{left + 26}" y2="{at}"'
                sample = f'<line class="line s{index % 5}" {_dash(index)}{ends}/>'
            yield f'{sample}<text class="name" x="{left + 32}" y="{at + 4}">{in_markup(line.name)}</text>'


def _dash(index: int) -> str:
    dash = _DASHES[index % len(_DASHES)]
    return f'stroke-dasharray="{dash}" ' if dash else ""


def _axes(scale: _Scale, x: str, y: str, whole: bool) -> Iterator[str]:
    right = scale.width - RIGHT
    floor, middle = scale.floor, (scale.floor + scale.top) / 2
    digits = max(len(f"{mark:.10g}".partition(".")[2]) for mark in scale.y_marks)
    for mark in scale.y_marks:
        at = scale.y(mark)
        yield f'<line class="grid" x1="{LEFT}" y1="{at}" x2="{right}" y2="{at}"/>'
        small = digits <= 6 and abs(mark) < 1e7
        number = f"{mark:,.{digits}f}".replace("-", "\N{MINUS SIGN}") if small else short_number(mark)
        yield f'<text x="{LEFT - 8}" y="{at}" dy=".35em" text-anchor="end">{number}</text>'
    yield f'<line class="axis" x1="{LEFT}" y1="{floor}" x2="{right}" y2="{floor}"/>'
    for mark in ticks(scale.x_low, scale.x_high, scale.width // 60):
        if (mark == int(mark) or not whole) and scale.x_low <= mark <= scale.x_high:
            at, number = scale.x(mark), f"{mark:,.0f}" if mark == int(mark) else f"{mark:.6g}"
            yield f'<line class="axis" x1="{at}" y1="{floor}" x2="{at}" y2="{floor + 4}"/>'
            yield f'<text x="{at}" y="{floor + 17}" text-anchor="middle">{number}</text>'
    yield f'<text x="{(right + LEFT) / 2:g}" y="{floor + BOTTOM - 8}" text-anchor="middle">{in_markup(x)}</text>'
    turned = f'text-anchor="middle" transform="rotate(-90 14 {middle:g})"'
    yield f'<text x="14" y="{middle:g}" {turned}>{in_markup(y)}</text>'


def _drawn(index: int, line: Series, scale: _Scale) -> Iterator[str]:
    """The band and the line of one series; a point without neighbours becomes a dot, and its band a stroke."""
    colour = index % 5
    known = [k for k, (_, py) in enumerate(line.points) if _is_shown(py)]
    for _, entries in groupby(enumerate(known), lambda entry: entry[1] - entry[0]):
        run = [k for _, k in entries]
        places = [(scale.x(line.points[k][0]), scale.y(line.points[k][1])) for k in run]
        if line.band and all(_is_shown(v) for k in run for v in line.band[k]):
            below, above = (
                [f"{at},{scale.y(line.band[k][end])}" for k, (at, _) in zip(run, places, strict=True)]
                for end in (0, 1)
            )
            if len(run) > 1:
                yield f'<polygon class="band f{colour}" points="{" ".join(above + below[::-1])}"/>'
            else:
                yield f'<polyline class="line s{colour}" points="{above[0]} {below[0]}"/>'
        if len(run) > 1 and line.line:
            points = " ".join(f"{at},{height}" for at, height in places)
            yield f'<polyline class="line s{colour}" {_dash(index)}points="{points}"/>'
        if len(run) == 1 or line.dots or not line.line or (line.band and len(known) <= 40):
            yield from (f'<circle class="f{colour}" cx="{at}" cy="{height}" r="3"/>' for at, height in places)


@dataclass(frozen=True, slots=True)
class Curves:
    """The content of a chart: its lines, the quantity that they show, and the quantity ``x`` on the horizontal axis.

    The horizontal axis has whole numbers, unless ``whole`` is false.
    """

    title: str
    series: tuple[Series, ...]
    measure: str
    zero: bool = False
    x: str = "generation"
    whole: bool = True


def curves_svg(curves: Curves) -> str:
    """The chart as an SVG document."""
    return chart(
        curves.title, curves.series, x=curves.x, y=curves.measure, zero=curves.zero, whole=curves.whole
    )


def panels_svg(panels: Sequence[Curves]) -> str:
    """Charts as one SVG document, one below another."""
    drawn = [*map(curves_svg, panels)]
    if len(drawn) == 1:
        return drawn[0]
    parts, top = [], 0
    for svg in drawn:
        parts.append(svg.replace("<svg ", f'<svg y="{top}" ', 1))
        top += int(svg.partition(' height="')[2].partition('"')[0])
    size = f'viewBox="0 0 {NARROW} {top}" width="{NARROW}" height="{top}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *parts, "</svg>"])


def panels_text(panels: Sequence[Curves]) -> str:
    """The numbers of charts as text tables, with titles if there are several charts."""
    return (
        curves_text(panels[0])
        if len(panels) == 1
        else "\n".join(f"{panel.title}, {panel.measure}\n{curves_text(panel)}" for panel in panels)
    )


def curves_text(curves: Curves) -> str:
    """The numbers of a chart as a text table: a row for each value of ``x``, and empty cells for unknown numbers."""
    columns = [{x: f"{y:.6g}" for x, y in line.points if math.isfinite(y)} for line in curves.series]
    places = sorted({x for line in curves.series for x, _ in line.points})
    heading = [curves.x, *(line.name for line in curves.series)]
    return aligned(
        [heading, *([f"{x:g}", *(column.get(x, "") for column in columns)] for x in places)], left=()
    )
