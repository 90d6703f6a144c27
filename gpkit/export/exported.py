"""Programs in other languages as files, and where these go."""

from collections.abc import Sequence
from pathlib import Path

from gpkit.core.errors import UsageError
from gpkit.core.files import check_target, read_text, write_atomic
from gpkit.core.registry import language_entry
from gpkit.export.lua.functions import roster_text
from gpkit.export.lua.valued import LEVEL
from gpkit.export.registry import CONFORMANCE, HEADER, WRITTEN, Document, Subject, exporter
from gpkit.genomes.tree import TreeProgram

Exported = tuple[str, tuple[Document, ...]]
"""A program by its name, and its documents, the main one first."""


def exported(subjects: Sequence[Subject], to: str, mode: str) -> list[Exported]:
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


def with_conformance(files: Sequence[Exported], to: str, mode: str, is_wanted: bool) -> list[Exported]:
    """The files of every program with those of conformance, or without.

    Raises:
        UsageError: they are wanted, and there is none.
    """
    if not is_wanted:
        return [(name, tuple(d for d in found if d.suffix != CONFORMANCE)) for name, found in files]
    for name, found in files:
        if CONFORMANCE not in {document.suffix for document in found}:
            raise UsageError(
                f"an export of {name} to {to} in the mode {mode} has no conformance file; choose python, c, or lua "
                "in the mode module, player, luau or nested"
            )
    return list(files)


def program_file_of(subject: Subject) -> Exported:
    """The program in its own language."""
    known = language_entry(subject.program.language).load()
    return subject.name, (Document(known.suffix, known.print_program(subject.program, subject.header)),)


def write_exported(files: Sequence[Exported], target: Path, sources: Sequence[str]) -> list[Path]:
    """Write documents to a folder, or to a file with companions beside it; gives the paths.

    Args:
        files: of the programs; several go into a folder.
        target: the folder or the file.
        sources: what was read, which stays as it is.

    Raises:
        UsageError: a file would be written over a program, or a header over one that gpkit did not write.
    """

    def place(name: str, document: Document, number: int) -> Path:
        if target.is_dir():
            return target / f"{name}{document.suffix}"
        return target.with_suffix(document.suffix) if number else target

    named = [
        (place(name, document, number), document)
        for name, documents in files
        for number, document in enumerate(documents)
    ]
    if len({path for path, _ in named}) < len(named):
        raise UsageError(
            f"{target} would be both the program and what is written beside it: name it otherwise"
        )
    for path, document in named:
        check_target(path, sources, document.suffix)
        if (
            document.suffix == HEADER
            and path.exists()
            and WRITTEN not in read_text(str(path)).partition("\n")[0]
        ):
            raise UsageError(
                f"{path} is no header that gpkit wrote, and would be overwritten: choose another name"
            )
    for path, document in named:
        write_atomic(path, document.text)
    return [path for path, _ in named]
