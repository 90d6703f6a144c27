"""Programs in other languages, and the files for them."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

from gpkit.core.check_report import EVALUATIONS, GAMES, CheckReport
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.files import check_target, read_text, write_atomic
from gpkit.core.json_values import plain
from gpkit.core.registry import language_entry
from gpkit.core.tabular import Lines, Note, Sheet, Tabular
from gpkit.export.check import check_export, require_checkable
from gpkit.export.embedded import with_programs
from gpkit.export.json import membership
from gpkit.export.lua.functions import roster_text
from gpkit.export.lua.valued import LEVEL
from gpkit.export.registry import CONFORMANCE, HEADER, WRITTEN, Document, Subject, exporter
from gpkit.genomes.tree import TreeProgram

TREE = "tree"
"""The format that reads exported files back into program files."""


@dataclass(frozen=True)
class Exports(Tabular):
    """Programs in another language.

    Attributes:
        subjects: the programs.
        to, mode: the format and its mode.
        sources: the files that were read, which are never overwritten.
        reports: for each program, how its export compares with the interpreter; empty if they were not compared.
    """

    subjects: tuple[Subject, ...]
    to: str
    mode: str
    sources: tuple[str, ...] = ()
    reports: tuple[CheckReport, ...] = ()
    schema: str = field(default="export", repr=False)

    @cached_property
    def files(self) -> list[tuple[str, tuple[Document, ...]]]:
        """The documents of every program, by its name, the main one first; in article mode, several programs share one.

        Raises:
            UsageError: this mode cannot express a program.
        """
        files = [(each.name, _documents(each, self.to, self.mode)) for each in self.subjects]
        if self.mode != "article" or len(files) == 1:
            return files
        levels: dict[str, list[TreeProgram]] = {}
        for subject in self.subjects:
            levels.setdefault(subject.header.get("level", LEVEL), []).append(subject.program)
        return [("computer", (Document(".lua", with_programs(roster_text(levels), self.subjects, ".lua")),))]

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
                f"{len(self.files)} programs: name an existing folder with -o, or make a roster with --mode article"
            )

    def checked(self, evaluations: int = EVALUATIONS, games: int = GAMES) -> "Exports":
        """These exports, with reports on how they compare with the interpreter in every host on this machine.

        Raises:
            UsageError: exports to this format cannot be run, no host for them is installed, or a program cannot be
                exported.
        """
        for subject in self.subjects:
            require_checkable(subject, self.to)
        checked = partial(check_export, to=self.to, mode=self.mode, evaluations=evaluations, games=games)
        return replace(self, reports=tuple(map(checked, self.subjects)), schema="export-check")

    def save(self, path: str | os.PathLike[str], conformance: bool = False) -> list[Path]:
        """Write the files into a folder, or to a path with companion files beside it, and give the paths.

        Args:
            path: the path of the folder or of the file.
            conformance: whether to write conformance files; after a check they are written anyway, if the format has
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
            raise UsageError(
                f"{target} would be both the program and what is written beside it: name it otherwise"
            )
        for place, document in files:
            check_target(place, self.sources, document.suffix)
            if (
                document.suffix == HEADER
                and place.exists()
                and WRITTEN not in read_text(str(place)).partition("\n")[0]
            ):
                raise UsageError(
                    f"{place} is no header that gpkit wrote, and would be overwritten: choose another name"
                )
        for place, document in files:
            write_atomic(place, document.text)
        return [place for place, _ in files]

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 1 if an export differs."""
        return EXIT_OK if all(report.is_equal for report in self.reports) else EXIT_FINDINGS

    def to_rows(self) -> list[Mapping[str, object]]:
        """A row for each program: how its export compares, or without a check, its text."""
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
        """The format and the rows, as JSON values."""
        return {"to": self.to, "mode": self.mode, "results": self.to_rows()}

    def told(self) -> Iterator[str | Sheet]:
        """A table of the hosts in which the exports were run, or without a check, the text."""
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
    """The documents of a program; there is one if it goes back to its own language.

    Raises:
        UsageError: this mode cannot express the program.
    """
    if to != TREE:
        return exporter(to).export(subject, mode)
    membership(subject.program.language, TREE)
    known = language_entry(subject.program.language).load()
    return (Document(known.suffix, known.print_program(subject.program, subject.header)),)


def exports_of(
    subjects: Sequence[Subject], to: str, mode: str | None = None, sources: Sequence[str] = ()
) -> Exports:
    """Programs exported to a format, in the given mode or the first one.

    Raises:
        UsageError: there is no such format or mode.
    """
    if to != TREE:
        mode = mode or exporter(to).default_mode
        exporter(to).require_mode(mode)
    return Exports(tuple(subjects), to, mode or "", tuple(sources))
