"""``gpkit export``: programs in other people's languages, proved equal, and back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from gpkit.app.files import (
    STANDARD_INPUT,
    check_place,
    check_target,
    check_writable,
    program_paths,
    read_text,
    write_atomic,
)
from gpkit.app.named import Named, game_for, offers_of
from gpkit.app.pairs import options_of
from gpkit.app.shipped import program_file
from gpkit.app.sources import language_for, offers_for
from gpkit.cli import output
from gpkit.cli.matches import rules_option
from gpkit.cli.options import WholeNumber, game_option, json_option, language_option, seed_option
from gpkit.core.diagnostics import SourceError, suggestion
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.primitives import PrimitiveSet, offered
from gpkit.core.registry import LANGUAGES, find
from gpkit.export.certificate import on_grid
from gpkit.export.check import EVALUATIONS, GAMES, Report, check_export, require_checkable
from gpkit.export.json.document import read_subject
from gpkit.export.lua.forms.arithmetic import LEVEL
from gpkit.export.lua.reader import is_roster, read_program, read_roster
from gpkit.export.lua.roster import roster_text
from gpkit.export.registry import EXPORTERS, exporter
from gpkit.export.statements import sensors_of
from gpkit.export.subject import CONFORMANCE, Document, Subject
from gpkit.genomes.tree import TreeProgram

TREE = "tree"
"""The way back: to program files of this project."""

MODES = exporter("lua").modes

LUA_SUFFIXES = (".lua", ".luau")


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
    "-o", "--output", "target", metavar="PATH", help="A file, or a folder. Default: standard output."
)
@click.option(
    "--check",
    is_flag=True,
    help="Run what was exported against the interpreter, Lua in every Lua here; exit code 1 if it differs.",
)
@click.option("--no-vectors", is_flag=True, help="For lua: leave out what the file tests itself with.")
@click.option(
    "--conformance",
    is_flag=True,
    help=f"Write PATH{CONFORMANCE}, too: tests for a copy of the program in any host. So does --check.",
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
    rules: tuple[str, ...],
    game: str | None,
    seed: int,
    language: str | None,
    as_json: bool,
) -> int:
    """Say programs in another language: one program in any mode, several as one roster of levels (--mode article).

    The level of a program in a roster is that of its header (`// level: easy`). With --check the exported code runs
    wherever this machine can run it, on --evaluations of every formula and in whole --games.
    """
    if to is None:
        raise UsageError(
            f"say the format with --to: {', '.join(entry.name for entry in EXPORTERS)}, or {TREE}"
        )
    if target is not None:
        if Path(target).is_dir():
            check_writable(Path(target))
        else:
            check_place(target)
    options = options_of(None, rules)
    paths = program_paths(program_file(program, game) for program in programs)
    subjects = [subject for path in paths for subject in _read(path, language, game, options, seed)]
    if grid is not None:
        subjects = [_rounded(subject, grid) for subject in subjects]
    if to == TREE:
        _write([(s.name, _tree_documents(s)) for s in subjects], target, paths)
        return EXIT_OK
    mode = mode or exporter(to).default_mode
    exporter(to).require_mode(mode)
    if no_vectors:
        if to != "lua":
            raise UsageError(
                f"only lua files carry vectors, an export to {to} does not: leave out --no-vectors"
            )
        subjects = [replace(subject, carries_tests=False) for subject in subjects]
    if conformance and target is None:
        raise UsageError("--conformance writes a file beside the program: name a file or a folder with -o")
    files = _exported(subjects, to, mode) if target is not None or not check else []
    files = _with_conformance(files, to, mode, conformance) if conformance or not check else files
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


def _read(
    path: str, language: str | None, game: str | None, rules: Mapping[str, str], seed: int
) -> list[Subject]:
    """The programs of a file: one, or all of a Lua roster, which are for a level each.

    Raises:
        SourceError: the text does not parse, or the program has an error for its game.
        UsageError: nobody knows the game, or a program of instructions fits none, or several; or the game does not know
            a name in JSON or Lua.
    """
    text, suffix = read_text(path), Path(path).suffix
    name = "program" if path == STANDARD_INPUT else Path(path).stem
    header = {} if game is None else {"game": game}
    if suffix not in (*LUA_SUFFIXES, ".json"):
        known = language_for(path, language)
        source = known.parse(text, path)
        offers = offers_of(Named(path, source, known), game)
        for finding in known.check(source, offers):
            if finding.severity == "error":
                raise SourceError(finding, text, path)
        primitives = offered(offers, known.name)
        return [Subject(source.program, _word(name), {**source.header, **header}, primitives, rules, seed)]
    if suffix == ".json":
        found = _read_json(text, path, game)
        program = found.program
        if program.language == TreeProgram.language:
            program = _fitted(program, found.primitives)
        return [Subject(program, _word(name), {**found.header, **header}, found.primitives, rules, seed)]
    primitives = offered(offers_for(game, header), TreeProgram.language)
    if suffix in LUA_SUFFIXES and is_roster(text):
        return [
            Subject(
                _fitted(program, primitives),
                f"{level}-{number}",
                {**header, "level": level},
                primitives,
                rules,
                seed,
            )
            for level, specimens in read_roster(text, path).items()
            for number, program in enumerate(specimens, start=1)
        ]
    program = _fitted(read_program(text, path), primitives)
    return [Subject(program, _word(name), header, primitives, rules, seed)]


def _read_json(text: str, path: str, game: str | None) -> Subject:
    found = read_subject(text, game)
    known = find(LANGUAGES, found.program.language, "language").load()
    if found.primitives is None and known.needs_game:
        found = read_subject(text, game_for([Named(path, found, known)], None).name)
    return found


def _fitted(program: TreeProgram, primitives: PrimitiveSet | None) -> TreeProgram:
    """The program with its sections in the order of the game, whose sensors are all that it may read."""
    if primitives is None:
        return program
    for name in (name for tree in program.trees for name in sensors_of(tree)):
        if primitives.sensor(name) is None:
            mend = suggestion(name, primitives.sensor_names)
            raise UsageError(f"`{primitives.game}` has no sensor `{name}`; {mend}")
    if set(program.names) != set(primitives.sections):
        return program
    return TreeProgram(primitives.sections, tuple(program.tree(name) for name in primitives.sections))


def _word(name: str) -> str:
    """A name for files and headers."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name) or "program"


