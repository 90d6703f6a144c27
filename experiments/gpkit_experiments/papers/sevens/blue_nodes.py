"""The article's contrived population: four trees for five generations, to have as many blue nodes as possible.

Trees grow, shrink and change their colours on the engine that evolves players; there is no game in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_high
from typing import Self

from gpkit.core.primitives import Alphabet, operators
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.individual import Evaluation, Individual, Population
from gpkit.evolution.problem import Executor
from gpkit.evolution.schemes import Generational, Truncation
from gpkit.evolution.search import Parameters, Search
from gpkit.genomes.tree import LONE_SECTION, TreeProgram
from gpkit.languages.arithmetic.forms.evolution import Settings, TreeRepresentation
from gpkit.languages.arithmetic.printer import print_program
from gpkit_experiments.papers.courses import follow
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.sevens.family import Member, family_svg
from gpkit_experiments.papers.units import paired_difference

History = dict[int, Population[TreeProgram]]
"""The populations of a run, by generation."""

BLUE = "blue"
POPULATION = 4
GENERATIONS = range(6)

BLUER = 0.5
"""Gain of a population that evolves towards blue; by chance it is 0.15."""

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


def histories(seeds: Sequence[int]) -> list[History]:
    """The populations of all generations of the runs of these seeds."""
    return [follow(blue_search(seed), GENERATIONS, SerialExecutor()).populations for seed in seeds]


def typical(runs: Sequence[History]) -> History:
    """The first of some runs whose best tree ends with as many blue nodes as the median run's."""
    ends = [run[max(run)][0].score for run in runs]
    return runs[ends.index(median_high(ends))]


def blue_row(runs: Sequence[History]) -> Row:
    """Row of the blue nodes that the best tree gains in all generations, a mean over runs."""
    first, last = (
        [run[generation][0].score for run in runs] for generation in (GENERATIONS[0], GENERATIONS[-1])
    )
    heading = f"Population of {POPULATION} for {GENERATIONS[-1]} generations, blue nodes of the best tree"
    return Row(heading, "gain", paired_difference(last, first), "runs", "evolves towards blue", above(BLUER))


def blue_text(history: History) -> str:
    """One such population as text: a line for each tree, with how it came about."""
    lines = []
    for generation, population in history.items():
        lines.append(f"generation {generation}")
        for individual in population:
            formula = print_program(individual.genome).strip()
            lines.append(f"  {individual.score:.0f} blue, {individual.origin.operator}: {formula}")
    return "\n".join(lines) + "\n"


def blue_svg(history: History) -> str:
    """One such population as a family picture."""
    members = [[_member(individual) for individual in population] for population in history.values()]
    return family_svg("Four trees evolve towards blue", members)


_DONE = {
    "create": "at random",
    "clone": "cloned",
    "point": "new colour",
    "subtree": "new branch",
    "shrink": "cut back",
}
"""By operator what it did to a tree, in words."""


def _member(individual: Individual[TreeProgram]) -> Member:
    origin = individual.origin
    (tree,) = individual.genome.trees
    return Member(individual.number, tree, origin.operator, origin.parents, _DONE[origin.operator])
