"""Figures 1 to 4: densities of random fleets and of strategies of placement, as heat maps and in one dimension."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from gpkit.core.rng import stream
from gpkit.core.statistics import Interval
from gpkit.draw.chart import curves_svg, panels_svg
from gpkit.draw.heat import heat_of, heat_svg
from gpkit.games.battleship.forms.draw import signals
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.placing import pattern_density
from gpkit_experiments.papers.battleship_adaptive.study import Floats, Measured, Study
from gpkit_experiments.papers.paper import Claim, Row, below, exact
from gpkit_experiments.papers.units import by_values, mean_interval

RULES = Rules()

STRATEGIES: Mapping[str, str] = MappingProxyType(
    {
        "uniform": "random",
        "corner": "lower left corner",
        "corners": "ship in each corner",
        "wall": "bottom wall",
    }
)
"""Patterns of the source's Figures 2 and 3 with their names there, in the order of Figure 3."""

READINGS: Mapping[str, str] = MappingProxyType(
    {"uniform": "all legal fleets equally likely", "one-by-one": "ship by ship, the longest first"}
)
"""Readings of random fleets, by pattern."""

PLACES: Mapping[str, int] = MappingProxyType({"corner": 0, "middle of an edge": 4, "centre": 44})
"""Squares of which Figure 1 shows that ships lie ever more often there."""

MEASURE = "share of fleets"

SYMMETRIC = 3.481
"""Standard errors that the farthest of a hundred squares passes by chance once in twenty densities (Bonferroni)."""


@lru_cache(maxsize=4)
def densities(seed: int, fleets: int) -> Mapping[str, Floats]:
    """Densities of the strategies and of both readings of random fleets by pattern: float64 (squares,) each."""
    patterns = dict.fromkeys([*STRATEGIES, *READINGS])
    return {
        pattern: pattern_density(stream(seed, "density", number), pattern, RULES, fleets)
        for number, pattern in enumerate(patterns)
    }


def combination(found: Mapping[str, Floats]) -> Floats:
    """Density of Figure 4: random placement and the three strategies, each as often: float64 (squares,)."""
    return np.asarray(np.mean([found[pattern] for pattern in STRATEGIES], axis=0))


def measure_densities(study: Study) -> Measured:
    """Figure 1 in numbers, by both readings of random; and Figures 1 to 4."""
    study.watch("densities")
    fleets = study.effort.fleets
    found = densities(study.seed, fleets)
    rows = []
    for pattern, reading in READINGS.items():
        shares = [_share(found[pattern][square], fleets) for square in PLACES.values()]
        for name, share, higher in zip(PLACES, shares, [*shares[1:], None], strict=True):
            claim = None if higher is None else Claim(below=higher)
            said = "the center experiences many more" if claim else ""
            rows.append(Row(f"Figure 1, a ship on the square, {reading}", name, share, "fleets", said, claim))
        apart = asymmetric(found[pattern], fleets)
        heading = "Figure 1, largest distance of a square from its images, in standard errors"
        rows.append(Row(heading, reading, apart, "fleets", "symmetric about the center", below(SYMMETRIC)))
    return Measured(tuple(rows), _files(found))


@by_values
def asymmetric(density: Floats, fleets: float) -> Interval:
    """``asymmetry`` of a density as it was counted in so many fleets."""
    return exact(asymmetry(density, fleets), int(fleets))


def asymmetry(density: Floats, fleets: float) -> float:
    """The largest distance of a square's share of fleets from the mean of its images, in standard errors."""
    grid = density.reshape(RULES.height, RULES.width)
    turned = [np.rot90(side, turn) for side in (grid, grid.T) for turn in range(4)]
    mean = np.mean(turned, axis=0)
    distinct = np.array([len(set(squares)) for squares in _images()]).reshape(mean.shape)
    error = np.sqrt(mean * (1.0 - mean) / fleets * (1.0 - 1.0 / distinct))
    apart = np.abs(grid - mean)
    return float(np.divide(apart, error, out=np.zeros_like(apart), where=error > 0.0).max())


def _images() -> list[tuple[int, ...]]:
    """By square the squares that it comes to lie on."""
    numbers = np.arange(RULES.squares).reshape(RULES.height, RULES.width)
    turned = [np.rot90(side, turn).ravel() for side in (numbers, numbers.T) for turn in range(4)]
    return list(zip(*(each.tolist() for each in turned), strict=True))


def _share(share: float, fleets: int) -> Interval:
    times = round(share * fleets)
    return mean_interval(np.repeat([1.0, 0.0], [times, fleets - times]), support=(0.0, 1.0))


def _files(found: Mapping[str, Floats]) -> dict[str, str]:
    width = RULES.width
    squares = [(name, found[pattern].tolist()) for pattern, name in STRATEGIES.items()]
    table = [
        ",".join(found),
        *(",".join(f"{v:.6f}" for v in row) for row in zip(*found.values(), strict=True)),
    ]
    return {
        "figure-1.svg": heat_svg(
            "Figure 1: hundredths of random fleets with a ship on the square",
            [heat_of(name, found[pattern].tolist(), width) for pattern, name in READINGS.items()],
        ),
        "figure-2.svg": heat_svg(
            "Figure 2: hundredths of fleets with a ship on the square, by strategy",
            [heat_of(name, values, width) for name, values in squares],
        ),
        "figure-3.svg": panels_svg(
            [signals(f"Figure 3: {name}", {"density": values}, MEASURE) for name, values in squares]
        ),
        "figure-4.svg": curves_svg(
            signals("Figure 4: all strategies and random", {"density": combination(found)}, MEASURE)
        ),
        "densities.csv": "\n".join([*table, ""]),
    }
