"""Reads programs to export, from program files or from exported files, and creates the exported files."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from gpkit.core.check_report import EVALUATIONS, GAMES, CheckReport
from gpkit.core.codec import plain
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.files import STANDARD_INPUT, check_target, read_text, write_atomic
from gpkit.core.layout import Lines, Note, Sheet, Tabular
from gpkit.core.primitives import PrimitiveSet, offered
from gpkit.core.registry import language_entry, language_of
from gpkit.export.certificate import on_grid
from gpkit.export.json import LAYER, membership, read_subject
from gpkit.export.lua.module import roster_text
from gpkit.export.lua.valued import LEVEL
from gpkit.export.registry import check_export, exporter, levels, require_checkable
from gpkit.export.subject import (
    COMMENTS,
    CONFORMANCE,
    HEADER,
    WRITTEN,
    Document,
    Subject,
    programs_in,
    with_programs,
)
from gpkit.genomes.tree import Sections, TreeProgram, round_digits
from gpkit.langkit.language import check_source
from gpkit.playing.named import Named, game_for, offers_for, read_file


def read_subjects(
    path: str, language: str | None, game: str | None, rules: Mapping[str, str], seed: int
) -> list[Subject]:
    """The programs in a file: one program, or all programs of an exported roster.

    Raises:
        SourceError: the text does not parse, or the program has an error for its game.
        UsageError: the game is unknown; a program of instructions fits no game, or several; a name in JSON
            does not exist in the game; or somebody edited an exported file.
    """
    suffix = Path(path).suffix
    name = "program" if path == STANDARD_INPUT else Path(path).stem
    if suffix in COMMENTS:
        found = programs_in(read_text(path), path, suffix)
        languages = [(each, language_of(each, None).load(), text) for each, text in found]
        return [
            subject_of(Named(path, known.parse(text, path), known), Path(each).stem, game, rules, seed)
            for each, known, text in languages
        ]
    if suffix != ".json":
        return [subject_of(read_file(path, language, game=game), name, game, rules, seed)]
    read = _read_json(read_text(path), path, game)
    program = _fitted(read.program, read.primitives)
    header = {} if game is None else {"game": game}
    return [Subject(program, _word(name), {**read.header, **header}, read.primitives, rules, seed)]


def subject_of(named: Named, name: str, game: str | None, rules: Mapping[str, str], seed: int) -> Subject:
    """The subject for a program, with a name for the exported files.

    Raises:
        SourceError: the program has an error for its game.
        UsageError: the game is unknown, or a program of instructions fits no game or several.
    """
    source, known = named.source, named.language
    header = {} if game is None else {"game": game}
    offers = offers_for(named, game)
    check_source(known, source, offers)
    primitives = offered(offers, known.name)
    return Subject(source.program, _word(name), {**source.header, **header}, primitives, rules, seed)


def _read_json(text: str, path: str, game: str | None) -> Subject:
    found = read_subject(text, game)
    known = language_entry(found.program.language).load()
    if found.primitives is None and known.needs_game:
        found = read_subject(text, game_for([Named(path, found, known)], None).name)
    return found


def _fitted(program: object, primitives: PrimitiveSet | None) -> object:
    """The program with its sections in the game's order; the program may read only the game's sensors."""
    if primitives is None or not isinstance(program, Sections):
        return program
    for name in (name for tree in program.trees for name in tree.reads):
        if primitives.sensor(name) is None:
            fix = suggestion(name, primitives.sensor_names)
            raise UsageError(f"`{primitives.game}` has no sensor `{name}`; {fix}")
    if set(program.names) != set(primitives.sections):
        return program
    return replace(
        program, names=primitives.sections, trees=tuple(map(program.parts.__getitem__, primitives.sections))
    )


def _word(name: str) -> str:
    """The name without special characters, for use in files and headers."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name) or "program"


def rounded(subject: Subject, grid: int | None, digits: int | None = None) -> Subject:
    """The subject with its constants rounded to multiples of 2^``grid``, or to ``digits`` digits; None rounds nothing.

    Raises:
        UsageError: the program has no formulas.
    """
    if grid is None and digits is None:
        return subject
    program, option = subject.program, "--digits" if grid is None else "--grid"
    if program.language != TreeProgram.language:
        raise UsageError(f"{option} rounds the constants of formulas, but {subject.name} has no formulas")
    if digits is not None:
        program = TreeProgram(program.names, tuple(round_digits(tree, digits) for tree in program.trees))
    return replace(subject, program=program if grid is None else on_grid(program, grid))


TREE = "tree"
"""The name of the format that turns exported files back into program files."""


