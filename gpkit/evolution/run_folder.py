"""The folder of a run of evolution: its files, and how gpkit opens, resumes, writes and closes them.

``run.json`` (configuration, seed, versions, arguments) · ``state.json`` and ``state.previous.json`` (checkpoints) ·
``run.db`` (genealogy) · ``events.jsonl`` · ``best/*.tree`` (champions) · with several objectives, ``front.json`` and
``front/*.tree`` (the front at the end) · ``run.lock`` (locked while a process writes) and ``run.pid`` (the ID of that
process).
"""

import json
import math
import sqlite3
import time  # noqa: TID251 - decides when rounds are stored; what is stored does not depend on it
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, Generic, TypeVar

from gpkit.core.codec import (
    Codec,
    Count,
    as_table,
    as_text,
    codec,
    parse_json,
    print_document,
    print_json,
    read_document,
    write_real,
)
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError, GpkitError, told_as
from gpkit.core.plain_files import (
    append_line,
    check_named,
    is_folder,
    is_there,
    make_folder,
    read_plain,
    remove_plain,
    write_plain,
)
from gpkit.core.work_folder import (
    BEST,
    FINAL,
    RUN,
    Description,
    check_unused,
    check_work,
    digest,
    opened_work,
    read_description,
    restored,
    write_checkpoint,
)
from gpkit.evolution.config import Config
from gpkit.evolution.fronts import FRONT_FOLDER as FRONT_FOLDER
from gpkit.evolution.fronts import LOWER as LOWER
from gpkit.evolution.fronts import FrontRow as FrontRow
from gpkit.evolution.fronts import FrontTable as FrontTable
from gpkit.evolution.problem import (
    GENERATION,
    STRIDE,
    Generation,
    Genome,
    Genome_co,
    Individual,
    Origin,
    Population,
    Representation,
    Score,
)
from gpkit.evolution.search import Champion, Round, Search, SearchState, Summary
from gpkit.evolution.subjects import config_from_data

KIND = "gpkit.run/2"

DATABASE, EVENTS = "run.db", "events.jsonl"
FRONT_TABLE, FRONT_SCHEMA = "front.json", "gpkit.front/2"

