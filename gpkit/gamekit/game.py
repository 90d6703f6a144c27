"""The seam between games and everything above: what a player is to a game, and what every game can do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import file_of, named_game
from gpkit.core.primitives import Offers
from gpkit.core.registry import game_of
from gpkit.gamekit.options import Option, OptionRules, options_of
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import end_of


@dataclass(frozen=True, slots=True)
class Number:
    """The number that a strategy takes behind a colon.

    Attributes:
        unit: what it counts, in the plural.
        default: if none is given; 0 for a strategy that goes without.
        most: the largest.
    """

    unit: str
    default: int
    most: int


@dataclass(frozen=True, slots=True)
class Builtin:
    """A player of the game's own that is not a program: a strategy, a search, a learner, or a placement.

    Attributes:
        title: what it does, in a few words.
        number: what a strategy takes; None for nothing.
        places: whether it lays something out, too, so that a placement can be named for it.
        is_slow: whether a game of it takes so long that games are told of one by one.
        policy: the opponent whose program plays the worlds of a search out, or decides where memory of a learner does
            not; empty for a strategy.
        remembers: whether it carries memory from each game of a series to the next.
        plays: whether it can play by these rules.
        function: of a strategy of a game of states, from a state to a legal action.
        decides: whether it chooses actions; a placement does not, it is a way to lay out what is hidden.
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

    @property
    def searches(self) -> bool:
        """Whether it takes a number of worlds, which it plays out."""
        return self.policy != "" and not self.remembers


def laying_out(titles: Mapping[str, str]) -> dict[str, Builtin]:
    """Placements by name, each with its title."""
    return {name: Builtin(title, decides=False) for name, title in titles.items()}


@dataclass(frozen=True, slots=True)
class Metric:
    """Metric of a game: its score.

    Attributes:
        name: of the score.
        low, high: its least and its greatest value; wider is allowed.
        lower_is_better: whether less is better.
        total: the sum of the scores of all players in every game; None if that is not always the same.
        alone: whether only the first player has a score; the others lay something out, and seats are not exchanged.
    """

    name: str
    low: float
    high: float
    lower_is_better: bool = False
    total: float | None = None
    alone: bool = False

    @property
    def support(self) -> tuple[float, float]:
        """The least and the greatest value."""
        return self.low, self.high

    @property
    def is_share(self) -> bool:
        """Whether it counts shares of a win, of which equal players have equal parts."""
        return self.name in ("win_share", "win_rate") and not self.lower_is_better

    @property
    def direction(self) -> float:
        """1 where more is better, otherwise −1."""
        return -1.0 if self.lower_is_better else 1.0

    @property
    def middle(self) -> float:
        """The scores of a game that is called off for its length."""
        return (self.low + self.high) / 2.0

    def checked(self, scores: Sequence[float]) -> tuple[float, ...]:
        """The scores of a game.

        Raises:
            ValueError: one of them is beyond the bounds.
        """
        for score in scores:
            if not self.low <= score <= self.high:
                raise ValueError(f"{self.name} is {score}, but must be {self.low:g} to {self.high:g}")
        return tuple(map(float, scores))

    def shown(self, fitness: float) -> float:
        """The score that people see for a fitness; more fitness is always better, even if a lower score is."""
        return self.direction * fitness + 0.0  # never −0

    def ranked(self, scores: Sequence[float]) -> list[int]:
        """The indices of scores, best first; equal scores keep their order.

        >>> Metric("points", 0.0, 9.0).ranked([2, 7, 2]), Metric("strokes", 0.0, 9.0, True).ranked([2, 7, 2])
        ([1, 0, 2], [0, 2, 1])
        """
        return sorted(range(len(scores)), key=lambda place: -self.direction * scores[place])

    def best(self, scores: Sequence[float]) -> list[int]:
        """The indices of the best score: the winner, or all players who share the win."""
        ranked = self.ranked(scores)
        return [place for place in ranked if scores[place] == scores[ranked[0]]]

    def lead(self, scores: Sequence[float], place: int) -> float:
        """The lead of one score over the best of the others; negative if it is worse, 0 if there are no others."""
        others = [other for other in self.ranked(scores) if other != place]
        return self.direction * (scores[place] - scores[others[0]]) if others else 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of the first player.

    Attributes:
        values: float64 (deals, rotations): its score in every game; rotations are the seatings of one deal.
        stalled: games that ended by the cap on their length.
        invalid: games in which a program exceeded its step budget.
        grades: float64 (deals, rotations): the same games graded more finely, with the same better direction, as a
            guide for evolution; None where the score is the only grade.
    """

    values: NDArray[np.float64]
    stalled: int
    invalid: int
    grades: NDArray[np.float64] | None = None


BEST_RESPONSE = "best_response"
"""Detail of exact results: what the player that does best against the first one wins, by its own seat."""


EXPLOITABILITY = "exploitability"
"""The detail of an exact result that says how much a best response wins above an even share."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected score of the first player, computed and not sampled.

    Attributes:
        seatings: by seating.
        details: what else is known, as plain JSON values by name.
    """

    seatings: tuple[float, ...]
    details: Mapping[str, object] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """With all seatings equally likely."""
        return sum(self.seatings) / len(self.seatings)


@dataclass(frozen=True, slots=True)
class Exact:
    """The exact results of a game, computed from all its positions.

    Attributes:
        check: (players, rules) checks that the score of these players can be computed, but does not compute it; raises
            a UsageError if a player draws random numbers, or these rules allow too many positions.
        expect: (players, rules) returns the expected score of ``players[0]``; raises a UsageError like ``check``, or if
            there turn out to be too many positions.
        exploited: (players, rules) returns the exploitability of ``players[0]``, fast for many players of one game;
            None if only ``expect`` computes it.
        watched: (players, rules, watch) does the same as ``expect`` if that may take a long time, and repeatedly calls
            ``watch`` with the number of positions looked at so far; None if ``expect`` is fast.
    """

    check: Callable[[Sequence[Player], Any], None]
    expect: Callable[[Sequence[Player], Any], Expected]
    exploited: Callable[[Sequence[Player], Any], float] | None = None
    watched: Callable[[Sequence[Player], Any, Callable[[int], object]], Expected] | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory that players of a game carry from each game of a series to the next.

    Attributes:
        begin: (players, series, rules) memory before the first game: float64 (series, seatings, players, ...); the rest
            is the game's own.
        play_on: (players, deals, rules, memory) plays every deal in every seating, each as the next game of the series
            in its place of ``memory``; the scores as of ``play``, and the memory after the games.
    """

    begin: Callable[[Sequence[Player], int, Any], NDArray[Any]]
    play_on: Callable[[Sequence[Player], Any, Any, NDArray[Any]], tuple[Scores, NDArray[Any]]]


