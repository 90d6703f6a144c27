"""The archive of a run of MAP-Elites as plain values: its cells with their programs, how many are filled and how well.

J. K. Pugh, L. B. Soros and K. O. Stanley, "Quality Diversity: A New Frontier for Evolutionary Computation", Frontiers
in Robotics and AI 3, 2016, for coverage and QD score.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpkit.core.errors import CheckpointError
from gpkit.core.json_values import items, member, text, whole
from gpkit.core.work_folder import read_checkpoint
from gpkit.evolution.individual import WORST, Genome, Individual
from gpkit.evolution.maps import Axis, Cell, Grid
from gpkit.evolution.problem import Representation
from gpkit.evolution.run_folder import decode_numbers, decode_score
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
    islands: Iterable[Iterable[Individual[Genome]]],
    grid: Grid,
    metric: Metric,
    representation: Representation[Genome],
) -> Archive:
    """The archive of the populations of a run; of several islands the fittest of each cell."""
    return _archive(
        [
            (i.number, i.score, i.fitness, i.behaviour, representation.print(i.genome))
            for island in islands
            for i in island
        ],
        grid,
        metric,
    )


def read_archive(folder: Path, grid: Grid, metric: Metric) -> Archive:
    """The archive of the run in a folder at its last checkpoint.

    Raises:
        CheckpointError: there is no checkpoint, or it is damaged.
    """
    data = read_checkpoint(folder)
    if data is None:
        raise CheckpointError(f"the run in {folder} has no generation yet")
    try:
        found = [_values(one) for island in items(member(data, "islands")) for one in items(island)]
    except ValueError as error:
        raise CheckpointError(f"{folder}: the checkpoint does not hold a state: {error}") from error
    return _archive(found, grid, metric)


_Values = tuple[int, float, float, tuple[float, ...], str]


def _values(data: Mapping[str, Any]) -> _Values:
    return (
        whole(member(data, "number")),
        decode_score(member(data, "score")),
        decode_score(member(data, "fitness")),
        decode_numbers(data.get("behaviour", [])),
        text(member(data, "program")),
    )


def _archive(found: Sequence[_Values], grid: Grid, metric: Metric) -> Archive:
    niches: dict[Cell, Niche] = {}
    for number, score, fitness, behaviour, program in sorted(found, key=lambda one: (-one[2], one[0])):
        cell = grid.cell(behaviour)
        if cell is not None and score > WORST:
            niches.setdefault(cell, Niche(cell, number, score, fitness, behaviour, program))
    return Archive(grid.axes, tuple(niches.values()), metric)
