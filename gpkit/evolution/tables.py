"""Tables of configurations: populations, schemes, selection, limits, fitness, islands, refinement, rules, subjects."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from gpkit.core.codec import Plain, Range
from gpkit.core.errors import UsageError
from gpkit.core.primitives import OPERATORS, Alphabet, HostInstruction, PrimitiveSet, Sensor
from gpkit.core.registry import DEFAULT_LANGUAGE, ROWS_LANGUAGE, find
from gpkit.genomes.tree import LONE_SECTION

STEPS = 2
"""The most steps of one refinement: a simplification and a tuning."""

LANGUAGES = {"formulas": DEFAULT_LANGUAGE, "trees": ROWS_LANGUAGE}
"""The language of each kind of program that predicts."""

DESCRIPTION = "description-length"
"""The rule that chooses from the front of a fit unless another is named."""

Task = Literal["auto", "regression", "classification"]

PROBLEM = "problem"
"""The name of a problem that has no name of its own."""

Count = Annotated[int, Range(1)]
Share = Annotated[float, Range(0.0, 1.0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationSettings:
    """The first generation.

    Attributes:
        size: individuals on each island.
        start: programs to start from: files, or names of the game's programs; none are random ones.
        start_share: the share of the first generation that they are themselves; each is there once at least.
        mutant_share: the share of the others that are mutants of them; what is left is random.
        start_texts: the programs themselves, as they were when the run began; empty until they are read.
        initialiser: creates the other programs: ``random``, or one of your own.
    """

    size: Annotated[int, Range(2, 100_000)] = 200
    start: tuple[str, ...] = ()
    start_share: Share = 0.0
    mutant_share: Share = 1.0
    start_texts: tuple[str, ...] = ()
    initialiser: str = "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeSettings:
    """Scheme by which a generation follows from the one before.

    Attributes:
        name: ``article``, ``generational``, ``plus`` or ``map-elites``, as in ``gpkit.evolution.schemes``.
        elites: in ``generational``, how many of the best are cloned.
        order: in ``plus``, whether fitness or the Pareto order of the objectives, see [front], decides who stays.
        alike: in the Pareto order of ``plus``, programs that are else equal count as copies if their errors, 1 less the
            first objective, differ by less than about this share; 0: only equal ones do. For scores of which 1 is best.
        mates: in ``article``, whether the mate of a crossover is among the same best or anybody.
        attempts: how often a child that breaks the limits or equals its parent is drawn anew.
    """

    name: str = "generational"
    elites: Annotated[int, Range(0)] = 4
    order: Literal["fitness", "pareto"] = "fitness"
    alike: Annotated[float, Range(0.0, 10.0)] = 0.0
    mates: Literal["top", "all"] = "top"
    attempts: Annotated[int, Range(1, 100)] = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionSettings:
    """Selection of parents, but for the schemes ``article`` and ``map-elites``.

    Attributes:
        name: a selector of ``gpkit.evolution.schemes``.
        size: contestants of a tournament.
        share: the best that ``truncation`` draws from.
        parsimony: in ``double-tournament``, from 1 (size does not matter) to 2 (the smaller of two wins).
        tolerance: in ``lexicase``, in median deviations; 0 is the plain one.
        sample: in ``lexicase``, how many compete for each parent; 0 is the whole population.
    """

    name: str = "tournament"
    size: Annotated[int, Range(1, 1000)] = 5
    share: Annotated[float, Range(0.001, 1.0)] = 0.5
    parsimony: Annotated[float, Range(1.0, 2.0)] = 1.2
    tolerance: Annotated[float, Range(0.0, 100.0)] = 1.0
    sample: Annotated[int, Range(0, 100_000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontSettings:
    """Several objectives: what a front weighs, and who is chosen from it; where scheme or selection is `pareto`.

    Attributes:
        objectives: of `score`, `size`, `cases` (each one, such as the score against each opponent) and `problem` (what
            the problem returns). None are those of the problem if it returns several, else score and size.
        choose: the champion of the front: `fittest` as without one, `first` by the first objective, `knee` the farthest
            from the line through the ends, or `one-se` the best by the second among those whose first is within one
            standard error of the best.
        names: of the objectives that the problem returns, in their order.
    """

    objectives: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    choose: str = "fittest"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSettings:
    """Limits of the size of programs; false is no limit.

    Attributes:
        size: nodes or lines of all parts of a program together.
    """

    size: Annotated[int, Range(1, 100_000)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BloatSettings:
    """Parsimony pressure.

    Attributes:
        penalty: taken off the score for every node or line above ``free``.
        free: the nodes or lines that cost nothing.
        tarpeian: the probability that a child larger than the mean of its parents' generation is given the worst
            fitness, unevaluated.
    """

    penalty: Annotated[float, Range(0.0)] = 0.0004
    free: Annotated[int, Range(0)] = 20
    tarpeian: Share = 0.0

    def cost(self, size: int) -> float:
        """Parsimony pressure: the part of the score that a size costs."""
        return self.penalty * max(0, size - self.free)


@dataclass(frozen=True, slots=True, kw_only=True)
class FitnessSettings:
    """Fitness evaluation: what individuals meet, and how often.

    Attributes:
        opponents: names of the game's opponents, or program files; all count equally. Default: those of the game.
        deals: how many each generation; every one is played in every seating against every opponent.
        blocks: cases for lexicase selection by opponent and part of the deals.
        hall: the largest number of former champions that join the opponents.
        hall_every: a champion joins after so many generations.
        candidates: how many of the best of a generation are compared with the champion on validation deals.
        validation_deals: how many those are, and how many the final score rests on.
        fresh: every generation has deals of its own; if not, all have those of the first.
        exact: strength is computed, in games that allow it, and no deals are played.
        exploitability: with ``exact``, not the strength against the opponents counts but that against a best response,
            which is an even share less the exploitability.
    """

    opponents: tuple[str, ...] = ("random", "simple")
    fresh: bool = True
    exact: bool = False
    exploitability: bool = False
    deals: Annotated[int, Range(1, 1_000_000)] = 100
    blocks: Annotated[int, Range(1, 1000)] = 1
    hall: Annotated[int, Range(0, 100)] = 0
    hall_every: Count = 10
    candidates: Annotated[int, Range(1, 1000)] = 2
    validation_deals: Annotated[int, Range(1, 1_000_000)] = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideSettings:
    """Fitness shaping: terms beside the score, until individuals are validated.

    Attributes:
        grade: the weight of the finer grade of a game, where the game has one; the score has the weight 1.
        exercises: other games that individuals also play, each a text of rules such as "fleet=5 found=yes".
        weight: of every exercise.
        deals: of every exercise in a generation.
        blocks: parts of the deals of an exercise, which are cases of their own for lexicase selection.
    """

    grade: Annotated[float, Range(0.0, 1000.0)] = 0.0
    exercises: tuple[str, ...] = ()
    weight: Annotated[float, Range(0.0, 1000.0)] = 1.0
    deals: Annotated[int, Range(1, 100_000)] = 20
    blocks: Annotated[int, Range(1, 1000)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceSettings:
    """Clearly bad individuals stop early.

    Attributes:
        first: the deals of the first block; every further block doubles the deals played; 0 lets all play on.
        keep: the share of the individuals that matter: one is stopped when it is clearly worse than the last of them.
        confidence: how many standard errors of the paired difference make it clear.
    """

    first: Annotated[int, Range(0)] = 0
    keep: Annotated[float, Range(0.01, 1.0)] = 0.5
    confidence: Annotated[float, Range(0.0, 10.0)] = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class IslandsSettings:
    """Populations that evolve apart, with migration around the ring.

    Attributes:
        count: how many at first; 1 is one population.
        interval: generations between migrations.
        migrants: how many of the best move on to the next island, where they replace the worst.
        halve: after so many generations, and again after as many, only half as many islands go on, those whose best
            is the fittest, until one is left; false keeps all.
    """

    count: Annotated[int, Range(1, 1000)] = 1
    interval: Count = 10
    migrants: Annotated[int, Range(0)] = 2
    halve: Count | None = None

    def left(self, generation: int) -> int:
        """The number of islands that are left after a round that ended at a generation.

        Successive halving of K. Jamieson and A. Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter
        Optimization", 2016, with islands as the arms.

        >>> [IslandsSettings(count=6, halve=20).left(generation) for generation in (0, 19, 20, 40, 60, 6000)]
        [6, 6, 3, 2, 1, 1]
        """
        brackets = 0 if self.halve is None else generation // self.halve
        return max(1, -(-self.count >> min(brackets, self.count)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementSettings:
    """Simplification and the tuning of constants, of the best during the run and of the champion at its end.

    Attributes:
        every: the fittest of each island is refined after so many generations; false is never.
        newcomers: how many of the newest programs of each island, the best first and a quarter of the population at
            most, have their constants fitted then, too, where the problem can fit them.
        finish: whether the champion is refined at the end.
        simplify: whether programs are simplified first.
        rounds: rounds of tuning by trial; with 0 there are none, but a fit still fits constants by least squares.
        candidates: variants in each round.
        deals: the deals they meet.
        race: the deals of a round after which clearly worse variants stop, and again whenever the deals have doubled;
            0 lets all of them play to the end.
        confirm: how many of the best of a round meet the incumbent again on other deals; 0 is none.
    """

    every: Count | None = None
    newcomers: Annotated[int, Range(0, 1000)] = 0
    finish: bool = True
    simplify: bool = True
    rounds: Annotated[int, Range(0, 1000)] = 0
    candidates: Annotated[int, Range(1, 10_000)] = 20
    deals: Annotated[int, Range(1, 1_000_000)] = 300
    race: Annotated[int, Range(0, 1_000_000)] = 0
    confirm: Annotated[int, Range(0, 1000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StopSettings:
    """Stopping rules; false is no rule. A resumed run may have other ones.

    Attributes:
        generations: after so many.
        evaluations: after so many individuals.
        fitness: when the champion has it on the validation deals.
        stagnation: after so many generations without a new champion.
        rules: of your own, by name, each with a value that it is given.
        callbacks: of your own, by name: called for every generation, which they may make the last.
    """

    generations: Annotated[int, Range(0)] | None = 50
    evaluations: Count | None = None
    fitness: float | None = None
    stagnation: Count | None = None
    rules: Mapping[str, Plain] = field(default_factory=dict)
    callbacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FitSettings:
    """The table, what is predicted from it, and how.

    Attributes:
        file: a CSV or Parquet file; empty for a table in memory.
        target: the column that is predicted.
        inputs: the columns to predict it from; none are all others.
        without: columns that are left out.
        words: columns of words, even if their cells look like numbers.
        task: whether numbers or classes are predicted; `auto` goes by the target.
        programs: what predicts.
        operators: of formulas.
        held_out: the share of the rows, of each class, that evolution does not see.
        split: a column of words, whose rows `test` are held out; empty if rows are drawn.
        weights: the column of weights of rows; empty if all count alike.
        balanced: whether all classes count alike, however many rows they have.
        class_weights: the weight of classes, by name; others have 1.
        steps: the most steps in which constants are fitted.
        sha256: of the table; empty until it is read.
    """

    file: str = ""
    target: str = ""
    inputs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    task: Task = "auto"
    programs: Literal["formulas", "trees"] = "formulas"
    operators: tuple[str, ...] = ("+", "-", "*", "/", "sqrt", "log", "exp")
    held_out: Annotated[float, Range(0.0, 0.9)] = 0.25
    split: str = ""
    weights: str = ""
    balanced: bool = False
    class_weights: Mapping[str, Annotated[float, Range(0.0)]] = field(default_factory=dict)
    steps: Annotated[int, Range(0, 1000)] = 10
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSettings:
    """The problem, and what its programs are made of.

    Attributes:
        name: of the problem.
        language: of the programs.
        sensors: what programs read, each with its least and its greatest value, or none where that is not known.
        operators: inner nodes of formulas.
        constants: the least and the greatest constant that is freshly drawn in formulas.
        sections: the parts of a program; none is a program of one part.
        actions: what decision trees, plans and sinking programs choose from; trees without actions have numbers.
        lines: the most lines of each block of instructions.
        seconds: that one call of the problem may take; false is no limit.
    """

    name: str = PROBLEM
    language: str = DEFAULT_LANGUAGE
    sensors: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    operators: tuple[str, ...] = ("+", "-", "*", "/")
    constants: tuple[float, ...] = (-5.0, 5.0)
    sections: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    lines: Annotated[int, Range(1, 1000)] = 20
    seconds: Annotated[float, Range(0.01)] | None = 60.0

    def primitives(self) -> PrimitiveSet:
        """Primitives that programs read and do.

        Raises:
            UsageError: an operator that does not exist, or bounds that are none.
        """
        sensors = tuple(
            Sensor(
                name,
                "a sensor of the problem",
                *_bounds(f"problem.sensors.{name}", bounds),
                integer=False,
                shared=True,
            )
            for name, bounds in self.sensors.items()
        )
        names = tuple(each.name for each in sensors)
        operators = tuple(find(OPERATORS, name, "operator of formulas") for name in self.operators)
        low, high = _bounds("problem.constants", self.constants or (0.0, 0.0))
        alphabet = Alphabet(self.name, names, operators, bool(self.constants), low, high, self.actions)
        sections = self.sections or (LONE_SECTION,)
        return PrimitiveSet(
            "",
            sections,
            sensors,
            (alphabet,),
            tuple(HostInstruction(name, "an action of the problem", acts=True) for name in self.actions),
            capacities=(self.lines,) * len(sections),
            actions=self.actions,
        )


def _bounds(name: str, bounds: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest value.

    Raises:
        UsageError: they are not two numbers in order.
    """
    if not bounds:
        return -math.inf, math.inf
    if len(bounds) != 2 or not bounds[0] <= bounds[1]:
        raise UsageError(
            f"{name} = {list(bounds)}: expected the least and the greatest value, such as [-5, 5]"
        )
    return bounds[0], bounds[1]
