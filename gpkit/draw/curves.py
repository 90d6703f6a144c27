"""The course of a run as charts: strength, sizes and diversity by generation."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpkit.draw.chart import WIDE, Series, chart


@dataclass(frozen=True, slots=True)
class Generation:
    """What one generation was like. Fitness is in the game's unit; sizes are nodes; diversity counts individuals."""

    number: int
    best: float
    median: float
    best_size: float
    median_size: float
    distinct: int


@dataclass(frozen=True, slots=True)
class Champion:
    """The best individual of a generation, measured on fresh deals: mean and interval in the unit of fitness."""

    generation: int
    mean: float
    low: float
    high: float


def strength_chart(generations: Sequence[Generation], champions: Sequence[Champion], *, unit: str) -> str:
    """Best and median fitness of every generation, and its champion on fresh deals with its interval, as SVG."""
    series = [
        Series("best in training", tuple((g.number, g.best) for g in generations)),
        Series("median", tuple((g.number, g.median) for g in generations)),
    ]
    if champions:
        points = tuple((c.generation, c.mean) for c in champions)
        band = tuple((c.low, c.high) for c in champions)
        series.append(Series("champion on fresh deals, 95 % interval", points, band))
    return chart("Strength", series, x="generation", y=unit, width=WIDE)


def size_chart(generations: Sequence[Generation]) -> str:
    """The sizes of the best and of the median individual of every generation, as SVG."""
    series = [
        Series("best", tuple((g.number, g.best_size) for g in generations)),
        Series("median", tuple((g.number, g.median_size) for g in generations)),
    ]
    return chart("Size", series, x="generation", y="nodes", zero=True)


def diversity_chart(generations: Sequence[Generation]) -> str:
    """How many different individuals every generation held, as SVG."""
    series = [Series("different individuals", tuple((g.number, g.distinct) for g in generations))]
    return chart("Diversity", series, x="generation", y="individuals", zero=True)
