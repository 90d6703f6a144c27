"""The seam between games and everything above: what a player is to a game, and what every game can do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import PrimitiveSet
from gpkit.vm.program import Program


@dataclass(frozen=True, slots=True)
class Agent:
    """A player: a compiled program for each section of the game, or one of the game's own players by name.

    ``builtin`` names a player that no language can say (a search); ``argument`` is its number, such as worlds.
    """

    name: str
    programs: tuple[Program, ...] = ()
    builtin: str = ""
    argument: int = 0


@dataclass(frozen=True, slots=True)
class Scores:
    """What the first agent reached.

    Attributes:
        values: float64 (deals, rotations): its score in every game; rotations are the seatings of one deal.
        stalled: games that ended by the cap on laps.
        invalid: games in which a program exceeded its step budget.
    """

    values: NDArray[np.float64]
    stalled: int
    invalid: int


class Game(Protocol):
    """What every game offers to matches, evolution, tournaments and the command line."""

    name: str
    primitives: PrimitiveSet
    opponents: tuple[str, ...]
    builtins: tuple[str, ...]

    def make_rules(self, options: Mapping[str, str]) -> Any:
        """The rules with these options set, each given as text.

        Raises:
            UsageError: an unknown option or value; the message names the nearest one.
        """

    def players(self, rules: Any) -> int:
        """How many players sit at the table."""

    def metric(self, rules: Any) -> str:
        """The name of the score, such as ``win_share``."""

    def score_range(self, rules: Any) -> tuple[float, float]:
        """The least and the greatest score that a game can end with; wider is allowed."""

    def deal(self, rng: np.random.Generator, count: int, rules: Any) -> Any:
        """``count`` independent deals (boards, secrets); an opaque value with ``len`` and slices."""

    def play(self, agents: Sequence[Agent], deals: Any, rules: Any) -> Scores:
        """Play every deal in every seating; the scores are those of ``agents[0]``."""
