"""``gpkit check``: find mistakes in programs and explain them."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import click

from gpkit.app.files import program_paths, read_text
from gpkit.app.named import Named, game_of, in_dialect
from gpkit.app.pairs import dialect_of
from gpkit.app.shipped import program_file
from gpkit.app.sources import language_for, offers_for
from gpkit.cli import output
from gpkit.cli.options import Word, dialect_option, game_option, language_option
from gpkit.core.diagnostics import Diagnostic, SourceError, nearest, printable
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, GpkitError, UsageError
from gpkit.core.primitives import Offers
from gpkit.core.registry import GAMES, LANGUAGES
from gpkit.core.wording import counted

COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


@dataclass(frozen=True, slots=True)
class Checked:
    """One file and what was found in it; ``failure`` says why it could not be checked at all."""

    path: str
    text: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    failure: GpkitError | None = None

    def count(self, severity: str) -> int:
        """The number of findings of that severity."""
        return sum(1 for d in self.diagnostics if d.severity == severity)


@click.command(name="check")
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option("--explain", metavar="CODE", help="Explain a finding, such as E010, and stop.")
@click.option("--strict", is_flag=True, help="Warnings are findings too: exit code 1.")
@click.option(
    "--output-format",
    "form",
    type=Word(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="For people, for programs, or as annotations of a GitHub workflow.",
)
@click.option("--json", "form", flag_value="json", help="The same as --output-format json.")
@game_option
@dialect_option
@language_option
def command(
    paths: tuple[str, ...],
    explain: str | None,
    strict: bool,
    form: str,
    game: str | None,
    dialect: tuple[str, ...],
    language: str | None,
) -> int:
    """Find mistakes in program files, in folders of them, in shipped programs by name, or in standard input (-).

    Names are checked against the game of --game, of the program's header (`// game: sevens`), or else of the only game
    that fits. Exit code 1 if there are errors; 2 or 3 if a file could not be read or is too large.
    """
    if explain is not None:
        return _explain(explain)
    if not paths:
        raise click.UsageError("name at least one PATH, or - for standard input")
    header = dialect_of(dialect)
    files = program_paths(program_file(path, game) for path in paths)
    checked = [_check(path, game, header, language) for path in files]
    REPORTS[form](checked)
    found = any(c.count("error") or (strict and c.count("warning")) for c in checked)
    return max([EXIT_FINDINGS if found else EXIT_OK, *(c.failure.exit_code for c in checked if c.failure)])


def _explain(code: str) -> int:
    from gpkit.export.lua.tokens import EXPLANATIONS

    explanations: dict[str, str] = {**EXPLANATIONS}
    for entry in LANGUAGES:
        explanations |= entry.load().explanations
    if code.upper() not in explanations:
        close = nearest(code.upper(), explanations)
        mend = (
            f"did you mean `{close}`?"
            if close is not None
            else "findings have theirs in brackets, as in error[E010]"
        )
        raise UsageError(f"there is no finding `{code}`; {mend}")
    output.say(f"{code.upper()}: {explanations[code.upper()]}")
    return EXIT_OK


def _check(path: str, game: str | None, dialect: Mapping[str, str], language: str | None) -> Checked:
    """The findings in one file; the others are checked even if this one cannot be read."""
    text = ""
    try:
        known = language_for(path, language)
        text = read_text(path)
        source = in_dialect(known.parse(text, path), dialect, known)
        return Checked(path, text, known.check(source, _offers(Named(path, source, known), game)))
    except SourceError as error:
        return Checked(path, text, (error.diagnostic,))
    except GpkitError as error:
        return Checked(path, text, failure=error)


def _offers(named: Named, game: str | None) -> Offers | None:
    """What the game of a program offers: the one that is meant, else the only one that fits; None if there is none."""
    name = game or named.source.header.get("game")
    if name is None:
        fitting = game_of(named)
        return None if fitting is None else fitting.offers
    if game is None and name not in [entry.name for entry in GAMES]:
        return None  # which the language says, with the place in the header
    return offers_for(name, {})


def _print_text(checked: list[Checked]) -> None:
    for file in checked:
        for diagnostic in file.diagnostics:
            severity, rest = diagnostic.severity, diagnostic.render(file.text, file.path)
            coloured = output.colour(severity, COLOURS[severity], sys.stdout)
            output.say(coloured + rest.removeprefix(severity) + "\n")
    _note_failures(checked)
    output.note(_summary(checked))


def _print_json(checked: list[Checked]) -> None:
    output.json_object(
        "gpkit/check/1",
        findings=[{"path": file.path, **d.to_json()} for file in checked for d in file.diagnostics],
        unreadable=[{"path": file.path, "message": str(file.failure)} for file in checked if file.failure],
        files=len(checked),
    )


def _print_github(checked: list[Checked]) -> None:
    """Workflow commands of GitHub Actions, which show up as annotations beside the lines."""
    levels = {"error": "error", "warning": "warning", "info": "notice"}
    for file in checked:
        for d in file.diagnostics:
            place = f"file={_escape(file.path)},line={d.span.line},col={d.span.column}"
            message = d.message + (f"; {d.help}" if d.help else "")
            data = printable(message).replace("%", "%25")
            output.say(f"::{levels[d.severity]} {place},title={d.code}::{data}")
    _note_failures(checked)


def _escape(text: str) -> str:
    """A property of a workflow command: the characters that would end it, by their codes."""
    for character, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        text = text.replace(character, code)
    return text


def _note_failures(checked: list[Checked]) -> None:
    for file in checked:
        if file.failure is not None:
            output.failure(file.failure)


def _summary(checked: list[Checked]) -> str:
    errors = sum(file.count("error") for file in checked)
    warnings = sum(file.count("warning") for file in checked)
    unread = sum(file.failure is not None for file in checked)
    counts = {"file": len(checked), "error": errors, "warning": warnings}
    words = ", ".join(counted(count, noun) for noun, count in counts.items())
    return f"{words}, {unread} not read" if unread else words


REPORTS: dict[str, Callable[[list[Checked]], None]] = {
    "text": _print_text,
    "json": _print_json,
    "github": _print_github,
}
