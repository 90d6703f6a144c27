"""Examination of a game: games are played at random, and their states are held against the contract."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np

from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.plugins import file_of, shown_path
from gpkit.core.registry import language_entry
from gpkit.core.rng import below, stream
from gpkit.core.tabular import Sheet, Tabular
from gpkit.core.timeouts import countdown
from gpkit.gamekit.state import MOST_LEGAL
from gpkit.user_games.contract.faces import check_boards, check_sensors, check_texts
from gpkit.user_games.contract.findings import Breach, Fault, Log
from gpkit.user_games.contract.game_under_test import OPPONENT, Subject
from gpkit.user_games.contract.hidden import (
    check_resampled,
    dealt_otherwise,
    look_alike,
    other_games,
    tell_alike,
)
from gpkit.user_games.contract.kernels import check_kernel, check_twins
from gpkit.user_games.contract.plain import first_change, snapshot
from gpkit.user_games.contract.states import (
    check_apply,
    check_chance,
    check_data,
    check_legal,
    check_opponents,
    check_player,
    check_repeated,
    check_returns,
    members,
    some,
    wrong_kind,
)
from gpkit.user_games.otherwise import choices

GAMES, PLAYED_FOR = 60, 2.0
"""The maximum number of games in which to look for faults, and the seconds after which no further game begins."""

LOOKED_AT = 12
"""States of one game that are looked at."""

COMPARED = 40
"""States of one game that are compared when it is played again."""

CHANGED = 3
"""Events of one game in whose place others are tried, of chance and of players each."""

Check = Callable[[Subject, Any, np.random.Generator], Iterator[Fault]]

CHECKS: tuple[tuple[str, str, Check], ...] = (
    ("who chooses", "current_player", check_player),
    ("legal actions", "legal_actions", check_legal),
    ("chance", "chance_outcomes", check_chance),
    ("unchanged", "apply", check_repeated),
    ("apply", "apply", check_apply),
    ("returns", "returns", check_returns),
    ("plain data", "", check_data),
    ("sensors", "sensors", check_sensors),
    ("texts", "action_text", check_texts),
    ("boards", "board_text", check_boards),
    ("opponents", "opponents", check_opponents),
    ("hidden", "observation", check_resampled),
)
"""Checks of one state: a name, the member to fix if something else raises, and the function."""

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
    "texts": "each action has its own text, which parses back; others are refused",
    "boards": "text and a picture for every player",
    "opponents": "formulas are valid programs of the game, functions choose legal actions",
    "hidden": "nothing shows a player more than its observation does",
    "kernel": "the kernel block, if there is one, plays the same games",
}
"""All checks with what they ask, in the order of being shown."""


@dataclass(frozen=True, slots=True)
class Examined(Tabular):
    """Outcome of holding a game against the contract.

    Attributes:
        findings: where the game breaks the contract, the shortest way to each.
        games, states: that were played and looked at.
        longest: actions of the longest game, outcomes of chance among them.
        called_off: games that were called off for their length.
        alike: by player, pairs of states that it cannot tell from each other.
        observes: whether states have an ``observation``.
        dealt_anew: whether they have ``resample``.
        dealt: other states that it gave.
        game: its name.
        rules: options that differ from the defaults.
        seed: of what was played.
        games_per_second: that random players finish; None where that was not measured.
        board: how pages show it, a word of ``BOARDS``; None if that was not looked at.
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

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def __str__(self) -> str:
        """The findings, one in a line, or a sentence that there are none."""
        found = [f"{each.place or each.member}: {each.message}" for each in self.findings]
        return "\n".join(found) or f"nothing found in {self.games} random games, {self.states} states"

    def to_rows(self) -> list[dict[str, object]]:
        """The findings as JSON values."""
        return [asdict(each) for each in self.findings]

    @property
    def exit_code(self) -> int:
        """1 if anything was found."""
        return EXIT_FINDINGS if self.findings else EXIT_OK

    def to_json(self) -> dict[str, object]:
        """The findings as JSON values, with the names of all checks."""
        external = file_of(self.game)
        return {
            "game": self.game,
            "file": None if external is None else shown_path(external[0]),
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
            missing = "a method resample(rng, player) would redeal it"
            anew = "resample redeals it, too" if self.dealt_anew else missing
            yield f"Hidden information: pairs of states that look alike: {alike}; {anew}."
        elif self.observes:
            yield "Hidden information: none found; no two states look alike to a player."
        if self.games_per_second is not None:
            yield f"Random players finish {self.games_per_second:,.0f} games a second."
        if self.board:
            yield f"Pages show the board {BOARDS[self.board]}."


BOARDS = {
    "drawing": "as a picture of its own",
    "squares": "as a picture made from `squares`, as it has no `board_svg`",
    "text": "as text, as it has neither `board_svg` nor `squares`",
}
"""The words for each way in which pages show the board of a game."""

ACTIONS = 40
"""Actions on the way to a fault, as many as are printed."""


def _again(finding: Breach, seed: int) -> str:
    """The way to see a fault again."""
    known = " ".join(map(str, finding.actions[:ACTIONS]))
    more = f" ... ({len(finding.actions)} in all; --json has them)" if len(finding.actions) > ACTIONS else ""
    after = f"after the actions {known}{more}" if finding.actions else "in the first state"
    times = f"; seen {finding.times} times" if finding.times > 1 else ""
    return f"{after}: game {finding.number} of --seed {seed}{times}"


@dataclass(frozen=True, slots=True)
class GameWalk:
    """A game played at random: its states, and the actions between them.

    ``over`` says if it came to its end, ``raised`` if that was because something was raised.
    """

    number: int
    states: tuple[Any, ...]
    actions: tuple[int, ...]
    over: bool
    raised: bool = False


def examined(subject: Subject, seed: int) -> Examined:
    """The outcome of a brief check of a game against the contract."""
    left = countdown(PLAYED_FOR)
    return examine(subject, seed, GAMES, lambda: left() <= 0.0)


def examine(subject: Subject, seed: int, games: int, time_is_up: Callable[[], bool]) -> Examined:
    """Hold a game against the contract.

    Args:
        subject: the game.
        seed: decides what is played.
        games: that are played.
        time_is_up: whether no more shall be.
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
            log.add("sensors", fault, 0, ())
    if any(subject.game.programs.values()):
        for fault in check_formulas(subject.game):
            log.add("opponents", fault, 0, ())
    if subject.game.kernel is not None and not log.findings:
        with log.noting("kernel", "kernel.pack", 0, ()):
            for fault, actions in check_kernel(subject.game, time_is_up):
                log.add("kernel", fault, 0, actions)
    return replace(done, findings=log.findings)


def _examine_game(
    subject: Subject, log: Log, done: Examined, seed: int, number: int, time_is_up: Callable[[], bool]
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
        dealt += dealt_otherwise(course.states, subject.seats, rng)
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
    subject: Subject,
    log: Log,
    rng: np.random.Generator,
    seed: int,
    number: int,
    time_is_up: Callable[[], bool],
) -> GameWalk | None:
    """A game at random, as far as it goes; None if it cannot be gone on with."""
    states: list[Any] = []
    actions: list[int] = []
    with log.noting("first state", "begin", number, ()):
        states.append(subject.begin(seed, number))
    while states and len(actions) < subject.longest and not (len(actions) % 100 == 99 and time_is_up()):
        with log.noting("play", "apply", number, tuple(actions)):
            if states[-1].is_terminal:
                return GameWalk(number, tuple(states), tuple(actions), over=True)
            legal = choices(states[-1])
            if len(legal) > MOST_LEGAL:  # which is told when the last state is looked at
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


def _look(subject: Subject, log: Log, course: GameWalk, place: int, rng: np.random.Generator) -> bool:
    """Hold a state against the contract; whether it is worth going on with this game."""
    state, before = course.states[place], course.actions[:place]
    for name, member, check in CHECKS:
        with log.noting(name, member, course.number, before):
            for fault in check(subject, state, rng):
                log.add(name, fault, course.number, before)
                if name == "unchanged":
                    return False
        if log.stuck:
            return False
    return True


def _replay(subject: Subject, log: Log, course: GameWalk, seed: int) -> None:
    """Play a game again: the same actions lead to the same states."""
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


def check_formulas(game: Any) -> Iterator[Fault]:
    """Texts of opponents are formulas of the game."""
    for name, text in game.programs.items():
        if not text:
            continue  # it is a file
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
