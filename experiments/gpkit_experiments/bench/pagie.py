"""The regression that evolution is timed on, and its evolution by gpkit.

The function is that of L. Pagie and P. Hogeweg, "Evolutionary consequences of coevolving targets", 1997, known as
Pagie-1; the formulas have + − * / and no constants, as in J. McDermott et al., "Genetic programming needs better
benchmarks", GECCO 2012. Rows are drawn uniformly rather than from a grid, so that there can be any number of them.
"""

from collections.abc import Sequence, Sized
from dataclasses import dataclass

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.primitives import Alphabet, operators
from gpkit.core.rng import stream
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Evaluation, Executor, Problem
from gpkit.evolution.schemes import Generational, Tournament
from gpkit.evolution.search import Parameters, Search
from gpkit.genomes.tree import LONE_SECTION, TreeProgram
from gpkit.languages.arithmetic.forms.evolution import FormulaSettings, TreeRepresentation
from gpkit.languages.arithmetic.forms.fitting import evaluate_terms
from gpkit_experiments.papers.courses import populations_of

INPUTS = ("x", "y")
OPERATORS = ("+", "-", "*", "/")


@dataclass(frozen=True, slots=True)
class Setting:
    """Parameters of the evolution, for both sides.

    Attributes:
        size: individuals; generations: after the first; rows: of data.
        crossover, mutation: their shares of the children (in DEAP, their probabilities).
        tournament: how many compete to become a parent.
        levels: the most levels of a formula.
        low, high: the levels of the first formulas in gpkit; deap_low, deap_high: in DEAP, which counts from 0. They
            are chosen so that both sides evolve formulas of about equal size.
    """

    size: int = 500
    generations: int = 20
    rows: int = 1000
    crossover: float = 0.9
    mutation: float = 0.1
    tournament: int = 3
    levels: int = 18
    low: int = 2
    high: int = 6
    deap_low: int = 3
    deap_high: int = 5


@dataclass(slots=True)
class Counted(Problem[TreeProgram]):
    """Find the formula behind data; the score is the negative root of the mean squared error.

    Attributes:
        columns: float64 (inputs, rows).
        targets: float64 (rows,).
        formulas, nodes: how many have been evaluated.
    """

    columns: Floats
    targets: Floats
    formulas: int = 0
    nodes: int = 0

    def count(self, formulas: Sequence[Sized]) -> None:
        """Count these, whose length is their number of nodes."""
        self.formulas += len(formulas)
        self.nodes += sum(len(formula) for formula in formulas)

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes, in this process."""
        self.count(genomes)
        with np.errstate(all="ignore"):
            values, _ = evaluate_terms([genome.trees[0] for genome in genomes], INPUTS, self.columns, 1)
            errors = np.sqrt(((values - self.targets) ** 2).mean(axis=1))
        return [Evaluation(-error) for error in errors.tolist()]


def pagie(x: Floats, y: Floats) -> Floats:
    """1 / (1 + x⁻⁴) + 1 / (1 + y⁻⁴)."""
    surface: Floats = 1.0 / (1.0 + x**-4.0) + 1.0 / (1.0 + y**-4.0)
    return surface


def data(rows: int) -> Counted:
    """The function at so many points, both inputs uniform from −5 to 5."""
    columns = stream(0, "rows").uniform(-5.0, 5.0, (len(INPUTS), rows))
    return Counted(columns, pagie(*columns))


def representation(setting: Setting) -> TreeRepresentation:
    """Formulas of the inputs, grown by gpkit's own operators."""
    return TreeRepresentation(
        Alphabet("pagie", INPUTS, operators(*OPERATORS), constants=False),
        (LONE_SECTION,),
        FormulaSettings(
            low_depth=setting.low,
            high_depth=setting.high,
            subtree_depth=3,
            max_depth=setting.levels,
            keeps="values",
        ),
    )


def evolve(problem: Counted, setting: Setting, seed: int) -> float:
    """Evolve formulas for the data; the least error that the last generation has."""
    shares = (("crossover", setting.crossover), ("subtree", setting.mutation))
    parameters = Parameters(setting.size, Generational(shares, Tournament(setting.tournament)))
    loop = Search(problem, representation(setting), parameters, seed)
    *_, last = populations_of(loop, setting.generations, SerialExecutor())
    return -last[0].score
