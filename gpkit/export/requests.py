"""Programs to be exported: read from program files, and back from exported Lua and JSON."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT, read_text
from gpkit.core.primitives import PrimitiveSet, offered
from gpkit.core.registry import language_entry, language_of
from gpkit.export.certificate import on_grid
from gpkit.export.embedded import COMMENTS, programs_in
from gpkit.export.json import read_subject
from gpkit.export.registry import Subject
from gpkit.genomes.tree import TreeProgram
from gpkit.langkit.language import check_source
from gpkit.playing.named import Named, game_for, offers_for, read_file


def read_subjects(
    path: str, language: str | None, game: str | None, rules: Mapping[str, str], seed: int
) -> list[Subject]:
    """The programs of a file: one, or all of an exported roster.

    Raises:
        SourceError: the text does not parse, or the program has an error for its game.
        UsageError: nobody knows the game, or a program of instructions fits none, or several; the game does not know a
            name in JSON; or an exported file was edited.
    """
    suffix = Path(path).suffix
    name = "program" if path == STANDARD_INPUT else Path(path).stem
    if suffix in COMMENTS:
        found = programs_in(read_text(path), path, suffix)
        return [_embedded(each, text, path, game, rules, seed) for each, text in found]
    if suffix != ".json":
        return [subject_of(read_file(path, language), name, game, rules, seed)]
    read = _read_json(read_text(path), path, game)
    program = read.program
    if program.language == TreeProgram.language:
        program = _fitted(program, read.primitives)
    header = {} if game is None else {"game": game}
    return [Subject(program, _word(name), {**read.header, **header}, read.primitives, rules, seed)]


def _embedded(
    name: str, text: str, path: str, game: str | None, rules: Mapping[str, str], seed: int
) -> Subject:
    """A program of an exported file."""
    known = language_of(name, None).load()
    return subject_of(Named(path, known.parse(text, path), known), Path(name).stem, game, rules, seed)


def subject_of(named: Named, name: str, game: str | None, rules: Mapping[str, str], seed: int) -> Subject:
    """A program that was read, as it is exported by a name.

    Raises:
        SourceError: it has an error for its game.
        UsageError: nobody knows the game, or a program of instructions fits none, or several.
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


def _fitted(program: TreeProgram, primitives: PrimitiveSet | None) -> TreeProgram:
    """The program with its sections in the order of the game, whose sensors are all that it may read."""
    if primitives is None:
        return program
    for name in (name for tree in program.trees for name in tree.reads):
        if primitives.sensor(name) is None:
            fix = suggestion(name, primitives.sensor_names)
            raise UsageError(f"`{primitives.game}` has no sensor `{name}`; {fix}")
    if set(program.names) != set(primitives.sections):
        return program
    trees: Any = tuple(program.tree(name) for name in primitives.sections)
    return type(program)(primitives.sections, trees)


def _word(name: str) -> str:
    """A name for files and headers."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name) or "program"


def rounded(subject: Subject, grid: int | None) -> Subject:
    """The program with its constants as multiples of 2^``grid``; as it is for None.

    Raises:
        UsageError: it has none.
    """
    if grid is None:
        return subject
    if subject.program.language != TreeProgram.language:
        raise UsageError(f"--grid rounds the constants of formulas, and {subject.name} has no formulas")
    return replace(subject, program=on_grid(subject.program, grid))
