"""Players and rules of games, read from the arguments of functions."""

import os
from collections.abc import Mapping, Sequence

from gpkit.api.games import name_of
from gpkit.api.kinds import NO_DIALECT, GameLike, PlayerLike, PlayersLike
from gpkit.api.programs import Program
from gpkit.core.errors import UsageError
from gpkit.gamekit.options import Value, text_of
from gpkit.playing.named import Named, read_named, read_opponents


def texts_of(rules: Mapping[str, Value]) -> dict[str, str]:
    """The rules as texts, by the names of the options."""
    return {name: text_of(value) for name, value in rules.items()}


def read_players(
    programs: PlayersLike,
    opponents: PlayersLike,
    game: GameLike | None,
    language: str | None = None,
    dialect: Mapping[str, str] = NO_DIALECT,
) -> tuple[list[Named], list[Named], str | None]:
    """The programs and their opponents, and the name of the game if one is given.

    Raises:
        UsageError: there is no program, or no such player.
        SourceError: a program does not parse.
    """
    name = name_of(game)
    named = _read(several(programs), name, language, dialect)
    if not named:
        raise UsageError("name a program file, or a player such as simple: `gpkit list opponents` shows them")
    return named, opponents_of(opponents, named, name, language), name


def opponents_of(
    opponents: PlayersLike, programs: Sequence[Named], game: str | None, language: str | None = None
) -> list[Named]:
    """The opponents, for the given game, or else for that of the programs.

    Raises:
        UsageError: there is no such player, or standard input is named for a program, too.
        SourceError: a program does not parse.
    """
    return [
        named
        for each in several(opponents)
        for named in (
            [each.named]
            if isinstance(each, Program)
            else read_opponents([os.fspath(each)], programs, language, game=game)
        )
    ]


def several(players: PlayersLike) -> Sequence[PlayerLike]:
    """The players as a sequence, even if a single one is given."""
    return [players] if isinstance(players, Program | str | os.PathLike) else players


def _read(
    players: Sequence[PlayerLike], game: str | None, language: str | None, dialect: Mapping[str, str]
) -> list[Named]:
    """The players, in their order; if all of them are names, ``read_named`` reads them together."""
    texts = [os.fspath(each) for each in players if not isinstance(each, Program)]
    if len(texts) == len(players):
        return read_named(texts, language, dialect, game=game)
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
    """The only player that an argument names.

    Raises:
        UsageError: as for ``read_named``, or the argument is a folder with several programs.
    """
    first, *more = _read([player], game, language, dialect)
    if more:
        raise UsageError(f"{player} holds {len(more) + 1} programs; name one of them, such as {first.spec}")
    return first
