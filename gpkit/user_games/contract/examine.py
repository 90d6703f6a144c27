"""Check games against the contract by playing random games; a violation can then explain an error."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np

from gpkit.core import plugins
from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, GuestError, one_line
from gpkit.core.layout import Sheet, Tabular
from gpkit.core.plugins import file_of, is_named, typed_name
from gpkit.core.registry import language_entry
from gpkit.core.rng import below, stream
from gpkit.core.timeouts import countdown, watched
from gpkit.gamekit.game import Game
from gpkit.gamekit.state import MOST_LEGAL
from gpkit.user_games.contract.findings import Breach, Fault, Log, first_change, snapshot
from gpkit.user_games.contract.game_under_test import (
    OPPONENT,
    GameUnderTest,
    check_kernel,
    check_twins,
    subject_of,
)
from gpkit.user_games.contract.states import (
    check_apply,
    check_boards,
    check_chance,
    check_data,
    check_facts,
    check_legal,
    check_opponents,
    check_player,
    check_pointer,
    check_repeated,
    check_resampled,
    check_returns,
    check_sensors,
    check_texts,
    check_together,
    look_alike,
    members,
    moment,
    other_games,
    some,
    tell_alike,
    wrong_kind,
)
from gpkit.user_games.rules import choices

GAMES, PLAYED_FOR, BUSY = 60, 2.0, 5
"""The maximum number of games to check; the number of CPU seconds after which no new game begins; and how many times as
long this may take on a busy machine."""

LOOKED_AT = 12
"""The number of states to check in one game."""

COMPARED = 40
"""The number of states to compare when a game is replayed."""

CHANGED = 3
"""The number of chance events to replace in one game, and the number of events of any kind."""

Check = Callable[[GameUnderTest, Any, np.random.Generator], Iterator[Fault]]

CHECKS: tuple[tuple[str, str, str, Check], ...] = (
    ("who chooses", "current_player", "", check_player),
    ("legal actions", "legal_actions", "choice end", check_legal),
    ("chance", "chance_outcomes", "chance", check_chance),
    ("unchanged", "apply", "", check_repeated),
    ("apply", "apply", "", check_apply),
    ("returns", "returns", "end", check_returns),
    ("plain data", "", "", check_data),
    ("sensors", "sensors", "choice", check_sensors),
    ("facts", "facts", "choice", check_facts),
    ("texts", "action_text", "choice", check_texts),
    ("boards", "board_text", "", check_boards),
    ("pointer", "squares", "choice", check_pointer),
    ("opponents", "opponents", "choice", check_opponents),
    ("together", "together", "", check_together),
    ("hidden", "observation", "", check_resampled),
)
"""The checks of a single state: the name, the member to fix if an error has no known place, the values of ``moment`` in
which the check applies (empty means all), and the function."""

MEANINGS = {
    "first state": "a game starts, and its states have the required members",
    "play": "games can be played at random",
    "same game": "the same actions lead to the same states",
    "length": "every game ends",
    "time": "every function returns",
    "who chooses": "a seat or chance, with a declared decision",
    "legal actions": "whole numbers, ascending; none at the end, and only then",
    "chance": "outcomes are actions with probabilities that sum to 1",
    "unchanged": "no function changes a state, or gives another answer when called again",
    "apply": "leads to another state; an illegal action raises ValueError",
    "returns": "a score for each player, within the metric's bounds and with its total",
    "plain data": "states are immutable and survive a round trip through JSON, with equal hashes",
    "sensors": "finite numbers within their bounds, whole where so declared",
    "facts": "values of their kind that JSON can hold, the same when asked again; no state changes",
    "texts": "each action has its own text, which parses back; others are refused",
    "boards": "text and a picture for every player",
    "pointer": "each action has a place of its own on a page, or a button",
    "opponents": "formulas are valid programs of the game, functions choose legal actions",
    "together": "simultaneous choices stay hidden until all players have chosen",
    "hidden": "nothing shows a player more than its observation does",
    "kernel": "the kernel block, if there is one, plays the same games",
    "twins": "each sensor's compiled twin, if there is one, has the same values",
}
"""All checks with their meanings, in display order."""


@dataclass(frozen=True, slots=True)
class Examined(Tabular):
    """The result of checking a game against the contract.

    Attributes:
        findings: the violations of the contract, each with the shortest sequence of actions that leads to it.
        games, states: the number of games played, and the number of states checked.
        longest: the number of actions in the longest game, including chance outcomes.
        called_off: the number of games that were stopped for being too long.
        alike: the number of pairs of states that look the same to each player, by player.
        observes: whether states have an ``observation``.
        dealt_anew: whether states have a method ``resample``.
        dealt: the number of states for which ``resample`` returned a different state.
        game: the name of the game.
        rules: the options that differ from the defaults.
        seed: the seed of the games.
        games_per_second: the number of games that random players finish in a second; None if it was not measured.
        board: the way in which web pages show the board, a key of ``BOARDS``; None if it was not checked.
        twins_compared: the number of sensors that were compared with their compiled twins; None if there was nothing to
            compare.
        twins: the number of sensors that have compiled twins.
    """

    schema = "doctor-game"

    findings: tuple[Breach, ...] = ()
    games: int = 0
    states: int = 0
    longest: int = 0
    called_off: int = 0
    alike: tuple[int, ...] = ()
    observes: bool = False
    dealt_anew: bool = False
    dealt: int = 0
    game: str = ""
    rules: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    games_per_second: float | None = None
    board: str | None = None
    twins_compared: int | None = None
    twins: int = 0

    @property
    def ok(self) -> bool:
        """Whether there are no findings."""
        return not self.findings

    def __str__(self) -> str:
        """The findings, one per line, or a sentence if there are none."""
        found = [f"{each.place or each.member}: {each.message}" for each in self.findings]
        return "\n".join(found) or f"nothing found in {self.games} random games, {self.states} states"

    def to_rows(self) -> list[dict[str, object]]:
        """The findings as JSON values."""
        return [asdict(each) for each in self.findings]

    @property
    def exit_code(self) -> int:
        """The exit code: ``EXIT_FINDINGS`` if there are findings, otherwise ``EXIT_OK``."""
        return EXIT_FINDINGS if self.findings else EXIT_OK

    def to_json(self) -> dict[str, object]:
        """The findings as JSON values, with the names of all checks."""
        return {
            "game": self.game,
            "file": typed_name(self.game) if file_of(self.game) else None,
            "rules": self.rules,
            "seed": self.seed,
            "checks": list(MEANINGS),
            "findings": self.findings,
            "games": self.games,
            "states": self.states,
            "longest": self.longest,
            "called_off": self.called_off,
            "pairs_alike": self.alike,
            "resample": self.dealt_anew,
            "games_per_second": self.games_per_second,
            "board": self.board,
            "twins_compared": self.twins_compared,
            "twins": self.twins,
        }

    def told(self) -> Iterator[str | Sheet]:
        """The checks with their results, each finding with the actions that lead to it, and facts about the game."""
        failed = {each.check for each in self.findings}
        asked = MEANINGS if self.games else failed  # all checks, unless no game could be played
        states = {True: "FAILS", False: "ok"}
        rows = [(name, states[name in failed], MEANINGS[name]) for name in MEANINGS if name in asked]
        yield Sheet(("check", "state", "asked"), rows, texts=("asked",))
        for each in self.findings:
            yield ""
            yield f"{each.member if each.place is None else each.place}: {each.message}"
            yield f"  {_again(each, self.seed)}"
        yield ""
        called_off = f", {self.called_off} stopped early" if self.called_off else ""
        played = f"{self.games} random games of at most {self.longest} actions{called_off}"
        yield f"{self.game}: {played}; {self.states} states checked."
        if self.dealt_anew or any(self.alike):
            alike = ", ".join(f"{count} by player {player}" for player, count in enumerate(self.alike))
            anew = "resample redeals" if self.dealt_anew else "a method resample(rng, player) would redeal"
            yield f"Hidden information: pairs of states that look alike: {alike}; {anew} it{', too' * self.dealt_anew}."
        elif self.observes:
            yield "Hidden information: none found; no two states look alike to a player."
        if self.games_per_second is not None:
            yield f"Random players finish {self.games_per_second:,.0f} games a second."
        if self.board:
            yield f"Pages show the board {BOARDS[self.board]}."
        if self.twins_compared is not None:
            yield f"Sensors compared with their compiled twins: {self.twins_compared} of {self.twins}."


BOARDS = {
    "drawing": "as the game's own picture",
    "cards": "as a picture made from `hand` and `rows`, as it has no `board_svg`",
    "squares": "as a picture made from `squares`, as it has no `board_svg`",
    "text": "as text, as it has neither `board_svg` nor `squares`",
}
"""A description of each way in which web pages show a game's board."""