MAX_TABLE = 1 << 28
"""The maximum size in bytes of a table that gpkit reads."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """The event in the log for a newly found champion.

    Attributes:
        generation: the generation in which the champion was found.
        number: the number of the individual.
        fitness, score: the validation result with and without the penalty for size.
        size: the number of nodes.
        operator: the operator that made the champion.
        program: the champion's text, without a header.
    """

    generation: Generation
    number: Count
    fitness: Score
    score: Score
    size: Count
    operator: str
    program: str


@dataclass(frozen=True, slots=True)
class Ending:
    """The event in the log for the end of a run.

    Attributes:
        generation: the last generation.
        reason: the reason for the end of the run.
        sha256: the hash of the state.
        champion: the refined champion.
    """

    generation: Generation
    reason: str
    sha256: str
    champion: Milestone


@dataclass(frozen=True, slots=True)
class RunResult(Generic[Genome_co]):
    """The result of a run.

    Attributes:
        state: the last state.
        champion: the best program in validation, after refinement.
        reason: the reason for the end of the run.
        digest: the SHA-256 of the state, 64 hexadecimal digits.
        front: the programs that no other program dominates, if there are several objectives.
        programs: the front's programs as genomes; empty if the front was read from a file.
    """

    state: SearchState[Genome_co]
    champion: Champion[Genome_co]
    reason: str
    digest: str
    front: FrontTable | None = None
    programs: tuple[Genome_co, ...] = ()


def check_folder(folder: Path, description: Description, *, resume: bool) -> None:
    """Raise every error that ``open_diary`` would raise, without storing anything.

    Raises:
        CheckpointError: in the same cases as for ``open_diary``.
        UsageError: in the same cases as for ``open_diary``.
    """
    if not resume:
        check_unused(folder)
        return
    database = [DATABASE + suffix for suffix in DATABASE_SUFFIXES]
    programs = [path.relative_to(folder).as_posix() for path in (*front_files(folder), *champions(folder))]
    check_work(folder, description, (EVENTS, FRONT_TABLE, *database, *programs))


@dataclass(slots=True)
class Diary(Generic[Genome]):
    """An open run folder, to which gpkit writes rounds.

    Attributes:
        folder: the folder of the run.
        genealogy: the run's open database.
        search: the search; genomes are written in its representation.
        header: the header of the champions' files, without generation and fitness.
        resumed: whether the folder already contained the run, so that there may be data to restore or to delete.
        patience: the minimum number of seconds between two writes; if the process is killed, a resumed run repeats the
            waiting rounds.
        waiting: the rounds that are not stored yet.
        stored: the time of the last write.
        texts: the genomes of the last write with their texts, by identity, because equal genomes may have different
            texts, as for -0.0.
    """

    folder: Path
    genealogy: sqlite3.Connection
    search: Search[Genome]
    header: Mapping[str, str]
    resumed: bool
    patience: float = 0.0
    waiting: list[Round[Genome]] = field(default_factory=list)
    stored: float = -math.inf
    texts: dict[int, tuple[Genome, str]] = field(default_factory=dict)

    def restore(self) -> SearchState[Genome] | None:
        """The state of the last checkpoint; None before the first checkpoint.

        Raises:
            CheckpointError: the checkpoints are damaged.
        """
        return restored(self.folder, partial(decode_state, search=self.search)) if self.resumed else None

    def ended(self, state: SearchState[Genome], reason: str) -> RunResult[Genome] | None:
        """The stored result if the run ended in this state for this reason; None if not, or if the run has no champion.

        The result is also None if a different rule chose the champion.

        Raises:
            CheckpointError: the log cannot be read.
        """
        representation, found = self.search.representation, state.champion.individual
        digest = state_digest(state, representation)
        last = next(iter(read_events(self.folder / EVENTS)[-1:]), {})
        if [last.get(key) for key in ("event", "reason", "sha256")] != ["end", reason, digest]:
            return None
        try:
            champion_file(self.folder, FINAL)
            end = codec(Ending).read(last).champion
            genome = representation.parse(end.program)
            origin = Origin(end.operator, (end.number,))
            refined = Individual(end.number, genome, representation.size(genome), origin)
            known = [found, *(i for population in state.islands for i in population)]
            champion = Champion(
                next((i for i in known if (i.number, i.genome) == (end.number, genome)), refined),
                end.score,
                end.fitness,
                end.generation,
            )
            front = read_front(self.folder)
            if (front and front.rule) != (self.search.front and self.search.front.name):
                return None
            return RunResult(state, champion, reason, digest, front)
        except (ValueError, GpkitError):
            return None

    def go_on(self, state: SearchState[Genome] | None) -> None:
        """Start the log or, in a resumed run, delete all data after the last checkpoint and log the resumption."""
        events: list[dict[str, Any]] = []
        if self.resumed:
            generation = -1 if state is None else state.generation
            cut_back(self.genealogy, generation)
            for path in champions(self.folder):
                if path.stem > champion_stem(generation):
                    remove_plain(path)
            for path in (*front_files(self.folder), self.folder / FRONT_TABLE):
                remove_plain(path)
            events = kept_events(read_events(self.folder / EVENTS), generation)
        write_plain(self.folder / EVENTS, "".join(json.dumps(event) + "\n" for event in events))
        if state is not None:
            self.note({"event": "resume", "generation": state.generation})

    def write(self, done: Round[Genome]) -> None:
        """Store a round and all waiting rounds; if the last write was too recent, this round waits too.

        Raises:
            CheckpointError: the file cannot be written.
        """
        self.waiting.append(done)
        if time.monotonic() - self.stored >= self.patience:
            self.store()

    def store(self) -> None:
        """Store the waiting rounds; the checkpoint is written last, so that it is never ahead of the other files.

        Raises:
            CheckpointError: the file cannot be written.
        """
        rounds, self.waiting = self.waiting, []
        if not rounds:
            return
        before, self.texts = self.texts, {}

        def text(genome: Genome) -> str:
            """The text of a genome, printed only once for both the genealogy and the checkpoints."""
            if id(genome) not in self.texts:
                known = before.get(id(genome)) or (genome, self.search.representation.print(genome))
                self.texts[id(genome)] = known
            return self.texts[id(genome)][1]

        record(self.genealogy, [each for done in rounds for each in done.generations], text)
        for done in rounds:
            state = done.state
            for summary, _ in done.generations:
                self.note({"event": "generation", **codec(Summary).write(summary)})
            if state.champion.generation == state.generation:
                whole = self.search.written(state.champion.individual.genome)
                found = self._write_champion(state.champion, whole, champion_stem(state.generation))
                self.note({"event": "champion", **codec(Milestone).write(found)})
        for done in rounds[-2:]:
            write_checkpoint(self.folder, encode_state(done.state, text))
        self.stored = time.monotonic()

    def write_end(self, result: RunResult[Genome]) -> None:
        """Store the end of the run, its refined champion, and its front."""
        self.store()
        if result.front is not None:
            write_front(self.folder, result.front, result.programs, self.search.representation, self.header)
        champion = self._write_champion(result.champion, result.champion.individual.genome, FINAL)
        end = Ending(result.state.generation, result.reason, result.digest, champion)
        self.note({"event": "end", **codec(Ending).write(end)})

    def note(self, event: Mapping[str, object]) -> None:
        """Add an event to the log."""
        append_line(self.folder / EVENTS, json.dumps(event, allow_nan=False, ensure_ascii=False))

    def _write_champion(self, champion: Champion[Genome], whole: Genome, stem: str) -> Milestone:
        """Write ``whole``, the champion's complete program for users, to a file, and return the event for the log."""
        representation, individual = self.search.representation, champion.individual
        text = representation.print(whole, champion_header(champion, self.header))
        write_plain(self.folder / BEST / f"{stem}{representation.suffix}", text)
        return Milestone(
            champion.generation,
            individual.number,
            champion.fitness,
            champion.score,
            individual.size,
            individual.origin.operator,
            representation.print(individual.genome),
        )


