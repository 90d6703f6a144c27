"""Section III.B with Figures 5 and 6: densities of fleets, and how close evolved waves come to them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Individual
from gpkit.evolution.schemes import Pairs
from gpkit.evolution.search import Parameters, Search
from gpkit.games.battleship.forms.draw import harmonic_curves, signals, wave_curves
from gpkit.games.battleship.learner.targeting import pattern_density
from gpkit.games.battleship.rules import BattleshipRules
from gpkit.games.battleship.waves import (
    HARMONICS,
    SETTINGS,
    Correlation,
    Spectrum,
    Wave,
    WaveRepresentation,
    WaveSettings,
    correlations,
    evolve_waves,
    mutate,
    print_wave,
    random_wave,
    wave_loop,
)
from gpkit.genomes.program_operators import Child
from gpkit.show.chart import Curves, curves_svg, panels_svg
from gpkit.show.heat import heat_svg
from gpkit_experiments.papers.battleship_adaptive.study import Measured, Study
from gpkit_experiments.papers.courses import populations_of
from gpkit_experiments.papers.paper import Claim, Row, above, below, exact
from gpkit_experiments.papers.units import by_values, mean_interval, paired_difference, rate_interval

RULES = BattleshipRules()

STRATEGIES: Mapping[str, str] = MappingProxyType(
    {
        "uniform": "random",
        "corner": "lower left corner",
        "corners": "ship in each corner",
        "wall": "bottom wall",
    }
)
"""Patterns of the source's Figures 2 and 3 with their names there, in the order of Figure 3."""

