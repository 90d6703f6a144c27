"""The course of a run as charts: strength, sizes and diversity by generation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gpkit.draw.chart import NARROW, WIDE, Series, chart


@dataclass(frozen=True, slots=True)
class Generation:
    """What one generation was like. Fitness is in the game's unit; sizes are nodes; diversity counts individuals."""

    number: int
    best: float
    median: float
    best_size: float
    mean_size: float
    distinct: int


@dataclass(frozen=True, slots=True)
class Champion:
    """The best individual so far, from its generation on: its fitness, and the interval of that if it is known."""

    generation: int
    mean: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True)
class Curves:
    """A chart before it is drawn: lines over the generations, and what they measure."""

    title: str
    series: tuple[Series, ...]
    measure: str
    zero: bool = False
    width: int = NARROW


def strength_curves(
    generations: Sequence[Generation], champions: Sequence[Champion], *, unit: str, champion: str
) -> Curves:
    """Best and median fitness of every generation, and the champions with the intervals that are known.

    ``unit`` is what fitness measures, ``champion`` says where the champions were measured.
    """
    series = [
        Series("best in training", tuple((g.number, g.best) for g in generations)),
        Series("median", tuple((g.number, g.median) for g in generations)),
    ]
    if champions:
        points = tuple((c.generation, c.mean) for c in champions)
        is_known = all(c.low <= c.high for c in champions)
        series.append(Series(champion, points, tuple((c.low, c.high) for c in champions) if is_known else ()))
    return Curves("Strength", tuple(series), unit, width=WIDE)


def size_curves(generations: Sequence[Generation]) -> Curves:
    """The size of the best individual of every generation, and the mean of all."""
    best = Series("best", tuple((g.number, g.best_size) for g in generations))
    mean = Series("mean of all", tuple((g.number, g.mean_size) for g in generations))
    return Curves("Size", (best, mean), "nodes", zero=True)


def diversity_curves(generations: Sequence[Generation]) -> Curves:
    """How many different individuals every generation held."""
    series = Series("different individuals", tuple((g.number, g.distinct) for g in generations))
    return Curves("Diversity", (series,), "individuals", zero=True)


def curves_svg(curves: Curves) -> str:
    """The chart as an SVG document."""
    return chart(
        curves.title,
        curves.series,
        x="generation",
        y=curves.measure,
        zero=curves.zero,
        width=curves.width,
    )


def curves_text(curves: Curves) -> str:
    """The numbers of the chart as a table in lines of text: a row for each generation, blank where nothing is known."""
    columns = [{x: f"{y:.6g}" for x, y in line.points if math.isfinite(y)} for line in curves.series]
    places = sorted({x for line in curves.series for x, _ in line.points})
    heading = ["generation", *(line.name for line in curves.series)]
    rows = [heading, *([f"{x:g}", *(column.get(x, "") for column in columns)] for x in places)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)
