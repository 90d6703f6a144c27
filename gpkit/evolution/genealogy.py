"""The genealogy of a run: an SQLite database of who was born when, of whom, how, and how fit it was in each generation.

Tables: ``individuals`` (number, generation, operator, size, program, parents, places), ``fitness`` (generation, island,
rank, number, score, fitness, trials, cases, note); and where a problem has several objectives or a map its behaviour,
``vectors`` (generation, island, rank, objectives, behaviour). Parents are a list of numbers in JSON, places one of
sections with positions.
"""

import json
import math
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from gpkit.core.codec import Codec, Count, as_text, codec, misread, write_real
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError
from gpkit.core.json_values import parse_json
from gpkit.core.plain_files import is_there
from gpkit.evolution.individual import STRIDE, Genome, Place, Population
from gpkit.evolution.summary import Summary

SCHEMA = f"""
CREATE TABLE IF NOT EXISTS individuals (
    number INTEGER PRIMARY KEY, generation INTEGER AS (number / {STRIDE}), operator TEXT NOT NULL,
    size INTEGER NOT NULL, program TEXT NOT NULL, parents TEXT NOT NULL, places TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS fitness (
    generation INTEGER NOT NULL, island INTEGER NOT NULL, rank INTEGER NOT NULL, number INTEGER NOT NULL,
    score REAL NOT NULL, fitness REAL NOT NULL, trials INTEGER NOT NULL, cases TEXT NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (generation, island, rank)) WITHOUT ROWID;
"""

VECTORS = """
CREATE TABLE IF NOT EXISTS vectors (
    generation INTEGER NOT NULL, island INTEGER NOT NULL, rank INTEGER NOT NULL,
    objectives TEXT NOT NULL, behaviour TEXT NOT NULL, PRIMARY KEY (generation, island, rank)) WITHOUT ROWID;
"""


def _fitness(value: Any) -> float:
    """The fitness of a row; that of what could not be evaluated is minus infinity."""
    if type(value) is not float:
        raise misread(value, "a fitness")
    return value


class Ancestor(NamedTuple):
    """One individual of a lineage, with the operator that made it and where it changed its parent."""

    number: Count
    generation: Count
    operator: str
    parents: tuple[Count, ...]
    places: tuple[Place, ...]
    fitness: Annotated[float, Codec(float, _fitness)]
    program: str


@contextmanager
def open_genealogy(path: Path) -> Iterator[sqlite3.Connection]:
    """The database of a run, made if it does not exist; closed at the end.

    Raises:
        CheckpointError: the file is not a database that can be used, or something else in its place.
    """
    _check_files(path)
    connection = sqlite3.connect(path)
    try:
        _check_schema(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(SCHEMA)
        yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise CheckpointError(f"{path}: {error}") from error
    finally:
        connection.close()


def database_files(name: str) -> tuple[str, ...]:
    """The names of a database and of what SQLite keeps beside it."""
    return (name, *(name + suffix for suffix in ("-wal", "-shm", "-journal")))


def _check_files(path: Path) -> bool:
    """Whether a database is there; SQLite opens files by name, so each of them is a plain one or not there."""
    for name in database_files(path.name):
        is_there(path.with_name(name))
    return is_there(path)


def _check_schema(connection: sqlite3.Connection) -> None:
    """Check that a database has no tables but those of a genealogy: no views and no triggers, which are programs.

    Raises:
        CheckpointError: it has others.
    """
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master"
    connection.execute("PRAGMA trusted_schema = OFF")
    with closing(sqlite3.connect(":memory:")) as ours:
        ours.executescript(SCHEMA + VECTORS)
        known = set(ours.execute(query))
    for entry in connection.execute(query):
        if entry not in known:
            raise CheckpointError(
                f"the genealogy is damaged: it holds the {entry[0]} {shortened(repr(entry[1]))}"
            )


@contextmanager
def read_genealogy(path: Path) -> Iterator[sqlite3.Connection]:
    """The database of a run for reading, also while the run goes on or after it has crashed; closed at the end.

    Raises:
        CheckpointError: there is no such file, or it is not a whole database.
    """
    if not _check_files(path):
        raise CheckpointError(f"{path} is missing")
    # Without a log beside it nobody writes, and then nothing but the file itself is looked at: a reader of the log
    # would leave files behind, and needs a folder that it may write to.
    how = "mode=ro" if path.with_name(path.name + "-wal").exists() else "mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?{how}", uri=True)
        try:
            _check_schema(connection)
            yield connection
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise CheckpointError(f"{path}: {error}") from error


