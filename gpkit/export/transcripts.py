"""Whole games in which one program makes every decision, recorded: what proves an exported player equal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from gpkit.core.registry import all_games, form_of_game, game_of
from gpkit.export.own import OwnRecorder
from gpkit.gamekit.state import ObservableState, end_of
from gpkit.gamekit.view import view_of
from gpkit.playing.decisions import Decision as Choice
from gpkit.playing.decisions import Evaluation, follow


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that could be chosen, what the program saw of it, and what the program made of that."""

    action: int
    sensors: Mapping[str, float]
    random: tuple[float, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice between at least two candidates.

    Attributes:
        section: which formula decides.
        index: of its action among those of the transcript.
        actions: how many actions the game had before; passes may count, too.
        state: what the chooser knew, as plain JSON values.
        candidates: in the order in which they are compared; of those that are alike to the program, the first.
        action: the one chosen.
    """

    section: str
    index: int
    actions: int
    state: Mapping[str, Any]
    candidates: tuple[Candidate, ...]
    action: int


@dataclass(frozen=True, slots=True)
class Transcript:
    """One game.

    Attributes:
        key: of its random numbers and its deal.
        deal: what the game began with, as plain JSON values.
        actions: every action chosen, forced ones included.
        turns: how many turns it took.
        returns: the score of every player.
        decisions: those that were not forced.
    """

    key: int
    deal: Mapping[str, Any]
    actions: tuple[int, ...]
    turns: int
    returns: tuple[float, ...]
    decisions: tuple[Decision, ...]


class Recorder(Protocol):
    """Recorder of whole games, which a game offers to exports.

    ``parts`` are the hand-written files, in one of ``folders`` or shared by all games, that make up a player: rules,
    sensors and choice; ``keyed`` is the one that draws random numbers. Beside them lie ``<game>_selftest`` and
    ``<game>_driver``, unless the game is ``hosted``: then its rules and sensors are written by whoever takes the
    player, and the export says what they are. What takes ``options`` raises a UsageError for an unknown one, or for a
    value that it does not have.
    """

    @property
    def game(self) -> str:
        """Name of the game."""

    @property
    def keyed(self) -> str:
        """Hand-written file of random numbers."""

    @property
    def hosted(self) -> bool:
        """Whether rules and sensors stay with the host."""
        return False

    @property
    def carried(self) -> int:
        """Largest number of games that an export carries to test itself with."""
        return 10

    @property
    def folders(self) -> tuple[Path, ...]:
        """Folders of its hand-written files; the first one that has a file of some name is asked."""

    def parts(self, program: Any) -> tuple[str, ...]:
        """Hand-written files of a program's player."""
        return self.game, f"{self.game}_game"

    def begin(self, options: Mapping[str, str], key: int) -> tuple[Any, Mapping[str, Any]]:
        """The first state of the game of a key, and its deal as plain JSON values."""

    def follow(self, state: Any, program: Any, key: int) -> tuple[int, Choice | None]:
        """The action that a program takes, and its decision, if it has one that is recorded."""
        return follow(state, program, partial(view_of(self.game).sensors, state), key)

    def seen(self, state: Any) -> Mapping[str, Any]:
        """Knowledge of who is to choose, as plain JSON values."""

    def count(self, state: Any) -> int:
        """Number of actions that the game has had."""

    def turns(self, end: Any) -> int:
        """Number of turns that the game took."""
        return self.count(end)

    def rules(self, options: Mapping[str, str]) -> dict[str, int | bool | str]:
        """Every rule by its name."""
        return asdict(game_of(self.game).make_rules(options))

    def most(self, program: Any, options: Mapping[str, str]) -> int | None:
        """Largest number of games that are recorded; None: as many as are asked for."""
        return None

    def tables(self, options: Mapping[str, str]) -> Mapping[str, Sequence[int]]:
        """Tables that a player carries because hosts would compute them differently: numbers by the names of lists.

        Raises:
            UsageError: players of games under these rules are not exported.
        """
        return {}


@runtime_checkable
class Recording(Protocol):
    """Whole games in which formulas or trees play: ``forms.record`` beside a game."""

    @property
    def RECORDER(self) -> Recorder: ...  # noqa: N802


def recorder_of(game: str | None) -> Recorder | None:
    """Recorder of the games of that name, or None if there is none."""
    entry = next((entry for entry in all_games() if entry.name == game), None)
    if entry is None:
        return None
    recording = form_of_game(Recording, "record", entry.name)
    if recording is None and entry.origin:
        found = entry.load()
        return OwnRecorder(found) if found.hosted else None
    return None if recording is None else recording.RECORDER


def record(recorder: Recorder, program: Any, options: Mapping[str, str], key: int) -> Transcript:
    """The game of a key, in which a program makes all decisions, by the readable rules and the interpreter.

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
    """Candidate with what the program saw of it, and its value."""
    source = evaluation.random()
    random = tuple(source() for _ in range(evaluation.tree.draws))
    sensors = {name: evaluation.sensors[name] for name in evaluation.tree.reads}
    return Candidate(action, sensors, random, evaluation.value)


def mix(numbers: Iterable[int]) -> int:
    """A hash of whole numbers in 32 bits, in arithmetic that doubles compute exactly."""
    value = 0
    for number in numbers:
        value = (value * 65599 + number + 1) % 4294967087
    return value
