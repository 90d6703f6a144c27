"""A small problem without a game, for tests of everything around it; worker processes can import it."""

import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

from gpkit.core.primitives import Alphabet, operators
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.problem import Executor, Lost
from gpkit.evolution.schemes import Generational, Tournament
from gpkit.evolution.search import Parameters
from gpkit.evolution.tables import BloatSettings
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.languages.arithmetic.forms.evolution import Settings, TreeRepresentation
from gpkit.languages.arithmetic.regression import Regression, fit_all, sampled

POLYNOMIAL = Alphabet("polynomial", ("x", "y"), operators("+", "-", "*"))


def target(x: Any, y: Any) -> Any:
    return x * x + x * y + 2.0


DATA = sampled(target, ("x", "y"), -1.0, 1.0, 40, seed=3, blocks=4)

SPACE = TreeRepresentation(POLYNOMIAL, ("value",), Settings(max_depth=8, keeps="values"), max_size=40)

PARAMETERS = Parameters(
    30,
    Generational(
        (("crossover", 0.5), ("subtree", 0.3), ("constants", 0.1), ("point", 0.1)), Tournament(3), elites=1
    ),
    BloatSettings(penalty=0.0004, free=20),
    attempts=3,
)


@dataclass(frozen=True, slots=True, eq=False)
class Moody:
    """The same data with an error of its own in every generation, so that survivors are evaluated again.

    A program for which ``deadly`` is a symbol of its formula kills its worker.
    """

    data: Regression = DATA
    deadly: str = ""
    hall: tuple[TreeProgram, ...] = ()
    seconds: float = 0.001
    changes: bool = field(default=True, init=False)

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        trees = [genome.trees[0] for genome in genomes]
        mood = 0.01 * ((seed + 7 * generation + 3 * len(self.hall)) % 10)
        found = executor.run(partial(fit_moodily, self, mood), trees, [self.seconds] * len(trees))
        return [Evaluation(WORST, note=one.reason) if isinstance(one, Lost) else one for one in found]

    def validate(
        self, genomes: Sequence[TreeProgram], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        return self.data.evaluate(genomes, seed, occasion, executor)

    def facing(self, hall: Sequence[TreeProgram]) -> Self:
        return type(self)(self.data, self.deadly, tuple(hall), self.seconds)


def fit_moodily(problem: Moody, mood: float, trees: Sequence[Tree]) -> list[Evaluation]:
    if any(problem.deadly in tree.symbols for tree in trees):
        os.kill(os.getpid(), signal.SIGKILL)
    found = fit_all(problem.data, trees)
    return [
        Evaluation(one.score - mood * len(tree) / 10, one.cases)
        for one, tree in zip(found, trees, strict=True)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Weighed(Moody):
    """The data without moods, with two of its blocks as objectives; behaviour is size and depth."""

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        found = Moody.validate(self, genomes, seed, generation, executor)
        return [self._weighed(one, genome) for one, genome in zip(found, genomes, strict=True)]

    def validate(
        self, genomes: Sequence[TreeProgram], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        found = Moody.validate(self, genomes, seed, occasion, executor)
        return [self._weighed(one, genome) for one, genome in zip(found, genomes, strict=True)]

    def _weighed(self, evaluation: Evaluation, genome: TreeProgram) -> Evaluation:
        tree = genome.trees[0]
        objectives = evaluation.cases[:2]
        return evaluation._replace(objectives=objectives, behaviour=(len(tree), tree.depth))
