"""The history of a run, read from its folder without changing it, even while the run is in progress."""

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection
from typing import Annotated, Any, NamedTuple

from gpkit.core.codec import Codec, Count, as_text, codec, misread, parse_json
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError, GpkitError, told_as
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.work_folder import FINAL, Description
from gpkit.evolution.config import evolved
from gpkit.evolution.problem import Place
from gpkit.evolution.run_folder import (
    DATABASE,
    EVENTS,
    Ending,
    Milestone,
    champion_file,
    champion_stem,
    open_genealogy,
    read_events,
    read_run,
)
from gpkit.evolution.search import Summary
from gpkit.evolution.setup import Subject
from gpkit.evolution.subjects import resolve
from gpkit.playing.named import program_file


@dataclass(frozen=True, slots=True)
class History:
    """The history of a run so far.

    Attributes:
        folder: the folder of the run.
        description: the content of ``run.json``.
        run: the subject of the run, as its configuration describes it.
        generations: all generations so far, from generation 0.
        milestones: the champions in the order in which they were found.
        final: the refined champion, if the run has ended.
        reason: the reason for the end of the run; empty while it is in progress.
        digest: the SHA-256 of the run's last state; empty while it is in progress.
    """

    folder: Path
    description: Description
    run: Any
    generations: tuple[Summary, ...]
    milestones: tuple[Milestone, ...]
    final: Milestone | None = None
    reason: str = ""
    digest: str = ""

    @property
    def config(self) -> Any:
        """The configuration."""
        return self.run.config

    @property
    def champion(self) -> Milestone:
        """The best program so far."""
        return self.final or self.milestones[-1]

    @property
    def champion_file(self) -> Path:
        """The program file of the best program so far."""
        stem = FINAL if self.final else champion_stem(self.milestones[-1].generation)
        return champion_file(self.folder, stem)

    def genealogy(self) -> AbstractContextManager[Connection]:
        """The genealogy of the run, opened for reading.

        Raises:
            CheckpointError: the genealogy is missing or damaged.
        """
        return open_genealogy(self.folder / DATABASE, reading=True)


def program_in(spec: str, game: str | None = None, is_run: Callable[[Path], bool] = Path.is_dir) -> str:
    """The path of a named program: a file, a shipped program, or the champion of a run.

    Args:
        spec: a path or a name.
        game: the game, needed if programs of several games have this name.
        is_run: returns whether a path is a run's folder.

    Raises:
        UsageError: no program has this name, or several have it.
        CheckpointError: the folder contains no run, or a damaged run.
    """
    path = program_file(spec, game)
    is_in_run = path != STANDARD_INPUT and is_run(Path(path))
    return str(read_history(Path(path)).champion_file) if is_in_run else path


def read_history(folder: Path) -> History:
    """The history of the run in a folder.

    Raises:
        CheckpointError: the folder contains no run, the run has no generation yet, or one of its files is damaged.
        UsageError: another version of gpkit wrote the run's configuration.
    """
    description, config = read_run(folder)
    generations: dict[int, Summary] = {}
    milestones: dict[int, Milestone] = {}
    final, reason, digest = None, "", ""
    run = resolve(config)
    for event in read_events(folder / EVENTS):
        try:
            match event.get("event"):
                case "generation":
                    summary = codec(Summary).read(event)
                    generations[summary.generation] = summary
                    final, reason, digest = None, "", ""
                case "champion":
                    milestone = _checked(codec(Milestone).read(event), run)
                    milestones[milestone.generation] = milestone
                case "end":
                    end = codec(Ending).read(event)
                    final, reason, digest = _checked(end.champion, run), end.reason, end.sha256
        except (ValueError, GpkitError) as error:
            kind = shortened(repr(event.get("event")))
            raise CheckpointError(f"{folder / EVENTS} is damaged: in an event {kind}: {error}") from error
    if not generations or not milestones:
        raise CheckpointError(f"the run in {folder} has no generation yet")
    return History(
        folder,
        description,
        run,
        tuple(generations[number] for number in sorted(generations)),
        tuple(milestones[number] for number in sorted(milestones)),
        final,
        reason,
        digest,
    )


def stored_generations(folder: Path) -> tuple[Summary, ...]:
    """The generations so far of the run in a folder, in order.

    Raises:
        CheckpointError: the log is damaged.
    """
    path = folder / EVENTS
    with told_as(CheckpointError, f"{path} is damaged: an event 'generation' is invalid", ValueError):
        found = [codec(Summary).read(each) for each in read_events(path) if each.get("event") == "generation"]
    return tuple(sorted(found, key=lambda each: each.generation))


def _checked(milestone: Milestone, run: Subject) -> Milestone:
    """Check that the champion's program is valid in this run, and return the champion."""
    run.program(milestone.program, "the champion")
    return milestone


# The genealogy of a run: individuals and their ancestors.


def _fitness(value: object) -> float:
    """The fitness in a database row; minus infinity if the individual could not be evaluated."""
    if type(value) is not float:
        raise misread(value, "a fitness")
    return value


