"""The interface between games and the rest of gpkit: deals, metrics, and the functions of a game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import file_of, named_game
from gpkit.core.primitives import Offers
from gpkit.core.registry import game_of
from gpkit.gamekit.forms import NO_FORMS, GameForms
from gpkit.gamekit.options import Option, OptionRules, options_of
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import end_of
from gpkit.vm.keyed import HALF

if TYPE_CHECKING:
    from gpkit.gamekit.view import View


@dataclass(frozen=True, slots=True)
class Deals:
    """The keys of a game's random numbers (``gpkit.vm.keyed``): int64 (deals,), each at least 0 and below 2^26.

    A game whose deals contain more than keys adds arrays with one row for each deal.
    """

    keys: Ints

    @classmethod
    def drawn(cls, rng: np.random.Generator, count: int, rules: Any = None) -> Self:
        """Draw ``count`` deals for any rules; a larger count adds deals at the end and keeps the others."""
        return cls((rng.random(count) * HALF).astype(np.int64))

    def key(self, seat: int) -> int:
        """The key of a player's random numbers in the game on the first deal."""
        return int(self.keys[0])

    def __len__(self) -> int:
        """The number of deals."""
        return len(self.keys)

    def __getitem__(self, part: slice) -> Self:
        """A slice of the deals."""
        return type(self)(*(getattr(self, each.name)[part] for each in fields(self)))


@dataclass(frozen=True, slots=True)
class Number:
    """The number after the colon in the name of a strategy, such as ``mcts:100``.

    Attributes:
        unit: the plural noun for the things that the number counts.
        default: the default number; 0 if a strategy works without one.
        most: the largest allowed number.
    """

    unit: str
    default: int
    most: int


@dataclass(frozen=True, slots=True)
class Builtin:
    """A player that the game itself defines, without a program: a strategy, search, learner or placement.

    Attributes:
        title: a short description.
        number: the number that a strategy takes; None if it takes none.
        places: whether it also places hidden pieces, so that a placement can follow its name.
        is_slow: whether it plays so slowly that pages report progress after every game.
        policy: the opponent whose program plays the sampled worlds of a search to their end, or chooses if the memory
            of a learner does not decide; empty for a strategy.
        remembers: whether it carries memory from each game of a series to the next.
        plays: (rules) returns whether it can play by these rules.
        function: takes a state and returns a legal action; only for strategies in state-based games.
        decides: whether it chooses actions; a placement only places hidden pieces.
        is_exact: whether its decisions contain the exact value of every action.
    """

    title: str
    number: Number | None = None
    places: bool = False
    is_slow: bool = False
    policy: str = ""
    remembers: bool = False
    plays: Callable[[Any], bool] = lambda _: True
    function: Callable[[Any], int] | None = None
    decides: bool = True
    is_exact: bool = False

    @property
    def searches(self) -> bool:
        """Whether this player is a search, which samples worlds and plays them to their end."""
        return self.policy != "" and not self.remembers


def laying_out(titles: Mapping[str, str]) -> dict[str, Builtin]:
    """Placements by name, each made from its title."""
    return {name: Builtin(title, decides=False) for name, title in titles.items()}


