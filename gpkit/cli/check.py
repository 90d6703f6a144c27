"""``gpkit check``: find mistakes in programs and explain them."""

import sys
from collections.abc import Callable
from functools import partial

import click

from gpkit.api.inquiries import explain as explained
from gpkit.app.players import program_file, program_paths
from gpkit.cli import output
from gpkit.cli.options import Word, dialect_option, game_option, language_option, words_option
from gpkit.core.diagnostics import printable
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.wording import counted
from gpkit.data.table import read_table
from gpkit.langkit.checking import Checked, check_file

COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


@click.command(name="check")
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option("--explain", metavar="CODE", help="Explain a finding, such as E010, and exit.")
@click.option("--strict", is_flag=True, help="Treat warnings as errors: exit code 1.")
@click.option(
    "--output-format",
    "form",
    type=Word(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="Output as text, as JSON, or as annotations for GitHub workflows.",
)
@click.option("--json", "form", flag_value="json", help="The same as --output-format json.")
@click.option("--data", metavar="FILE.csv", help="Check names against the columns of a CSV or Parquet file.")
@words_option
@game_option
@dialect_option
@language_option
def command(
    paths: tuple[str, ...],
    explain: str | None,
    strict: bool,
    form: str,
    data: str | None,
    words: tuple[str, ...],
    game: str | None,
    dialect: dict[str, str],
    language: str | None,
) -> int:
    """Find mistakes in program files, in folders of them, in shipped programs by name, or in standard input (-).

    Names are checked against the game given by --game or by the program's header (`// game: sevens`), or else the
    only game that fits. Exit code 1 if there are errors; 2 or 3 if a file could not be read or is too large.
    """
    if explain is not None:
        output.say(f"{explain.upper()}: {explained(explain)}")
        return EXIT_OK
    if not paths:
        raise click.UsageError("name at least one PATH, or - for standard input")
    if words and data is None:
        raise UsageError("--words is for the columns of a table: --data FILE")
    if data is not None and game is not None:
        raise UsageError(f"--data and --game {game} both say what names mean: leave one of them out")
    files = program_paths(program_file(path, game) for path in paths)
    table = None if data is None else read_table(data, words)
    read = None if data in (None, STANDARD_INPUT) else partial(read_table, data, words)
    checked = [check_file(path, game, dialect, language, table, read) for path in files]
    REPORTS[form](checked)
    found = any(c.count("error") or (strict and c.count("warning")) for c in checked)
    return max([EXIT_FINDINGS if found else EXIT_OK, *(c.failure.exit_code for c in checked if c.failure)])


def _print_text(checked: list[Checked]) -> None:
    for file in checked:
        for diagnostic in file.shown:
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
        for d in file.shown:
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
