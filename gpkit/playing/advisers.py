"""Advisers of persons: who gives hints if nobody is chosen, and what they are called."""

from collections.abc import Sequence
from itertools import chain
from pathlib import PurePath

from gpkit.core.registry import shipped_programs
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.players import shipped_player, shipped_players
from gpkit.playing.trace import valuing


def default_adviser(best: str, others: Sequence[Player], game: Game) -> Player | None:
    """The program of that name, if it comes with the game; else the first one that can explain itself.

    Args:
        best: the name.
        others: the other players, who are asked before the programs that come with the game.
        game: the game.
    """
    if best in shipped_programs(game.name):
        return shipped_player(best, game)
    found = filter(None, (each.decider for each in chain(others, shipped_players(game))))
    return next(filter(explains, found), None)


def default_name(best: str, others: Sequence[Player], game: Game) -> str:
    """The name of the default adviser, not read if it comes with the game; empty if there is none."""
    if best in shipped_programs(game.name):
        return best
    found = default_adviser(best, others, game)
    return "" if found is None else name_of_adviser(found)


def explains(player: Player) -> bool:
    """Whether a player is a program that values actions and draws no random numbers."""
    deciding = player.decider
    if deciding is not player or deciding is None or not valuing(deciding.program.language):
        return False
    return not any(tree.draws for tree in deciding.program.trees)


def name_of_adviser(player: Player) -> str:
    """The name of an adviser: a file without folder and suffix."""
    return PurePath(player.name).stem
