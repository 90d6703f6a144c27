"""Problems of one's own: a configuration, the problem that asks a function from outside for scores, and its runs."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any, Protocol, runtime_checkable

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.forms import form
from gpkit.core.primitives import OPERATORS, Alphabet, HostInstruction, PrimitiveSet, Sensor
from gpkit.core.registry import DEFAULT_LANGUAGE, find, language_entry
from gpkit.core.settings import Range, from_data, from_value
from gpkit.core.work_folder import OWN
from gpkit.evolution.config import REPRESENTATION, Config, check_tables, evolved
from gpkit.evolution.engine import Search
from gpkit.evolution.fit_config import FitConfig
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.presets import tables_beside
from gpkit.evolution.problem import Executor, Lost, Problem, Representation
from gpkit.evolution.resolved_run import ResolvedRun
from gpkit.evolution.rows import RowsConfig
from gpkit.evolution.start import with_texts
from gpkit.evolution.tables import (
    BloatSettings,
    FrontSettings,
    GuideSettings,
    IslandsSettings,
    LimitsSettings,
    PopulationSettings,
    RefinementSettings,
    SchemeSettings,
    SelectionSettings,
    StopSettings,
)
from gpkit.gamekit.game import Metric
from gpkit.genomes.tree import LONE_SECTION

PROBLEM = "problem"
"""The key of the table that only such a configuration has, and of the preset beside a language."""

SCORE = Metric("score", -math.inf, math.inf)
"""The metric of a problem: what its function gives; higher is better."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemConfig:
    """Everything that decides the course of a run on a problem of one's own; the tables are those of ``Config``.

    Attributes:
        seed: of all chance.
        problem: what is to be solved.
        representation: what only programs of the problem's language have.
        operators: the share of the children that each operator makes; only their proportions matter.
        map: of the scheme ``map-elites``, the axes of its map, each with its least and greatest value and its number of
            bins: ``size``, ``depth``, ``problem:1``, or ``uses:NAME`` for the share of a sensor or operator.
    """

    seed: Annotated[int, Range(0)] = 1
    problem: ProblemSettings = field(default_factory=ProblemSettings)
    representation: Any = None
    population: PopulationSettings = field(default_factory=PopulationSettings)
    scheme: SchemeSettings = field(default_factory=SchemeSettings)
    operators: Mapping[str, Annotated[float, Range(0.0)]] = field(default_factory=dict)
    selection: SelectionSettings = field(default_factory=SelectionSettings)
    front: FrontSettings = field(default_factory=FrontSettings)
    map: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    limits: LimitsSettings = field(default_factory=LimitsSettings)
    bloat: BloatSettings = field(default_factory=lambda: BloatSettings(penalty=0.0, free=0))
    islands: IslandsSettings = field(default_factory=IslandsSettings)
    refinement: RefinementSettings = field(default_factory=RefinementSettings)
    stop: StopSettings = field(default_factory=StopSettings)

    @property
    def guide(self) -> GuideSettings:
        """Fitness shaping: none."""
        return GuideSettings()


AnyConfig = Config | RowsConfig | ProblemConfig | FitConfig
"""The configuration of any run of evolution."""


def problem_config_from_data(data: Mapping[str, Any], default: ProblemConfig | None = None) -> ProblemConfig:
    """The configuration of nested mappings, with the values of ``default`` for missing keys.

    Without ``default`` they are those of the table ``problem`` of the presets beside the language.

    Raises:
        UsageError: an unknown key, a wrong type, a value out of range, or values that contradict each other.
    """
    others = {key: value for key, value in data.items() if key != REPRESENTATION}
    known = ProblemConfig() if default is None else default
    language = from_data(ProblemConfig, others, known).problem.language
    beside, kind = tables_beside(language_entry(language)), evolved(language).Settings
    if type(known.representation) is not kind:
        known = replace(known, representation=kind(), operators={})
        usual = beside.get(PROBLEM, {})
        known = problem_config_from_data(
            usual, replace(known, problem=replace(known.problem, language=language))
        )
    config = from_data(ProblemConfig, others, known)
    table = from_value(kind, data.get(REPRESENTATION, {}), known.representation, REPRESENTATION)
    config = replace(config, representation=table)
    check_tables(config)
    return config


