"""Section III.B with Figures 5 and 6: how close evolved waves come to densities."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from gpkit.core.statistics import Interval
from gpkit.draw.chart import Curves, panels_svg
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.individual import Individual
from gpkit.games.battleship.forms.draw import harmonic_curves, signals, wave_curves
from gpkit.games.battleship.fourier_placement import (
    WaveSettings,
    correlations,
    evolve_waves,
    wave_loop,
)
from gpkit.games.battleship.waves import HARMONICS, Spectrum, Wave, print_wave
from gpkit_experiments.papers.battleship_adaptive.breeding import Way, bred_waves
from gpkit_experiments.papers.battleship_adaptive.densities import RULES, STRATEGIES, combination, densities
from gpkit_experiments.papers.battleship_adaptive.study import Floats, Measured, Study
from gpkit_experiments.papers.courses import populations_of
from gpkit_experiments.papers.paper import Claim, Row, above, exact
from gpkit_experiments.papers.units import by_values, mean_interval, paired_difference

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
