"""Maps of behaviour: their axes, bins and cells, the measures on the axes, and archives.

Mouret and Clune, "Illuminating search spaces by mapping elites", arXiv 1504.04909, 2015.
"""

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.evolution.problem import WORST, Genome, Individual, Population, Representation
from gpkit.gamekit.game import Metric

SIZE, DEPTH, SCORE, SENSORS, PROBLEM, USES = "size", "depth", "score", "sensors", "problem:", "uses:"

AXES = (SIZE, DEPTH, SCORE, SENSORS, "problem:1", "uses:NAME")
"""The names of axes in a configuration.

They are the size, the depth, the score, the number of distinct sensors, a number of the behaviour, and the share of a
name in a program."""

MOST_CELLS = 100_000
SAMPLES = 200
"""The number of random programs in which gpkit looks for a name that an axis counts."""

Cell = tuple[int, ...]
"""A cell: the index of the bin on each axis, from 0."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a map.

    Attributes:
        name: one of ``AXES``.
        low, high: the bounds; values beyond them fall into the first or the last bin.
        bins: the number of equal bins.
    """

    name: str
    low: float
    high: float
    bins: int

    def bin(self, value: float) -> int:
        """The bin of a value that is not NaN."""
        share = min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))
        return min(self.bins - 1, int(share * self.bins))

    def bounds(self, place: int) -> tuple[float, float]:
        """The bounds of a bin."""
        width = (self.high - self.low) / self.bins
        return self.low + place * width, self.low + (place + 1) * width


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a map.

    Attributes:
        axes: the axes of the map, at least one.
    """

    axes: tuple[Axis, ...]

    @property
    def cells(self) -> int:
        """Number of cells."""
        return math.prod(axis.bins for axis in self.axes)

    def cell(self, behaviour: Sequence[float]) -> Cell | None:
        """The cell of a behaviour; None if one of its numbers is missing or NaN."""
        if len(behaviour) != len(self.axes) or any(math.isnan(value) for value in behaviour):
            return None
        return tuple(axis.bin(value) for axis, value in zip(self.axes, behaviour, strict=True))

    def behaviour(
        self, individual: Individual[Genome], representation: Representation[Genome]
    ) -> tuple[float, ...]:
        """The behaviour of an individual on each axis; NaN where the problem does not return a number.

        Args:
            individual: an evaluated individual; its ``behaviour`` comes from the problem.
            representation: the representation of its genome.
        """
        return tuple(_value(axis.name, individual, representation) for axis in self.axes)

    def filled(self, individuals: Iterable[Individual[Genome]]) -> dict[Cell, Individual[Genome]]:
        """The fittest individual of each cell, fittest first; ties go to the oldest.

        Individuals without a score or a cell are left out.
        """
        best: dict[Cell, Individual[Genome]] = {}
        for individual in sorted(individuals, key=_rank):
            if individual.score > WORST and (cell := self.cell(individual.behaviour)) is not None:
                best.setdefault(cell, individual)
        return best

    def elites(self, individuals: Sequence[Individual[Genome]]) -> Population[Genome]:
        """The individuals in filled cells, fittest first; if no cell is filled, only the fittest of all individuals."""
        return tuple(self.filled(individuals).values()) or tuple(sorted(individuals, key=_rank)[:1])


@dataclass(frozen=True, slots=True)
class Archive(Generic[Genome]):
    """The filled cells of a map, with measures of their number and of the fitness of their individuals.

    Pugh, Soros and Stanley, "Quality Diversity: A New Frontier for Evolutionary Computation", Frontiers in Robotics and
    AI 3, 2016, for coverage and QD score.

    Attributes:
        grid: the cells of the map.
        elites: the individual in each filled cell, fittest first.
        metric: the metric of the scores.
    """

    grid: Grid
    elites: Mapping[Cell, Individual[Genome]]
    metric: Metric

    @property
    def coverage(self) -> float:
        """The share of the cells that are filled, 0 to 1."""
        return len(self.elites) / self.grid.cells

    @property
    def floor(self) -> float:
        """The worst score that the metric allows, as a number where higher is better; 0 if the metric has no bounds."""
        worst = min(self.metric.direction * self.metric.low, self.metric.direction * self.metric.high)
        return worst if math.isfinite(worst) else 0.0

    @property
    def qd_score(self) -> float:
        """The sum of the scores in the filled cells, each measured from the floor (the worst possible score)."""
        return sum(individual.score - self.floor for individual in self.elites.values())


def _rank(individual: Individual[Hashable]) -> tuple[float, int]:
    return -individual.fitness, individual.number


def _value(name: str, individual: Individual[Genome], representation: Representation[Genome]) -> float:
    if name == SIZE:
        return float(individual.size)
    if name == SCORE:
        return individual.score
    trees = getattr(individual.genome, "trees", None)
    if name == DEPTH:
        return float(max(tree.depth for tree in trees)) if trees else math.nan
    if name == SENSORS:
        return float(len({read for tree in trees for read in tree.reads})) if trees else math.nan
    if name.startswith(USES):
        words = words_of(individual.genome, representation)
        return words.count(name.removeprefix(USES)) / max(1, individual.size)
    place = int(name.removeprefix(PROBLEM)) - 1
    return individual.behaviour[place] if place < len(individual.behaviour) else math.nan


def words_of(genome: Genome, representation: Representation[Genome]) -> list[str]:
    """All names in a program, with repetitions; for formulas, operator symbols are included."""
    symbols = [s for tree in getattr(genome, "trees", ()) for s in tree.symbols]
    if symbols and all(isinstance(s, str | float) for s in symbols):
        return [s for s in symbols if isinstance(s, str)]
    return re.findall(r"[^\W\d][\w.]*", representation.print(genome))


def grid_of(table: Mapping[str, Sequence[float]]) -> Grid:
    """The bounds of each axis and its number of bins, from a table of a configuration.

    Raises:
        UsageError: there is no axis, an axis is unknown, bounds are not valid, or there are too many cells.
    """
    axes = []
    for name, numbers in table.items():
        known = name in AXES[:4] or re.fullmatch(r"uses:\S+|problem:[1-9]\d?", name)
        if not known:
            raise UsageError(f"map has no axis `{name}`; {suggestion(name, AXES)}")
        shown = [f"{number:g}" for number in numbers]
        if len(numbers) != 3 or not numbers[0] < numbers[1] or numbers[2] < 1 or numbers[2] % 1.0:
            raise UsageError(
                f'map."{name}" = [{", ".join(shown)}]: expected the smallest value, the largest, and a whole number of '
                "bins, such as [1, 40, 10]"
            )
        axes.append(Axis(name, numbers[0], numbers[1], int(numbers[2])))
    if not axes:
        raise UsageError(
            "a map needs an axis: add [map] with lines such as size = [1, 40, 10] and depth = [1, 8, 8]"
        )
    grid = Grid(tuple(axes))
    if grid.cells > MOST_CELLS:
        raise UsageError(f"map: {grid.cells:,} cells are too many; at most {MOST_CELLS:,}: take fewer bins")
    return grid


def check_names(grid: Grid, representation: Representation[Any], seed: int) -> None:
    """Check that random programs have the features that a grid measures.

    Raises:
        UsageError: no random program uses a name that an axis counts, or programs have no depth.
    """
    genomes = [
        representation.create(stream(seed, "create", index), index)
        for index in range(SAMPLES if any(axis.name.startswith(USES) for axis in grid.axes) else 1)
    ]
    words: dict[str, None] = {}
    for genome in genomes:
        words |= dict.fromkeys(words_of(genome, representation))
    for axis in grid.axes:
        name = axis.name.removeprefix(USES)
        if axis.name.startswith(USES) and name not in words:
            raise UsageError(
                f'map."{axis.name}": none of {SAMPLES} random programs uses `{name}`; {suggestion(name, words)}'
            )
        if axis.name in (DEPTH, SENSORS) and not hasattr(genomes[0], "trees"):
            raise UsageError(f"map.{axis.name}: only trees have a depth; use size, or uses:NAME")
