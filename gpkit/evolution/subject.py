"""The seam of runs: what search, folder and page ask of what a run is about, and a run of it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

from gpkit.core.diagnostics import SourceError
from gpkit.core.primitives import Offers
from gpkit.core.rng import stream
from gpkit.core.version import versions
from gpkit.data.table import Table
from gpkit.evolution.config import Config
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.own_parts import extended
from gpkit.evolution.parts import NO_PARTS, Parts
from gpkit.evolution.problem import Problem, Representation
from gpkit.evolution.search import Search
from gpkit.evolution.setup import own_versions, search_of
from gpkit.evolution.start import start_of
from gpkit.gamekit.game import Metric
from gpkit.langkit.language import Language


@dataclass(frozen=True, slots=True)
class Subject(ABC):
    """Subject of a run: a game, a problem or a table, with the names of its configuration as values.

    Attributes:
        config: everything that decides the course of the run.
        language: of its programs.
        metric: the unit of strength.
        offers: primitives that the game offers; None on rows, whose columns programs name as they are.
    """

    config: Config
    language: Language
    metric: Metric
    offers: Offers | None

    @property
    @abstractmethod
    def about(self) -> Mapping[str, str]:
        """The game, the problem, or the table, by the keys of JSON."""

    @property
    def header(self) -> dict[str, str]:
        """Header of champion files, on their run, but for the seed."""
        return dict(self.about)

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions that only this kind of run has: none."""
        return {}

    @property
    @abstractmethod
    def representation(self) -> Representation[Any]:
        """Representation of genomes, by the language.

        Raises:
            UsageError: it refuses its table or the limit of size, or a name that programs cannot say.
        """

    @abstractmethod
    def search(self, run: "Run[Any]") -> Search[Any]:
        """The search of a run of it, as ``Run.search`` gives it."""

    def read(self, table: Table | None = None, *, is_lenient: bool = False) -> Self:
        """The same with its rows, if it has some, as ``Run.read`` takes them."""
        del table, is_lenient
        return self


About = TypeVar("About", bound=Subject)


@dataclass(frozen=True, slots=True)
class Run(Generic[About]):
    """A run of evolution.

    Attributes:
        subject: what the run is about; it holds the configuration.
        own: parts that were given by argument.
    """

    subject: About
    own: Parts = field(default=NO_PARTS, kw_only=True)

    @property
    def config(self) -> Config:
        """Everything that decides the course of the run."""
        return self.subject.config

    @property
    def language(self) -> Language:
        """The language of the programs."""
        return self.subject.language

    @property
    def metric(self) -> Metric:
        """The unit of strength."""
        return self.subject.metric

    @property
    def header(self) -> dict[str, str]:
        """Header of champion files, on their run."""
        return {**self.subject.header, "seed": str(self.config.seed)}

    @property
    def outside(self) -> Parts:
        """The parts from outside, whose messages say how this kind of run is given some."""
        return replace(self.own, are_of_fit=self.config.fit is not None)

    @property
    def versions(self) -> dict[str, str]:
        """The versions of what the run depends on; of the file of a game, and of parts, from outside the SHA-256."""
        own = own_versions(self.config, self.language.name, self.outside)
        return {**versions(self.config.game), **own, **self.subject.versions}

    def read(self, table: Table | None = None, *, is_lenient: bool = False) -> Self:
        """The run with its rows, if it has some; its configuration then says their task and their SHA-256.

        Args:
            table: in memory, instead of the file.
            is_lenient: whether numbers that are all equal may be predicted, from columns that are so, too.

        Raises:
            UsageError: the table cannot be read, lacks a column, has no rows to learn from or only one class, or is
                another one than the run was begun with.
        """
        return replace(self, subject=self.subject.read(table, is_lenient=is_lenient))

    def asking(self, scorer: Any) -> Self:
        """The run of a problem whose scores this ``gpkit.evolution.scores.Scorer`` gives."""
        subject: Any = self.subject
        return replace(self, subject=replace(subject, scorer=scorer))

    def search(self) -> Search[Any]:
        """The search that the configuration describes.

        Raises:
            UsageError: an unknown operator or opponent, limits that leave no room for a program, or a program to start
                from that is none of this run.
            SourceError: such a program has an error.
        """
        return self.subject.search(self)

    def searched(self, problem: Problem[Any], config: Config | None = None) -> Search[Any]:
        """The search of a problem, from the programs to start from, by the configuration, or by another one.

        Raises:
            UsageError, SourceError: as of ``search``.
        """
        config, space, language = config or self.config, self.subject.representation, self.language
        start = start_of(config, space, language, self.subject.offers, self._source)
        names, first = tuple(config.operators), config.population.initialiser
        widened = extended(space, names, first, self.outside, language)
        return replace(search_of(config, problem, widened, self.outside), start=start)

    def rehearse(self, search: Search[Any]) -> None:
        """Evaluate a random program on little, if the problem has something that is little.

        Raises:
            UsageError: opponents, dialect or rules do not go together.
        """
        problem = getattr(search.problem, "rehearsal", None)
        if problem is not None:
            genome = search.representation.create(stream(search.seed, "create", 0), 0)
            problem.evaluate([genome], 0, 0, SerialExecutor())

    def program(self, text: str, name: str) -> Any:
        """The program of a text that is stored with the run, called ``name`` in messages.

        Raises:
            SourceError: the text is not a program, or one of another game.
            LimitError: it is too large.
        """
        return self._source(text, name).program

    def _source(self, text: str, name: str) -> Any:
        source = self.language.parse(text, name)
        for finding in self.language.check(source, self.subject.offers):
            if finding.severity == "error":
                raise SourceError(finding, text, name)
        return source
