"""Charts: round numbers on the axes, lines where they belong, gaps, escaping."""

import math
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.show.chart import (
    BOTTOM,
    HEIGHT,
    LEFT,
    NARROW,
    RIGHT,
    ROW,
    TOP,
    Curves,
    Series,
    chart,
    curves_svg,
    curves_text,
    ticks,
)
from gpkit.show.render import render_curves

NAN = math.nan


@given(st.floats(-1e9, 1e9, allow_nan=False), st.floats(1e-6, 1e9, allow_nan=False), st.integers(2, 12))
@settings(max_examples=100)
def test_ticks_are_round_and_cover_the_range(low: float, width: float, count: int) -> None:
    high = low + width
    if high - low < 1e-9 * max(abs(low), abs(high)):
        return
    marks = ticks(low, high, count)
    step = marks[1] - marks[0]
    assert marks[0] <= low + 1e-6 * step
    assert marks[-1] >= high - 1e-6 * step
    assert 2 <= len(marks) <= count / 0.75 + 3
    mantissa = step / 10 ** math.floor(math.log10(step) + 1e-6)
    assert min(abs(mantissa - m) for m in (1, 2, 5)) < 1e-3


def points(svg: str) -> list[list[tuple[float, float]]]:
    """The corners of every line that was plotted."""
    found = re.findall(r'<polyline [^>]*points="([^"]*)"', svg)
    return [[(float(x), float(y)) for x, y in (p.split(",") for p in line.split())] for line in found]


def test_a_line_goes_from_corner_to_corner() -> None:
    svg = chart("T", [Series("s", ((0, 0.0), (10, 1.0)))], x="x", y="y")
    assert points(svg) == [[(LEFT, HEIGHT - BOTTOM), (NARROW - RIGHT, TOP)]]


def test_what_is_not_finite_leaves_a_gap() -> None:
    heights = (1.0, 2.0, NAN, 3.0, 1.0, -math.inf, 2.0, 1e200)
    svg = chart("T", [Series("s", tuple(enumerate(heights)))], x="x", y="y")
    assert [len(line) for line in points(svg)] == [2, 2]
    assert svg.count("<circle") == 1
    assert "nan" not in svg
    assert "inf" not in svg.replace("interval", "")


@pytest.mark.parametrize("series", [[], [Series("s", ())], [Series("s", ((0, NAN),))]])
def test_nothing_measured_is_said(series: list[Series]) -> None:
    assert "no data" in chart("T", series, x="x", y="y")


@pytest.mark.parametrize("value", [0.0, 0.5, -3.0, 1e9, -1e99, 1e-9])
@pytest.mark.parametrize("zero", [True, False])
def test_a_single_point_has_axes(value: float, zero: bool) -> None:
    svg = chart("T", [Series("s", ((3, value),))], x="x", y="y", zero=zero)
    assert svg.count("<circle") == 1
    heights = [float(y) for y in re.findall(r'cy="([^"]*)"', svg)]
    assert all(TOP <= y <= HEIGHT - BOTTOM for y in heights)
    assert max(map(len, re.findall(r">([^<]*)</text>", svg))) < 30


def test_a_band_surrounds_its_line() -> None:
    svg = chart("T", [Series("s", ((0, 2.0), (1, 3.0)), ((1.0, 3.0), (2.0, 4.0)))], x="x", y="y")
    (band,) = re.findall(r'<polygon class="band f0" points="([^"]*)"', svg)
    assert len(band.split()) == 4


def test_texts_are_escaped() -> None:
    svg = chart("<T>", [Series("a<b", ((0, 1.0),))], x="x&y", y="<y>")
    assert "<T>" not in svg
    assert "a<b" not in svg
    assert "x&amp;y" in svg


def test_lines_differ_without_colour() -> None:
    svg = chart("T", [Series(f"s{k}", ((0, 1.0), (1, k))) for k in range(5)], x="x", y="y")
    dashes = re.findall(r"<polyline class=\"line s\d\" (stroke-dasharray=\"[^\"]*\")?", svg)
    assert len(set(dashes)) == 5


def test_the_course_of_a_run_as_text() -> None:
    curves = Curves("T", (Series("a", ((0, 0.5), (1, NAN), (10, 0.25))), Series("b", ((10, 7.0),))), "m")
    assert curves_text(curves) == "generation     a  b\n         0   0.5\n         1\n        10  0.25  7\n"


def test_the_files_of_a_chart() -> None:
    curves = Curves("T", (Series("a", ((0, 0.5), (1, 1.0))),), "m")
    assert render_curves([curves], "svg") == curves_svg(curves).encode() + b"\n"
    assert render_curves([curves], "txt").decode() == curves_text(curves)
    assert curves_svg(curves) in render_curves([curves], "html").decode()
    with pytest.raises(UsageError, match=r"\.svg, \.png, \.pdf, \.html and \.txt"):
        render_curves([curves], "dot")


def test_charts_with_axes_of_their_own_stand_below_each_other() -> None:
    panels = [Curves(title, (Series("a", ((0, 0.5), (1, 1.0))),), "shots") for title in ("One", "Two")]
    document = ET.fromstring(render_curves(panels, "svg").decode())  # noqa: S314 - our own text
    assert [(each.get("y"), each.get("height")) for each in document] == [("0", "280"), ("280", "280")]
    assert document.get("height") == "560"
    assert render_curves(panels, "txt").decode().startswith("One, shots\ngeneration    a\n")
    assert render_curves(panels, "html").decode().count("<figure>") == 2


def test_a_wide_legend_breaks_into_rows_and_the_chart_grows() -> None:
    names = [f"a rather long name of a line, number {k}" for k in range(3)]
    svg = chart("T", [Series(name, ((0, 1.0), (1, 2.0))) for name in names], x="x", y="y")
    found = re.findall(r'class="name" x="(\d+)" y="(\d+)">([^<]*)<', svg)
    assert [name for *_, name in found] == names
    assert all(int(x) + 6.4 * len(name) <= NARROW for x, _, name in found)
    assert len({y for _, y, _ in found}) == 3
    assert f'height="{HEIGHT + 2 * ROW}"' in svg
    assert points(svg)[0] == [(LEFT, HEIGHT - BOTTOM + 2 * ROW), (NARROW - RIGHT, TOP + 2 * ROW)]