def record(
    connection: sqlite3.Connection,
    generations: Sequence[tuple[Summary, Sequence[Population[Genome]]]],
    text: Callable[[Genome], str],
) -> None:
    """Add generations, in one transaction: each in numbers, and the populations of its islands."""
    with connection:
        for summary, islands in generations:
            generation = summary.generation
            born = {i.number: i for population in islands for i in population if i.generation == generation}
            connection.executemany(
                "INSERT INTO individuals VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (
                        i.number,
                        i.origin.operator,
                        i.size,
                        text(i.genome),
                        str(list(i.origin.parents)),
                        f"[{', '.join([f'[{_quoted(section)}, {place}]' for section, place in i.origin.places])}]",
                    )
                    for i in born.values()
                ],
            )
            ranks = [
                (generation, island, rank, i.number, i.score, i.fitness, i.trials, _list(i.cases), i.note)
                for island, population in enumerate(islands)
                for rank, i in enumerate(population)
            ]
            connection.executemany("INSERT INTO fitness VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", ranks)
            vectors = [
                (generation, island, rank, _list(i.objectives), _list(i.behaviour))
                for island, population in enumerate(islands)
                for rank, i in enumerate(population)
                if i.objectives or i.behaviour
            ]
            if vectors:
                connection.execute(VECTORS)
                connection.executemany("INSERT INTO vectors VALUES (?, ?, ?, ?, ?)", vectors)


@lru_cache(maxsize=4096)
def _quoted(section: str) -> str:
    return json.dumps(section)


def _list(numbers: Sequence[float]) -> str:
    return json.dumps([write_real(number) for number in numbers]) if numbers else "[]"


def cut_back(connection: sqlite3.Connection, generation: int) -> None:
    """Forget everything after a generation; −1 forgets all."""
    born = (generation + 1) * STRIDE
    with connection:
        connection.execute("DELETE FROM fitness WHERE generation > ?", (generation,))
        connection.execute("DELETE FROM individuals WHERE number >= ?", (born,))
        if _one(connection, "SELECT 1 FROM sqlite_master WHERE name = ?", "vectors"):
            connection.execute("DELETE FROM vectors WHERE generation > ?", (generation,))


def lineage(connection: sqlite3.Connection, number: int) -> list[Ancestor]:
    """An individual and its first parents back to the first generation, the youngest first.

    Raises:
        CheckpointError: there is no such individual.
    """
    ancestors = [ancestor(connection, number)]
    while ancestors[-1].parents:
        ancestors.append(ancestor(connection, ancestors[-1].parents[0]))
    return ancestors


def ancestor(connection: sqlite3.Connection, number: int) -> Ancestor:
    """One individual.

    Raises:
        CheckpointError: there is no such individual, it has a parent that is younger than itself, or what is said of
            it is of the wrong kind.
    """
    query = "SELECT generation, operator, program, parents, places FROM individuals WHERE number = ?"
    row = _one(connection, query, number)
    if row is None:
        raise CheckpointError(f"the genealogy has no individual {number}")
    best = _one(
        connection,
        "SELECT fitness FROM fitness WHERE generation >= ? AND number = ? ORDER BY generation LIMIT 1",
        row[0],
        number,
    )
    try:
        parents, places = (parse_json(as_text(each)) for each in row[3:])
        fitness = math.nan if best is None else best[0]
        found = codec(Ancestor).read((number, *row[:2], parents, places, fitness, row[2]))
    except ValueError as error:
        raise CheckpointError(f"the genealogy is damaged: individual {number}: {error}") from error
    if any(parent >= number for parent in found.parents):
        raise CheckpointError(f"the genealogy is damaged: {number} has a parent that is not older")
    return found


def count_ancestors(connection: sqlite3.Connection, number: int) -> int:
    """Number of ancestors of an individual, by first parents and mates."""
    query = (
        "WITH RECURSIVE line(number) AS (SELECT value FROM individuals, json_each(parents) WHERE number = ? "
        "UNION SELECT value FROM line JOIN individuals USING (number), json_each(parents)) "
        "SELECT COUNT(*) FROM line"
    )
    row = _one(connection, query, number)
    return int(row[0]) if row else 0


def ranked(connection: sqlite3.Connection, generation: int) -> list[tuple[int, str]]:
    """The numbers and programs of all individuals of a generation, the fittest first; equal programs once.

    Raises:
        CheckpointError: the genealogy is damaged.
    """
    query = (
        "SELECT f.number, program FROM fitness AS f JOIN individuals USING (number) "
        "WHERE f.generation = ? ORDER BY f.fitness DESC, island, rank"
    )
    first: dict[str, int] = {}
    try:
        for number, program in map(codec(tuple[Count, str]).read, connection.execute(query, (generation,))):
            first.setdefault(program, number)
    except ValueError as error:
        raise CheckpointError(f"the genealogy is damaged: generation {generation}: {error}") from error
    return [(number, program) for program, number in first.items()]


def _one(connection: sqlite3.Connection, query: str, *values: int | str) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = connection.execute(query, values).fetchone()
    return row