@contextmanager
def open_diary(
    search: Search[Genome],
    folder: Path,
    description: Description,
    header: Mapping[str, str],
    *,
    resume: bool,
    patience: float = 0.0,
) -> Iterator[Diary[Genome]]:
    """Open the folder of a new run or, with ``resume``, of an existing one, and lock it against other processes.

    Short rounds wait up to ``patience`` seconds so that gpkit can store them together. gpkit stores them no later than
    at the end of this context, even after an error.

    Raises:
        CheckpointError: the folder is in use; the folder of a new run is not empty; or there is no run to resume.
        UsageError: the run to resume has a different configuration.
    """
    with opened_work(folder, description, resume=resume):
        make_folder(folder / BEST)
        with open_genealogy(folder / DATABASE) as genealogy:
            diary = Diary(folder, genealogy, search, header, resume, patience)
            try:
                yield diary
            finally:
                diary.store()


# Champions: their program files.


def champion_header(champion: Champion[Hashable], header: Mapping[str, str]) -> dict[str, str]:
    """The header of a champion's program file, including the lines that all champions of the run share."""
    own = {
        "generation": str(champion.generation),
        "fitness": f"{champion.fitness + 0.0:.6g}",
        "score": f"{champion.score + 0.0:.6g}",
    }
    return {**header, **own}


def champion_stem(generation: int) -> str:
    """The file name, without its suffix, of the champion found in a generation; the names sort by generation."""
    return f"generation-{generation:06}"


