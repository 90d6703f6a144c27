"""Find players by name: program files, folders of program files, players of a game, and programs that come with gpkit.

A word without a suffix or a slash is a name, such as ``hunt``, or ``champion`` in combination with ``--game``. To name
a file or folder instead, write ``./NAME``. If a word can only be a file, gpkit imports no game. Otherwise, gpkit
imports only the games that may have a player with this name.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.header import NO_DIALECT
from gpkit.core.plugins import Entry
from gpkit.core.primitives import Offers
from gpkit.core.registry import (
    all_games,
    all_languages,
    game_entry,
    game_of,
    offers_of,
    shipped_programs,
    usable_games,
)
from gpkit.core.work_folder import BEST, FINAL, is_run
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.langkit.checking import fits, in_dialect, text_and_language
from gpkit.langkit.language import form
from gpkit.playing.contest import Match
from gpkit.playing.players import player_of_name, player_of_source

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]*")


@dataclass(frozen=True, slots=True)
class Named:
    """A named competitor: the player ``spec`` of a game, or a parsed program file."""

    spec: str
    source: Any = None
    language: Any = None


def read_named(
    specs: Sequence[str],
    language: str | None,
    dialect: Mapping[str, str] = NO_DIALECT,
    *,
    game: str | None = None,
) -> list[Named]:
    """Read players by name: program files, files in folders, players of games, and programs that come with gpkit.

    A repeated name counts only once. If a word names a player or a program that comes with gpkit, gpkit does not look
    for a file with this name.

    Args:
        specs: the names given by the user.
        language: the language of files whose suffix does not determine it.
        dialect: header lines that replace the header lines of the files.
        game: the game given by ``--game``, for program names that several games share; by default, the game of the
            other players.

    Raises:
        UsageError: a file cannot be read, a dialect is set for a player that is not a file, or several programs share
            the name.
        SourceError: a file does not parse.
        LimitError: a file is too large.
    """
    named: dict[str, Named | None] = {}
    for spec in specs:
        is_file = spec == STANDARD_INPUT or "/" in spec or (Path(spec).suffix != "" and ":" not in spec)
        if not is_file and _is_player(spec, game):
            if dialect:
                raise UsageError(f"--dialect is for program files; `{spec}` is a player, not a file")
            named[spec] = Named(spec)
        elif not is_file and (games := shipped_games(spec)):
            is_one = game is not None or len(games) == 1
            named[spec] = (
                read_file(str(shipped_file(spec, game)), None, dialect, spec=spec) if is_one else None
            )
        elif is_file or Path(spec).exists():
            for path in _players_in(spec):
                named[path] = read_file(path, language, dialect, game=game)
        else:
            named[spec] = Named(spec)
    known = [each for each in named.values() if each]
    return [
        each or read_file(str(shipped_file(spec, game_of_headers(known))), None, dialect, spec=spec)
        for spec, each in named.items()
    ]


def _players_in(path: str) -> list[str]:
    """The program files at a path; for a run folder, only the current champion of the run."""
    found = program_paths([path])
    best = [each for each in found if Path(each).parent == Path(path) / BEST] if is_run(Path(path)) else []
    return [next((each for each in best if Path(each).stem == FINAL), best[-1])] if best else found


def read_one(spec: str, language: str | None, dialect: Mapping[str, str], game: str | None) -> Named:
    """Read the only player with this name.

    Raises:
        UsageError: the same as in ``read_named``, or the name is a folder with several programs.
    """
    found = read_named([spec], language, dialect, game=game)
    if len(found) > 1:
        raise UsageError(f"{spec} contains {len(found)} programs; name one of them, such as {found[0].spec}")
    return found[0]


def read_file(
    path: str,
    language: str | None = None,
    dialect: Mapping[str, str] = NO_DIALECT,
    *,
    spec: str = "",
    game: str | None = None,
) -> Named:
    """The program in a file, as a competitor called ``spec`` or named after the path; ``game`` comes from ``--game``.

    Raises:
        UsageError: the file cannot be read, its language is unknown, or its language has no dialects.
        SourceError: the file does not parse.
        LimitError: the file is too large.
    """
    text, known = text_and_language(path, language, game)
    source = known.parse(text, spec or path)
    return Named(spec or path, in_dialect(source, dialect, known) if dialect else source, known)


def program_paths(paths: Iterable[str]) -> list[str]:
    """The paths, with every folder replaced by the sorted program files in and below it; hidden folders are skipped.

    Raises:
        UsageError: a folder has no program file.
    """
    found: list[str] = []
    for path in paths:
        if path in ("", STANDARD_INPUT) or not Path(path).is_dir():
            found.append(path)
            continue
        suffixes = {entry.suffix for entry in all_languages()}
        below = sorted(
            p
            for p in Path(path).rglob("*")
            if p.suffix in suffixes
            and p.is_file()
            and not any(part.startswith(".") for part in p.relative_to(path).parts)
        )
        if not below:
            raise UsageError(f"{path} holds no program file ({', '.join(sorted(suffixes))})")
        found.extend(map(str, below))
    return list(dict.fromkeys(found))


def program_file(spec: str, game: str | None = None) -> str:
    """The named file: the path itself, or the path of the shipped program with this name.

    Args:
        spec: a path, or a name.
        game: the game given by ``--game``, for a program name that several games share.

    Raises:
        UsageError: no program has this name, or more than one; the message lists the games, suggests the nearest name,
            or states that this is a player without a program.
    """
    if shipped_games(spec):
        return str(shipped_file(spec, game))
    if _WORD.fullmatch(spec) and not Path(spec).exists():
        for known in (entry.load() for entry in usable_games()):
            if spec in known.opponents and spec not in known.programs:
                raise UsageError(f"`{spec}` is a built-in player of {known.name}, not a program")
        names = [entry.name for entry in all_games()]
        meant = [game] if game in names else names
        fix = suggestion(spec, dict.fromkeys(name for each in meant for name in shipped_programs(each)), "")
        if fix:
            raise UsageError(f"there is no file or program `{spec}`; {fix}")
    return spec


def shipped_games(name: str) -> tuple[str, ...]:
    """The games that have a program with this name; empty if the string is not a name."""
    games = all_games() if _WORD.fullmatch(name) else ()
    return tuple(entry.name for entry in games if name in shipped_programs(entry.name))


def shipped_file(name: str, game: str | None) -> Path:
    """The file of the program with this name.

    Raises:
        UsageError: the game does not exist or has no such program, or several games have such a program and ``game`` is
            None.
    """
    games = shipped_games(name)
    if not games:
        raise UsageError(f"there is no program `{name}`" + (f" of {game_entry(game).name}" if game else ""))
    listed = f"{', '.join(games[:-1])} and {games[-1]}" if len(games) > 1 else games[0]
    if game is not None and game_entry(game).name not in games:
        verb = "has" if len(games) == 1 else "have"
        raise UsageError(f"{game} has no program `{name}`, but {listed} {verb} one")
    if game is None and len(games) > 1:
        raise UsageError(
            f"`{name}` is a program of {listed}: choose one with --game, such as --game {games[0]}"
        )
    return shipped_programs(game or games[0])[name]


def game_for(named: Sequence[Named], name: str | None) -> Game:
    """The game ``name``, or if it is None, the game in the headers of these players, or else the only game that fits.

    Raises:
        UsageError: the game does not exist, the players are for different games, or not exactly one game fits.
    """
    game: Game = game_of(_meant_game(named, name))
    return game


def offers_for(named: Named, game: str | None = None) -> Offers | None:
    """The primitive sets of the game ``game``, or of the game in the program's header; None if neither is given.

    If neither is given but the language needs a game, gpkit uses the only game that fits. If the program is for a data
    problem, the set contains the primitives that the program itself uses.

    Raises:
        UsageError: the game does not exist, or a game is needed and not exactly one fits.
    """
    name = game or named.source.header.get("game")
    if not named.language.needs_game:
        return None if name is None else offers_of(name)
    if name is not None or "problem" not in named.source.header:
        name = _meant_game([named], name)
    else:
        acting = form(named.language.name, lambda each: each.acting(), "read {} without a game")
        return {named.language.name: acting.primitives(named.source.program)}
    return None if name is None else offers_of(name)


def seat(named: Named, game: Game) -> Player:
    """The player for a name or a program file.

    Raises:
        UsageError: the game has no such player.
        SourceError: the program has an error for this game.
    """
    if named.source is not None:
        return player_of_source(named.source, game, language=named.language)
    return player_of_name(named.spec, game)


def opponent(name: str, game: Game) -> Player:
    """The player for an opponent's name or for a program file.

    Raises:
        UsageError: there is no such opponent, or its file cannot be read.
        SourceError: the file does not parse, or has an error for this game.
    """
    if name.partition(":")[0] in game.opponents:
        return player_of_name(name, game)
    if Path(name).is_dir():
        raise UsageError(f"{name} is a folder; expected one opponent")
    return seat(read_one(name, None, {}, game.name), game)


def pair_up(
    program: Named, opponents: Sequence[Named], game: str | None, options: Mapping[str, str]
) -> list[tuple[Game, Any, Match]]:
    """The matches of a program against every named or default opponent, each with its game and rules.

    Raises:
        UsageError: the same as in ``game_for`` and ``seat``, or the options do not fit the game.
        SourceError: a program has an error for its game.
    """
    meant = game_for([program, *opponents], game)
    rules = meant.make_rules(options)
    others = opponents or [Named(name) for name in meant.rivals(rules)]
    player, *seated = [seat(each, meant) for each in (program, *others)]
    return [(meant, rules, Match(player, (other,))) for other in seated]


def game_of_headers(named: Sequence[Named]) -> str | None:
    """The game that the headers of all programs name; None if they name no game or several games."""
    games = {each.source.header.get("game") for each in named if each.source}
    return games.pop() if len(games) == 1 else None


def _meant_game(named: Sequence[Named], name: str | None) -> str:
    """The name of the game, as in ``game_for``."""
    if name is not None:
        return name
    read = [each for each in named if each.source and "game" in each.source.header]
    headers = {each.source.header["game"]: each.spec for each in read}
    if len(headers) > 1:
        message = ", ".join(f"{spec} for {game}" for game, spec in headers.items())
        raise UsageError(f"these programs are for different games: {message}")
    return next(iter(headers)) if headers else _only_game(named)


def _only_game(named: Sequence[Named]) -> str:
    """The name of the only game that has a player for every name and the sections of every program."""
    fitting = list(usable_games())
    for each in named:
        before, name = fitting, each.spec.partition(":")[0]
        if each.source is None:
            fitting = [game for game in before if name in game.load().opponents]
        else:
            fitting = [game for game in before if fits(each.source, each.language, offers_of(game.name))]
        if not fitting:
            raise UsageError(_misfit(each, before))
    if len(fitting) > 1:
        names = ", ".join(game.name for game in fitting)
        raise UsageError(f"{named[0].spec} could be for {names}: name one with --game")
    return fitting[0].name


def _misfit(named: Named, games: Sequence[Entry]) -> str:
    """The reason why a program or player does not fit any of the remaining games."""
    if named.source is None:
        players = [name for game in games for name in game.load().opponents]
        known = {*players, *(n for game in games for n in shipped_programs(game.name))}
        fix = suggestion(named.spec, known, "`gpkit list opponents` shows the players")
        return f"`{named.spec}` is neither a program file nor a player; {fix}"
    language, offers = named.language.name, {game.name: offers_of(game.name) for game in games}
    same = {game: having[language] for game, having in offers.items() if language in having}
    if not same:
        message = ", ".join(
            f"programs of {game} are in {' or '.join(having)}" for game, having in offers.items()
        )
        return f"{named.spec} is in {language}, which does not fit the others that were named: {message}"
    if problem := named.source.header.get("problem"):
        return (
            f"{named.spec} is for the problem `{problem}`, not for a game: call `gpkit.load` and score it in Python; "
            "`gpkit report` shows its run"
        )
    needed = "; ".join(f"{game} has {', '.join(primitives.sections)}" for game, primitives in same.items())
    return (
        f"{named.spec} has the sections {', '.join(named.source.program.names)} in {language}, which fits no "
        f"game ({needed}). Name the game with --game or a first line such as // game: {next(iter(same))}"
    )


def _is_player(spec: str, game: str | None) -> bool:
    """Whether a player has this name; if any games have a shipped program with this name, only these are searched."""
    name = spec.partition(":")[0]
    having = [each for each in shipped_games(name) if game in (None, each)]
    first = having or ([game] if game else [])
    found = any(name in game_entry(each).load().opponents for each in first)
    return found or (not having and any(name in each.load().opponents for each in usable_games()))