ACTIONS = 40
"""The maximum number of actions that are printed for a fault."""


def _again(finding: Breach, seed: int) -> str:
    """Instructions for reproducing a fault."""
    known = " ".join(map(str, finding.actions[:ACTIONS]))
    more = f" ... ({len(finding.actions)} in all; --json has them)" if len(finding.actions) > ACTIONS else ""
    after = f"after the actions {known}{more}" if finding.actions else "in the first state"
    times = f"; seen {finding.times} times" if finding.times > 1 else ""
    return f"{after}: game {finding.number} of --seed {seed}{times}"


@dataclass(frozen=True, slots=True)
class GameWalk:
    """A random game: its states, and the actions between them.

    ``over`` is True if the game reached its end, and ``raised`` is True if an error ended it.
    """

    number: int
    states: tuple[Any, ...]
    actions: tuple[int, ...]
    over: bool
    raised: bool = False


def examined(subject: GameUnderTest, seed: int) -> Examined:
    """Check a game against the contract for a few seconds of CPU time, or for longer on a busy machine."""
    left, waited = countdown(PLAYED_FOR, of_cpu=True), countdown(BUSY * PLAYED_FOR)
    return examine(subject, seed, GAMES, lambda: min(left(), waited()) <= 0.0)


def examine(subject: GameUnderTest, seed: int, games: int, time_is_up: Callable[[], bool]) -> Examined:
    """Check a game against the contract.

    Args:
        subject: the game.
        seed: the seed of the random games.
        games: the number of games.
        time_is_up: a function that returns whether to stop.
    """
    log = Log(subject.functions)
    done = Examined()
    with log.noting("first state", "begin", 0, ()):
        first = subject.begin(seed, 0)
        log.state_type = type(first)
        for fault in members(first):
            log.add("first state", fault, 0, ())
        done = Examined(
            alike=(0,) * subject.seats,
            observes=hasattr(first, "observation"),
            dealt_anew=hasattr(first, "resample"),
        )
    for number in range(games):
        if log.stuck or (number and (time_is_up() or "first state" in {each.check for each in log.findings})):
            break
        done = _examine_game(subject, log, done, seed, number, time_is_up)
    if done.dealt_anew and any(done.alike) and not done.dealt and not log.findings:
        message = "gives the same state every time; expected one with the hidden part dealt again"
        log.add("hidden", Fault("resample", message), 0, ())
    if not subject.game.is_of_states:
        for fault in check_twins(subject.game):
            log.add("twins", fault, 0, ())
    if any(subject.game.programs.values()):
        for fault in check_formulas(subject.game):
            log.add("opponents", fault, 0, ())
    if subject.game.kernel is not None and not log.findings:
        with log.noting("kernel", "kernel.pack", 0, ()):
            for fault, actions in check_kernel(subject.game, time_is_up):
                log.add("kernel", fault, 0, actions)
    return replace(done, findings=log.findings)


