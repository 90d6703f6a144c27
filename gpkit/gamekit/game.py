"""The seam between games and everything above: what a player is to a game, and what every game can do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Offers
from gpkit.gamekit.options import Option
from gpkit.gamekit.players import Player


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
class Strategy:
    """A way to play of the game's own that is no program.

    Attributes:
        title: what it does, in a few words.
        number: what it takes; None for nothing.
        places: whether it lays something out, too, so that a placement can be named for it.
        is_slow: whether a game of it takes so long that games are told of one by one.
    """

    title: str
    number: Number | None = None
    places: bool = False
    is_slow: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """A search of the game's own, which takes a number of worlds.

    Attributes:
        title: what it does, in a few words.
        policy: the opponent whose program plays sampled worlds out.
    """

    title: str
    policy: str


@dataclass(frozen=True, slots=True)
class Learner:
    """A player of the game's own that carries memory from each game of a series to the next.

    Attributes:
        title: what it does, in a few words.
        policy: the opponent whose program decides where memory does not.
        is_slow: whether a game of it takes so long that games are told of one by one.
    """

    title: str
    policy: str
    is_slow: bool = False


Builtin = Strategy | Search | Learner


@dataclass(frozen=True, slots=True)
class Metric:
    """Metric of a game: its score.

    Attributes:
        name: of the score.
        low, high: its least and its greatest value; wider is allowed.
        lower_is_better: whether less is better.
        total: the sum of the scores of all players in every game; None if that is not always the same.
    """

    name: str
    low: float
    high: float
    lower_is_better: bool = False
    total: float | None = None

    @property
    def support(self) -> tuple[float, float]:
        """The least and the greatest value."""
        return self.low, self.high

    @property
    def is_share(self) -> bool:
        """Whether it counts shares of a win, of which equal players have equal parts."""
        return self.name in ("win_share", "win_rate")

    @property
    def direction(self) -> float:
        """1 where more is better, otherwise −1."""
        return -1.0 if self.lower_is_better else 1.0


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


class Game(Protocol):
    """Interface of every game to matches, evolution, tournaments and the command line."""

    def __hash__(self) -> int:
        """Hash, as what was made for a game is kept under it."""

    @property
    def name(self) -> str:
        """Name, as people give it."""

    @property
    def offers(self) -> Offers:
        """The primitive sets for programs, by language."""

    @property
    def options(self) -> tuple[Option, ...]:
        """Options of the rules."""

    @property
    def opponents(self) -> tuple[str, ...]:
        """Names of the opponents that are programs."""

    @property
    def builtins(self) -> Mapping[str, Builtin]:
        """The other opponents, by name."""

    @property
    def placements(self) -> Mapping[str, str]:
        """Ways to lay out what is hidden, by name, in words; none where nothing is laid out."""

    def make_rules(self, options: Mapping[str, str]) -> Any:
        """The rules with these options set, each given as text.

        Raises:
            UsageError: an unknown option or value; the message names the nearest one.
        """

    def players(self, rules: Any) -> int:
        """Number of players of a game."""

    def seatings(self, rules: Any) -> int:
        """Number of seatings of the players, each played once for every deal."""

    def rivals(self, rules: Any) -> tuple[str, ...]:
        """The opponents that programs meet if none are named."""

    def metric(self, rules: Any) -> Metric:
        """The score, such as ``win_share``."""

    def deal(self, rng: np.random.Generator, count: int, rules: Any) -> Any:
        """``count`` independent deals (boards, secrets); an opaque value with ``len`` and slices."""

    def begin(self, players: Sequence[Player], deals: Any, rules: Any) -> Any:
        """The first deal's game before its first action, a ``State``; players by seat may say how hidden things lie."""

    def play(self, players: Sequence[Player], deals: Any, rules: Any) -> Scores:
        """Play every deal in every seating; the scores are those of ``players[0]``."""


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
        raise UsageError(f"{game.name} has no alphabets: its programs are not evolved")
    raise UsageError(f"{game.name} has no alphabet `{base}`; {suggestion(base, names)}")


@runtime_checkable
class Bringing(Protocol):
    """Games that bring the programs of their opponents as texts, and not as files."""

    texts: Mapping[str, str]
    """Texts of formulas, by the name of the opponent."""


@runtime_checkable
class Countable(Protocol):
    """Further interface of games whose results can be computed."""

    def check_exact(self, players: Sequence[Player], rules: Any) -> None:
        """Check, without computing anything, that the score of these players can be computed.

        Raises:
            UsageError: a player draws random numbers, or these rules allow too many positions.
        """

    def expect(self, players: Sequence[Player], rules: Any) -> Expected:
        """The expected score of ``players[0]``.

        Raises:
            UsageError: as for ``check_exact``; or there turn out to be too many positions.
        """


@runtime_checkable
class Repeating(Protocol):
    """Games of which some deals are played alike, as little or nothing in them is drawn at random."""

    def courses(self, players: Sequence[Player], deals: Any, rules: Any) -> NDArray[np.int64] | None:
        """By deal a number that is the same for deals of which all games are the same: int64 (deals,).

        It is 0 where there is only one course at all. None where hardly any deals are alike, or nothing is known of it.
        """


@runtime_checkable
class Remembering(Protocol):
    """Games with players that carry memory from each game of a series to the next."""

    def memory(self, players: Sequence[Player], series: int, rules: Any) -> NDArray[np.float64]:
        """Memory before the first game: float64 (series, seatings, players, ...); the rest is the game's own."""

    def play_on(
        self, players: Sequence[Player], deals: Any, rules: Any, memory: NDArray[np.float64]
    ) -> tuple[Scores, NDArray[np.float64]]:
        """Play every deal in every seating, each as the next game of the series in its place of ``memory``.

        Returns:
            As of ``play``, and the memory after the games.
        """


@runtime_checkable
class Duelling(Protocol):
    """Games that are played alone unless it is said that two shall meet."""

    duel: Mapping[str, str]
    """The options by which two players meet who both decide."""


@runtime_checkable
class Planned(Protocol):
    """Games that plans play: they ask for one action after another, and ticks pass between."""

    @property
    def tick(self) -> str:
        """Name of the action in which a tick passes."""

    def ask(self, state: Any, action: str) -> Any:
        """The state in which an action has begun, or a tick has passed; the end where it can never begin."""

    def start_of(self, rules: Any) -> str:
        """The leaf at which a plan that is executed upwards begins."""

    def key_of(self, deals: Any) -> int:
        """The key of the random numbers of a plan's chances in the first deal's game, 26 bits."""


@runtime_checkable
class Choosing(Protocol):
    """Games whose players can be asked for one action, so that they are traced and played with unasked."""

    def choose(self, player: Player, state: Any, deals: Any) -> int:
        """The legal action that a player chooses in a state of the first deal's game, in which it is to choose."""
