"""The folder of a run of evolution: what is in it.

``run.json`` (configuration, seed, versions, arguments) · ``state.json`` and ``state.previous.json`` (checkpoints) ·
``run.db`` (genealogy) · ``events.jsonl`` · ``best/*.tree`` (champions) · where several objectives are weighed,
``front.json`` and ``front/*.tree`` (the front at the end) · ``run.lock`` and ``run.pid`` (held while
somebody writes, and who it is).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from gpkit.core.codec import Codec, Count, as_table, as_text, codec
from gpkit.core.errors import CheckpointError
from gpkit.core.json_values import parse_json
from gpkit.core.plain_files import append_line, check_named, is_folder, is_there, read_plain, remove_plain
from gpkit.core.work_folder import RUN, Description, digest, read_description
from gpkit.evolution.config import Config
from gpkit.evolution.engine import Search
from gpkit.evolution.individual import GENERATION, Generation, Genome, Individual, Origin, Score
from gpkit.evolution.problem import Representation
from gpkit.evolution.search import State
from gpkit.evolution.subjects import config_from_data

KIND = "gpkit.run/2"

DATABASE, EVENTS, BEST = "run.db", "events.jsonl", "best"


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


MAX_LOG = 1 << 30
"""The largest log that is read, in bytes."""


def append_event(path: Path, event: Mapping[str, Any]) -> None:
    """Add an event to the log; a line that a crash has torn before it is ended first.

    Raises:
        CheckpointError: something that is not a plain file is in the way, or the file system refuses.
    """
    append_line(path, json.dumps(event, allow_nan=False, ensure_ascii=False))


def read_events(path: Path) -> list[dict[str, Any]]:
    """The whole events of a log, in order; torn lines are left out, and a missing log has none.

    Raises:
        CheckpointError: something that is not a plain file is in its place, it cannot be read, or an event is
        of no
            generation that there can be.
    """
    if not is_there(path):
        return []
    events = []
    for line in read_plain(path, MAX_LOG).split(b"\n"):
        try:
            event = as_table(parse_json(line))
        except ValueError:
            continue
        try:
            GENERATION.read(event.get("generation", 0))
        except ValueError as error:
            raise CheckpointError(f"{path} is damaged: the generation of an event is {error}") from error
        events.append(dict(event))
    return events


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


@dataclass(frozen=True, slots=True)
class Milestone:
    """A champion when it was found: an event of the log.

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
    """The end of a run: an event of the log.

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


FINAL = "champion"
"""The stem of the file of the refined champion, written when the run ends."""


def champion_stem(generation: int) -> str:
    """The stem of the file of the champion found in a generation; names sort by generation."""
    return f"generation-{generation:06}"


def cut_back_champions(folder: Path, generation: int) -> None:
    """Forget the champions found after a generation.

    Raises:
        CheckpointError: one of them is not a plain file, or they are in no folder of the run's own.
    """
    for path in champions(folder):
        if path.stem > champion_stem(generation):
            remove_plain(path)


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


# The state of a search as the JSON values of a checkpoint.


def printed(representation: Representation[Genome]) -> Callable[[Genome], str]:
    """Prints genomes, each once although genealogy and checkpoint both hold it."""
    texts: dict[int, tuple[Genome, str]] = {}  # by identity, as equal genomes may print apart, such as -0.0

    def text(genome: Genome) -> str:
        if id(genome) not in texts:
            texts[id(genome)] = genome, representation.print(genome)
        return texts[id(genome)][1]

    return text


def encode_state(state: State[Genome], text: Callable[[Genome], str]) -> dict[str, Any]:
    """A state as JSON values; programs are their canonical text."""
    data: dict[str, Any] = codec(State, {TypeVar: Codec(text, as_text)}).write(state)
    return data


def decode_state(data: Mapping[str, Any], search: Search[Genome]) -> State[Genome]:
    """The state of JSON values, which must be one of this search.

    Raises:
        ValueError: a value is missing or of the wrong kind, a program does not parse or is of another game, or there
            are more or fewer islands or individuals than in the search.
    """
    space = search.representation
    programs = Codec(space.print, lambda value: space.parse(as_text(value)))
    state: State[Genome] = codec(State, {TypeVar: programs}).read(data)
    _check_counts(state, search)
    return state


def _check_counts(state: State[Genome], search: Search[Genome]) -> None:
    """Check that there are as many of everything as in a search, and that nothing is younger than what came of it.

    Raises:
        ValueError: it is not so.
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
    """An individual by names, as the SHA-256 of a state has it: objectives and behaviour only where there are some."""
    individual = Individual(*row)
    origin = zip(Origin._fields, individual.origin, strict=True)
    named = individual._asdict() | dict(origin) | {"program": individual.genome}
    return {
        name: value
        for name, value in named.items()
        if name not in ("genome", "size", "origin") and (value or name not in ("objectives", "behaviour"))
    }