@dataclass(frozen=True, slots=True)
class Plans:
    """The way of a game with plans: they ask for one action after another, and ticks pass between.

    Random numbers of a plan's chances have the key of the deal, 26 bits.

    Attributes:
        actions: by the name of each action what it does, in the order of their numbers from 0.
        tick: the name of the action in which time passes; it can always be chosen.
        start: the leaf at which a plan that is executed upwards begins, or (rules) that leaf; empty for its first.
    """

    actions: Mapping[str, str]
    tick: str
    start: str | Callable[[Any], str] = ""

    def ask(self, state: Any, action: str) -> Any:
        """The state in which an action has begun, or a tick has passed; ticks pass until the action is legal.

        Raises:
            GuestError: the tick cannot be chosen.
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
        """The leaf at which a plan that is executed upwards begins under these rules."""
        return self.start if isinstance(self.start, str) else self.start(rules)


def undeclared(*arguments: Any) -> Any:
    """A function that is still to be declared of a game.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game as matches, evolution, tournaments and the command line see it.

    Games are declared with ``gpkit.user_games.declare.game``, whose keywords are these fields (``begin`` gives
    ``first``). In another process a game is the one of its name there.

    Attributes:
        name: as people give it.
        offers: the primitive sets for programs, by language.
        options: of the rules; or the class of these, whose fields they are.
        first: (players, deals, rules) the first state of the first deal's game, before chance has acted; players by
            seat may say how hidden things lie.
        players: (rules) number of players of a game.
        rivals: (rules) the opponents that programs meet if none are named.
        metric: (rules) the score, such as ``win_share``.
        deal: (rng, count, rules) independent deals (boards, secrets); an opaque value with ``len`` and slices. The
            first of them are the same for any larger count.
        play: (players, deals, rules) plays every deal in every seating; the scores are those of ``players[0]``.
        title: what it is, in a few words.
        opponents: by name the program of each that is one, as a text, empty for a file; or the ``Builtin``.
        choose: (player, state, deals) the legal action that a player chooses when it is to move in a state of the first
            deal's game; or a decision that holds this ``action`` and says why (``gpkit.playing.decisions.Valued``).
            It is not called for programs that value actions. None if only whole games are played.
        courses: (players, deals, rules) by deal a number that is the same for deals of which all games are the same:
            int64 (deals,), 0 where there is only one course at all; None where hardly any deals are alike, or nothing
            is known of it, as of all deals of a game without this.
        exact: how results are computed; None where they are only sampled.
        memory: what players carry through a series; None where nobody remembers anything.
        plans: how plans play; None where they do not.
        sensors: what programs read, each with its function, in the order of the slots.
        facts: of a step of a game, which conditions and traces read, beside those of every game.
        check: (players, rules) checks that these players, the first of which chooses, can play by these rules; raises a
            UsageError that says why not.
        kernel: the same game for the compiler, of games that are played by their states; None if there is none.
        view: its face; None where it is the module ``view`` beside it (``gpkit.gamekit.view.view_of``).
        encoding: what players know as numbers; None where it is the module ``encoding``
            (``gpkit.gamekit.encoding.encoding_of``).
        is_of_states: whether it is played by its states (``gpkit.user_games.game.StateGame``).
        hosted: whether exported players ask a host for the rules and sensors.
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
    courses: Callable[[Sequence[Player], Any, Any], NDArray[np.int64] | None] | None = None
    exact: Exact | None = None
    memory: Memory | None = None
    plans: Plans | None = None
    sensors: tuple[Any, ...] = ()
    facts: tuple[Any, ...] = ()
    check: Callable[[Sequence[Player], Any], object] = lambda players, rules: None
    kernel: Any = None
    view: Any = None
    encoding: Any = None

    is_of_states: ClassVar[bool] = False
    hosted: ClassVar[bool] = False

    @property
    def all_options(self) -> tuple[Option, ...]:
        """The options of the rules."""
        return options_of(self.options) if isinstance(self.options, type) else self.options

    def make_rules(self, texts: Mapping[str, str]) -> Any:
        """The rules with these options set, each given as text.

        Raises:
            UsageError: an unknown option or value; the message names the nearest one.
        """
        assert isinstance(self.options, type), "games of states make their own"
        return self.options.from_options(texts)

    @property
    def duel(self) -> Mapping[str, str]:
        """The options for a meeting of two players who both decide, in games that are otherwise played alone."""
        return self.options.duel if isinstance(self.options, type) else {}

    def seatings(self, rules: Any) -> int:
        """Number of seatings of the players, each played once for every deal."""
        return 1 if self.metric(rules).alone else self.players(rules)

    def begin(self, players: Sequence[Player], deals: Any, rules: Any) -> Any:
        """The first deal's game before its first action, a ``State``."""
        return self.first(players, deals, rules)

    def openings(self) -> str:
        """The value of the option ``opening`` for evolution; empty if games never repeat anyway."""
        return ""

    def explained(self, error: BaseException) -> GuestError | None:
        """The reason for an error that the game may have caused; None if the game is not the cause."""
        return None

    @property
    def programs(self) -> Mapping[str, str]:
        """The opponents that are programs: by name their texts, empty for files."""
        return {name: each for name, each in self.opponents.items() if isinstance(each, str)}

    @property
    def builtins(self) -> Mapping[str, Builtin]:
        """The opponents that choose actions and are no programs."""
        known = self.opponents.items()
        return {name: each for name, each in known if isinstance(each, Builtin) and each.decides}

    @property
    def placements(self) -> Mapping[str, str]:
        """Ways to lay out what is hidden, by name, in words; none where nothing is laid out."""
        known = self.opponents.items()
        return {name: each.title for name, each in known if isinstance(each, Builtin) and not each.decides}

    def compiled(self, kernel: Any) -> "Game":
        """The game with a kernel, which plays where all players are programs or ``random``."""
        return replace(self, kernel=kernel, play=undeclared)

    def __reduce__(self) -> tuple[Any, ...]:
        """The game by its name or its file, which other processes read again."""
        found = file_of(self.name)
        return (game_of, (self.name,)) if found is None else (_of_file, found)


def _of_file(path: str, digest: str) -> Game:
    """The game of a file or of another package in another process.

    Raises:
        GuestError: the file is not the one that was meant.
    """
    game: Game = named_game(path).load()
    if file_of(game.name) != (path, digest):
        raise GuestError(f"{path} has changed since the run began")
    return game


def language_of_alphabet(game: Game, name: str) -> str:
    """The language whose programs are made of an alphabet of a game; words that are added to it do not matter.

    Raises:
        UsageError: the game has no such alphabet.
    """
    base = name.partition("+")[0]
    for language, primitives in game.offers.items():
        if primitives.alphabet(base) is not None:
            return language
    names = [alphabet.name for primitives in game.offers.values() for alphabet in primitives.alphabets]
    if not names:
        raise UsageError(f"{game.name} has no alphabets: its programs cannot be evolved")
    raise UsageError(f"{game.name} has no alphabet `{base}`; {suggestion(base, names)}")
