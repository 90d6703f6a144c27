"""Whether exported code is the program: it is run, and compared bit for bit with the interpreter."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.forms import has_form
from gpkit.export.registry import EXPORTERS, Subject, exporter

EVALUATIONS = 1000
GAMES = 20

FIRST_KEY = 1001
"""The first game that is compared: not among those that a module carries."""


@dataclass(frozen=True, slots=True)
class CheckRow:
    """Result of one host on the exported code.

    Attributes:
        host: such as ``lua51``, ``lua5.4 (Lua 5.4.6)`` or ``python``.
        evaluations: how many values were compared.
        games: how many whole games were compared.
        failures: how many of both differ, and those that the code's own test finds.
        first: the first difference in words, or empty.
        largest: the largest relative difference of values that the host's mathematical library computes, which counts
            as one only above 1e-9.
    """

    host: str
    evaluations: int
    games: int
    failures: int
    first: str
    largest: float = 0.0


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The rows of all hosts, and what a reader should know of how they were made."""

    rows: tuple[CheckRow, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs."""
        return not any(row.failures for row in self.rows)


@runtime_checkable
class Checking(Protocol):
    """Comparisons of exports that can be run or read back: further function of ``forms.FORMAT``."""

    def check(self, subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport: ...


def checkable(language: str) -> tuple[str, ...]:
    """The formats to which programs of a language are exported so that this can be run, or read back."""
    return tuple(each.name for each in EXPORTERS if has_form(Checking, each.name, language))


def require_checkable(subject: Subject, to: str) -> None:
    """Check that the export of a program can be run, or read back.

    Raises:
        UsageError: it cannot; the message names the formats that can.
    """
    able = checkable(subject.program.language)
    if to not in able:
        known = ", ".join(able) or "no format"
        raise UsageError(f"an export of {subject.name} to {to} cannot be run; these can be checked: {known}")


def check_export(
    subject: Subject, to: str, mode: str, *, evaluations: int = EVALUATIONS, games: int = GAMES
) -> CheckReport:
    """Run the export of a program wherever that is possible and compare it with the interpreter.

    Args:
        subject: the program.
        to: the exporter's name, such as ``lua``.
        mode: one of the exporter's modes.
        evaluations: how many of every formula.
        games: how many whole games, where the mode has a choice and the game is known.

    Raises:
        UsageError: the format cannot be run, what runs it is not installed, or the program cannot be exported.
    """
    require_checkable(subject, to)
    checking = exporter(to).form_in(Checking, subject.program.language, mode)
    return checking.check(subject, mode, evaluations, games)