@dataclass(frozen=True)
class Exports(Tabular):
    """Exported programs.

    Attributes:
        subjects: the programs.
        to, mode: the format and its mode.
        sources: the files that were read, which are never overwritten.
        reports: the results of checking each program's export; empty if nothing was checked.
    """

    subjects: tuple[Subject, ...]
    to: str
    mode: str
    sources: tuple[str, ...] = ()
    reports: tuple[CheckReport, ...] = ()
    schema: str = field(default="export", repr=False)

    @cached_property
    def files(self) -> list[tuple[str, tuple[Document, ...]]]:
        """The documents of each program, by name, the main document first; a roster or an article is one.

        Raises:
            UsageError: this mode cannot express a program.
        """
        files = [(each.name, _documents(each, self.to, self.mode)) for each in self.subjects]
        if self.mode not in ("roster", "article") or len(files) == 1:
            return files
        if self.mode == "roster":
            text = with_programs(levels(self.subjects), self.subjects, ".lua")
            return [("roster", (Document(".lua", text),))]
        named: dict[str, list[TreeProgram]] = {}
        for subject in self.subjects:
            named.setdefault(subject.header.get("level", LEVEL), []).append(subject.program)
        return [("computer", (Document(".lua", with_programs(roster_text(named), self.subjects, ".lua")),))]

    @property
    def text(self) -> str:
        """The text of the exported program, if it is the only one.

        Raises:
            UsageError: there are several programs.
        """
        self._check_alone()
        return self.files[0][1][0].text

    def _check_alone(self) -> None:
        if len(self.files) > 1:
            raise UsageError(
                f"{len(self.files)} programs: name an existing folder with -o, or make a roster with --mode roster"
            )

    def checked(self, evaluations: int = EVALUATIONS, games: int = GAMES) -> "Exports":
        """These exports, with reports on their comparison with the interpreter in every host on this machine.

        Raises:
            UsageError: exports to this format cannot be run, no host for them is installed, or a program cannot be
                exported.
        """
        for subject in self.subjects:
            require_checkable(subject, self.to)
        checked = partial(check_export, to=self.to, mode=self.mode, evaluations=evaluations, games=games)
        return replace(self, reports=tuple(map(checked, self.subjects)), schema="export-check")

    def save(self, path: str | os.PathLike[str], conformance: bool = False) -> list[Path]:
        """Write the files into a folder, or to a path with companion files beside it, and return their paths.

        Args:
            path: the path of the folder or of the file.
            conformance: whether to write conformance files; after a check, they are always written if the format has
                them.

        Raises:
            UsageError: there are several programs and no folder, the mode has no conformance files, or a file would
                overwrite a program or a header that gpkit did not write.
        """
        target = Path(path)
        if not (is_folder := target.is_dir()):
            self._check_alone()
        files: list[tuple[Path, Document]] = []
        for name, found in self.files:
            if conformance and CONFORMANCE not in {document.suffix for document in found}:
                raise UsageError(
                    f"an export of {name} to {self.to} in the mode {self.mode} has no conformance file; choose python, "
                    "c, or lua in the mode module, player, luau or nested"
                )
            for document in found:
                if conformance or self.reports or document.suffix != CONFORMANCE:
                    beside = (
                        target / f"{name}{document.suffix}"
                        if is_folder
                        else target.with_suffix(document.suffix)
                    )
                    files.append((beside if is_folder or document is not found[0] else target, document))
        if len({place for place, _ in files}) < len(files):
            raise UsageError(f"{target} would be both the program and a file beside it: choose another name")
        for place, document in files:
            check_target(place, self.sources, document.suffix)
            if (
                document.suffix == HEADER
                and place.exists()
                and WRITTEN not in read_text(str(place)).partition("\n")[0]
            ):
                raise UsageError(
                    f"{place} is not a header that gpkit wrote, and would be overwritten: choose another name"
                )
        for place, document in files:
            write_atomic(place, document.text)
        return [place for place, _ in files]

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 1 if an export differs."""
        return EXIT_OK if all(report.is_equal for report in self.reports) else EXIT_FINDINGS

    def to_rows(self) -> list[Mapping[str, object]]:
        """A row for each program with the results of its check, or with its text if there was no check."""
        if not self.reports:
            return [{"program": name, "text": found[0].text} for name, found in self.files]
        return [
            {
                "program": subject.name,
                "equal": report.is_equal,
                "hosts": plain(report.rows),
                "notes": report.notes,
            }
            for subject, report in zip(self.subjects, self.reports, strict=True)
        ]

    def to_json(self) -> dict[str, object]:
        """The format, the mode and the rows, as JSON values."""
        return {"to": self.to, "mode": self.mode, "results": self.to_rows()}

    def told(self) -> Iterator[str | Sheet]:
        """A table with the results in each host, or the text of the export if there was no check."""
        if not self.reports:
            yield Lines(self.text.removesuffix("\n"))
            return
        columns = ("program", "host", "evaluations", "games", "differences")
        named = [(each.name, report) for each, report in zip(self.subjects, self.reports, strict=True)]
        rows = [
            (name, row.host, f"{row.evaluations:,}", f"{row.games:,}", f"{row.failures:,}")
            for name, report in named
            for row in report.rows
        ]
        yield Sheet(columns, rows, right=columns[2:], leave_out=("evaluations", "games"))
        for name, report in named:
            for row in report.rows:
                if row.largest:
                    yield Note(f"{name}: {row.host}: values differ by at most {row.largest:.1e}, relatively")
            for text in (*report.notes, *(f"{row.host}: {row.first}" for row in report.rows if row.first)):
                yield Note(f"{name}: {text}")


def _documents(subject: Subject, to: str, mode: str) -> tuple[Document, ...]:
    """The documents of a program; the format ``tree`` has only one, in the program's own language.

    Raises:
        UsageError: this mode cannot express the program.
    """
    if to != TREE:
        return exporter(to).export(subject, mode)
    membership(subject.program.language, TREE)
    known = language_entry(subject.program.language).load()
    return (Document(known.suffix, known.print_program(subject.program, subject.header)),)


def _into(program: Any) -> Any:
    """The translation of a program in a user's own language; any other program stays the same."""
    known = language_entry(program.language).load()
    return program if known.into is None else known.into(program)


def exports_of(
    subjects: Sequence[Subject], to: str, mode: str | None = None, sources: Sequence[str] = ()
) -> Exports:
    """Programs that are exported to a format, in the given mode or in the default mode.

    Raises:
        UsageError: there is no such format or mode.
    """
    if to != TREE:
        mode = mode or exporter(to).default_mode
        exporter(to).require_mode(mode)
    if to not in (TREE, LAYER):
        subjects = [replace(each, program=_into(each.program)) for each in subjects]
    return Exports(tuple(subjects), to, mode or "", tuple(sources))
