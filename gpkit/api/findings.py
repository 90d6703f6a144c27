"""Findings in programs, for Python code."""

from dataclasses import asdict, dataclass, field
from typing import Literal

from gpkit.core.diagnostics import Diagnostic
from gpkit.core.tabular import Tabular


@dataclass(frozen=True, slots=True)
class Finding(Tabular):
    """Finding in a program; as a string it is what ``gpkit check`` prints.

    Attributes:
        code: such as ``E010``, which ``gpkit check --explain E010`` explains.
        message: what is wrong.
        help: how to fix it; empty if that is not known.
        line, column: its place, from 1.
        severity: an error is refused, a warning is not.
        report: the finding with its place in the text.
    """

    code: str
    severity: Literal["error", "warning", "info"]
    message: str
    help: str
    line: int
    column: int
    report: str = field(repr=False)

    def __str__(self) -> str:
        """The finding with its place in the text."""
        return self.report

    def to_rows(self) -> list[dict[str, object]]:
        """The finding as a row."""
        return [asdict(self)]


def finding_of(found: Diagnostic, text: str, name: str) -> Finding:
    """A finding in a text of that name."""
    span, report = found.span, found.render(text, name)
    return Finding(found.code, found.severity, found.message, found.help, span.line, span.column, report)
