"""Reads players and game rules from the arguments of functions."""

import os
from collections.abc import Mapping, Sequence

from gpkit.api.games import name_of
from gpkit.api.kinds import NO_DIALECT, GameLike, PlayerLike, PlayersLike
from gpkit.api.programs import Program
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.gamekit.options import Value, text_of
from gpkit.playing.named import Named, game_of_headers, read_named, read_one


def texts_of(rules: Mapping[str, Value]) -> dict[str, str]:
    """The rules as strings, by option name."""
    return {name: text_of(value) for name, value in rules.items()}


def read_players(
    programs: PlayersLike,
    game: GameLike | None,
    language: str | None = None,
    dialect: Mapping[str, str] = NO_DIALECT,
) -> tuple[list[Named], str | None]:
    """The programs without duplicates, and the name of the game if one is given.

    Raises:
        UsageError: there is no program, or no such player.
        SourceError: a program does not parse.
    """
    name, given = name_of(game), several(programs)
    if not given:
        raise UsageError("name a program file, or a player such as simple: `gpkit list opponents` shows them")
    texts = [os.fspath(each) for each in given if not isinstance(each, Program)]
    if len(texts) == len(given):
        return read_named(texts, language, dialect, game=name), name
    return _one_by_one(given, name, language, dialect), name


def opponents_of(
    opponents: PlayersLike, programs: Sequence[Named], game: str | None, language: str | None = None
) -> list[Named]:
    """The opponents for the given game, or, if no game is given, for the game of the programs.

    Raises:
        UsageError: there is no such player, or a program and an opponent both name standard input.
        SourceError: a program does not parse.
    """
    given = several(opponents)
    if STANDARD_INPUT in given and any(each.spec == STANDARD_INPUT for each in programs):
        raise UsageError(
            "standard input can be read only once: name a file for the program or for the opponent"
        )
    return _one_by_one(given, game or game_of_headers(programs), language)


def several(players: PlayersLike) -> Sequence[PlayerLike]:
    """The players as a sequence, even if there is only one."""
    return [players] if isinstance(players, Program | str | os.PathLike) else players


def _one_by_one(
    players: Sequence[PlayerLike],
    game: str | None,
    language: str | None,
    dialect: Mapping[str, str] = NO_DIALECT,
) -> list[Named]:
    """The players in the given order, including duplicates."""
    return [
        named
        for each in players
        for named in (
            [each.named]
            if isinstance(each, Program)
            else read_named([os.fspath(each)], language, dialect, game=game)
        )
    ]


def one_player(
    player: PlayerLike,
    game: str | None,
    language: str | None = None,
    dialect: Mapping[str, str] = NO_DIALECT,
) -> Named:
    """The single player that an argument names.

    Raises:
        UsageError: in the same cases as ``read_named``, or the argument is a folder with several programs.
    """
    return (
        player.named if isinstance(player, Program) else read_one(os.fspath(player), language, dialect, game)
    )