@runtime_checkable
class ProblemEvolving(Protocol):
    """Representations of programs for problems without a game: further function of ``forms.evolution``."""

    def representation_of_problem(
        self, primitives: PrimitiveSet, settings: Any, size: int | None
    ) -> Representation[Any]:
        """Programs of what the first alphabet of a primitive set names.

        Raises:
            UsageError: the text of a program cannot say a name, or the limit of size leaves no room for a program.
        """


@runtime_checkable
class Acting(Protocol):
    """Programs outside games: ``forms.acting`` of a language."""

    def actions(
        self, program: Any, sense: Callable[[str], float], draw: Callable[[], float]
    ) -> Iterator[str]:
        """The actions of a program; whoever asks for the next one has done the one before."""

    def primitives(self, program: Any) -> PrimitiveSet:
        """The primitives that a program uses, as if a game offered them."""


Answers = Callable[[Sequence[Any], int, int], Sequence[Any]]
"""Scores of programs, one each, for a seed and a generation: a number, several objectives, an Evaluation, or None."""


class Scorer(Protocol):
    """Source of scores; it can be sent to another process.

    Attributes:
        name: of the function, with its file if it has one, for messages.
        changes: whether a program may score differently in another generation.
        validates: whether good programs are asked about by a function of their own.
    """

    @property
    def name(self) -> str: ...
    @property
    def changes(self) -> bool: ...
    @property
    def sha256(self) -> str: ...
    def evaluate(self, genomes: Sequence[Any], seed: int, generation: int) -> Sequence[Any]: ...
    def validate(self, genomes: Sequence[Any], seed: int, occasion: int) -> Sequence[Any]: ...