@dataclass(frozen=True, slots=True)
class Metric:
    """The metric of a game: the name of the score, and how to compare scores.

    Attributes:
        name: the name of the score.
        low, high: bounds of the score; they may be wider than necessary.
        lower_is_better: whether a lower score is better.
        total: the sum of all players' scores in every game; None if it is not always the same.
        alone: whether only the first player has a score; the other players only place hidden pieces, and all players
            keep their seats.
    """

    name: str
    low: float
    high: float
    lower_is_better: bool = False
    total: float | None = None
    alone: bool = False

    @property
    def support(self) -> tuple[float, float]:
        """The lower and the upper bound of the score."""
        return self.low, self.high

    @property
    def is_share(self) -> bool:
        """Whether the winners of a game split the score of 1 equally."""
        return self.name in ("win_share", "win_rate") and not self.lower_is_better

    @property
    def direction(self) -> float:
        """1 if higher is better, otherwise −1."""
        return -1.0 if self.lower_is_better else 1.0

    @property
    def middle(self) -> float:
        """The score of each player in a game that is stopped because it takes too long."""
        return (self.low + self.high) / 2.0

    def checked(self, scores: Sequence[float]) -> tuple[float, ...]:
        """The scores as floats, checked against the bounds.

        Raises:
            ValueError: a score is out of bounds.
        """
        for score in scores:
            if not self.low <= score <= self.high:
                raise ValueError(f"{self.name} is {score}, but must be {self.low:g} to {self.high:g}")
        return tuple(map(float, scores))

    def shown(self, fitness: float) -> float:
        """The score to display for a fitness; higher fitness is always better, even if a lower score is better."""
        return self.direction * fitness + 0.0  # never −0

    def ranked(self, scores: Sequence[float]) -> list[int]:
        """The indices of scores, best first; equal scores keep their order.

        >>> Metric("points", 0.0, 9.0).ranked([2, 7, 2]), Metric("strokes", 0.0, 9.0, True).ranked([2, 7, 2])
        ([1, 0, 2], [0, 2, 1])
        """
        return sorted(range(len(scores)), key=lambda place: -self.direction * scores[place])

    def best(self, scores: Sequence[float]) -> list[int]:
        """The indices of all scores that equal the best one: the winner, or all players who share the win."""
        ranked = self.ranked(scores)
        return [place for place in ranked if scores[place] == scores[ranked[0]]]

    def lead(self, scores: Sequence[float], place: int) -> float:
        """The lead of a score over the best other score; negative if the other is better, 0 if there is no other."""
        others = [other for other in self.ranked(scores) if other != place]
        return self.direction * (scores[place] - scores[others[0]]) if others else 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of the first player.

    Attributes:
        values: float64 (deals, rotations): the first player's score in every game; rotations are the seatings of one
            deal.
        stalled: the number of games that were stopped because they took too long.
        invalid: the number of games in which a program exceeded its step budget.
        grades: float64 (deals, rotations): finer scores of the same games, which guide evolution; they have the same
            direction as the score. None if there are no finer scores.
    """

    values: Floats
    stalled: int
    invalid: int
    grades: Floats | None = None


BEST_RESPONSE = "best_response"
"""A detail in exact results: the scores of the best responses to the first player, by the responder's seat."""


EXPLOITABILITY = "exploitability"
"""A detail in exact results: the lead of a best response over an even share."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected score of the first player, computed exactly.

    Attributes:
        seatings: the expected score by seating.
        details: further results by name, as plain JSON values.
    """

    seatings: tuple[float, ...]
    details: Mapping[str, object] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """The mean over all seatings, which are equally likely."""
        return sum(self.seatings) / len(self.seatings)


@dataclass(frozen=True, slots=True)
class Exact:
    """The exact results of a game, computed from all its positions.

    Attributes:
        check: (players, rules) checks that the score of these players can be computed, but does not compute it; raises
            a UsageError if a player draws random numbers, or these rules allow too many positions.
        expect: (players, rules) returns the expected score of ``players[0]``; raises a UsageError in the same cases as
            ``check``, and if there are too many positions.
        exploited: (players, rules) returns the exploitability of ``players[0]``, and is fast for many calls in the same
            game; None if only ``expect`` computes it.
        watched: (players, rules, watch) does the same as ``expect``, and repeatedly calls ``watch`` with the number of
            positions visited so far; None if ``expect`` is fast.
    """

    check: Callable[[Sequence[Player], Any], None]
    expect: Callable[[Sequence[Player], Any], Expected]
    exploited: Callable[[Sequence[Player], Any], float] | None = None
    watched: Callable[[Sequence[Player], Any, Callable[[int], object]], Expected] | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory that players of a game carry from each game of a series to the next.

    Attributes:
        begin: (players, series, rules) returns the memory before the first game: float64 (series, seatings, players,
            ...); the game decides the other dimensions.
        play_on: (players, deals, rules, memory) plays every deal in every seating, each as the next game of its series
            in ``memory``; returns the scores as ``play`` does, and the memory after the games.
    """

    begin: Callable[[Sequence[Player], int, Any], NDArray[Any]]
    play_on: Callable[[Sequence[Player], Any, Any, NDArray[Any]], tuple[Scores, NDArray[Any]]]


@dataclass(frozen=True, slots=True)
class Plans:
    """The rules for plans in a game: a plan asks for one action after another, and ticks pass in between.

    The chance nodes of a plan draw random numbers that depend on the 26-bit key of the deal.

    Attributes:
        actions: the meanings of the actions by name, in the order of their numbers from 0.
        tick: the name of the action that only lets time pass; it is always legal.
        start: the leaf at which a plan begins if it runs upwards, from a leaf to the root, or a function of (rules)
            that returns this leaf; empty for the plan's first leaf.
    """

    actions: Mapping[str, str]
    tick: str
    start: str | Callable[[Any], str] = ""

    def ask(self, state: Any, action: str) -> Any:
        """The state after an action has begun; before that, ticks pass until the action is legal.

        Raises:
            GuestError: neither the action nor the tick is legal.
        """
        names = list(self.actions)
        number, waiting = names.index(action), names.index(self.tick)

        def wait(each: Any) -> int | None:
            legal = each.legal_actions()
            if number in legal:
                return None
            if waiting not in legal:
                message = f"the tick `{self.tick}` cannot be chosen; legal: {list(legal)[:20]}"
                raise GuestError(f"{state.game.name}: {message}")
            return waiting

        ready = end_of(state, wait)
        return ready if ready.is_terminal else ready.apply(number)

    def start_of(self, rules: Any) -> str:
        """The leaf at which a plan that runs upwards begins under these rules; empty for the plan's first leaf."""
        return self.start if isinstance(self.start, str) else self.start(rules)


