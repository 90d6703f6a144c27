"""The folder of a run of evolution: its files, and how they are opened, resumed, written round by round and closed.

``run.json`` (configuration, seed, versions, arguments) · ``state.json`` and ``state.previous.json`` (checkpoints) ·
``run.db`` (genealogy) · ``events.jsonl`` · ``best/*.tree`` (champions) · where several objectives are weighed,
``front.json`` and ``front/*.tree`` (the front at the end) · ``run.lock`` and ``run.pid`` (held while
somebody writes, and who it is).
"""

import json
import math
import sqlite3
import time  # noqa: TID251 - decides when rounds are stored; what is stored does not depend on it
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from gpkit.core.codec import (
    Codec,
    Count,
    Range,
    Real,
    as_table,
    as_text,
    codec,
    print_document,
    read_document,
    write_real,
)
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError, GpkitError, told_as
from gpkit.core.json_values import parse_json, print_json
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
from gpkit.evolution.fronts import Front
from gpkit.evolution.individual import (
    GENERATION,
    STRIDE,
    Generation,
    Genome,
    Individual,
    Origin,
    Population,
    Score,
)
from gpkit.evolution.problem import Representation
from gpkit.evolution.search import Champion, Round, Search, State
from gpkit.evolution.subjects import config_from_data
from gpkit.evolution.summary import Summary

KIND = "gpkit.run/2"

DATABASE, EVENTS, BEST = "run.db", "events.jsonl", "best"
FRONT_TABLE, FRONT_FOLDER, FRONT_SCHEMA = "front.json", "front", "gpkit.front/2"

FINAL = "champion"
"""The stem of the file of the refined champion, written when the run ends."""

MAX_TABLE = 1 << 28
"""The largest table that is read, in bytes."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """A champion at the time it was found, as an event of the log.

    Attributes:
        generation: when that was.
        number: of the individual.
        fitness, score: in validation, with and without the penalty for size.
        size: nodes.
        operator: that made it.
        program: its text, without a header.
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
    """The end of a run, as an event of the log.

    Attributes:
        generation: the last one.
        reason: why it ended.
        sha256: of the state.
        champion: the refined one.
    """

    generation: Generation
    reason: str
    sha256: str
    champion: Milestone


Better = Literal["higher", "lower"]
HIGHER: Better = "higher"
LOWER: Better = "lower"


@dataclass(frozen=True, slots=True)
class FrontRow:
    """One program of a front.

    Attributes:
        number: of the individual.
        size: nodes or lines.
        objectives: in validation, as they were measured.
        error: the standard error of its score; 0 where it is exact or not known.
        program: its text, without a header.
    """

    number: Count
    size: Count
    objectives: tuple[Real, ...]
    error: Annotated[float, Range(0.0)]
    program: str


@dataclass(frozen=True, slots=True)
class FrontTable:
    """The programs that none other dominates in validation, the first objective from its best on.

    Attributes:
        objectives: their names.
        better: for each of them ``higher`` or ``lower``.
        rows: the programs.
        rule: the name of the rule that chooses the champion.
        chosen: the place of the champion among the rows, before it was refined; None if it is none of them.
        suffix: of program files, including the dot.
    """

    objectives: tuple[str, ...]
    better: tuple[Better, ...]
    rows: tuple[FrontRow, ...]
    rule: str
    chosen: Count | None
    suffix: str

    def file(self, place: int) -> str:
        """The name of the program file of a row, below the folder of the run."""
        return f"{FRONT_FOLDER}/{place + 1:03}{self.suffix}"

    def words(self, place: int) -> str:
        """The objectives of a row in words, such as ``score 0.81, size 12``."""
        pairs = zip(self.objectives, self.rows[place].objectives, strict=True)
        return ", ".join(f"{name} {value:.6g}" for name, value in pairs)

    def members(self) -> list[dict[str, Any]]:
        """The programs of the front as JSON values, each with the name of its file."""
        write = codec(FrontRow).write
        return [{"file": self.file(place), **write(row)} for place, row in enumerate(self.rows)]