class Ancestor(NamedTuple):
    """An individual in a lineage, with the operator that made it and the places where it changed its parent."""

    number: Count
    generation: Count
    operator: str
    parents: tuple[Count, ...]
    places: tuple[Place, ...]
    fitness: Annotated[float, Codec(float, _fitness)]
    program: str


def ancestor(connection: Connection, number: int) -> Ancestor:
    """The individual with this number.

    Raises:
        CheckpointError: there is no such individual, one of its parents is younger, or a stored value has the wrong
            type.
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
    with told_as(CheckpointError, f"the genealogy is damaged: individual {number}", ValueError):
        parents, places = (parse_json(as_text(each)) for each in row[3:])
        fitness = math.nan if best is None else best[0]
        found = codec(Ancestor).read((number, *row[:2], parents, places, fitness, row[2]))
    if any(parent >= number for parent in found.parents):
        raise CheckpointError(f"the genealogy is damaged: {number} has a parent that is not older")
    return found


def lineage(connection: Connection, number: int, *, of_copies: bool = False) -> list[Ancestor]:
    """An individual and its chain of first parents back to the first generation, youngest first.

    Args:
        connection: the connection to the genealogy.
        number: the number of the individual.
        of_copies: whether to stop at the first individual that is not an unchanged copy of its parent.

    Raises:
        CheckpointError: there is no such individual.
    """
    ancestors = [ancestor(connection, number)]
    while ancestors[-1].parents and not (of_copies and ancestors[-1].operator != CLONE):
        ancestors.append(ancestor(connection, ancestors[-1].parents[0]))
    return ancestors


def count_ancestors(connection: Connection, number: int) -> int:
    """The number of ancestors of an individual, counting those through all parents."""
    query = (
        "WITH RECURSIVE line(number) AS (SELECT value FROM individuals, json_each(parents) WHERE number = ? "
        "UNION SELECT value FROM line JOIN individuals USING (number), json_each(parents)) "
        "SELECT COUNT(*) FROM line"
    )
    row = _one(connection, query, number)
    return int(row[0]) if row else 0


def _one(connection: Connection, query: str, *values: int | str) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = connection.execute(query, values).fetchone()
    return row


# Ancestry of the champion: its first parents back to a random program, their mates, every change.


REFINED = "refine"
"""The name of the final champion's operator if refinement has changed the champion."""

CLONE = "clone"


@dataclass(frozen=True, slots=True)
class Descent:
    """A change in the ancestry of the champion.

    Attributes:
        child: the result of the change.
        until: the last generation in which the child survived unchanged.
        parent: the individual that was changed; None for a random program of the first generation.
    """

    child: Ancestor
    until: int
    parent: Ancestor | None


@dataclass(frozen=True, slots=True)
class Ancestry:
    """The ancestors of a champion.

    Attributes:
        line: the champion and its chain of first parents, youngest first, including unchanged copies.
        mates: the other parents of these individuals and, for a copy, also the original.
        count: the total number of ancestors.
    """

    line: tuple[Ancestor, ...]
    mates: tuple[Ancestor, ...]
    count: int

    def descents(self) -> tuple[Descent, ...]:
        """The changes along the line, latest first; an individual and its unchanged copies count as one individual."""
        found = []
        until = self.line[0].generation
        for child, parent in zip(self.line, (*self.line[1:], None), strict=True):
            if child.operator == CLONE and parent is not None:
                continue
            found.append(Descent(child, max(until, child.generation), parent))
            if parent is not None:  # which was there, in the generation before the child's
                until = max(parent.generation, child.generation - 1)
        return tuple(found)


def read_ancestry(history: History) -> Ancestry:
    """The ancestry of the best program so far.

    Raises:
        CheckpointError: the genealogy is missing or damaged.
    """
    champion = history.champion
    with history.genealogy() as connection:
        line = lineage(connection, champion.number)
        _check(line, history)
        known = {each.number for each in line}
        mates: dict[int, Ancestor] = {}
        for child in line:
            for number in child.parents[1:]:
                copies = lineage(connection, number, of_copies=True)
                mates |= {each.number: each for each in copies if each.number not in known}
        count = count_ancestors(connection, champion.number)
    if champion.program != line[0].program:
        line.insert(
            0,
            Ancestor(
                number=champion.number,
                generation=champion.generation,
                operator=REFINED,
                parents=(champion.number,),
                places=(),
                fitness=champion.fitness,
                program=champion.program,
            ),
        )
        count += 1
    return Ancestry(tuple(line), tuple(mates.values()), count)


def _check(line: Sequence[Ancestor], history: History) -> None:
    """Check that the individuals in a line are valid programs of their game, and that the changed places exist.

    Raises:
        CheckpointError: a program is not valid, or a place does not exist.
    """
    part_text = evolved(history.run.language.name).part_text
    for individual in line:
        with told_as(CheckpointError, "the genealogy is damaged", GpkitError):
            program = history.run.program(individual.program, f"individual {individual.number}")
        for section, position in individual.places:
            try:
                if section not in program.names or position < 0:
                    raise IndexError
                part_text(program, section, position)
            except IndexError:
                raise CheckpointError(
                    f"the genealogy is damaged: individual {individual.number} has no place {position} in {section!r}"
                ) from None
