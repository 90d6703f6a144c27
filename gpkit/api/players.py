"""Players and rules of games as functions take them."""

import os
from collections.abc import Mapping, Sequence
from typing import Annotated

from gpkit.api.games import GameLike, name_of
from gpkit.api.programs import Program
from gpkit.app.players import Named, read_named, read_opponents
from gpkit.core.errors import UsageError
from gpkit.gamekit.options import Value, text_of

PlayerLike = Annotated[
    Program | str | os.PathLike[str], "a program, the path of a file, or the name of a player"
]
"""A program, or what the command line takes for a player: a file, a shipped program, ``random``, ``pimc:100``."""

PlayersLike = Annotated[
    PlayerLike | Sequence[PlayerLike], "a program, a file, the name of a player, or several"
]
"""A player, or several; the path of a folder stands for the program files in it."""


def texts_of(rules: Mapping[str, Value]) -> dict[str, str]:
    """Rules as the texts of their options."""
    return {name: text_of(value) for name, value in rules.items()}


def read_players(
    programs: PlayersLike, opponents: PlayersLike, game: GameLike | None
) -> tuple[list[Named], list[Named], str | None]:
    """Programs and their opponents as they were read, and the name of the game if one is meant.

    Raises:
        UsageError: there is no program, or no such player.
        SourceError: a program does not parse.
    """
    name = name_of(game)
    named = [each for player in _several(programs) for each in _read(player, name)]
    if not named:
        raise UsageError("name at least one program")
    return named, opponents_of(opponents, named, name), name


def opponents_of(opponents: PlayersLike, programs: Sequence[Named], game: str | None) -> list[Named]:
    """Opponents as they were read, for the game of the programs if no other is named."""
    return [
        named
        for each in _several(opponents)
        for named in (
            [each.named]
            if isinstance(each, Program)
            else read_opponents([os.fspath(each)], programs, None, game=game)
        )
    ]


def _several(players: PlayersLike) -> Sequence[PlayerLike]:
    return [players] if isinstance(players, Program | str | os.PathLike) else players


def _read(player: PlayerLike, game: str | None) -> list[Named]:
    return [player.named] if isinstance(player, Program) else read_named([os.fspath(player)], None, game=game)


def one_player(player: PlayerLike, game: str | None) -> Named:
    """The only player behind what was given.

    Raises:
        UsageError: as for ``read_named``; or it is a folder of several programs.
    """
    first, *more = _read(player, game)
    if more:
        raise UsageError(f"{player} holds {len(more) + 1} programs; name one of them, such as {first.spec}")
    return first