def undeclared(*arguments: object) -> Any:
    """The default for a function that a game does not declare.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game in the form that matches, evolution, tournaments and the command line use.

    ``gpkit.user_games.declare.game`` declares a game; its keywords are these fields (``begin`` sets ``first``). A
    pickled game contains only its name, or the path and the digest of its file.

    Attributes:
        name: the name of the game in commands and files.
        offers: the primitive sets for programs, by language.
        options: the options of the rules, or the class of the rules, whose fields are the options.
        first: (players, deals, rules) returns the first state of the game on the first deal, before any chance event;
            the players, in seat order, may have placed hidden pieces.
        players: (rules) returns the number of players.
        rivals: (rules) returns the default opponents.
        metric: (rules) returns the metric, such as ``win_share``.
        deal: (rng, count, rules) returns independent deals, such as boards or secrets, as an opaque value with ``len``
            and slices. A larger count adds deals at the end and keeps the others.
        play: (players, deals, rules) plays every deal in every seating and returns the scores of ``players[0]``.
        title: a short description.
        opponents: the opponents by name: each is the text of a program, an empty string that stands for the program
            file of that name, or a ``Builtin``.
        choose: (player, state, deals) returns the legal action that a player chooses in a state of the game on the
            first deal, or a decision that consists of this ``action`` and the reasons for it
            (``gpkit.playing.decisions.Valued``). Programs that score actions do not need this function. The attribute
            is None if players can only play complete games.
        courses: (players, deals, rules) returns a number for each deal, with the same number for deals that lead to
            identical games: int64 (deals,), all 0 if all games are identical. The function returns None if hardly any
            games are identical, or if it cannot determine which ones are. Without this function, gpkit does not know
            which games are identical.
        exact: computes exact results; None if results are only sampled.
        memory: the memory that players carry through a series; None if no player remembers anything.
        plans: the rules for plans; None if plans cannot play.
        sensors: the sensors that programs read, each with its function, in the order of their slots.
        facts: the game's own facts about a step, for conditions and traces.
        check: (players, rules) raises a UsageError with the reason if these players cannot play by these rules; the
            first player must be one that chooses actions.
        kernel: a compiled version of a state-based game; None if there is none.
        forms: the view of the game, and the parts that exports, tables, conversations and the demo need.
        is_of_states: whether gpkit plays the game through its states (``gpkit.user_games.game.StateGame``).
        hosted: whether exported players call functions of a host for the rules and sensors.
    """

    name: str
    offers: Offers
    options: tuple[Option, ...] | type[OptionRules]
    first: Callable[[Sequence[Player], Any, Any], Any]
    players: Callable[[Any], int]
    rivals: Callable[[Any], tuple[str, ...]]
    metric: Callable[[Any], Metric]
    deal: Callable[[np.random.Generator, int, Any], Any]
    play: Callable[[Sequence[Player], Any, Any], Scores] = undeclared
    title: str = ""
    opponents: Mapping[str, str | Builtin] = field(default_factory=dict)
    choose: Callable[[Player, Any, Any], Any] | None = None
    courses: Callable[[Sequence[Player], Any, Any], Ints | None] | None = None
    exact: Exact | None = None
    memory: Memory | None = None
    plans: Plans | None = None
    sensors: tuple[Any, ...] = ()
    facts: tuple[Any, ...] = ()
    check: Callable[[Sequence[Player], Any], object] = lambda players, rules: None
    kernel: Any = None
    forms: GameForms = NO_FORMS

    is_of_states: ClassVar[bool] = False
    hosted: ClassVar[bool] = False

    @property
    def all_options(self) -> tuple[Option, ...]:
        """The options of the rules."""
        return options_of(self.options) if isinstance(self.options, type) else self.options

    def make_rules(self, texts: Mapping[str, str]) -> Any:
        """The rules with these options, whose values are all strings.

        Raises:
            UsageError: an option or value is unknown; the message suggests the nearest match.
        """
        assert isinstance(self.options, type), "state-based games make their own"
        return self.options.from_options(texts)

    @property
    def duel(self) -> Mapping[str, str]:
        """The options that let two players compete in a game that one player usually plays alone."""
        return self.options.duel if isinstance(self.options, type) else {}

    @property
    def view(self) -> "View":
        """The view that shows the game to people."""
        view = self.forms.view()
        assert view is not None, "every game has a view"
        return view

    def seatings(self, rules: object) -> int:
        """The number of seatings; every deal is played once in each."""
        return 1 if self.metric(rules).alone else self.players(rules)

    def begin(self, players: Sequence[Player], deals: Any, rules: Any) -> Any:
        """The ``State`` of the game on the first deal, before the first action."""
        return self.first(players, deals, rules)

    def openings(self) -> str:
        """The value that evolution sets for the option ``opening``; empty if it sets none."""
        return ""

    def explained(self, error: BaseException) -> GuestError | None:
        """An error that explains how the game caused this error; None if the game did not cause it."""
        return None

    @property
    def programs(self) -> Mapping[str, str]:
        """The texts of the opponents that are programs, by name; the text is empty if the program has its own file."""
        return {name: each for name, each in self.opponents.items() if isinstance(each, str)}

    @property
    def builtins(self) -> Mapping[str, Builtin]:
        """The opponents that choose actions but are not programs, by name."""
        known = self.opponents.items()
        return {name: each for name, each in known if isinstance(each, Builtin) and each.decides}

    @property
    def placements(self) -> Mapping[str, str]:
        """The titles of the game's placements, by name."""
        known = self.opponents.items()
        return {name: each.title for name, each in known if isinstance(each, Builtin) and not each.decides}

    def compiled(self, kernel: Any) -> "Game":
        """A copy of the game with this kernel, which plays the game if all players are programs or ``random``."""
        return replace(self, kernel=kernel, play=undeclared)

    def __reduce__(self) -> tuple[Any, ...]:
        """The name or the file of the game, from which pickle loads the game in other processes."""
        found = file_of(self.name)
        return (game_of, (self.name,)) if found is None else (_of_file, found)


def _of_file(path: str, digest: str) -> Game:
    """Load a game from a file or an installed package, when another process unpickles it.

    Raises:
        GuestError: the file has changed.
    """
    game: Game = named_game(path).load()
    if file_of(game.name) != (path, digest):
        raise GuestError(f"{path} has changed since the run began")
    return game


def language_of_alphabet(game: Game, name: str) -> str:
    """The language of the programs in an alphabet of a game; a ``+`` in the name and the words after it are ignored.

    The name of a language that is ``like`` one of the game's languages stands for the programs in that language.

    Raises:
        UsageError: the game has no such alphabet.
    """
    base = name.partition("+")[0]
    for language, primitives in game.offers.items():
        if primitives.alphabet(base) is not None:
            return language
    if base not in [*game.offers] and base in game.offers:
        return base
    names = [alphabet.name for primitives in game.offers.values() for alphabet in primitives.alphabets]
    if not names:
        raise UsageError(f"{game.name} has no alphabets: its programs cannot be evolved")
    raise UsageError(f"{game.name} has no alphabet `{base}`; {suggestion(base, names)}")