def champions(folder: Path) -> list[Path]:
    """The program files of the champions, in the order of their generations.

    Raises:
        CheckpointError: the folder of the champions is not a plain folder inside the run's folder.
    """
    return sorted((folder / BEST).glob("generation-*.*")) if is_folder(folder / BEST) else []


def champion_file(folder: Path, stem: str) -> Path:
    """The program file with this name (given without its suffix).

    Raises:
        CheckpointError: there is no such file, or the name belongs to something other than a plain file.
    """
    if is_folder(folder / BEST):
        for path in sorted((folder / BEST).glob(f"{stem}.*")):
            is_there(path)
            return path
    raise CheckpointError(f"{folder / BEST} has no program {stem}")


# The log of events.


def read_events(path: Path) -> list[dict[str, Any]]:
    """The events of a log, in order, without incomplete lines; empty if there is no log.

    Raises:
        CheckpointError: the log is not a plain file, it cannot be read, or an event has an impossible generation.
    """
    if not is_there(path):
        return []
    events = list(events_in(read_plain(path)))
    try:
        for event in events:
            GENERATION.read(event.get("generation", 0))
    except ValueError as error:
        raise CheckpointError(f"{path} is damaged: the generation of an event is {error}") from error
    return events


def events_in(lines: bytes) -> Iterator[dict[str, Any]]:
    """The events in the lines of a log, in order; incomplete lines are left out."""
    for line in lines.split(b"\n"):
        try:
            event = dict(as_table(parse_json(line)))
        except ValueError:
            continue
        yield event


def kept_events(events: list[dict[str, Any]], generation: int) -> list[dict[str, Any]]:
    """The events of a run that continues from a generation: the events up to it, and events without a generation.

    The event for the end of the run is left out, because the run will end again. An earlier attempt to resume from this
    generation is left out too, because it produced nothing.
    """
    return [
        event
        for event in events
        if event.get("generation", -1) <= generation
        and event.get("event") != "end"
        and (event.get("event"), event.get("generation")) != ("resume", generation)
    ]


# The state of a search as the JSON values of a checkpoint.


def encode_state(state: SearchState[Genome], text: Callable[[Genome], str]) -> dict[str, Any]:
    """A state as JSON values, with each program as canonical text."""
    data: dict[str, Any] = codec(SearchState, {TypeVar: Codec(text, as_text)}).write(state)
    return data


def decode_state(data: Mapping[str, object], search: Search[Genome]) -> SearchState[Genome]:
    """Read a state from JSON values, which must fit this search.

    Raises:
        ValueError: a value is missing or has the wrong type, a program does not parse or is for another game, or the
            numbers of islands and individuals do not fit the search.
    """
    space = search.representation
    programs = Codec(space.print, lambda value: space.parse(as_text(value)))
    state: SearchState[Genome] = codec(SearchState, {TypeVar: programs}).read(data)
    _check_counts(state, search)
    return state


def _check_counts(state: SearchState[Genome], search: Search[Genome]) -> None:
    """Check that the counts of a state fit the search, and that no individual is younger than its child.

    Raises:
        ValueError: a check fails.
    """
    everybody = [state.champion.individual, *chain(*state.islands)]
    youngest = max(state.champion.generation, *(each.generation for each in everybody))
    if youngest > state.generation or any(max(i.origin.parents, default=0) > i.number for i in everybody):
        raise ValueError("an individual is younger than its child, or than the state")
    islands, (least, most) = (
        search.islands.left(state.generation),
        search.parameters.scheme.room(search.parameters.size),
    )
    counts = [("island", len(state.islands), islands, islands)]
    counts += [("individual", len(island), least, most) for island in state.islands]
    for what, found, low, high in counts:
        if not low <= found <= high:
            count = f"{low}" if low == high else f"{low} to {high}"
            raise ValueError(f"it has {found} {what}s, and the run has {count}")
    if len(state.hall) > search.hall:
        raise ValueError(f"its hall of fame has {len(state.hall)} programs, more than {search.hall}")


