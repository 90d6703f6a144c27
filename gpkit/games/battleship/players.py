"""Players of Battleship: which shoot, remember or play in the kernel, who can meet whom, and agents found by name."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.gamekit.players import Player
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.patterns import PATTERNS
from gpkit.games.battleship.rules import Board


class Agent(Protocol):
    """A player that is asked for every shot; it knows what the shooter was told, and never looks at the fleet.

    Its answers are functions of their arguments: the board, the number behind the colon of its name (0 if there is
    none), and the key of the player's shots, of 26 bits.
    """

    def chances(self, board: Board, number: int, key: int) -> NDArray[np.float64]:
        """Its belief that there is a ship, by square: float64 (squares,); 0 or 1 where that is known."""

    def consider(self, board: Board, number: int, key: int) -> tuple[int, NDArray[np.float64]]:
        """The unshot square that it shoots at, and its belief, float64 (squares,), as of ``chances``."""


_STRATEGIES: Mapping[str, str] = MappingProxyType(
    {
        "adaptive": "learner.adaptive:ADAPTIVE",
        "belief": "belief.player:AGENT",
        "mcs": "monte_carlo:MCS",
        "mcs-flawed": "monte_carlo:FLAWED",
        "mcs-mended": "monte_carlo:MENDED",
        "reference": "reference:REFERENCE",
        "reference-hits": "reference:HITS_ALONE",
        "reference-halo": "reference:HALO",
    }
)
"""Module of Battleship and attribute of each agent, and of each learner that the kernel does not know."""

AGENTS = tuple(name for name in _STRATEGIES if name != "adaptive")


def strategy_of(name: str) -> Any:
    """The agent or learner of a name: an ``Agent``, or ``learner.adaptive.Adaptive``."""
    module, _, attribute = _STRATEGIES[name].partition(":")
    return getattr(import_module(f"{__package__}.{module}"), attribute)


DEFAULT_PLACEMENT = "uniform"
"""Placement of a shooter's own fleet if nothing is said."""

COUNTS = "counts"
"""The learner that the kernel knows."""


def check_players(players: Sequence[Player], rules: Rules) -> None:
    """Check that these players can play by these rules.

    Raises:
        UsageError: they cannot.
    """
    shooter, other = players
    if not shooter.decides:
        raise UsageError(f"{shooter.name} only places a fleet; name a program or a player that shoots")
    if rules.is_duel and not other.decides:
        raise UsageError(f"{other.name} only places a fleet; a duel (mode=duel) needs a player that shoots")
    if not rules.is_duel and other.decides:
        known = ", ".join(PATTERNS)
        raise UsageError(
            f"{other.name} shoots, and in solitaire nobody shoots back: name a placement ({known}) "
            "or set --rules mode=duel"
        )


def placement_of(player: Player) -> str:
    """Placement of a player's own fleet."""
    return player.placement or DEFAULT_PLACEMENT


def is_compiled(player: Player) -> bool:
    """Whether the kernel plays a player; others are asked for every shot."""
    return player.strategy == COUNTS if player.remembers else not player.strategy
