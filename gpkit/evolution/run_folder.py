"""The folder of a run of evolution: what is in it.

``run.json`` (configuration, seed, versions, arguments) · ``state.json`` and ``state.previous.json`` (checkpoints) ·
``run.db`` (genealogy) · ``events.jsonl`` · ``best/*.tree`` (champions) · where several objectives are weighed,
``front.json`` and ``front/*.tree`` (the front at the end) · ``run.lock`` and ``run.pid`` (held while
somebody writes, and who it is).
"""

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, Protocol

from gpkit.core.errors import CheckpointError, GpkitError, UsageError
from gpkit.core.json_values import LARGEST, items, member, number, parse_json, table, text, whole
from gpkit.core.plain_files import append_line, check_named, is_folder, is_there, read_plain, remove_plain
from gpkit.core.work_folder import RUN, Description, digest, read_description
from gpkit.evolution.config import Config, config_from_data, evolved, tables_from_data
from gpkit.evolution.engine import Search
from gpkit.evolution.fit_config import FIT, MOVED, FitConfig
from gpkit.evolution.individual import STRIDE, Genome, Individual, Origin
from gpkit.evolution.own_problem import PROBLEM, AnyConfig, ProblemConfig
from gpkit.evolution.presets import named_language
from gpkit.evolution.problem import Genome_contra, Representation
from gpkit.evolution.search import Champion, State

KIND = "gpkit.run/1"

MAX_GENERATION = LARGEST // STRIDE - 1
"""The last generation whose individuals have numbers that a database holds."""

DATABASE, EVENTS, BEST = "run.db", "events.jsonl", "best"


def read_run(folder: Path) -> tuple[Description, AnyConfig]:
    """The description of the run in a folder, and its configuration, whose kind its tables say.

    Raises:
        CheckpointError: the folder holds no run, or its description is damaged.
        UsageError: the configuration is one of another version.
    """

    def read(data: Mapping[str, Any]) -> AnyConfig:
        for key, bare in ((PROBLEM, ProblemConfig()), (FIT, FitConfig())):
            if key in data:  # stored whole: what an earlier version did not have is as without a preset
                language = named_language(data, bare, key)
                return tables_from_data(data, replace(bare, representation=evolved(language).Settings()))
        if "data" in data:
            raise UsageError(MOVED)
        return config_from_data(data, Config())

    description = read_description(folder, KIND)
    config = description.read_config(folder, read)
    if isinstance(config, FitConfig):
        if not config.fit.sha256:
            raise CheckpointError(f"{folder / RUN} is damaged: it lacks the SHA-256 of its table")
        file = check_named(_found(folder.absolute(), config.fit.file), where=str(folder / RUN))
        config = replace(config, fit=replace(config.fit, file=file))
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
            event = table(parse_json(line))
        except ValueError:
            continue
        try:
            whole(event.get("generation", 0), 0, MAX_GENERATION)
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


class Printing(Protocol[Genome_contra]):
    """Source of the texts of genomes, as a representation is."""

    def print(self, genome: Genome_contra, header: Mapping[str, str] | None = None) -> str: ...


class Printed(Generic[Genome]):
    """Texts of genomes, each printed once although genealogy and checkpoint both hold it."""

    def __init__(self, space: Printing[Genome]) -> None:
        self._space = space
        self._texts: dict[
            int, tuple[Genome, str]
        ] = {}  # by identity, as equal genomes may print apart, such as -0.0

    def print(self, genome: Genome, header: Mapping[str, str] | None = None) -> str:
        """The text of a genome."""
        if header is not None:
            return self._space.print(genome, header)
        if id(genome) not in self._texts:
            self._texts[id(genome)] = genome, self._space.print(genome)
        return self._texts[id(genome)][1]


def encode_state(state: State[Genome], representation: Printing[Genome]) -> dict[str, Any]:
    """A state as JSON values; programs are their canonical text."""
    champion = state.champion
    return {
        "generation": state.generation,
        "evaluations": state.evaluations,
        "islands": [[encode_individual(i, representation) for i in island] for island in state.islands],
        "hall": [representation.print(genome) for genome in state.hall],
        "champion": {
            "individual": encode_individual(champion.individual, representation),
            "score": encode_number(champion.score),
            "fitness": encode_number(champion.fitness),
            "generation": champion.generation,
        },
    }