def state_digest(state: SearchState[Genome], representation: Representation[Genome]) -> str:
    """The SHA-256 of a state, which is the same for equal populations, champions and halls of fame in any storage."""
    data = encode_state(state, representation.print)
    data["islands"] = [[_named(each) for each in island] for island in data["islands"]]
    data["champion"]["individual"] = _named(data["champion"]["individual"])
    return digest(data)


def _named(row: Sequence[Any]) -> dict[str, Any]:
    """The fields of an individual by name, for the SHA-256 of a state; empty objectives and behaviour are left out."""
    individual = Individual(*row)
    origin = zip(Origin._fields, individual.origin, strict=True)
    named = individual._asdict() | dict(origin) | {"program": individual.genome}
    return {
        name: value
        for name, value in named.items()
        if name not in ("genome", "size", "origin") and (value or name not in ("objectives", "behaviour"))
    }


def reached_generation(folder: Path) -> int | None:
    """The generation of the last checkpoint in a run's folder; None before the first checkpoint.

    Raises:
        CheckpointError: the checkpoints are damaged.
    """
    return restored(folder, lambda data: GENERATION.read(data.get("generation")))


# The genealogy: an SQLite database of births, with their parents, and of everyone's fitness in each generation.
#
# Tables: ``individuals`` (number, generation, operator, size, program, parents, places), ``fitness`` (generation,
# island, rank, number, score, fitness, trials, cases, note); and where a problem has several objectives or a map its
# behaviour, ``vectors`` (generation, island, rank, objectives, behaviour). Parents are a list of numbers in JSON,
# places one of sections with positions.


TABLES = f"""
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


DATABASE_SUFFIXES = ("", "-wal", "-shm", "-journal")
"""The suffixes of a database file and of SQLite's auxiliary files."""