@dataclass(frozen=True, slots=True)
class RunResult(Generic[Genome]):
    """Result of a run.

    Attributes:
        state: the last one.
        champion: the best by validation, refined.
        reason: why it ended.
        digest: the SHA-256 of the state, 64 hexadecimal digits.
        front: the programs that none dominates, where several objectives are weighed.
        programs: of the front, as genomes; none where it was read.
    """

    state: State[Genome]
    champion: Champion[Genome]
    reason: str
    digest: str
    front: FrontTable | None = None
    programs: tuple[Genome, ...] = ()


def check_folder(folder: Path, description: Description, *, resume: bool) -> None:
    """Refuse what ``open_diary`` would refuse, and store nothing.

    Raises:
        CheckpointError: as for ``open_diary``.
        UsageError: as for ``open_diary``.
    """
    if not resume:
        check_unused(folder)
        return
    database = [DATABASE + suffix for suffix in DATABASE_SUFFIXES]
    programs = [path.relative_to(folder).as_posix() for path in (*front_files(folder), *champions(folder))]
    check_work(folder, description, (EVENTS, FRONT_TABLE, *database, *programs))


@dataclass(slots=True)
class Diary(Generic[Genome]):
    """An open run folder: where rounds are written.

    Attributes:
        folder: of the run.
        genealogy: its open database.
        search: what is searched; genomes are written in its representation.
        header: what the files of champions say, but for generation and fitness.
        resumed: whether the folder held the run before, so that there may be something to restore or to forget.
        patience: seconds after storing in which rounds wait; those that a kill takes with it are bred again.
        waiting: rounds that are not stored yet.
        stored: when rounds were stored last.
    """

    folder: Path
    genealogy: sqlite3.Connection
    search: Search[Genome]
    header: Mapping[str, str]
    resumed: bool
    patience: float = 0.0
    waiting: list[Round[Genome]] = field(default_factory=list)
    stored: float = -math.inf

    def restore(self) -> State[Genome] | None:
        """The state of the last checkpoint; None before the first one.

        Raises:
            CheckpointError: the checkpoints are damaged.
        """
        return restored(self.folder, partial(decode_state, search=self.search)) if self.resumed else None

    def ended(self, state: State[Genome], reason: str) -> RunResult[Genome] | None:
        """The stored result of a run that has ended in a state for a reason; None if it has not, or has no champion.

        None, too, if its champion was chosen by another rule.

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

    def go_on(self, state: State[Genome] | None) -> None:
        """Begin the log, or delete what was written after the last checkpoint and note where the run resumes."""
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
        """Store a round and those that wait, unless others were stored just now: then it waits.

        Raises:
            CheckpointError: the file system refuses.
        """
        self.waiting.append(done)
        if time.monotonic() - self.stored >= self.patience:
            self.store()

    def store(self) -> None:
        """Store the rounds that wait; the checkpoint comes last, so that it never knows more than the rest.

        Raises:
            CheckpointError: the file system refuses.
        """
        rounds, self.waiting = self.waiting, []
        if not rounds:
            return
        texts: dict[int, str] = {}  # by identity, as equal genomes may print apart, such as -0.0

        def text(genome: Genome) -> str:
            """A genome as text, printed only once for both the genealogy and the checkpoint."""
            if id(genome) not in texts:
                texts[id(genome)] = self.search.representation.print(genome)
            return texts[id(genome)]

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
        """Store how the run ended, its refined champion, and its front."""
        self.store()
        if result.front is not None:
            write_front(self.folder, result.front, result.programs, self.search.representation, self.header)
        champion = self._write_champion(result.champion, result.champion.individual.genome, FINAL)
        end = Ending(result.state.generation, result.reason, result.digest, champion)
        self.note({"event": "end", **codec(Ending).write(end)})

    def note(self, event: Mapping[str, Any]) -> None:
        """Add an event to the log."""
        append_line(self.folder / EVENTS, json.dumps(event, allow_nan=False, ensure_ascii=False))

    def _write_champion(self, champion: Champion[Genome], whole: Genome, stem: str) -> Milestone:
        """Write ``whole``, the champion's program as people get it, to a file; the result is the event for the log."""
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
    """The folder of a new run, or with ``resume`` of an existing one, held against other processes.

    Short rounds wait for so many seconds of ``patience`` to be stored together, and at most until the end of this
    context, however it comes.

    Raises:
        CheckpointError: the folder is in use, or for a new run not empty, or for a resumed one not of a run.
        UsageError: the run to be resumed has another configuration.
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


def champion_header(champion: Champion[Any], header: Mapping[str, str]) -> dict[str, str]:
    """The header of the program file of a champion, with what the files of all champions of the run say."""
    own = {
        "generation": str(champion.generation),
        "fitness": f"{champion.fitness + 0.0:.6g}",
        "score": f"{champion.score + 0.0:.6g}",
    }
    return {**header, **own}


def champion_stem(generation: int) -> str:
    """The stem of the file of the champion found in a generation; names sort by generation."""
    return f"generation-{generation:06}"


def champions(folder: Path) -> list[Path]:
    """The program files of the champions, the latest last.

    Raises:
        CheckpointError: they are in no folder of the run's own.
    """
    return sorted((folder / BEST).glob("generation-*.*")) if is_folder(folder / BEST) else []


def champion_file(folder: Path, stem: str) -> Path:
    """The program file of a stem.

    Raises:
        CheckpointError: there is none, or something else in its place.
    """
    if is_folder(folder / BEST):
        for path in sorted((folder / BEST).glob(f"{stem}.*")):
            is_there(path)
            return path
    raise CheckpointError(f"{folder / BEST} has no program {stem}")


# The log of events.


def read_events(path: Path) -> list[dict[str, Any]]:
    """The whole events of a log, in order; torn lines are left out, and a missing log has none.

    Raises:
        CheckpointError: something that is not a plain file is in its place, it cannot be read, or an event is
        of no
            generation that there can be.
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
    """The events of a run that goes on from a generation: those up to it, and those that name none.

    Without the end of the run, as it has another one, and without going on from there before, as nothing came of that.
    """
    return [
        event
        for event in events
        if event.get("generation", -1) <= generation
        and event.get("event") != "end"
        and (event.get("event"), event.get("generation")) != ("resume", generation)
    ]