def _rounded(subject: Subject, grid: int) -> Subject:
    if subject.program.language != TreeProgram.language:
        raise UsageError(f"--grid rounds the constants of formulas, and {subject.name} has no formulas")
    return replace(subject, program=on_grid(subject.program, grid))


def _exported(subjects: Sequence[Subject], to: str, mode: str) -> list[tuple[str, tuple[Document, ...]]]:
    """The files of every program by its name; several programs in article mode are one file.

    Raises:
        UsageError: one of them cannot be said in this mode.
    """
    files = [(subject.name, exporter(to).export(subject, mode)) for subject in subjects]
    if mode == "article" and len(subjects) > 1:
        levels: dict[str, list[TreeProgram]] = {}
        for subject in subjects:
            levels.setdefault(subject.header.get("level", LEVEL), []).append(subject.program)
        return [("computer", (Document(".lua", roster_text(levels)),))]
    return files


def _with_conformance(
    files: Sequence[tuple[str, tuple[Document, ...]]], to: str, mode: str, is_wanted: bool
) -> list[tuple[str, tuple[Document, ...]]]:
    """The files of every program with those of conformance, or without.

    Raises:
        UsageError: they are wanted, and there is none.
    """
    if not is_wanted:
        return [(name, tuple(d for d in found if d.suffix != CONFORMANCE)) for name, found in files]
    for name, found in files:
        if CONFORMANCE not in {document.suffix for document in found}:
            raise UsageError(
                f"an export of {name} to {to} in the mode {mode} has no file of conformance; choose python, or lua "
                "in the mode module, player, luau or nested"
            )
    return list(files)


def _tree_documents(subject: Subject) -> tuple[Document, ...]:
    known = find(LANGUAGES, subject.program.language, "language").load()
    return (Document(known.suffix, known.print_program(subject.program, subject.header)),)


def _write(
    files: Sequence[tuple[str, tuple[Document, ...]]], target: str | None, sources: Sequence[str]
) -> None:
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
    named = [
        (_place(Path(target), None if not is_folder else name, document, number), document)
        for name, documents in files
        for number, document in enumerate(documents)
    ]
    for path, document in named:
        check_target(path, sources, document.suffix)
    for path, document in named:
        write_atomic(path, document.text)
        output.note(f"wrote {path}")


def _place(target: Path, name: str | None, document: Document, number: int) -> Path:
    """Where a document goes: into the folder ``target`` by the ``name`` of its program, else there or beside it."""
    if name is not None:
        return target / f"{name}{document.suffix}"
    return target.with_suffix(document.suffix) if number else target


def _tell(reports: Sequence[tuple[str, Report]], to: str, mode: str, as_json: bool) -> None:
    """What every host made of the exported code."""
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
        for text in (*report.notes, *(f"{row.host}: {row.first}" for row in report.rows if row.first)):
            output.note(f"{name}: {text}")
