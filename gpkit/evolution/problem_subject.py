"""Problems of one's own as subjects of runs: a function from outside gives the scores."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import form, language_entry
from gpkit.core.work_folder import OWN
from gpkit.evolution.config import Config, there
from gpkit.evolution.problem import Representation
from gpkit.evolution.scores import OwnProblem, Scorer, expected_of
from gpkit.evolution.search import Search
from gpkit.evolution.setup import Run, Subject, with_texts
from gpkit.evolution.tables import ProblemSettings
from gpkit.gamekit.game import Metric

SCORE = Metric("score", -math.inf, math.inf)
"""The metric of a problem: what its function gives; higher is better."""


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


def language_named(config: Config) -> str:
    """The language of the programs of a configuration."""
    return there(config.problem).language


def begun(config: Config, _opponent: object = None) -> "ProblemSubject":
    """The problem that a configuration describes; its function is not known yet.

    Raises:
        UsageError: an unknown language or operator, or bounds that are none.
    """
    config, problem = with_texts(config), there(config.problem)
    language = language_entry(problem.language).load()
    found = ProblemSubject(config, language, SCORE, {}, problem)
    # of blocks, those of the language
    offered = getattr(found.representation, "primitives", problem.primitives())
    return replace(found, offers={language.name: offered})


@dataclass(frozen=True, slots=True)
class ProblemSubject(Subject):
    """A problem of one's own.

    Attributes:
        problem: the table of the configuration.
        scorer: what is asked for scores; None where only the folder of a run is read.
    """

    problem: ProblemSettings
    scorer: Scorer | None = None

    @property
    def versions(self) -> Mapping[str, str]:
        """The SHA-256 of the problem."""
        return {} if self.scorer is None else {f"{OWN}problem {self.problem.name}": self.scorer.sha256}

    @property
    def about(self) -> Mapping[str, str]:
        """The name of the problem."""
        return {"problem": self.problem.name}

    @property
    def representation(self) -> Representation[Any]:
        """Representation of programs of what the problem names."""
        made = form(ProblemEvolving, "evolution", self.language.name, "evolve {} without a game")
        primitives, config = self.problem.primitives(), self.config
        return made.representation_of_problem(primitives, config.representation, config.limits.size)

    def search(self, run: Run[Any]) -> Search[Any]:
        """The search of the problem.

        Raises:
            UsageError: nobody named its function; or as for every run.
        """
        if self.scorer is None:
            raise UsageError(
                f"the run is on the problem `{self.problem.name}`, which is in a file of yours: name it again, "
                "as in gpkit evolve problem.py --resume --out DIR"
            )
        found = run.searched(OwnProblem(self.scorer))
        expected = expected_of(self.config, run.own, found.front)
        return replace(found, problem=OwnProblem(self.scorer, expected))
