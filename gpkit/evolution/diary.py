"""Diaries: the open folders of runs, where rounds and results are written, and what a result is."""

import json
import math
import sqlite3
import time  # noqa: TID251 - decides when rounds are stored; what is stored does not depend on it
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic

from gpkit.core.codec import codec
from gpkit.core.errors import GpkitError
from gpkit.core.plain_files import check_plain, make_folder, write_plain
from gpkit.core.work_folder import Description, check_work, opened_work, restored, write_checkpoint
from gpkit.evolution.engine import Search
from gpkit.evolution.front_table import (
    TABLE,
    FrontTable,
    front_files,
    read_front,
    remove_front,
    write_front,
)
from gpkit.evolution.genealogy import cut_back, database_files, open_genealogy, record
from gpkit.evolution.individual import GENERATION, Genome, Individual, Origin
from gpkit.evolution.problem import Representation
from gpkit.evolution.run_folder import (
    BEST,
    DATABASE,
    EVENTS,
    FINAL,
    Ending,
    Milestone,
    append_event,
    champion_file,
    champion_stem,
    champions,
    cut_back_champions,
    decode_state,
    encode_state,
    kept_events,
    printed,
    read_events,
    state_digest,
)
from gpkit.evolution.search import Champion, Round, State
from gpkit.evolution.summary import Summary


@dataclass(frozen=True, slots=True)
class RunResult(Generic[Genome]):
    """Result of a run.

    Attributes:
        state: the last one.
        champion: the best by validation, refined.
        reason: why it ended.
        digest: the SHA-256 of the state, 64 hexadecimal digits.
        front: the programs that none dominates, where several objectives are weighed.
    """

    state: State[Genome]
    champion: Champion[Genome]
    reason: str
    digest: str
    front: FrontTable | None = None


@dataclass(slots=True)
class Diary(Generic[Genome]):
    """An open run folder: where rounds are written.

    Attributes:
        folder: of the run.
        genealogy: its open database.
        search: what is searched; genomes are written in its representation.
        header: what the files of champions say, but for generation and fitness.
        patience: seconds after storing in which rounds wait; those that a kill takes with it are bred again.
        waiting: rounds that are not stored yet.
        stored: when rounds were stored last.
    """

    folder: Path
    genealogy: sqlite3.Connection
    search: Search[Genome]
    header: Mapping[str, str]
    patience: float = 0.0
    waiting: list[Round[Genome]] = field(default_factory=list)
    stored: float = -math.inf

    def restore(self) -> State[Genome] | None:
        """The state of the last checkpoint; None before the first one.

        Raises:
            CheckpointError: the checkpoints are damaged.
        """
        return restored(self.folder, partial(decode_state, search=self.search))

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
        """Cut back everything that was written after the last checkpoint, and note that the run goes on from there."""
        generation = -1 if state is None else state.generation
        cut_back(self.genealogy, generation)
        cut_back_champions(self.folder, generation)
        remove_front(self.folder)
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
        text = printed(self.search.representation)
        record(self.genealogy, [each for done in rounds for each in done.generations], text)
        for done in rounds:
            state = done.state
            for summary, _ in done.generations:
                self.note({"event": "generation", **codec(Summary).write(summary)})
            if state.champion.generation == state.generation:
                found = state.champion
                whole = found.individual._replace(genome=self.search.written(found.individual.genome))
                self._write_champion(replace(found, individual=whole), champion_stem(state.generation))
                self.note({"event": "champion", **codec(Milestone).write(self._described(state.champion))})
        for done in rounds[-2:]:
            write_checkpoint(self.folder, encode_state(done.state, text))
        self.stored = time.monotonic()

    def write_end(self, result: RunResult[Genome]) -> None:
        """Store how the run ended, its refined champion, and its front."""
        self.store()
        if result.front is not None:
            write_front(self.folder, result.front, self.search.representation, self.header)
        self._write_champion(result.champion, FINAL)
        champion = self._described(result.champion)
        end = Ending(result.state.generation, result.reason, result.digest, champion)
        self.note({"event": "end", **codec(Ending).write(end)})

    def note(self, event: Mapping[str, Any]) -> None:
        """Add an event to the log."""
        append_event(self.folder / EVENTS, event)

    def _described(self, champion: Champion[Genome]) -> Milestone:
        individual = champion.individual
        return Milestone(
            champion.generation,
            individual.number,
            champion.fitness,
            champion.score,
            individual.size,
            individual.origin.operator,
            self.search.representation.print(individual.genome),
        )

    def _write_champion(self, champion: Champion[Genome], stem: str) -> None:
        text = champion_text(champion, self.search.representation, self.header)
        write_plain(self.folder / BEST / f"{stem}{self.search.representation.suffix}", text)


def champion_text(
    champion: Champion[Genome], representation: Representation[Genome], header: Mapping[str, str]
) -> str:
    """The program file of a champion.

    Args:
        champion: of a run.
        representation: of its genome.
        header: what the files of all champions of the run say.
    """
    return representation.print(champion.individual.genome, champion_header(champion, header))


def champion_header(champion: Champion[Any], header: Mapping[str, str]) -> dict[str, str]:
    """The header of the program file of a champion, with what the files of all champions of the run say."""
    own = {
        "generation": str(champion.generation),
        "fitness": f"{champion.fitness + 0.0:.6g}",
        "score": f"{champion.score + 0.0:.6g}",
    }
    return {**header, **own}


def check_folder(folder: Path, description: Description, *, resume: bool) -> None:
    """Refuse what ``open_diary`` would refuse, and store nothing.

    Raises:
        CheckpointError: as for ``open_diary``.
        UsageError: as for ``open_diary``.
    """
    check_work(folder, description, (EVENTS, TABLE, *database_files(DATABASE)), resume=resume)
    check_plain(folder, (path.relative_to(folder).as_posix() for path in front_files(folder)))
    check_plain(folder / BEST, (path.name for path in champions(folder)))


def reached_generation(folder: Path) -> int | None:
    """The generation of the last checkpoint in the folder of a run; None before the first one.

    Raises:
        CheckpointError: the checkpoints are damaged.
    """
    return restored(folder, lambda data: GENERATION.read(data.get("generation")))


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
            diary = Diary(folder, genealogy, search, header, patience)
            try:
                yield diary
            finally:
                diary.store()
