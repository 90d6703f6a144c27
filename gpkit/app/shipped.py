"""Programs that come with gpkit, by their names: ``hunt``, or ``champion`` together with ``--game``.

A word without a suffix and without a slash is a name; a file or folder of that name is ``./NAME``.
"""

import re
from pathlib import Path

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.core.registry import all_games, game_entry, loaded_games, shipped_programs

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]*")


def shipped_games(name: str) -> tuple[str, ...]:
    """The games that have a program of this name; none if it is no name."""
    if not _WORD.fullmatch(name):
        return ()
    return tuple(entry.name for entry in all_games() if name in shipped_programs(entry.name))


def shipped_names(game: str | None = None) -> tuple[str, ...]:
    """The names of the programs of a game, or of all games."""
    games = [entry.name for entry in all_games()] if game is None else [game_entry(game).name]
    return tuple(dict.fromkeys(name for each in games for name in shipped_programs(each)))


def shipped_file(name: str, game: str | None) -> Path:
    """The file of the program of this name, which at least one game has.

    Raises:
        UsageError: there is no such game, or it has no such program; or several games have one and none is named.
    """
    games = shipped_games(name)
    if game is not None:
        if game_entry(game).name not in games:
            verb = "has" if len(games) == 1 else "have"
            raise UsageError(f"{game} has no program `{name}`, but {_listed(games)} {verb}")
        return shipped_programs(game)[name]
    if len(games) > 1:
        raise UsageError(
            f"`{name}` is a program of {_listed(games)}: say which with --game, such as --game {games[0]}"
        )
    return shipped_programs(games[0])[name]


def program_file(spec: str, game: str | None = None) -> str:
    """The file that was named: itself, or the path of the shipped program of that name.

    Args:
        spec: a path, or a name.
        game: of ``--game``, for a name that programs of several games have.

    Raises:
        UsageError: the name is not that of one program; the message says the games, or the nearest name, or that it
            is a player that no program says.
    """
    if shipped_games(spec):
        return str(shipped_file(spec, game))
    if _WORD.fullmatch(spec) and not Path(spec).exists():
        for known in loaded_games():
            if spec in (*known.builtins, *known.placements):
                raise UsageError(
                    f"`{spec}` is a player that is built into {known.name}: there is no program of it"
                )
        close = nearest(spec, shipped_names(game if game in [entry.name for entry in all_games()] else None))
        if close is not None:
            raise UsageError(f"there is neither a file nor a program `{spec}`; did you mean `{close}`?")
    return spec


def _listed(games: tuple[str, ...]) -> str:
    *first, last = games
    return f"{', '.join(first)} and {last}" if first else last