@dataclass(frozen=True, slots=True, eq=False)
class OwnProblem(Problem[Any]):
    """A problem whose scores come from outside.

    Attributes:
        scorer: what is asked for them.
    """

    scorer: Scorer

    @property
    def changes(self) -> bool:
        """Whether a program may score differently in another generation."""
        return self.scorer.changes

    def evaluate(
        self, genomes: Sequence[Any], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the programs.

        Raises:
            GuestError: the function raises, gives what is no score, or scores no program of the first generation.
        """
        found = self._asked(genomes, seed, generation, executor)
        if generation == 0 and len(found) > 1 and all(each.score == WORST for each in found):
            note = found[0].note
            raise GuestError(
                f"{self.scorer.name}: none of the {len(found)} programs of the first generation has a score ({note}); "
                "expected a number for each, the higher the better"
            )
        return found

    def validate(
        self, genomes: Sequence[Any], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of a few good programs; raises as ``evaluate``."""
        return self._asked(genomes, seed, occasion, executor, validates=True)

    def _asked(
        self, genomes: Sequence[Any], seed: int, number: int, executor: Executor, *, validates: bool = False
    ) -> list[Evaluation]:
        ask = self.scorer.validate if validates else self.scorer.evaluate
        found = executor.run(
            partial(_answers, ask, self.scorer.name, seed, number), genomes, [1e-3] * len(genomes)
        )
        return [Evaluation(WORST, note=each.reason) if isinstance(each, Lost) else each for each in found]


def _answers(ask: Answers, name: str, seed: int, number: int, genomes: Sequence[Any]) -> list[Evaluation]:
    answers = ask(genomes, seed, number)
    count = len(answers) if hasattr(answers, "__len__") else -1
    if count != len(genomes):
        what = f"{count} scores" if count >= 0 else shortened(repr(answers))
        raise GuestError(f"{name} returned {what} for {len(genomes)} programs; expected one for each")
    return [evaluation_of(answer, name) for answer in answers]


def evaluation_of(answer: Any, name: str) -> Evaluation:
    """The evaluation that an answer means: a number, a tuple of objectives, or None for a program that failed.

    Args:
        answer: what the function gave.
        name: of the function, for messages.

    Raises:
        GuestError: it is none of these.
    """
    if isinstance(answer, Evaluation):
        told = [tuple(_number(one, name) for one in each) for each in (answer.objectives, answer.behaviour)]
        return answer._replace(score=_number(answer.score, name), objectives=told[0], behaviour=told[1])
    if answer is None:
        return Evaluation(WORST, note="it returned None")
    if isinstance(answer, tuple | list) and answer:
        objectives = tuple(_number(each, name) for each in answer)
        failed = any(math.isnan(each) for each in objectives)
        return (
            Evaluation(WORST, note="it returned NaN")
            if failed
            else Evaluation(objectives[0], objectives=objectives)
        )
    score = _number(answer, name)
    return Evaluation(WORST, note="it returned NaN") if math.isnan(score) else Evaluation(score)


def _number(answer: Any, name: str) -> float:
    """The score of an answer.

    Raises:
        GuestError: it is no number, or above all.
    """
    try:
        score = math.nan if isinstance(answer, str | bytes) else float(answer)
        if isinstance(answer, str | bytes):
            raise TypeError
    except (TypeError, ValueError, OverflowError):
        kind = type(answer).__name__
        raise GuestError(
            f"{name} returned {shortened(repr(answer))} ({kind}); expected a number (higher is better), a tuple of "
            "numbers for several objectives, or None for a program that failed"
        ) from None
    if score == math.inf:
        raise GuestError(
            f"{name} returned infinity; expected a finite number: return -error, for example, instead of 1 / error"
        )
    return score


@dataclass(frozen=True, slots=True)
class ProblemRun(ResolvedRun):
    """A run on a problem of one's own.

    Attributes:
        scorer: what is asked for scores; None where only the folder of a run is read.
    """

    config: ProblemConfig
    scorer: Scorer | None = None

    @property
    def more_versions(self) -> dict[str, str]:
        """The SHA-256 of the problem."""
        return {} if self.scorer is None else {f"{OWN}problem {self.config.problem.name}": self.scorer.sha256}

    @property
    def about(self) -> Mapping[str, str]:
        """The name of the problem."""
        return {PROBLEM: self.config.problem.name}

    @property
    def header(self) -> dict[str, str]:
        """Header of champion files: the problem, and the seed."""
        return {**self.about, "seed": str(self.config.seed)}

    @property
    def representation(self) -> Representation[Any]:
        """Representation of programs of what the problem names."""
        config = self.config
        made = form(ProblemEvolving, "evolution", self.language.name, "evolve {} without a game")
        primitives = config.problem.primitives()
        return made.representation_of_problem(primitives, config.representation, config.limits.size)

    def search(self) -> Search[Any]:
        """The search that the configuration describes.

        Raises:
            UsageError: nobody named the problem; or as for every run.
        """
        if self.scorer is None:
            raise UsageError(
                f"the run is on the problem `{self.config.problem.name}`, which is in a file of yours: name it again, "
                "as in gpkit evolve problem.py --resume --out DIR"
            )
        return self.searched(OwnProblem(self.scorer), self.representation)


def problem_run(config: ProblemConfig) -> ProblemRun:
    """The run of a configuration, of which nobody has named the function yet.

    Raises:
        UsageError: an unknown language or operator, or bounds that are none.
    """
    language, config = language_entry(config.problem.language).load(), with_texts(config, None)
    run = ProblemRun(config, language, SCORE, {})
    offered = getattr(
        run.representation, "primitives", config.problem.primitives()
    )  # of blocks, those of the language
    return replace(run, offers={language.name: offered})
