"""Records games and evaluations in a format that can test any copy of a program in any host.

The first line describes the program. All other lines have a kind: an ``evaluation`` of one formula, a ``decision``, or
a complete ``game``. A decision holds everything that the player knew, the sensor values of every candidate, and the
choice. Numbers that JSON cannot express are the strings ``inf``, ``-inf`` and ``nan``. Each evaluation contains the
inputs of a part of a program and the interpreter's value for them, so a test can compare an exported copy with the
interpreter.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

from gpkit.core.codec import plain
from gpkit.core.errors import GuestError
from gpkit.core.primitives import LIBRARY_OPERATORS, Sensor
from gpkit.core.registry import all_games, game_of
from gpkit.core.rng import stream
from gpkit.core.wording import VERSION
from gpkit.export.subject import CONFORMANCE, WRITTEN, Document, Subject
from gpkit.gamekit.game import Game
from gpkit.gamekit.state import CHANCE, ObservableState, end_of, outcome
from gpkit.genomes.tree import functions_in
from gpkit.playing.decisions import Decision as Choice
from gpkit.playing.decisions import Evaluation, follow, meaning_of
from gpkit.user_games.arena import first_of
from gpkit.user_games.faults import explain_errors
from gpkit.user_games.kernel.counters import EVENTS, OPENINGS
from gpkit.user_games.rules import WrappedState
from gpkit.vm.keyed import keyed_uniform_readable


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that a program could choose, with its sensor values, its random numbers and its value."""

    action: int
    sensors: Mapping[str, float]
    random: tuple[float, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice between at least two candidates.

    Attributes:
        section: the name of the formula that decides.
        index: the index of its action in the transcript.
        actions: the number of earlier actions in the game; passes may count, too.
        state: the player's knowledge, as plain JSON values.
        candidates: the candidates in the order of comparison; only the first of several tied candidates is listed.
        action: the chosen action.
    """

    section: str
    index: int
    actions: int
    state: Mapping[str, Any]
    candidates: tuple[Candidate, ...]
    action: int


@dataclass(frozen=True, slots=True)
class Transcript:
    """A recorded game.

    Attributes:
        key: the key of its random numbers and its deal.
        deal: the start of the game, as plain JSON values.
        actions: all chosen actions, including forced ones.
        turns: the number of turns.
        returns: the score of every player.
        decisions: the choices that were not forced.
    """

    key: int
    deal: Mapping[str, Any]
    actions: tuple[int, ...]
    turns: int
    returns: tuple[float, ...]
    decisions: tuple[Decision, ...]


class Recorder(Protocol):
    """The part of a game that records complete games for exports.

    ``parts`` are the hand-written files of a player: the rules, the sensors and the choice of actions. Each file is in
    one of ``folders``, or is shared by all games. ``keyed`` is the name of the file with the functions that draw random
    numbers. Unless the game is ``hosted``, the files ``<game>_selftest`` and ``<game>_driver`` are in the same folder.
    For a hosted game, the user of the player writes the rules and sensors, and the export describes them. Methods with
    ``options`` raise a UsageError for an unknown option or value.
    """

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def keyed(self) -> str:
        """The name of the hand-written file with the functions that draw random numbers."""

    @property
    def hosted(self) -> bool:
        """True if the host provides the rules and the sensors."""
        return False

    @property
    def carried(self) -> int:
        """The maximum number of games that an export contains for its self-test."""
        return 10

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders with the game's hand-written files, in search order."""

    def parts(self, program: Any) -> tuple[str, ...]:
        """The names of the hand-written files for a program's player."""
        return self.game, f"{self.game}_game"

    def begin(self, options: Mapping[str, str], key: int) -> tuple[Any, Mapping[str, Any]]:
        """The first state of the game with this key, and its deal as plain JSON values."""

    def follow(self, state: Any, program: Any, key: int) -> tuple[int, Choice | None]:
        """The action that a program takes, and its decision (None if there is no decision to record)."""
        return follow(state, program, partial(game_of(self.game).view.sensors, state), key)

    def seen(self, state: Any) -> Mapping[str, Any]:
        """Everything that the player to move knows, as plain JSON values."""

    def count(self, state: Any) -> int:
        """The number of actions in the game so far."""

    def turns(self, end: Any) -> int:
        """The number of turns in a finished game."""
        return self.count(end)

    def rules(self, options: Mapping[str, str]) -> dict[str, int | bool | str]:
        """The rules of the game, by name."""
        return asdict(game_of(self.game).make_rules(options))

    def most(self, program: Any, options: Mapping[str, str]) -> int | None:
        """The maximum number of games to record; None means no limit."""
        return None

    def tables(self, options: Mapping[str, str]) -> Mapping[str, Sequence[int]]:
        """Tables of numbers, by name, that a player contains because hosts would compute them differently.

        Raises:
            UsageError: players for these rules cannot be exported.
        """
        return {}


def record(recorder: Recorder, program: Any, options: Mapping[str, str], key: int) -> Transcript:
    """The recorded game for a key; the interpreter runs the program, and the rules of the game run in plain Python.

    Raises:
        UsageError: an unknown option or value.
    """
    state, deal = recorder.begin(options, key)
    actions: list[int] = []
    decisions: list[Decision] = []

    def followed(state: ObservableState) -> int:
        action, found = recorder.follow(state, program, key)
        if found is not None:
            pairs = zip(found.actions, found.evaluations, strict=True)
            candidates = tuple(_candidate(each, evaluation) for each, evaluation in pairs)
            seen, before = recorder.seen(state), recorder.count(state)
            decisions.append(Decision(found.section, len(actions), before, seen, candidates, action))
        actions.append(action)
        return action

    state = end_of(state, followed)
    return Transcript(key, deal, tuple(actions), recorder.turns(state), state.returns(), tuple(decisions))


def _candidate(action: int, evaluation: Evaluation) -> Candidate:
    """The candidate for an action, made from the evaluation of the action."""
    source = evaluation.random()
    return Candidate(
        action,
        {name: evaluation.sensors[name] for name in evaluation.tree.reads},
        tuple(source() for _ in range(evaluation.tree.draws)),
        evaluation.value,
    )


def mix(numbers: Iterable[int]) -> int:
    """A 32-bit hash of whole numbers; all its arithmetic is exact in doubles."""
    value = 0
    for number in numbers:
        value = (value * 65599 + number + 1) % 4294967087
    return value


MOST_CANDIDATES = 200_000
"""The maximum total number of candidates in all recorded games."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A state in a recorded game; chance moves and opening moves count as actions, too.

    Attributes:
        moment: the state, before chance acts.
        opening: the number of random actions before a program makes its first choice.
    """

    moment: WrappedState
    opening: int

    @property
    def waits_for_chance(self) -> bool:
        """True if chance acts next."""
        return self.moment.current_player == CHANCE

    @property
    def is_terminal(self) -> bool:
        """True if the game has ended, or was stopped because it became too long."""
        with explain_errors(self.moment.game):
            return self.moment.is_terminal

    def apply(self, action: int) -> Self:
        """The stage that follows after a legal action or a chance outcome."""
        chance = int(self.waits_for_chance)
        moment = self.moment
        with explain_errors(self.moment.game):
            position = moment.position.apply(action)
        actions, events = moment.actions + 1 - chance, moment.events + chance
        return replace(self, moment=replace(moment, position=position, actions=actions, events=events))

    def returns(self) -> tuple[float, ...]:
        """The score of each player; the middle of the metric's range if the game was stopped for being too long."""
        with explain_errors(self.moment.game):
            return self.moment.returns()


@dataclass(frozen=True, slots=True)
class OwnRecorder(Recorder):
    """The recorder of a user's own game."""

    own: Game
    keyed = "own_keyed"
    folders = ()
    hosted = True

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.own.name

    def parts(self, program: Any) -> tuple[str, ...]:
        """The names of the hand-written files; they are the same for every program."""
        return ("own_player",)

    def begin(self, options: Mapping[str, str], key: int) -> tuple[Stage, dict[str, Any]]:
        """The first state; unless chance moves first, later games begin with extra random actions, so they differ."""
        rules = self.own.make_rules(options)
        with explain_errors(self.own):
            first = Stage(
                WrappedState(rules, first_of(self.own, key, rules), key, self.own), rules.opening(key)
            )
            differs = key == 1 or first.waits_for_chance
        opening = first.opening + (0 if differs else 1 + key % 3)
        return replace(first, opening=opening), {"opening": opening}

    def follow(self, state: Stage, program: Any, key: int) -> tuple[int, Choice | None]:
        """The next action: a chance outcome, a random opening action, or the program's action with its decision.

        Raises:
            GuestError: a function of the game raises an error, or a sensor's value is out of bounds.
        """
        moment = state.moment
        with explain_errors(self.own):
            if state.waits_for_chance:
                return outcome(moment.position, keyed_uniform_readable(key, moment.events, EVENTS)), None
            legal = moment.legal_actions()
            if moment.actions < state.opening:
                return legal[int(keyed_uniform_readable(key, moment.actions, OPENINGS) * len(legal))], None
            read = program.parts[moment.decision].reads
            return follow(moment, program, partial(self._sensor_values, moment, read), key)

    def _sensor_values(self, moment: WrappedState, names: Sequence[str], action: int) -> dict[str, float]:
        """The values of these sensors for an action.

        Raises:
            GuestError: a value is outside its sensor's bounds.
        """
        values = {}
        for each in (each for each in self.own.sensors if each.sensor.name in names):
            sensor = each.sensor
            value = each.sense(moment.position, action)
            if not _is_within(sensor, value):
                code, kind = (
                    each.function.__code__,
                    "a whole number from" if sensor.integer else "a number from",
                )
                raise GuestError(
                    f"{code.co_filename}, line {code.co_firstlineno}: {sensor.name} of action {action} is {value!r} "
                    f"after {moment.actions} actions of game {moment.key}; expected {kind} {sensor.low:g} to "
                    f"{sensor.high:g}"
                )
            values[sensor.name] = float(value)
        return values

    def seen(self, state: Stage) -> dict[str, Any]:
        """The index of the next action, the number of earlier actions, the player to move, and the observation."""
        moment = state.moment
        return {
            "index": moment.actions + moment.events,
            "player": moment.current_player,
            "actions": moment.actions,
            "observation": plain(moment.observation(moment.current_player), repr),
        }

    def count(self, state: Stage) -> int:
        """The number of chosen actions, including the opening."""
        return state.moment.actions

    def rules(self, options: Mapping[str, str]) -> dict[str, int | bool | str]:
        """The rules of the game, by name."""
        return dict(self.own.make_rules(options).values)

    def most(self, program: Any, options: Mapping[str, str]) -> int:
        """The maximum number of games; it is small if the first game has many candidates."""
        candidates, state = 1, self.begin(options, 1)[0]
        while candidates <= MOST_CANDIDATES and not state.is_terminal:
            action, found = self.follow(state, program, 1)
            candidates += len(found.actions) if found is not None else 0
            state = state.apply(action)
        return MOST_CANDIDATES // candidates


def _is_within(sensor: Sensor, value: Any) -> bool:
    """True if a value is a number within a sensor's bounds, and is whole if the sensor requires whole numbers."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return False
    return sensor.low <= number <= sensor.high and not (sensor.integer and number % 1.0)


def recorder_of(game: str | None) -> Recorder | None:
    """The recorder for a game; None if games of this kind cannot be recorded."""
    entry = next((entry for entry in all_games() if entry.name == game), None)
    if entry is None:
        return None
    found: Game = entry.load()
    return found.forms.recorder() or (OwnRecorder(found) if found.hosted else None)


UNBOUNDED = Sensor("", "a number without known bounds", -10.0, 10.0, integer=False)


@dataclass(frozen=True, slots=True)
class Vector:
    """One evaluation of one part of a program.

    Attributes:
        section: the name of the part.
        sensors: the names of the sensors that it reads, in order of first use.
        values: the values of these sensors.
        random: the numbers that its calls of ``math.random()`` return, in order.
        result: the value of the part, or the name of the leaf if leaves are names.
    """

    section: str
    sensors: tuple[str, ...]
    values: tuple[float, ...]
    random: tuple[float, ...]
    result: float | str


def make_vectors(subject: Subject, count: int, purpose: str = "vectors") -> tuple[Vector, ...]:
    """``count`` evaluations of every part: one with the lowest sensor values, one with the highest, the rest random."""
    found: list[Vector] = []
    for place, (section, tree) in enumerate(subject.program.parts.items()):
        rng = stream(subject.seed, f"export {purpose}", place)
        known = [subject.primitives and subject.primitives.sensor(name) for name in tree.reads]
        bounds = [
            sensor if sensor and math.isfinite(sensor.high - sensor.low) else UNBOUNDED for sensor in known
        ]
        for k in range(count):
            values = tuple(float(b.high if k else b.low) if k < 2 else _value(rng, b) for b in bounds)
            random = tuple(rng.random(tree.draws).tolist())
            found.append(
                Vector(section, tree.reads, values, random, evaluate_vector(tree, tree.reads, values, random))
            )
    return tuple(found)


def evaluate_vector(
    tree: Any, sensors: Sequence[str], values: Sequence[float], random: Sequence[float]
) -> Any:
    """The interpreter's value for a part of a program; a sensor value of −0.0 counts as 0.0."""
    env = {name: value + 0.0 for name, value in zip(sensors, values, strict=True)}
    numbers = iter(random)
    return meaning_of(tree.language).evaluate(tree, env, lambda: next(numbers))


def same_number(a: float, b: float) -> bool:
    """True if two numbers are equal bit for bit; all forms of NaN count as equal."""
    return (a == b and math.copysign(1.0, a) == math.copysign(1.0, b)) or (a != a and b != b)


def _value(rng: np.random.Generator, sensor: Sensor) -> float:
    return (
        float(rng.integers(int(sensor.low), int(sensor.high), endpoint=True))
        if sensor.integer
        else float(rng.uniform(sensor.low, sensor.high))
    )


CLOSE = 1e-9
"""The maximum relative difference that is allowed between values from the math libraries of two hosts."""


def needs_library(program: Any) -> bool:
    """True if a program's values depend on a host's math library."""
    called = functions_in(*program.trees)
    symbols = (symbol for tree in (*program.trees, *(each.body for each in called)) for symbol in tree.called)
    return any(each.sha256 for each in called) or not LIBRARY_OPERATORS.isdisjoint(symbols)


def differences(vectors: Sequence[Vector], values: Sequence[str], is_close: bool = False) -> Iterator[str]:
    """Describe the vectors with a wrong value; ``is_close`` ignores relative differences below ``CLOSE``."""
    for vector, text in zip(vectors, values, strict=True):
        if not _agrees(vector.result, text, is_close):
            env = ", ".join(f"{n}={v!r}" for n, v in zip(vector.sensors, vector.values, strict=True))
            yield f"{vector.section}({env}) is {text} instead of {vector.result!r}"


def _agrees(wanted: float | str, text: str, is_close: bool) -> bool:
    if isinstance(wanted, str) or text.startswith("drew"):
        return text == wanted
    value = float(text)
    return same_number(value, wanted) or (is_close and abs(value - wanted) < CLOSE * abs(wanted))


def largest_difference(vectors: Sequence[Vector], values: Sequence[str]) -> float:
    """The largest relative difference between a finite value and the expected one."""
    largest = 0.0
    for vector, text in zip(vectors, values, strict=False):
        if not isinstance(vector.result, str) and vector.result and not text.startswith("drew"):
            relative = abs(float(text) - vector.result) / abs(vector.result)
            largest = max(largest, relative if math.isfinite(relative) else 0.0)
    return largest


SCHEMA = "gpkit-conformance-1"

SEMANTICS = "f64-v1"
"""The name of the semantics of all operators: protected IEEE doubles, the same in every host."""

VECTORS = 20
"""The number of evaluations for each formula."""

_MOST_RECORDED = 20_000  # nodes times games
_MOST_EVALUATED = 400_000  # nodes times evaluations


@dataclass(frozen=True, slots=True)
class Proof:
    """The test data of an export: evaluations of every formula, and games if the game is known."""

    vectors: tuple[Vector, ...]
    transcripts: tuple[Transcript, ...]


def prove(subject: Subject) -> Proof:
    """Twenty evaluations of every formula, and the recorded games; very large programs get fewer of both."""
    size = max(1, len(subject.program))
    count = max(2, min(VECTORS, _MOST_EVALUATED // size))
    recorder = recorder_of(subject.game)
    carried = recorder.carried if recorder is not None else 0
    return Proof(make_vectors(subject, count), record_games(subject, min(carried, _MOST_RECORDED // size)))


def record_games(subject: Subject, count: int, first_key: int = 1) -> tuple[Transcript, ...]:
    """The recorded games for ``count`` keys, or for fewer keys if games are long.

    There are no games if the game is unknown, or if the program has no formula for one of the game's decisions.
    """
    recorder = recorder_of(subject.game)
    if recorder is None or not plays(subject):
        return ()
    most = recorder.most(subject.program, subject.rules)
    keys = range(first_key, first_key + (count if most is None else min(count, most)))
    return tuple(record(recorder, subject.program, subject.rules, key) for key in keys)


def plays(subject: Subject) -> bool:
    """True if a program has a formula for every decision of its game."""
    return subject.primitives is not None and set(subject.primitives.sections) <= set(subject.program.names)


def about(subject: Subject) -> Iterator[str]:
    """Yield the sentences at the top of a file: the program's name, gpkit's version, and the program's header."""
    yield f"{subject.name}: {WRITTEN} {VERSION}; the meaning is that of {SEMANTICS}."
    yield from (f"{name}: {value}" for name, value in subject.header.items())


def conformance_of(subject: Subject, proof: Proof | None = None) -> Document:
    """The conformance file of a program that computes values."""
    return conformance(_lines(subject, proof or prove(subject)), (",", ":"))


def conformance(lines: Iterable[Mapping[str, object]], separators: tuple[str, str] | None = None) -> Document:
    """A conformance file with these lines."""
    return Document(CONFORMANCE, "".join(f"{json.dumps(line, separators=separators)}\n" for line in lines))


def _lines(subject: Subject, proof: Proof) -> Iterator[Mapping[str, Any]]:
    recorder = recorder_of(subject.game)
    yield {
        "schema": SCHEMA,
        "gpkit": VERSION,
        "semantics": SEMANTICS,
        "program": subject.name,
        "game": subject.game,
        "rules": recorder.rules(subject.rules) if recorder is not None else {},
        "sections": {
            name: {"sensors": list(tree.reads), "random": tree.draws}
            for name, tree in subject.program.parts.items()
        },
    }
    for vector in proof.vectors:
        yield {
            "kind": "evaluation",
            "section": vector.section,
            "sensors": _plain(dict(zip(vector.sensors, vector.values, strict=True))),
            "random": _plain(vector.random),
            "value": _plain(vector.result),
        }
    for transcript in proof.transcripts:
        for decision in transcript.decisions:
            yield {
                "kind": "decision",
                "key": transcript.key,
                "section": decision.section,
                "state": decision.state,
                "candidates": [
                    {name: _plain(getattr(candidate, name)) for name in Candidate.__slots__}
                    for candidate in decision.candidates
                ],
                "action": decision.action,
            }
        yield {
            "kind": "game",
            "key": transcript.key,
            **transcript.deal,
            "actions": list(transcript.actions),
            "turns": transcript.turns,
            "returns": _plain(transcript.returns),
        }


def _plain(value: object) -> Any:
    """The value as JSON can express it; infinities and NaN become strings, even inside lists and objects."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple):
        return [*map(_plain, value)]
    return repr(value) if isinstance(value, float) and value - value != 0.0 else value