def _examine_game(
    subject: GameUnderTest, log: Log, done: Examined, seed: int, number: int, time_is_up: Callable[[], bool]
) -> Examined:
    rng = stream(seed, "contract", number)
    course = _played(subject, log, rng, seed, number, time_is_up)
    if course is None or log.stuck:
        return done
    called_off = not course.over and not course.raised
    if called_off and not (subject.may_stall and len(course.actions) >= subject.longest):
        message = (
            f"random games are not over after {len(course.actions):,} actions; expected an end: is_terminal"
        )
        log.add("length", Fault("is_terminal", message), number, course.actions)
    if not log.stuck:
        _replay(subject, log, course, seed)
    places = some(rng, range(len(course.states)), LOOKED_AT)
    for place in places:
        if log.stuck or not _look(subject, log, course, place, rng):
            return replace(done, games=done.games + 1, states=done.states + 1)
    alike = list(done.alike)
    if not course.over:
        return replace(done, games=done.games + 1, called_off=done.called_off + called_off)
    dealt = done.dealt
    with log.noting("hidden", "observation", number, course.actions):
        if hasattr(course.states[0], "resample"):
            dealt += sum(
                any(state.resample(rng, player) != state for player in range(subject.seats))
                for state in course.states
            )
        for place, player, other, last in other_games(
            course.states, course.actions, subject.seats, rng, CHANGED
        ):
            alike[player] += not other.is_terminal
            chosen = course.states[place - 1], course.actions[place - 1]
            told = () if last is None else tell_alike(subject, chosen, last, player)
            for fault in chain(look_alike(subject, course.states[place], other, player), told):
                log.add("hidden", fault, number, course.actions[:place])
    return replace(
        done,
        games=done.games + 1,
        states=done.states + len(places),
        longest=max(done.longest, len(course.actions)),
        alike=tuple(alike),
        dealt=dealt,
    )


