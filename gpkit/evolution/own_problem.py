"""Problems of one's own: a configuration, the problem that asks a function from outside for scores, and its runs."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Protocol, runtime_checkable

from gpkit.core.codec import Range
from gpkit.core.errors import UsageError
from gpkit.core.forms import form
from gpkit.core.primitives import OPERATORS, Alphabet, HostInstruction, PrimitiveSet, Sensor
from gpkit.core.registry import DEFAULT_LANGUAGE, find, language_entry
from gpkit.core.work_folder import OWN
from gpkit.evolution.config import Config
from gpkit.evolution.engine import Search
from gpkit.evolution.fit_config import FitConfig
from gpkit.evolution.presets import over_preset
from gpkit.evolution.problem import Representation
from gpkit.evolution.resolved_run import ResolvedRun
from gpkit.evolution.scores import OwnProblem, Scorer, expected_of
from gpkit.evolution.start import with_texts
from gpkit.evolution.tables import BloatSettings, Tables
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
class ProblemConfig(Tables):
    """Everything that decides the course of a run on a problem of one's own; the tables are those of ``Tables``.

    Attributes:
        problem: what is to be solved.
    """

    problem: ProblemSettings = field(default_factory=ProblemSettings)
    bloat: BloatSettings = field(default_factory=lambda: BloatSettings(penalty=0.0, free=0))


AnyConfig = Config | ProblemConfig | FitConfig
"""The configuration of any run of evolution."""


def problem_config_from_data(data: Mapping[str, Any], default: ProblemConfig | None = None) -> ProblemConfig:
    """The configuration of nested mappings, with the values of ``default`` for missing keys.

    Without ``default`` they are those of the table ``problem`` of the presets beside the language.

    Raises:
        UsageError: an unknown key, a wrong type, a value out of range, or values that contradict each other.
    """
    return over_preset(data, ProblemConfig() if default is None else default, PROBLEM)


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
        found = self.searched(OwnProblem(self.scorer), self.representation)
        return replace(found, problem=OwnProblem(self.scorer, expected_of(self.config, self.own)))


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
