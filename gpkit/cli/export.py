"""``gpkit export``: programs in other people's languages, proved equal, and back."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from gpkit.app.export_requests import read_subjects, rounded
from gpkit.app.pictures import champion_or_file
from gpkit.app.players import program_paths
from gpkit.cli import output
from gpkit.cli.matches import rules_option
from gpkit.cli.options import WholeNumber, game_option, json_option, language_option, seed_option
from gpkit.core.check_report import EVALUATIONS, GAMES, CheckReport
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.files import check_place, check_writable
from gpkit.export.check import check_export, require_checkable
from gpkit.export.exported import Exported, exported, program_file_of, with_conformance, write_exported
from gpkit.export.json import membership
from gpkit.export.registry import CONFORMANCE, EXPORTERS, exporter

TREE = "tree"
"""The way back: to program files of this project."""

MODES = exporter("lua").modes


class _Command(click.Command):
    """The command with a section of help on the modes of Lua."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each mode and which one to take."""
        with formatter.section("Modes of --to lua"):
            formatter.write_dl(list(MODES.items()))


@click.command(name="export", cls=_Command)
@click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")
@click.option(
    "--to",
    metavar="FORMAT",
    help=f"{', '.join(e.name for e in EXPORTERS)}; or {TREE}, which reads exported .lua and .json files back.",
)
@click.option(
    "--mode",
    metavar="MODE",
    help=f"For lua: {', '.join(exporter('lua').modes)}; see below. Default: the first.",
)
@click.option(
    "-o", "--output", "target", metavar="PATH", help="Output file or folder. Default: standard output."
)
@click.option(
    "--check",
    is_flag=True,
    help="Compare the exported code with the interpreter, Lua in every Lua found; exit code 1 if they differ.",
)
@click.option("--no-vectors", is_flag=True, help="For lua and c: leave out the self-test.")
@click.option(
    "--conformance",
    is_flag=True,
    help=f"Write PATH{CONFORMANCE}, too: tests for a copy of the program in any host; --check does this, too.",
)
@click.option(
    "--grid", type=WholeNumber(-40, 20), metavar="K", help="Round constants to multiples of 2^K first."
)
@click.option("--evaluations", type=WholeNumber(1, 10_000_000), default=EVALUATIONS, show_default=True)
@click.option("--games", type=WholeNumber(0, 1_000_000), default=GAMES, show_default=True)
@rules_option
@game_option
@seed_option
@language_option
@json_option
def command(
    programs: tuple[str, ...],
    to: str | None,
    mode: str | None,
    target: str | None,
    check: bool,
    no_vectors: bool,
    conformance: bool,
    grid: int | None,
    evaluations: int,
    games: int,
    rules: dict[str, str],
    game: str | None,
    seed: int,
    language: str | None,
    as_json: bool,
) -> int:
    """Export programs to another language: one program in any mode, several as one roster of levels (--mode article).

    The folder of a run stands for its champion. A program for data predicts rows: predict(row).

    A program's level in a roster is the one in its header (`// level: easy`). With --check the exported code
    is run in every host on this machine: --evaluations of every formula, and --games whole games.
    """
    if to is None:
        raise UsageError(
            f"choose a format with --to: {', '.join(entry.name for entry in EXPORTERS)}, or {TREE}"
        )
    if target is not None and Path(target).is_dir():
        check_writable(Path(target))
    elif target is not None:
        check_place(target)
    paths = program_paths(champion_or_file(program, game) for program in programs)
    subjects = [subject for path in paths for subject in read_subjects(path, language, game, rules, seed)]
    subjects = [rounded(subject, grid) for subject in subjects]
    if to == TREE:
        for subject in subjects:
            membership(subject.program.language, TREE)
        _write([program_file_of(subject) for subject in subjects], target, paths)
        return EXIT_OK
    mode = mode or exporter(to).default_mode
    exporter(to).require_mode(mode)
    if no_vectors and to not in ("lua", "c"):
        raise UsageError("only lua and c files hold a self-test: leave out --no-vectors")
    subjects = [replace(subject, carries_tests=not no_vectors) for subject in subjects]
    if conformance and target is None:
        raise UsageError("--conformance writes a file beside the program: name a file or a folder with -o")
    files = exported(subjects, to, mode) if target is not None or not check else []
    files = with_conformance(files, to, mode, conformance) if conformance or not check else files
    if check:
        for subject in subjects:
            require_checkable(subject, to)
    if files:
        _write(files, target, paths)
    if not check:
        return EXIT_OK
    reports = [(s.name, check_export(s, to, mode, evaluations=evaluations, games=games)) for s in subjects]
    _tell(reports, to, mode, as_json)
    return EXIT_OK if all(report.is_equal for _, report in reports) else EXIT_FINDINGS


def _write(files: Sequence[Exported], target: str | None, sources: Sequence[str]) -> None:
    """Write documents to a folder, to a file with companions beside it, or the main one to standard output.

    Raises:
        UsageError: several programs without a folder to put them in; a file would be written over a program.
    """
    is_folder = target is not None and Path(target).is_dir()
    if len(files) > 1 and not is_folder:
        raise UsageError(
            f"{len(files)} programs: name an existing folder with -o, or make a roster with --mode article"
        )
    if target is None:
        output.say(files[0][1][0].text.removesuffix("\n"))
        return
    for path in write_exported(files, Path(target), sources):
        output.note(f"wrote {path}")


def _tell(reports: Sequence[tuple[str, CheckReport]], to: str, mode: str, as_json: bool) -> None:
    """Report every host's results with the exported code."""
    if as_json:
        results = [
            {"program": name, "equal": report.is_equal, "hosts": report.rows, "notes": report.notes}
            for name, report in reports
        ]
        output.json_object("gpkit/export-check/1", to=to, mode=mode, results=results)
        return
    columns = ("program", "host", "evaluations", "games", "differences")
    rows = [
        (name, row.host, f"{row.evaluations:,}", f"{row.games:,}", f"{row.failures:,}")
        for name, report in reports
        for row in report.rows
    ]
    output.table(columns, rows, right=columns[2:], leave_out=("evaluations", "games"))
    for name, report in reports:
        for row in report.rows:
            if row.largest:
                output.note(f"{name}: {row.host}: values differ by at most {row.largest:.1e}, relatively")
        for text in (*report.notes, *(f"{row.host}: {row.first}" for row in report.rows if row.first)):
            output.note(f"{name}: {text}")
