"""``gpkit fmt``: lay programs out in the canonical way."""

import difflib
import io

import click

from gpkit.app.players import program_file, program_paths, shipped_games
from gpkit.cli import output
from gpkit.cli.options import game_option, language_option
from gpkit.core.characters import shown
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, GpkitError, UsageError
from gpkit.core.files import STANDARD_INPUT, write_atomic
from gpkit.langkit.checking import text_and_language
from gpkit.langkit.language import laid_out


@click.command(name="fmt")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change.")
@game_option
@language_option
def command(paths: tuple[str, ...], check: bool, diff: bool, game: str | None, language: str | None) -> int:
    """Format program files, or folders of them, in place; standard input (-) goes to standard output.

    With --check and --diff a PATH can be the name of a shipped program, too.

    Comments are kept, and no program changes its meaning. A file that cannot be parsed is left as it is and
    reported, with exit code 2; the others are still formatted.
    """
    worst, changed = EXIT_OK, 0
    shipped = [path for path in paths if shipped_games(path)]
    if shipped and not (check or diff):
        raise UsageError(
            f"`{shipped[0]}` comes with gpkit and is not changed; --diff shows how it would be formatted"
        )
    files = program_paths(program_file(path, game) for path in paths)
    for path in files:
        try:
            changed += _format(path, language, write=not (check or diff), diff=diff)
        except GpkitError as error:
            output.failure(error)
            worst = max(worst, error.exit_code)
    if files != [STANDARD_INPUT]:
        verb = "would be reformatted" if check or diff else "reformatted"
        output.note(f"{changed} of {len(files)} files {verb}")
    return max(worst, EXIT_FINDINGS if check and changed else EXIT_OK)


def _format(path: str, name: str | None, *, write: bool, diff: bool) -> bool:
    """Lay out one file and say whether that changes it."""
    text, language = text_and_language(path, name)
    formatted = laid_out(language, text, path)
    if diff:
        _print_diff(text, formatted, path)
    if write and path == STANDARD_INPUT:
        output.verbatim(formatted)
    elif write and formatted != text:
        write_atomic(path, formatted)
    return formatted != text


def _print_diff(text: str, formatted: str, path: str) -> None:
    """Print the changes that formatting would make, in the form that ``patch`` reads."""
    before, after = (list(io.StringIO(t, newline="\n")) for t in (text, formatted))
    name = shown(path)
    for line in difflib.unified_diff(before, after, name, name):
        output.verbatim(line.removesuffix("\n") + "\n")
        if not line.endswith("\n"):
            output.say("\\ No newline at end of file")