def decode_state(data: Mapping[str, Any], search: Search[Genome]) -> State[Genome]:
    """The state of JSON values, which must be one of this search.

    Raises:
        CheckpointError: a value is missing or of the wrong kind, a program does not parse or is of another game, or
            there are more or fewer islands or individuals than in the search.
    """
    representation = search.representation
    try:
        generation = whole(member(data, "generation"), 0, MAX_GENERATION)
        champion = member(data, "champion")
        state = State(
            generation=generation,
            islands=tuple(
                tuple(decode_individual(one, representation, generation) for one in items(island))
                for island in items(member(data, "islands"))
            ),
            champion=Champion(
                decode_individual(member(champion, "individual"), representation, generation),
                decode_score(member(champion, "score")),
                decode_score(member(champion, "fitness")),
                whole(member(champion, "generation"), 0, generation),
            ),
            hall=tuple(representation.parse(text(one)) for one in items(member(data, "hall"))),
            evaluations=whole(member(data, "evaluations")),
        )
        _check_counts(state, search)
    except (ValueError, GpkitError) as error:
        raise CheckpointError(f"the checkpoint does not hold a state: {error}") from error
    return state


def _check_counts(state: State[Genome], search: Search[Genome]) -> None:
    """Check that there are as many of everything as in a search.

    Raises:
        ValueError: there are not.
    """
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


def encode_individual(individual: Individual[Genome], representation: Printing[Genome]) -> dict[str, Any]:
    """An individual as JSON values; objectives and behaviour only where there are some."""
    origin = individual.origin
    vectors = {"objectives": individual.objectives, "behaviour": individual.behaviour}
    return {
        "number": individual.number,
        "program": representation.print(individual.genome),
        "operator": origin.operator,
        "parents": list(origin.parents),
        "places": [list(place) for place in origin.places],
        "score": encode_number(individual.score),
        "fitness": encode_number(individual.fitness),
        "cases": [encode_number(case) for case in individual.cases],
        "note": individual.note,
        "trials": individual.trials,
        **{name: [encode_number(one) for one in values] for name, values in vectors.items() if values},
    }


def decode_individual(
    data: Any, representation: Representation[Genome], generation: int
) -> Individual[Genome]:
    """The individual of JSON values, of a population of that generation.

    Raises:
        ValueError: a value is missing or of the wrong kind.
        GpkitError: the program is none.
    """
    genome = representation.parse(text(member(data, "program")))
    own = whole(member(data, "number"), 0, (generation + 1) * STRIDE - 1)
    places = [items(place) for place in items(member(data, "places"))]
    if any(len(place) != 2 for place in places):
        raise ValueError("a place must be a name and a position")
    return Individual(
        number=own,
        genome=genome,
        size=representation.size(genome),
        origin=Origin(
            text(member(data, "operator")),
            tuple(whole(parent, 0, own) for parent in items(member(data, "parents"))),
            tuple((text(name), whole(position, -LARGEST)) for name, position in places),
        ),
        score=decode_score(member(data, "score")),
        fitness=decode_score(member(data, "fitness")),
        cases=decode_numbers(member(data, "cases")),
        note=text(member(data, "note")),
        trials=whole(member(data, "trials")),
        objectives=decode_numbers(data.get("objectives", [])),
        behaviour=decode_numbers(data.get("behaviour", [])),
    )


def encode_number(number: float) -> float | str:
    """A float as a JSON value; JSON has no infinities."""
    return number if math.isfinite(number) else repr(number)


def decode_number(value: Any) -> float:
    """The float of a JSON value.

    Raises:
        ValueError: it is neither a number nor what ``encode_number`` writes for one that is not finite.
    """
    return float(value) if value in ("inf", "-inf", "nan") else number(value)


def decode_numbers(value: Any) -> tuple[float, ...]:
    """The floats of a JSON list.

    Raises:
        ValueError: it is none, or an item of it is not a number.
    """
    return tuple(decode_number(one) for one in items(value))


def decode_score(value: Any) -> float:
    """The score or the fitness of a JSON value: a number, or that of what could not be evaluated.

    Raises:
        ValueError: it is something else.
    """
    return -math.inf if value == "-inf" else number(value)


def state_digest(state: State[Genome], representation: Representation[Genome]) -> str:
    """The SHA-256 of a state: equal for equal populations, champions and halls of fame."""
    return digest(encode_state(state, representation))
