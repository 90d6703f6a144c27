"""What is exported, and what an export consists of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.graph import RuleList
from gpkit.genomes.tree import TreeProgram


@dataclass(frozen=True, slots=True)
class Subject:
    """A program to export and what is known about it.

    Attributes:
        program: the formulas, or the blocks of instructions.
        name: a word for file names and headers.
        header: the header of its file: seed, fitness, ...
        primitives: what its game lets it see; None for formulas without a game.
        rules: the options of the game, as text, that differ from the defaults.
        seed: of the inputs that the export is tested with.
        carries_tests: whether a file that could test itself carries the inputs and games for that.
    """

    program: Any
    name: str = "program"
    header: Mapping[str, str] = field(default_factory=dict)
    primitives: PrimitiveSet | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    carries_tests: bool = True

    @property
    def game(self) -> str | None:
        """The name of the game, or None."""
        return self.primitives.game if self.primitives is not None else None


CONFORMANCE = ".conformance.jsonl"
"""The part after the program's name in the name of its file of conformance."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file of an export: what follows the program's name in its file name, and the text."""

    suffix: str
    text: str


class Exporter(Protocol):
    """A language that programs can be exported to.

    Attributes:
        name: as the command line calls it.
        title: one line.
        modes: what is written in each, one line, by name; the first is the default.
    """

    name: str
    title: str
    modes: Mapping[str, str]

    def export(self, subject: Subject, mode: str) -> tuple[Document, ...]:
        """The files; the first one is the program itself, and one of conformance may follow.

        Raises:
            UsageError: the program cannot be said in this mode.
            LimitError: it is too large for the language.
        """


def default_mode(exporter: Exporter) -> str:
    """The mode that is taken where none is named."""
    return next(iter(exporter.modes))


def require_formulas(subject: Subject, exporter: str) -> None:
    """Check that a program consists of formulas, which is all that some exporters can say.

    Raises:
        UsageError: it does not.
    """
    if not isinstance(subject.program, TreeProgram):
        others = "lua, json or latex" if isinstance(subject.program, RuleList) else "lua or json"
        raise UsageError(
            f"{subject.name} has no formulas, and only these can be exported to {exporter}; choose {others}"
        )


def require_mode(exporter: Exporter, mode: str) -> None:
    """Check that an exporter has a mode.

    Raises:
        UsageError: it has not; the message names those it has.
    """
    if mode not in exporter.modes:
        raise UsageError(f"{exporter.name} has no mode `{mode}`; there are: {', '.join(exporter.modes)}")
