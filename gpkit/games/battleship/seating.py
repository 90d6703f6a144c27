"""Players at the table of Battleship: which of them shoots, remembers or plays in the kernel, and who can meet whom."""

from collections.abc import Sequence

from gpkit.core.errors import UsageError
from gpkit.gamekit.players import (
    BuiltinPlayer,
    LearningPlayer,
    PlacementPlayer,
    Player,
    ProgramPlayer,
    decider,
)
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.patterns import PATTERNS

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
    if not shoots(shooter):
        raise UsageError(f"{shooter.name} only places a fleet; name a program or a player that shoots")
    check_opponent(other, rules)


def check_opponent(other: Player, rules: Rules) -> None:
    """Check that this player can play by these rules against one that shoots.

    Raises:
        UsageError: it cannot.
    """
    if rules.is_duel and not shoots(other):
        raise UsageError(
            f"{other.name} only places a fleet; a duel (mode=duel) is against a player that shoots"
        )
    if not rules.is_duel and shoots(other):
        known = ", ".join(PATTERNS)
        raise UsageError(
            f"{other.name} shoots, and in solitaire nobody shoots back: name a placement ({known}) "
            "or set --rules mode=duel"
        )


_IN_KERNEL = ProgramPlayer | PlacementPlayer
_LAYING = PlacementPlayer | BuiltinPlayer
# made once, as making a union takes longer than asking for it


def shoots(player: Player) -> bool:
    """Whether a player does more than place a fleet."""
    return not isinstance(player, PlacementPlayer)


def placement_of(player: Player) -> str:
    """Placement of a player's own fleet."""
    laying = player if isinstance(player, _LAYING) else decider(player)
    return (laying.placement if laying else "") or DEFAULT_PLACEMENT


def remembers(player: Player) -> bool:
    """Whether memory of earlier games answers ``Target`` for a player."""
    return isinstance(player, LearningPlayer)


def is_compiled(player: Player) -> bool:
    """Whether the kernel plays a player; others are asked for every shot."""
    if isinstance(player, LearningPlayer):
        return player.learner == COUNTS
    return isinstance(player, _IN_KERNEL)