def _played(
    subject: GameUnderTest,
    log: Log,
    rng: np.random.Generator,
    seed: int,
    number: int,
    time_is_up: Callable[[], bool],
) -> GameWalk | None:
    """Play a random game as far as possible; None if ``begin`` or ``apply`` is faulty."""
    states: list[Any] = []
    actions: list[int] = []
    with log.noting("first state", "begin", number, ()):
        states.append(subject.begin(seed, number))
    while states and len(actions) < subject.longest and not (len(actions) % 100 == 99 and time_is_up()):
        with log.noting("play", "apply", number, tuple(actions)):
            if states[-1].is_terminal:
                return GameWalk(number, tuple(states), tuple(actions), over=True)
            legal = choices(states[-1])
            if len(legal) > MOST_LEGAL:  # this is reported with the last state
                return GameWalk(number, tuple(states), tuple(actions), over=False, raised=True)
            action = legal[below(rng, len(legal))]
            before = snapshot(states[-1])
            after = states[-1].apply(action)
            if (changed := snapshot(states[-1])) != before:
                message = f"changes the state that it is called on: {first_change(before, changed)}"
                log.add("unchanged", Fault("apply", message), number, tuple(actions))
                return None
            if type(after) is not type(states[0]):
                log.add("play", wrong_kind(states[-1], action, after), number, tuple(actions))
                return None
            states.append(after)
            actions.append(action)
            continue
        return GameWalk(number, tuple(states), tuple(actions), over=False, raised=True)
    return GameWalk(number, tuple(states), tuple(actions), over=False) if states else None


def _look(subject: GameUnderTest, log: Log, course: GameWalk, place: int, rng: np.random.Generator) -> bool:
    """Check a state against the contract, and return whether later states of the game should also be checked."""
    state, before = course.states[place], course.actions[:place]
    for name, member, when, check in CHECKS:
        with log.noting(name, member, course.number, before):
            if when and moment(state) not in when:
                continue
            for fault in check(subject, state, rng):
                log.add(name, fault, course.number, before)
                if name == "unchanged":
                    return False
        if log.stuck:
            return False
    return True


def _replay(subject: GameUnderTest, log: Log, course: GameWalk, seed: int) -> None:
    """Replay a game, and check that the same actions lead to the same states."""
    places = set(some(stream(seed, "replayed"), range(len(course.states)), COMPARED))
    with log.noting("same game", "apply", course.number, course.actions):
        state = subject.begin(seed, course.number)
        for place, first in enumerate(course.states):
            if place in places and (again := snapshot(state)) != (before := snapshot(first)):
                message = f"the same game, replayed, goes differently: {first_change(before, again)}"
                fault = Fault("apply" if place else "begin", message)
                log.add("same game", fault, course.number, course.actions[:place])
                return
            if place < len(course.actions):
                state = state.apply(course.actions[place])


def check_formulas(game: Game) -> Iterator[Fault]:
    """Yield faults of opponents whose program texts are not valid for the game."""
    for name, text in game.programs.items():
        if not text:
            continue  # a program file
        language = language_entry(next(iter(game.offers))).load()
        try:
            findings = language.check(language.parse(text, f"{name}.tree"), game.offers)
        except SourceError as error:
            findings = (error.diagnostic,)
        for found in findings:
            if found.severity == "error":
                fix = f"; {found.help}" if found.help else ""
                yield Fault(f"{OPPONENT}{name}", f"{name}, `{text}`: {found.message}{fix}")
                break


GAMES_TO_EXPLAIN = 10
"""The number of games to play to find the reason for an error."""

ACTIONS_TO_EXPLAIN = 500
"""The number of actions after which a game that is played to explain an error stops."""

BREAKING = (
    "first state",
    "who chooses",
    "legal actions",
    "chance",
    "returns",
    "sensors",
    "play",
    "kernel",
)
"""The checks that must pass before a game can be played at all, the most informative first."""

PATIENCE = 2.0
"""The time limit, in seconds, for a call of one of the game's functions."""


def explained(error: BaseException) -> GuestError | None:
    """The reason for an error, if a game from a file that the user named breaks the contract."""
    for entry in tuple(plugins.here.files.values()):
        if (found := explained_by(entry.load(), error)) is not None:
            return found
    return None


def explained_by(game: Game, error: BaseException) -> GuestError | None:
    """The reason for an error, if this game breaks the contract."""
    try:
        with watched(PATIENCE, is_named):
            subject = subject_of(game, game.make_rules({}))
            short = replace(subject, longest=min(subject.longest, ACTIONS_TO_EXPLAIN))
            found = examine(short, 0, GAMES_TO_EXPLAIN, lambda: False)
    except KeyboardInterrupt:
        raise
    except BaseException:  # any kind of error: only the first error is reported
        return None
    reasons = [each for each in found.findings if each.check in BREAKING]
    if not reasons:
        return None
    first = min(reasons, key=lambda each: BREAKING.index(each.check))
    place = f"{first.place}: " if first.place is not None else f"{game.name}, {first.member}: "
    return GuestError(
        f"{place}{first.message}; this may have led to {one_line(error)}; `gpkit doctor --game FILE` shows more"
    )