# The state of a search as the JSON values of a checkpoint.


def encode_state(state: State[Genome], text: Callable[[Genome], str]) -> dict[str, Any]:
    """A state as JSON values; programs are their canonical text."""
    data: dict[str, Any] = codec(State, {TypeVar: Codec(text, as_text)}).write(state)
    return data


def decode_state(data: Mapping[str, Any], search: Search[Genome]) -> State[Genome]:
    """The state that JSON values describe; it must be a state of this search.

    Raises:
        ValueError: a value is missing or of the wrong kind, a program does not parse or is for another game, or the
            numbers of islands and individuals are not those of the search.
    """
    space = search.representation
    programs = Codec(space.print, lambda value: space.parse(as_text(value)))
    state: State[Genome] = codec(State, {TypeVar: programs}).read(data)
    _check_counts(state, search)
    return state


def _check_counts(state: State[Genome], search: Search[Genome]) -> None:
    """Check that the counts of a state are those of the search, and that no individual is younger than its child.

    Raises:
        ValueError: one of these checks fails.
    """
    everybody = [state.champion.individual, *chain(*state.islands)]
    youngest = max(state.champion.generation, *(each.generation for each in everybody))
    if youngest > state.generation or any(max(i.origin.parents, default=0) > i.number for i in everybody):
        raise ValueError("somebody is younger than its child, or than the state")
    islands, (least, most) = (
        search.islands.left(state.generation),
        search.parameters.scheme.room(search.parameters.size),
    )
    counts = [("island", len(state.islands), islands, islands)]
    counts += [("individual", len(island), least, most) for island in state.islands]
    for what, found, low, high in counts:
        if not low <= found <= high:
            count = f"{low}" if low == high else f"{low} to {high}"
            raise ValueError(f"it has {found} {what}s, and the run {count}")
    if len(state.hall) > search.hall:
        raise ValueError(f"its hall of fame has {len(state.hall)} programs, more than {search.hall}")


