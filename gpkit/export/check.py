"""Whether exported code is the program: it is run, and compared bit for bit with the interpreter."""

from typing import Protocol, runtime_checkable

from gpkit.core.check_report import EVALUATIONS, GAMES, CheckReport
from gpkit.core.errors import UsageError
from gpkit.core.registry import has_form
from gpkit.export.registry import EXPORTERS, Subject, exporter


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
