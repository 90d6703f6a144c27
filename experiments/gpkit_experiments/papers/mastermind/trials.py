"""Trials: runs of an experiment, and the curves that the source draws of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

from gpkit.core.statistics import Interval, mean_interval
from gpkit.draw.chart import WIDE, Series, chart
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.individual import STRIDE, Population
from gpkit.evolution.problem import Executor, none_lost
from gpkit_experiments.papers.courses import populations_of
from gpkit_experiments.papers.mastermind.experiments import POPULATION, Experiment, Reading, search_of
from gpkit_experiments.papers.mastermind.genes import Genes

SECONDS = 0.0007
"""The expected work of a generation."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run.

    Attributes:
        best: the fitness of the best individual of every generation, from generation 0 on; it never falls.
        mean: that of all individuals, as far as the run was followed: to the end, or until the secret was found.
        questions: individuals evaluated up to the first that is the secret, or all of them.
        codes: how many different codes are among them; with the rest of the generation in which the secret was found.
    """

    best: tuple[float, ...]
    mean: tuple[float, ...]
    questions: int
    codes: int

    @property
    def generations(self) -> int:
        """The generations up to the one in which the best is found; all of them if it is found in the last."""
        return 1 + self.best.index(self.best[-1])


def trial(
    experiment: Experiment, reading: Reading, seed: int, generations: int, *, to_the_end: bool
) -> Trial:
    """One run; one that is not followed to the end stops when it finds the secret, as its best stays what it is."""
    search = search_of(experiment, reading, seed)
    best: list[float] = []
    mean: list[float] = []
    asked: set[Genes] = set()
    questions = 0
    for generation, population in enumerate(populations_of(search, generations, SerialExecutor())):
        was_found = bool(best) and best[-1] == experiment.highest
        best.append(population[0].fitness)
        mean.append(sum(individual.fitness for individual in population) / len(population))
        if not was_found:
            asked.update([individual.genome for individual in population])
            questions += _questions(population, experiment.highest)
        if best[-1] == experiment.highest and not to_the_end:
            best += best[-1:] * (generations - generation)
            break
    return Trial(tuple(best), tuple(mean), questions, len(asked))


def _questions(population: Population[Genes], highest: int) -> int:
    """The individuals of a new generation up to the first that is the secret, or all."""
    if population[0].fitness < highest:
        return POPULATION
    return 1 + min(i.number % STRIDE for i in population if i.fitness == highest)


def trials(
    experiment: Experiment,
    reading: Reading,
    seeds: Sequence[int],
    generations: int,
    followed: int,
    executor: Executor,
) -> list[Trial]:
    """The runs of these seeds, the first ``followed`` of them to the end."""
    work = partial(_trials, experiment, reading, generations)
    items = [(seed, number < followed) for number, seed in enumerate(seeds)]
    return none_lost(executor.run(work, items, [SECONDS * generations] * len(items)))


def _trials(
    experiment: Experiment, reading: Reading, generations: int, items: Sequence[tuple[int, bool]]
) -> list[Trial]:
    return [trial(experiment, reading, seed, generations, to_the_end=end) for seed, end in items]


def so_far(values: Sequence[float]) -> list[float]:
    """The mean of the values up to each of them.

    On the bests of all generations this is the source's off-line curve, equation (4), and on the means of the
    populations its on-line curve, equation (5). As they are printed both add up the value at t in place of those at i.

    >>> so_far([3.0, 5.0, 10.0])
    [3.0, 4.0, 6.0]
    """
    return [total / count for count, total in enumerate(accumulate(values), start=1)]


@dataclass(frozen=True, slots=True)
class Curve:
    """One of the curves of an experiment: by generation the mean over runs, with its interval."""

    name: str
    intervals: tuple[Interval, ...]

    @property
    def series(self) -> Series:
        """The curve as a line of a chart, with its band."""
        points = tuple((float(k), i.mean) for k, i in enumerate(self.intervals))
        return Series(self.name, points, tuple((i.low, i.high) for i in self.intervals))


def curve(name: str, runs: Sequence[Sequence[float]], highest: float) -> Curve:
    """The mean of curves of single runs."""
    support = (0.0, highest)
    return Curve(name, tuple(mean_interval(values, support=support) for values in zip(*runs, strict=True)))


def curves(experiment: Experiment, found: Sequence[Trial]) -> tuple[Curve, ...]:
    """The source's three curves; the on-line one is of the trials that were followed to the end."""
    followed = [one.mean for one in found if len(one.mean) == len(one.best)]
    top = float(experiment.highest)
    return (
        curve("best so far", [one.best for one in found], top),
        curve("off-line", [so_far(one.best) for one in found], top),
        curve("on-line", [so_far(mean) for mean in followed], top),
    )


def curves_csv(drawn: Sequence[Curve]) -> str:
    """The curves as comma-separated values: a row for each generation, for each curve its mean and interval."""
    names = [one.name.replace(" ", "_").replace("-", "") for one in drawn]
    rows = [",".join(["generation", *(f"{name},{name}_low,{name}_high" for name in names)])]
    for generation, intervals in enumerate(zip(*(one.intervals for one in drawn), strict=True)):
        cells = [f"{i.mean:.4f},{i.low:.4f},{i.high:.4f}" for i in intervals]
        rows.append(",".join([str(generation), *cells]))
    return "\n".join(rows) + "\n"


def curves_svg(title: str, drawn: Sequence[Curve]) -> str:
    """The curves as an SVG document."""
    return chart(title, [one.series for one in drawn], x="generation", y="fitness", zero=True, width=WIDE)