LAID: Mapping[str, str] = MappingProxyType(
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
    patterns = dict.fromkeys([*STRATEGIES, *LAID])
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
    for pattern, reading in LAID.items():
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
    return rate_interval(np.repeat([1.0, 0.0], [times, fleets - times]))


def _files(found: Mapping[str, Floats]) -> dict[str, str]:
    width = RULES.width
    squares = {name: found[pattern].tolist() for pattern, name in STRATEGIES.items()}
    table = [
        ",".join(found),
        *(",".join(f"{v:.6f}" for v in row) for row in zip(*found.values(), strict=True)),
    ]
    return {
        "figure-1.svg": heat_svg(
            "Figure 1: hundredths of random fleets with a ship on the square",
            {name: found[pattern].tolist() for pattern, name in LAID.items()},
            width,
        ),
        "figure-2.svg": heat_svg(
            "Figure 2: hundredths of fleets with a ship on the square, by strategy",
            squares,
            width,
        ),
        "figure-3.svg": panels_svg(
            [signals(f"Figure 3: {name}", {"density": values}, MEASURE) for name, values in squares.items()]
        ),
        "figure-4.svg": curves_svg(
            signals("Figure 4: all strategies and random", {"density": combination(found)}, MEASURE)
        ),
        "densities.csv": "\n".join([*table, ""]),
    }


READINGS: dict[Spectrum, str] = {
    "bins": "each component keeps both phases",
    "apart": "five sines and five cosines apart",
}

TOLD = (0, 5, 20, 50, 300)
"""Generations that are told of, as far as there are so many."""

JUDGED = (50, 300)
"""Generations after which they should have converged; the source gives no number."""

CONVERGES = "they converge to the probability distribution"

FIGURE_5 = (0.5773, 0.4082, 1.0)
FIGURE_6 = 0.702624
"""Correlations in the source."""

CLOSE = 0.95
"""Share of the way from the best of the first generation to the bound of five components on which waves converge."""


def measure_waves(study: Study) -> Measured:
    """Correlations by generation, by reading and strategy; and Figures 5 and 6."""
    found = densities(study.seed, study.effort.fleets)
    rows, files = [*figure_5_rows(), *course_rows(study, found["uniform"])], {}
    for pattern, name in STRATEGIES.items():
        study.watch(f"waves for {name}")
        more, best = strategy_rows(study, name, found[pattern])
        rows += more
        header = {"game": "battleship", "density": pattern, "correlation": f"{best.score:.6f}"}
        files[f"{pattern}.wave"] = print_wave(best.genome, header)
        panels = [
            wave_curves(f"A wave for {name}", best.genome, found[pattern].tolist()),
            harmonic_curves("Its harmonics", best.genome, RULES.squares),
        ]
        files[f"{pattern}-wave.svg"] = panels_svg(panels)
    rows += [*strategy_rows(study, TOGETHER, combination(found))[0], *part_rows(study, found)]
    more, drawn = figure_6(study, found["uniform"])
    files |= {"figure-5.svg": panels_svg(figure_5_curves()), "figure-6.svg": panels_svg(drawn)}
    return Measured((*rows, *more), files)


def figure_5_signals() -> tuple[dict[str, Floats], Floats]:
    """The three signals, and their target: the sum of three harmonics, of which sin t is one and cos 2t none."""
    t = np.arange(RULES.squares) * (2.0 * np.pi / RULES.squares)
    target = np.sin(t) + np.sin(2.0 * t) + np.sin(3.0 * t)
    return {
        "sin t": np.sin(t),
        "sin t + cos 2t": np.sin(t) + np.cos(2.0 * t),
        "the signal itself": target,
    }, target


def figure_5_rows() -> Iterator[Row]:
    """The three values of Figure 5; the signal was chosen for them, so that they fix the formula and test nothing."""
    named, target = figure_5_signals()
    found = correlations(np.stack(list(named.values())), target)
    for name, value, published in zip(named, found.tolist(), FIGURE_5, strict=True):
        yield Row("Figure 5, correlation", name, exact(value), "signal", f"{published:.4f}", exact=True)


def figure_5_curves() -> list[Curves]:
    """Figure 5: each signal beside the target."""
    named, target = figure_5_signals()
    return [
        signals(f"Figure 5: correlation {value:.4f}", {"signal": target, name: heights}, "value")
        for (name, heights), value in zip(
            named.items(), correlations(np.stack(list(named.values())), target).tolist(), strict=True
        )
    ]


def course_rows(study: Study, density: Floats) -> Iterator[Row]:
    """Correlation of the best wave with the density of random fleets, by generation."""
    told = [generation for generation in TOLD if generation <= study.effort.generations]
    bound = component_bound(density, HARMONICS)
    for keep, reading in READINGS.items():
        best = []
        for run in range(study.effort.runs):
            study.watch(f"waves, {reading}, run {run + 1} of {study.effort.runs}")
            best.append(_course(density, study.seed * 1000 + run, keep, study.effort.generations))
        for generation in told:
            values = [course[generation] for course in best]
            claim = converges([course[0] for course in best], bound) if generation in JUDGED else None
            yield Row(
                f"Section III.B, correlation with random fleets, {reading}",
                f"generation {generation}",
                mean_interval(values, support=(-1.0, 1.0)),
                "runs",
                CONVERGES if claim else "",
                claim,
            )
    heading = "Section III.B, correlation with random fleets"
    yield Row(
        heading,
        "the best that five Fourier components can have",
        component_bounded(density),
        "density",
    )


def converges(first: Sequence[float], bound: float) -> Claim:
    """Claim that waves have come near the best that there can be, from the best of the first generation."""
    start = float(np.mean(first))
    return above(start + CLOSE * (bound - start))


def _course(density: Floats, seed: int, keep: Spectrum, generations: int) -> list[float]:
    """The highest correlation of each generation."""
    loop = wave_loop(density, seed, settings=WaveSettings(keep=keep))
    return [population[0].score for population in populations_of(loop, generations, SerialExecutor())]


@by_values
def component_bounded(density: Floats) -> Interval:
    """``component_bound`` of five components of a density as it was counted."""
    return exact(component_bound(density, HARMONICS))


def component_bound(density: Floats, count: int) -> float:
    """The correlation of a density with its ``count`` loudest Fourier components; 0 of a flat one."""
    powers = np.abs(np.fft.rfft(density)[1:]) ** 2
    if len(density) % 2 == 0:
        powers[-1] /= 2.0
    total = float(powers.sum())
    return float(np.sqrt(np.sort(powers)[-count:].sum() / total)) if total else 0.0


TOGETHER = "all strategies and random"
"""Name of the density of Figure 4."""

STRATEGY_GENERATIONS = 50
"""Generations for each strategy of Figure 2."""


def strategy_rows(study: Study, name: str, density: Floats) -> tuple[list[Row], Individual[Wave]]:
    """Correlation with the density of a strategy; and the best wave of all runs of the first reading."""
    generations = min(STRATEGY_GENERATIONS, study.effort.generations)
    heading = f"Section III.B, correlation after {generations} generations"
    bound = component_bound(density, HARMONICS)
    rows = []
    winners: list[Individual[Wave]] = []
    for keep, reading in READINGS.items():
        settings = WaveSettings(keep=keep)
        seeds = [study.seed * 1000 + run for run in range(study.effort.runs)]
        first = [evolve_waves(density, 0, seed, settings=settings)[0].score for seed in seeds]
        best = [evolve_waves(density, generations, seed, settings=settings)[0] for seed in seeds]
        winners = winners or best
        interval = mean_interval([each.score for each in best], support=(-1.0, 1.0))
        claim = converges(first, bound)
        rows.append(Row(heading, f"{name}, {reading}", interval, "runs", CONVERGES, claim))
    rows.append(
        Row(
            heading,
            f"{name}, bound of five components",
            component_bounded(density),
            "density",
        )
    )
    return rows, max(winners, key=lambda each: each.score)


Way = Literal["whole", "no crossover", "no mutation", "exchange", "random"]
"""Ways in which children come about.

``whole``: as in the source. ``no crossover``: they are a parent, half of them mutated. ``no mutation``: each comes
twice. ``exchange``: each harmonic is of either parent. ``random``: they are random waves.
"""

PARTS: Mapping[str, tuple[Way, str]] = MappingProxyType(
    {
        "crossover": ("no crossover", "crossover can be shown to converge on the solution"),
        "mutation": ("no mutation", "does not converge on a local maximum"),
        "Fourier components beside exchanged harmonics": (
            "exchange",
            "based on the entire wave rather than a simple interchange",
        ),
        "evolution beside as many random waves": ("random", "by using crossover and mutation"),
    }
)
"""Parts of the evolution of waves, the way that does without each, and what the source says of it."""


def part_rows(study: Study, found: Mapping[str, Floats]) -> Iterator[Row]:
    """Gain in correlation by each part of the evolution of waves, paired by run."""
    generations = min(STRATEGY_GENERATIONS, study.effort.generations)
    for name, density in (("random", found["uniform"]), (TOGETHER, combination(found))):
        best = {
            way: [
                bred_waves(density, generations, study.seed * 1000 + run, way)
                for run in range(study.effort.runs)
            ]
            for way in ("whole", *(way for way, _ in PARTS.values()))
        }
        for part, (way, said) in PARTS.items():
            study.watch(f"waves for {name}, {way}")
            more = paired_difference(best["whole"], best[way], support=(-1.0, 1.0))
            heading = f"Section III.B, correlation after {generations} generations that a part adds"
            yield Row(heading, f"{name}, {part}", more, "runs", said, above(0.0))


def figure_6(study: Study, density: Floats) -> tuple[list[Row], list[Curves]]:
    """Genes of two components for random fleets: correlations over runs, and the best one of two sinusoids drawn.

    Two sinusoidal components, as below the source's figure, are one harmonic; its text says two harmonics.
    """
    study.watch("waves of two components")
    generations = min(STRATEGY_GENERATIONS, study.effort.generations)
    rows = []
    drawn: list[Curves] = []
    for name, harmonics in (("a sine and a cosine, one harmonic", 1), ("two harmonics", 2)):
        settings = WaveSettings(harmonics=harmonics, keep="apart")
        seeds = [study.seed * 1000 + run for run in range(study.effort.runs)]
        best = [evolve_waves(density, generations, seed, settings=settings)[0] for seed in seeds]
        interval = mean_interval([each.score for each in best], support=(-1.0, 1.0))
        rows.append(Row("Figure 6, correlation", name, interval, "runs", str(FIGURE_6), above(FIGURE_6)))
        winner = max(best, key=lambda each: each.score)
        title = f"Figure 6: correlation {winner.score:.4f}"
        drawn = drawn or [
            wave_curves(title, winner.genome, density.tolist()),
            harmonic_curves("Its components", winner.genome, RULES.squares),
        ]
    return rows, drawn


@dataclass(frozen=True, slots=True)
class Bred(WaveRepresentation):
    """Waves whose children come about in another way than the source's."""

    way: Way = "whole"

    def vary(self, rng: np.random.Generator, operator: str, parents: Sequence[Wave]) -> Child[Wave]:
        """The child that an operator makes of its parents."""
        if self.way in ("whole", "no mutation") or operator == "clone":
            return WaveRepresentation.vary(self, rng, operator, parents)
        if self.way == "random":
            return Child(random_wave(rng, self.squares, self.settings.harmonics))
        child = parents[0] if self.way == "no crossover" else exchanged(rng, *parents)
        return Child(
            child if operator == "cross" else mutate(rng, child, self.squares, self.settings.rate)[0]
        )


def exchanged(rng: np.random.Generator, first: Wave, second: Wave) -> Wave:
    """A wave of which each harmonic is that of either parent, drawn by lot."""
    pairs = zip(first.harmonics, second.harmonics, strict=True)
    return Wave(tuple([pair[int(rng.integers(2))] for pair in pairs]))


def bred_waves(
    target: Floats, generations: int, seed: int, way: Way, settings: WaveSettings = SETTINGS
) -> float:
    """The highest correlation after so many generations."""
    settings = replace(settings, rate=0.0) if way == "no mutation" else settings
    scheme = Pairs((("cross", 0.5), ("cross+mutate", 0.5)), settings.elites)
    loop = Search(
        Correlation(target),
        Bred(len(target), settings, way=way),
        Parameters(settings.size, scheme),
        seed,
    )
    *_, last = populations_of(loop, generations, SerialExecutor())
    return last[0].score
