"""The seam of resolved runs: what search, folder and page ask of a run whose names have become values."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gpkit.core.diagnostics import SourceError
from gpkit.core.primitives import Offers
from gpkit.evolution.engine import Search
from gpkit.evolution.fit_config import FitConfig
from gpkit.evolution.own_parts import extended
from gpkit.evolution.parts import NO_PARTS, Parts
from gpkit.evolution.problem import Problem, Representation
from gpkit.evolution.setup import own_versions, search_of, versions
from gpkit.evolution.start import start_of
from gpkit.gamekit.game import Metric
from gpkit.langkit.language import Language


@dataclass(frozen=True, slots=True)
class ResolvedRun(ABC):
    """A run of evolution whose names have become values.

    Attributes:
        config: everything that decides its course.
        language: of its programs.
        metric: the unit of strength.
        offers: primitives that the game offers; None for a table, whose columns programs name as they are.
        own: parts that were given by argument.
    """

    config: Any
    language: Language
    metric: Metric
    offers: Offers | None
    own: Parts = field(default=NO_PARTS, kw_only=True)

    @property
    def outside(self) -> Parts:
        """The parts from outside, whose messages say how this kind of run is given some."""
        return replace(self.own, are_of_fit=isinstance(self.config, FitConfig))

    @property
    def versions(self) -> dict[str, str]:
        """The versions of what the run depends on; of the file of a game, and of parts, from outside the SHA-256."""
        own = own_versions(self.config, self.language.name, self.outside)
        return {**versions(self.about.get("game", "")), **own, **self.more_versions}

    @property
    def more_versions(self) -> dict[str, str]:
        """Versions that only this kind of run has: none."""
        return {}

    @property
    @abstractmethod
    def about(self) -> Mapping[str, str]:
        """The game, or the rows, by the keys of JSON."""

    @property
    @abstractmethod
    def header(self) -> dict[str, str]:
        """Header of champion files, on their run."""

    @property
    @abstractmethod
    def representation(self) -> Representation[Any]:
        """Representation of genomes, by the language.

        Raises:
            UsageError: it refuses its table or the limit of size, or a name that programs cannot say.
        """

    @abstractmethod
    def search(self) -> Search[Any]:
        """The search that the configuration describes.

        Raises:
            UsageError: an unknown operator or opponent, limits that leave no room for a program, or a program to start
                from that is none of this run.
            SourceError: such a program has an error.
        """

    def rehearse(self, search: Search[Any]) -> None:
        """Evaluate a random program on little.

        Raises:
            UsageError: opponents, dialect or rules do not go together.
        """
        del search  # which needs none, unless programs play

    def program(self, text: str, name: str) -> Any:
        """The program of a text that is stored with the run, called ``name`` in messages.

        Raises:
            SourceError: the text is not a program, or one of another game.
            LimitError: it is too large.
        """
        return self._source(text, name).program

    def _source(self, text: str, name: str) -> Any:
        source = self.language.parse(text, name)
        for finding in self.language.check(source, self.offers):
            if finding.severity == "error":
                raise SourceError(finding, text, name)
        return source

    def searched(self, problem: Problem[Any], space: Representation[Any]) -> Search[Any]:
        """The search of a problem that the configuration describes, from the programs to start from.

        Raises:
            UsageError: an unknown operator, or a program to start from that is none of this run.
            SourceError: such a program has an error.
        """
        config = self.config
        start = start_of(config, space, self.language, self.offers, self._source)
        names, first = tuple(config.operators), config.population.initialiser
        widened = extended(space, names, first, self.outside, self.language)
        return replace(search_of(config, problem, widened, self.outside), start=start)
