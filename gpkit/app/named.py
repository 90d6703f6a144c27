"""Players from what people name: files, folders, players of games, programs that come with gpkit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gpkit.app.files import STANDARD_INPUT, program_paths, read_text
from gpkit.app.program_files import fits, in_dialect, language_for, offers_for
from gpkit.app.shipped import shipped_file, shipped_games, shipped_names
from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Offers
from gpkit.core.registry import game_of, is_suffix, loaded_games
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.players import player_of_name, player_of_source


@dataclass(frozen=True, slots=True)
class Named:
    """Named competitor: the player ``spec`` of a game, or a program file that was read and parsed."""

    spec: str
    source: Any = None
    language: Any = None


def read_named(
    specs: Sequence[str],
    language: str | None,
    dialect: Mapping[str, str] = MappingProxyType({}),
    *,
    game: str | None = None,
) -> list[Named]:
    """The players behind names: program files, files of folders, players of games, programs that come with gpkit.

    What is named twice counts once. A word that is a player or such a program is not looked up: a file or folder of
    that name is ``./NAME``.

    Args:
        specs: what was named.
        language: of files whose suffix does not say it.
        dialect: lines of the header that stand in place of those of the files.
        game: of ``--game``, for names that programs of several games have; without it the game of the others does.

    Raises:
        UsageError: a file cannot be read, a dialect is set for what has none, or a name is that of several programs.
        SourceError: a file does not parse.
        LimitError: a file is too large.
    """
    named: dict[str, Named | None] = {}
    for spec in specs:
        if not _is_surely_file(spec) and _is_player(spec):
            if dialect:
                raise UsageError(f"--dialect is for program files; `{spec}` is a player and stays as it is")
            named[spec] = Named(spec)
        elif games := shipped_games(spec):
            unclear = game is None and len(games) > 1
            named[spec] = None if unclear else _read(spec, str(shipped_file(spec, game)), None, dialect)
        else:
            for path in program_paths([spec]):
                named[path] = _read(path, path, language, dialect) if _is_file(path) else Named(path)
    games_of_others = {each.source.header.get("game", "") for each in named.values() if each and each.source}
    (meant,) = games_of_others if len(games_of_others) == 1 else (None,)
    return [
        each or _read(spec, str(shipped_file(spec, meant)), None, dialect) for spec, each in named.items()
    ]


def _read(spec: str, path: str, language: str | None, dialect: Mapping[str, str]) -> Named:
    """A program file, which goes by the name ``spec``."""
    known = language_for(path, language)
    return Named(spec, in_dialect(known.parse(read_text(path), spec), dialect, known), known)


def read_opponents(
    specs: Sequence[str], programs: Sequence[Named], language: str | None, *, game: str | None = None
) -> list[Named]:
    """As ``read_named``, for the opponents of programs.

    Raises:
        UsageError: standard input is named for both.
    """
    if STANDARD_INPUT in specs and any(each.spec == STANDARD_INPUT for each in programs):
        raise UsageError("standard input can be read once: name a file for the program or for the opponent")
    return read_named(specs, language, game=game)


def game_for(named: Sequence[Named], name: str | None) -> Game:
    """The game that these are for: the one of that ``name``, else of their headers, else the only one that fits.

    Raises:
        UsageError: there is no such game, they are for different games, or no game or several would do.
    """
    if name is not None:
        game: Game = game_of(name)
        return game
    headers = {
        each.source.header["game"]: each.spec
        for each in named
        if each.source and "game" in each.source.header
    }
    if len(headers) > 1:
        told = ", ".join(f"{spec} for {game}" for game, spec in headers.items())
        raise UsageError(f"programs for different games cannot meet: {told}")
    if headers:
        return game_for(named, next(iter(headers)))
    return _only_game(named)


def offers_of(named: Named, game: str | None = None) -> Offers | None:
    """Offers of a program file's game, the one of that name or of its header; None if nobody names one.

    In languages that need a game it is at least the only one that fits.

    Raises:
        UsageError: there is no such game, or one is needed and none fits, or several do.
    """
    if named.language.needs_game:
        return game_for([named], game).offers
    return offers_for(game, named.source.header)


def _only_game(named: Sequence[Named]) -> Game:
    """The game that has a player of every name and the sections of every program."""
    fitting = list(_games())
    for each in named:
        before, fitting = fitting, [game for game in fitting if _fits(each, game)]
        if not fitting:
            raise UsageError(_misfit(each, before))
    if len(fitting) > 1:
        names = ", ".join(game.name for game in fitting)
        raise UsageError(f"{named[0].spec} may be for {names}: name one with --game")
    return fitting[0]


def _fits(named: Named, game: Game) -> bool:
    if named.source is None:
        return named.spec.partition(":")[0] in _players(game)
    return fits(named.source, named.language, game.offers)


def _misfit(named: Named, games: Sequence[Game]) -> str:
    """Reason that this is for none of the games that the others left."""
    if named.source is None:
        close = nearest(
            named.spec, {name for game in games for name in (*_players(game), *shipped_names(game.name))}
        )
        mend = f"did you mean `{close}`?" if close is not None else "`gpkit list opponents` shows the players"
        return f"`{named.spec}` is neither a program file nor a player; {mend}"
    language = named.language.name
    same = [game for game in games if language in game.offers]
    if not same:
        told = ", ".join(f"those of {game.name} in {' or '.join(game.offers)}" for game in games)
        return f"{named.spec} is in {language}, and programs for the others that were named are not: {told}"
    needed = "; ".join(f"{game.name} has {', '.join(game.offers[language].sections)}" for game in same)
    return (
        f"{named.spec} has the sections {', '.join(named.source.program.names)} in {language}: that fits no game "
        f"({needed}). Say which it is for with --game or a first line such as // game: {same[0].name}"
    )


def seat(named: Named, game: Game) -> Player:
    """The player of what was named.

    Raises:
        UsageError: the game has no such player.
        SourceError: the program has an error for this game.
    """
    if named.source is None:
        return player_of_name(named.spec, game)
    return player_of_source(named.source, game, language=named.language)


def opponent(name: str, game: Game) -> Player:
    """The player of an opponent's name, or of a program file.

    Raises:
        UsageError: there is no such opponent, or its file cannot be read.
        SourceError: the file does not parse, or has an error for this game.
    """
    (named,) = read_named([name], None, game=game.name)
    return seat(named, game)


def seat_opponents(named: Sequence[Named], game: Game, rules: Any) -> list[Player]:
    """The players of the opponents that were named; if none were, the usual ones of the game."""
    return [seat(each, game) for each in named or map(Named, game.rivals(rules))]


def _is_file(spec: str) -> bool:
    """Whether this is meant as a file, be it there or not."""
    if _is_surely_file(spec):
        return True
    path = Path(spec)
    return not _is_player(spec) and (path.suffix != "" or path.exists())


def _is_surely_file(spec: str) -> bool:
    """Whether this can be nothing but a file, so that no game need be asked for a player of that name."""
    return spec == STANDARD_INPUT or "/" in spec or is_suffix(Path(spec).suffix)


def _is_player(spec: str) -> bool:
    return any(spec.partition(":")[0] in _players(game) for game in _games())


def _games() -> list[Game]:
    return list(loaded_games())


def _players(game: Game) -> tuple[str, ...]:
    return (*game.opponents, *game.builtins, *game.placements)