def state_digest(state: State[Genome], representation: Representation[Genome]) -> str:
    """The SHA-256 of a state: equal for equal populations, champions and halls of fame, however these are stored."""
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
    """The generation of the last checkpoint in the folder of a run; None before the first one.

    Raises:
        CheckpointError: the checkpoints are damaged.
    """
    return restored(folder, lambda data: GENERATION.read(data.get("generation")))


# The genealogy: an SQLite database of who was born when, of whom, how, and how fit it was in each generation.
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
"""The suffixes of a database and of the files that SQLite keeps beside it."""


@contextmanager
def open_genealogy(path: Path, *, reading: bool = False) -> Iterator[sqlite3.Connection]:
    """The database of a run, made if it does not exist; closed at the end.

    With ``reading``, the database must exist, and nothing is written to it; the run may be going on or have crashed.

    Raises:
        CheckpointError: the file is not a usable database, is not a plain file, or is missing.
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
    """Check that a database has no tables but those of a genealogy: no views and no triggers, which are programs.

    Raises:
        CheckpointError: it has others.
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
    """Add generations, in one transaction: each in numbers, and the populations of its islands."""
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
    return json.dumps([write_real(number) for number in numbers]) if numbers else "[]"


def cut_back(connection: sqlite3.Connection, generation: int) -> None:
    """Forget everything after a generation; −1 forgets all."""
    born = (generation + 1) * STRIDE
    with connection:
        connection.execute("DELETE FROM fitness WHERE generation > ?", (generation,))
        connection.execute("DELETE FROM individuals WHERE number >= ?", (born,))
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'vectors'").fetchone():
            connection.execute("DELETE FROM vectors WHERE generation > ?", (generation,))


# The front at the end: ``front.json`` has the names of the objectives and which way is better, and of each program, in
# the order of the files below ``front/``, its number, size, objectives as they were measured, standard error, and text.


def front_table(front: Front[Genome], representation: Representation[Genome]) -> FrontTable:
    """The table of a front, with the programs of its members as people get them."""
    rows = []
    for one in front.members:
        values = tuple(value * way for value, way in zip(one.values, front.directions, strict=True))
        size, text = representation.size(one.program), representation.print(one.program)
        rows.append(FrontRow(one.individual.number, size, values, one.error, text))
    better = tuple(HIGHER if way > 0.0 else LOWER for way in front.directions)
    return FrontTable(front.names, better, tuple(rows), front.rule, front.chosen, representation.suffix)


def write_front(
    folder: Path,
    table: FrontTable,
    programs: Sequence[Genome],
    representation: Representation[Genome],
    header: Mapping[str, str],
) -> None:
    """Store a front: program files first, then the table.

    Args:
        folder: of the run.
        table: the front.
        programs: of its rows.
        representation: of its programs.
        header: what the files of all champions of the run say.

    Raises:
        CheckpointError: the file system refuses.
    """
    make_folder(folder / FRONT_FOLDER)
    for place, program in enumerate(programs):
        own = {**header, "objectives": table.words(place)}
        write_plain(folder / table.file(place), representation.print(program, own))
    write_plain(folder / FRONT_TABLE, print_json(print_document(FRONT_SCHEMA, table)) + "\n")


def front_files(folder: Path) -> list[Path]:
    """The program files of the front of the run in a folder.

    Raises:
        CheckpointError: they are in no folder of the run's own.
    """
    return sorted((folder / FRONT_FOLDER).glob("[0-9]*.*")) if is_folder(folder / FRONT_FOLDER) else []


def read_front(folder: Path) -> FrontTable | None:
    """The front of the run in a folder; None while it goes on, or where nothing was weighed.

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
            raise ValueError("a program has not as many objectives as there are")
        if table.chosen is not None and table.chosen >= len(table.rows):
            raise ValueError(f"it has no program {table.chosen}")
        return table


# What the description says.


def read_run(folder: Path) -> tuple[Description, Config]:
    """The description of the run in a folder, and its configuration.

    Raises:
        CheckpointError: the folder holds no run, or its description is damaged.
        UsageError: the configuration is one of another version.
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
    """The path of the table of a run: the stored one, or where the table is now, for example beside a moved folder."""
    beside = (folder.parent / Path(file).name, *(each / file for each in folder.parents))
    return next((each for each in (file, *map(str, beside)) if Path(each).is_file()), file)
