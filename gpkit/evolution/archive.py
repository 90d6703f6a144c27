"""The archive of a run of MAP-Elites as plain values: its cells with their programs, how many are filled and how well.

J. K. Pugh, L. B. Soros and K. O. Stanley, "Quality Diversity: A New Frontier for Evolutionary Computation", Frontiers
in Robotics and AI 3, 2016, for coverage and QD score.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeVar

from gpkit.core.codec import Codec, as_text, codec
from gpkit.core.errors import CheckpointError
from gpkit.core.work_folder import restored
from gpkit.evolution.individual import WORST, Genome, Individual
from gpkit.evolution.maps import Axis, Cell, Grid
from gpkit.evolution.search import State
from gpkit.gamekit.game import Metric


@dataclass(frozen=True, slots=True)
class Niche:
    """One filled cell of a map.

    Attributes:
        cell: the bin on each axis, from 0.
        number: of the individual in it.
        score: that the problem measured, higher being better.
        fitness: the score less the penalty for size.
        behaviour: the value on each axis.
        program: its text, without a header.
    """

    cell: Cell
    number: int
    score: float
    fitness: float
    behaviour: tuple[float, ...]
    program: str


@dataclass(frozen=True, slots=True)
class Archive:
    """The filled cells of a map.

    Attributes:
        axes: of the map.
        niches: the filled cells, the fittest first.
        metric: of the scores.
    """

    axes: tuple[Axis, ...]
    niches: tuple[Niche, ...]
    metric: Metric

    @property
    def coverage(self) -> float:
        """The share of the cells that are filled, 0 to 1."""
        return len(self.niches) / Grid(self.axes).cells

    @property
    def floor(self) -> float:
        """The worst score that the metric allows, higher being better; 0 where it has no bounds."""
        worst = min(self.metric.direction * self.metric.low, self.metric.direction * self.metric.high)
        return worst if math.isfinite(worst) else 0.0

    @property
    def qd_score(self) -> float:
        """The sum over the filled cells of how far their scores lie above the floor."""
        return sum(niche.score - self.floor for niche in self.niches)


def archive_of(
    islands: Iterable[Iterable[Individual[Genome]]], grid: Grid, metric: Metric, text: Callable[[Genome], str]
) -> Archive:
    """The archive of the populations of a run; of several islands the fittest of each cell."""
    niches: dict[Cell, Niche] = {}
    for i in sorted(chain(*islands), key=lambda i: (-i.fitness, i.number)):
        cell = grid.cell(i.behaviour)
        if cell is not None and cell not in niches and i.score > WORST:
            niches[cell] = Niche(cell, i.number, i.score, i.fitness, i.behaviour, text(i.genome))
    return Archive(grid.axes, tuple(niches.values()), metric)


def read_archive(folder: Path, grid: Grid, metric: Metric) -> Archive:
    """The archive of the run in a folder at its last checkpoint.

    Raises:
        CheckpointError: there is no checkpoint, or it is damaged.
    """
    state: State[str] | None = restored(folder, codec(State, {TypeVar: Codec(str, as_text)}).read)
    if state is None:
        raise CheckpointError(f"the run in {folder} has no generation yet")
    return archive_of(state.islands, grid, metric, str)
