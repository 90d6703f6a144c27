"""Results of checking and formatting program files."""

import difflib
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from gpkit.core.diagnostics import Diagnostic, SourceError
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, GpkitError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.layout import Exact, Lines, Note, Sheet, Table, Tabular, printable
from gpkit.core.wording import counted, shown


@dataclass(frozen=True, slots=True)
class Finding(Tabular):
    """A finding in a program; ``str`` returns the text that ``gpkit check`` prints for it.

    Attributes:
        code: the code, such as ``E010``; ``gpkit check --explain E010`` explains it.
        message: a description of the fault.
        help: the way to fix the fault; empty if it is unknown.
        line, column: the position, counted from 1.
        severity: ``error``, ``warning`` or ``info``; gpkit refuses only programs with errors.
        report: the finding, together with the lines of text that it concerns.
    """

    code: str
    severity: Literal["error", "warning", "info"]
    message: str
    help: str
    line: int
    column: int
    report: str = field(repr=False)

    def __str__(self) -> str:
        """The finding, together with the lines of text that it concerns."""
        return self.report


def finding_of(found: Diagnostic, text: str, name: str) -> Finding:
    """The finding for a diagnostic in the text with this name."""
    span, report = found.span, found.render(text, name)
    return Finding(found.code, found.severity, found.message, found.help, span.line, span.column, report)


class Checked(Table[Finding]):
    """Findings in program files.

    Attributes:
        files: the files, each with its path and its findings, or the error if gpkit could not read it.
        strict: whether warnings count as errors.
        form: the format of the output: ``text``, ``json``, or ``github`` for annotations in workflows.
    """

    files: Sequence[Any] = ()
    strict: bool = False
    form: str = "text"

    @classmethod
    def of(cls, files: Sequence[Any], form: str, *, strict: bool) -> "Checked":
        """The findings in the files that gpkit checked."""
        checked = cls(finding_of(each, file.text, file.path) for file in files for each in file.diagnostics)
        checked.files, checked.form, checked.strict = files, form, strict
        return checked

    @property
    def failures(self) -> Sequence[GpkitError]:  # type: ignore[override]  # they are those of the files
        """The errors of the files that gpkit could not check."""
        return [file.failure for file in self.files if file.failure]

    @property
    def exit_code(self) -> int:
        """The exit code: 1 if there are errors."""
        counts = ("error", "warning") if self.strict else ("error",)
        return EXIT_FINDINGS if any(each.severity in counts for each in self) else EXIT_OK

    def to_json(self) -> dict[str, object]:
        """The findings as JSON values, with the files that could not be read."""
        return {
            "findings": [
                {"path": file.path, **each.to_json()} for file in self.files for each in file.diagnostics
            ],
            "unreadable": [
                {"path": file.path, "message": str(file.failure)} for file in self.files if file.failure
            ],
            "files": len(self.files),
        }

    def told(self) -> Iterator[str | Sheet | GpkitError]:
        """The findings with their places, the files that could not be read, and the numbers of errors and warnings."""
        for file in self.files:
            for each in file.shown:
                annotated = self.form == "github"
                yield Lines(
                    _annotation(each, file.path) if annotated else each.render(file.text, file.path) + "\n"
                )
        yield from self.failures
        if self.form == "text":
            kinds = {kind: sum(each.severity == kind for each in self) for kind in ("error", "warning")}
            others = sum(not isinstance(each, SourceError) for each in self.failures)
            kinds["error"] += len(self.failures) - others
            words = [counted(count, noun) for noun, count in {"file": len(self.files), **kinds}.items()]
            unread = [f"{others} not read"] if others else []
            yield Note(", ".join(words + unread))


LEVELS = {"error": "error", "warning": "warning", "info": "notice"}
"""The GitHub workflow command for each severity."""


def _annotation(found: Diagnostic, path: str) -> str:
    """The GitHub Actions workflow command that shows an annotation beside the line."""
    for character, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        path = path.replace(character, code)
    place = f"file={path},line={found.span.line},col={found.span.column}"
    data = printable(found.message + (f"; {found.help}" if found.help else "")).replace("%", "%25")
    return f"::{LEVELS[found.severity]} {place},title={found.code}::{data}"


@dataclass(frozen=True, slots=True)
class FormattedFile(Tabular):
    """The layout of a program file.

    Attributes:
        path: the path of the file.
        changed: whether formatting changes the file.
        text: the text in canonical layout.
        diff: the changes, in the form that ``patch`` reads; empty if nothing changes.
    """

    path: str
    changed: bool
    text: str = field(repr=False)
    diff: str = field(repr=False)

    @classmethod
    def of(cls, path: str, before: str, after: str) -> "FormattedFile":
        """The layout of a file, made from its text before and after formatting."""
        old, new = ([*io.StringIO(text, newline="\n")] for text in (before, after))
        changes = difflib.unified_diff(old, new, shown(path), shown(path))
        ended = (
            each if each.endswith("\n") else f"{each}\n\\ No newline at end of file\n" for each in changes
        )
        return cls(path, before != after, after, "".join(ended))


class Formatted(Table[FormattedFile]):
    """The layouts of all program files that gpkit could read and parse.

    Attributes:
        asked: the values of the options ``check`` (change no files) and ``diff`` (show the changes), each true or
            false.
        failures: the errors of the files that gpkit could not read or parse.
    """

    asked: Mapping[str, bool]

    @property
    def exit_code(self) -> int:
        """The exit code: 1 if the files were only checked and formatting would change one of them."""
        return EXIT_FINDINGS if self.asked["check"] and any(each.changed for each in self) else EXIT_OK

    def to_json(self) -> dict[str, object]:
        """The layouts as JSON values."""
        return {"files": [each.to_json() for each in self], "failures": [*map(str, self.failures)]}

    def told(self) -> Iterator[str | Sheet | GpkitError]:
        """The diff if requested, the text from standard input, and the number of files that change."""
        is_dry = any(self.asked.values())
        for each in self:
            if self.asked["diff"] and each.changed:
                yield Exact(each.diff)
            if each.path == STANDARD_INPUT and not is_dry:
                yield Exact(each.text)
        yield from self.failures
        if [each.path for each in self] != [STANDARD_INPUT]:
            verb = "would be reformatted" if is_dry else "reformatted"
            count = len(self) + len(self.failures)
            yield Note(f"{sum(each.changed for each in self)} of {count} files {verb}")
