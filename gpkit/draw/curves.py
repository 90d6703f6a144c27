"""The course of a run as charts: strength, sizes and diversity by generation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gpkit.draw.chart import NARROW, Series, chart


@dataclass(frozen=True, slots=True)
class Generation:
    """Measurements of one generation: strengths in the game's unit, sizes in nodes or lines, different individuals."""

    number: int
    best: float
    median: float
    best_size: float
    mean_size: float
    distinct: int


@dataclass(frozen=True, slots=True)
class Champion:
    """The best individual so far, from its generation on: its strength, and the interval of that if it is known."""

    generation: int
    mean: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True)
class Curves:
    """A chart before it is drawn: its lines, what they measure, and what the horizontal axis ``x`` counts."""

    title: str
    series: tuple[Series, ...]
    measure: str
    zero: bool = False
    x: str = "generation"


def strength_curves(
    generations: Sequence[Generation], champions: Sequence[Champion], *, unit: str, champion: str
) -> Curves:
    """Best and median of every generation, and the champions with the intervals that are known, on one axis.

    ``unit`` is what strength is measured in, ``champion`` says where the champions were measured.
    """
    training = training_curves(generations, unit=unit).series
    measured = champion_curves(champions, unit=unit, champion=champion).series if champions else ()
    return Curves("Strength", (*training, *measured), unit)


def training_curves(generations: Sequence[Generation], *, unit: str) -> Curves:
    """Best and median of every generation."""
    best = Series("best in training", tuple((g.number, g.best) for g in generations))
    middle = Series("median", tuple((g.number, g.median) for g in generations))
    return Curves("Training", (best, middle), unit)


def champion_curves(champions: Sequence[Champion], *, unit: str, champion: str) -> Curves:
    """The champions with the intervals that are known."""
    points = tuple((c.generation, c.mean) for c in champions)
    is_known = all(c.low <= c.high for c in champions)
    bands = tuple((c.low, c.high) for c in champions) if is_known else ()
    return Curves("Champions", (Series(champion, points, bands),), unit)


def size_curves(generations: Sequence[Generation], *, unit: str) -> Curves:
    """The size of the best individual of every generation, and the mean of all, in that unit."""
    best = Series("best", tuple((g.number, g.best_size) for g in generations))
    mean = Series("mean of all", tuple((g.number, g.mean_size) for g in generations))
    return Curves("Size", (best, mean), unit, zero=True)


def diversity_curves(generations: Sequence[Generation]) -> Curves:
    """Curve of the number of different individuals by generation."""
    series = Series("different individuals", tuple((g.number, g.distinct) for g in generations))
    return Curves("Diversity", (series,), "individuals", zero=True)


def curves_svg(curves: Curves) -> str:
    """The chart as an SVG document."""
    return chart(curves.title, curves.series, x=curves.x, y=curves.measure, zero=curves.zero)


def panels_svg(panels: Sequence[Curves]) -> str:
    """Charts as one SVG document, one below the other."""
    if len(panels) == 1:
        return curves_svg(panels[0])
    drawn = [curves_svg(panel) for panel in panels]
    parts, top = [], 0
    for svg in drawn:
        parts.append(svg.replace("<svg ", f'<svg y="{top}" ', 1))
        top += int(svg.partition(' height="')[2].partition('"')[0])
    size = f'viewBox="0 0 {NARROW} {top}" width="{NARROW}" height="{top}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *parts, "</svg>"])


def panels_text(panels: Sequence[Curves]) -> str:
    """The numbers of charts as tables in lines of text, with their titles if there are several."""
    if len(panels) == 1:
        return curves_text(panels[0])
    return "\n".join(f"{panel.title}, {panel.measure}\n{curves_text(panel)}" for panel in panels)


def curves_text(curves: Curves) -> str:
    """The numbers of the chart as a table in lines of text: a row for each generation, blank where nothing is known."""
    columns = [{x: f"{y:.6g}" for x, y in line.points if math.isfinite(y)} for line in curves.series]
    places = sorted({x for line in curves.series for x, _ in line.points})
    heading = [curves.x, *(line.name for line in curves.series)]
    rows = [heading, *([f"{x:g}", *(column.get(x, "") for column in columns)] for x in places)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)