@contextmanager
def open_genealogy(path: Path, *, reading: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the database of a run, creating it if it does not exist; it is closed at the end of the context.

    With ``reading``, the database must exist, and gpkit writes nothing to it. The run may still be in progress, or may
    have crashed.

    Raises:
        CheckpointError: the file is missing, is not a plain file, or is not a usable database.
    """
    for (
        suffix
    ) in DATABASE_SUFFIXES:  # SQLite opens files by name, so each of them is a plain one or not there
        is_there(path.with_name(path.name + suffix))
    place = str(path)
    if reading:
        if not is_there(path):
            raise CheckpointError(f"{path} is missing")
        # Without a log beside it nobody writes, and then nothing but the file itself is looked at: a reader of the log
        # would leave files behind, and needs a folder that it may write to.
        how = "mode=ro" if path.with_name(path.name + "-wal").exists() else "mode=ro&immutable=1"
        place = f"{path.resolve().as_uri()}?{how}"
    with (
        told_as(CheckpointError, str(path), sqlite3.Error, UnicodeDecodeError),
        closing(sqlite3.connect(place, uri=reading)) as connection,
    ):
        _check_schema(connection)
        if not reading:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.executescript(TABLES)
        yield connection


def _check_schema(connection: sqlite3.Connection) -> None:
    """Check that a database has only the tables of a genealogy, and no views or triggers, which could run code.

    Raises:
        CheckpointError: the database contains something else.
    """
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master"
    connection.execute("PRAGMA trusted_schema = OFF")
    with closing(sqlite3.connect(":memory:")) as ours:
        ours.executescript(TABLES + VECTORS)
        known = set(ours.execute(query))
    for entry in connection.execute(query):
        if entry not in known:
            raise CheckpointError(
                f"the genealogy is damaged: it holds the {entry[0]} {shortened(repr(entry[1]))}"
            )


def record(
    connection: sqlite3.Connection,
    generations: Sequence[tuple[Summary, Sequence[Population[Genome]]]],
    text: Callable[[Genome], str],
) -> None:
    """Add generations in one transaction, each with the populations of its islands."""
    with connection:
        for summary, islands in generations:
            generation = summary.generation
            born = {
                i.number: i for population in islands for i in population if i.number // STRIDE == generation
            }
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
    if not numbers:
        return "[]"
    if {*map(type, numbers)} <= {float} and math.isfinite(sum(numbers)):
        return str([*numbers])  # the same text, in a third of the time
    return json.dumps([write_real(number) for number in numbers])


def cut_back(connection: sqlite3.Connection, generation: int) -> None:
    """Delete all data after a generation; −1 deletes all data."""
    born = (generation + 1) * STRIDE
    with connection:
        connection.execute("DELETE FROM fitness WHERE generation > ?", (generation,))
        connection.execute("DELETE FROM individuals WHERE number >= ?", (born,))
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'vectors'").fetchone():
            connection.execute("DELETE FROM vectors WHERE generation > ?", (generation,))


# The front at the end: ``front.json`` has the names of the objectives and which way is better, and of each program, in
# the order of the files below ``front/``, its number, size, objectives as they were measured, standard error, and text.


def write_front(
    folder: Path,
    table: FrontTable,
    programs: Sequence[Genome],
    representation: Representation[Genome],
    header: Mapping[str, str],
) -> None:
    """Store a front: first the program files, then the table.

    Args:
        folder: the folder of the run.
        table: the front.
        programs: the programs of the front's rows.
        representation: the representation of the front's programs.
        header: the header that all champions of the run share.

    Raises:
        CheckpointError: the file cannot be written.
    """
    make_folder(folder / FRONT_FOLDER)
    for place, program in enumerate(programs):
        own = {**header, "objectives": table.words(place)}
        write_plain(folder / table.file(place), representation.print(program, own))
    write_plain(folder / FRONT_TABLE, print_json(print_document(FRONT_SCHEMA, table)) + "\n")


def front_files(folder: Path) -> list[Path]:
    """The program files of the front of the run in a folder.

    Raises:
        CheckpointError: the front's folder is not a plain folder inside the run's folder.
    """
    return sorted((folder / FRONT_FOLDER).glob("[0-9]*.*")) if is_folder(folder / FRONT_FOLDER) else []


def read_front(folder: Path) -> FrontTable | None:
    """The front of the run in a folder; None while the run is in progress, or if the run has no front.

    Raises:
        CheckpointError: the table is damaged.
    """
    path = folder / FRONT_TABLE
    if not is_there(path):
        return None
    with told_as(CheckpointError, f"{path} is damaged", ValueError):
        table = read_document(read_plain(path, MAX_TABLE), FRONT_SCHEMA, FrontTable)
        counts = {len(table.objectives), len(table.better), *(len(row.objectives) for row in table.rows)}
        if len(counts) > 1:
            raise ValueError("a program has the wrong number of objectives")
        if table.chosen is not None and table.chosen >= len(table.rows):
            raise ValueError(f"it has no program {table.chosen}")
        return table


# What the description says.


def read_run(folder: Path) -> tuple[Description, Config]:
    """The description of the run in a folder, and its configuration.

    Raises:
        CheckpointError: the folder holds no run, or its description is damaged.
        UsageError: another version of gpkit wrote the configuration.
    """
    description = read_description(folder, KIND)
    config = description.read_config(folder, config_from_data)
    if (rows := config.fit) is not None:
        if not rows.sha256:
            raise CheckpointError(f"{folder / RUN} is damaged: it lacks the SHA-256 of its table")
        file = check_named(_found(folder.absolute(), rows.file), where=str(folder / RUN))
        config = replace(config, fit=replace(rows, file=file))
    return description, config


def _found(folder: Path, file: str) -> str:
    """The path of a run's table: the stored path, or its present location, for example next to a moved folder."""
    beside = (folder.parent / Path(file).name, *(each / file for each in folder.parents))
    return next((each for each in (file, *map(str, beside)) if Path(each).is_file()), file)
