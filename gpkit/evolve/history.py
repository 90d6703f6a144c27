"""What a run has done so far, read from its folder without touching it: while it goes on, and however it ended."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from gpkit.core.errors import CheckpointError
from gpkit.evolve.checkpoint import decode_number
from gpkit.evolve.config import Config, config_from_data
from gpkit.evolve.events import read_events
from gpkit.evolve.genealogy import read_genealogy
from gpkit.evolve.run_folder import (
    DATABASE,
    EVENTS,
    FINAL,
    Description,
    champion_file,
    champion_stem,
    read_description,
)
from gpkit.evolve.summary import Summary


@dataclass(frozen=True, slots=True)
class Milestone:
    """A champion when it was found.

    Attributes:
        generation: when that was.
        number: of the individual.
        fitness, score: in validation, with and without the penalty for size.
        size: nodes.
        program: its text, without a header.
    """

    generation: int
    number: int
    fitness: float
    score: float
    size: int
    program: str


@dataclass(frozen=True, slots=True)
class History:
    """What a run has done so far.

    Attributes:
        folder: of the run.
        description: what ``run.json`` says.
        config: the configuration in it.
        generations: all of them so far, from generation 0 on.
        milestones: the champions in the order in which they were found.
        final: the refined champion of a run that has ended.
        reason: why it ended; empty while it has not.
    """

    folder: Path
    description: Description
    config: Config
    generations: tuple[Summary, ...]
    milestones: tuple[Milestone, ...]
    final: Milestone | None = None
    reason: str = ""

    @property
    def champion(self) -> Milestone:
        """The best program so far."""
        return self.final or self.milestones[-1]

    @property
    def champion_file(self) -> Path:
        """The program file of the best program so far."""
        stem = FINAL if self.final else champion_stem(self.milestones[-1].generation)
        return champion_file(self.folder, stem)

    @contextmanager
    def genealogy(self) -> Iterator[Connection]:
        """The genealogy of the run, for reading.

        Raises:
            CheckpointError: it is missing or damaged.
        """
        with read_genealogy(self.folder / DATABASE) as connection:
            yield connection


def read_history(folder: Path) -> History:
    """The history of the run in a folder.

    Raises:
        CheckpointError: the folder holds no run, the run has no generation yet, or a file of it is damaged.
        UsageError: its configuration is one of another version.
    """
    description = read_description(folder)
    config = config_from_data(description.config, Config())
    generations: dict[int, Summary] = {}
    milestones: dict[int, Milestone] = {}
    final, reason = None, ""
    for event in read_events(folder / EVENTS):
        try:
            match event.get("event"):
                case "generation":
                    summary = Summary.from_json(event)
                    generations[summary.generation] = summary
                    final, reason = None, ""
                case "champion":
                    milestone = _milestone(event)
                    milestones[milestone.generation] = milestone
                case "end":
                    final, reason = _milestone(event["champion"]), str(event["reason"])
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(f"{folder / EVENTS} is damaged: {error!r} in the event {event}") from error
    if not generations or not milestones:
        raise CheckpointError(f"the run in {folder} has no generation yet")
    return History(
        folder,
        description,
        config,
        tuple(generations[number] for number in sorted(generations)),
        tuple(milestones[number] for number in sorted(milestones)),
        final,
        reason,
    )


def _milestone(event: Mapping[str, Any]) -> Milestone:
    return Milestone(
        generation=int(event["generation"]),
        number=int(event["number"]),
        fitness=decode_number(event["fitness"]),
        score=decode_number(event["score"]),
        size=int(event["size"]),
        program=str(event["program"]),
    )
