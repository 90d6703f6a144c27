"""The seam between games and everything above: what a player is to a game, and what every game can do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import PrimitiveSet
from gpkit.games.options import Option
from gpkit.vm.program import Program


@dataclass(frozen=True, slots=True)
class Agent:
    """A player.

    Attributes:
        name: what it is called in results.
        programs: its compiled programs, as many as the game asks for.
        builtin: the name of a player of the game's own that no language can say, such as a search.
        argument: the number that such a player takes, such as worlds.
        placement: how it lays out what is hidden, in games where players do that; empty for the game's default.
    """

    name: str
    programs: tuple[Program, ...] = ()
    builtin: str = ""
    argument: int = 0
    placement: str = ""


@dataclass(frozen=True, slots=True)
class Metric:
    """What a game counts: its name, the least and the greatest value (wider is allowed), and which way is better."""

    name: str
    low: float
    high: float
    lower_is_better: bool = False

    @property
    def support(self) -> tuple[float, float]:
        """The least and the greatest value."""
        return self.low, self.high

    @property
    def direction(self) -> float:
        """1 where more is better, otherwise −1."""
        return -1.0 if self.lower_is_better else 1.0


@dataclass(frozen=True, slots=True)
class Scores:
    """What the first agent reached.

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


class Game(Protocol):
    """What every game offers to matches, evolution, tournaments and the command line."""

    name: str
    primitives: PrimitiveSet
    options: tuple[Option, ...]
    opponents: tuple[str, ...]
    builtins: tuple[str, ...]
    placements: Mapping[str, str]

    def make_rules(self, options: Mapping[str, str]) -> Any:
        """The rules with these options set, each given as text.

        Raises:
            UsageError: an unknown option or value; the message names the nearest one.
        """

    def players(self, rules: Any) -> int:
        """How many agents a game takes."""

    def seatings(self, rules: Any) -> int:
        """In how many ways the agents are seated, each once for every deal."""

    def rivals(self, rules: Any) -> tuple[str, ...]:
        """The opponents that programs meet if none are named."""

    def metric(self, rules: Any) -> Metric:
        """The score, such as ``win_share``."""

    def deal(self, rng: np.random.Generator, count: int, rules: Any) -> Any:
        """``count`` independent deals (boards, secrets); an opaque value with ``len`` and slices."""

    def play(self, agents: Sequence[Agent], deals: Any, rules: Any) -> Scores:
        """Play every deal in every seating; the scores are those of ``agents[0]``."""
