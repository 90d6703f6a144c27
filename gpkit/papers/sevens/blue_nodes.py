"""The article's contrived population: four trees for five generations, to have as many blue nodes as possible.

Trees grow, shrink and change their colours on the engine that evolves players; there is no game in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from gpkit.core.primitives import Alphabet, operators
from gpkit.core.statistics import paired_difference
from gpkit.evolution.engine import Parameters
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.forms.arithmetic import Settings, TreeRepresentation
from gpkit.evolution.individual import Evaluation, Population
from gpkit.evolution.problem import Executor
from gpkit.evolution.schemes import Generational
from gpkit.evolution.search import Search
from gpkit.evolution.selection import Truncation
from gpkit.genomes.tree import LONE_SECTION, TreeProgram
from gpkit.papers.courses import follow
from gpkit.papers.paper import Row, above

BLUE = "blue"
POPULATION = 4
GENERATIONS = range(6)

COLOURS = Alphabet("colours", (BLUE, "green", "red", "yellow"), operators("+"), constants=False)
"""The coloured nodes are the leaves; an inner node only holds them together."""


@dataclass(frozen=True, slots=True)
class BlueNodes:
    """The score of a tree is the number of its blue nodes."""

    @property
    def changes(self) -> bool:
        """A node keeps its colour."""
        return False

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The numbers of blue nodes; nothing else matters."""
        return [Evaluation(float(genome.trees[0].symbols.count(BLUE))) for genome in genomes]

    def validate(
        self, genomes: Sequence[TreeProgram], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The same."""
        return self.evaluate(genomes, seed, occasion, executor)

    def facing(self, hall: Sequence[TreeProgram]) -> Self:
        """The same: trees have no opponents."""
        return self


def blue_search(seed: int) -> Search[TreeProgram]:
    """The best tree is cloned; the others are the better half with a new colour, a new branch, or a branch less."""
    return Search(
        BlueNodes(),
        TreeRepresentation(
            COLOURS, (LONE_SECTION,), Settings(shape="grow", low_depth=1, high_depth=2, keeps="values")
        ),
        Parameters(
            POPULATION,
            Generational((("point", 1.0), ("subtree", 1.0), ("shrink", 1.0)), Truncation(0.5), elites=1),
            attempts=5,
        ),
        seed,
    )


def histories(seeds: Sequence[int]) -> list[dict[int, Population[TreeProgram]]]:
    """The populations of all generations of the runs of these seeds."""
    return [follow(blue_search(seed), GENERATIONS, SerialExecutor()).populations for seed in seeds]


def blue_rows(seeds: Sequence[int]) -> list[Row]:
    """By how many blue nodes the best tree gains in each generation, a mean over runs."""
    best = [[population[0].score for population in history.values()] for history in histories(seeds)]
    rows = []
    for before, after in pairwise(GENERATIONS):
        gain = paired_difference([run[after] for run in best], [run[before] for run in best])
        heading = f"Population of {POPULATION}, blue nodes of the best tree"
        rows.append(
            Row(heading, f"gain in generation {after}", gain, "runs", "evolves towards blue", above(0.0))
        )
    return rows


def blue_text(seed: int) -> str:
    """One such population as text: a line for each tree, with how it came about."""
    space = blue_search(seed).representation
    (history,) = histories([seed])
    lines = []
    for generation, population in history.items():
        lines.append(f"generation {generation}")
        for individual in population:
            formula = space.print(individual.genome).strip()
            lines.append(f"  {individual.score:.0f} blue, {individual.origin.operator}: {formula}")
    return "\n".join(lines) + "\n"
