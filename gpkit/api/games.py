"""Games as arguments of Python code: a name, a file, or the game itself."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from gpkit.api.kinds import GameLike
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import UsageError
from gpkit.core.plugins import Entry
from gpkit.core.registry import GAMES, keep_game, name_game

if TYPE_CHECKING:
    from gpkit.gamekit.game import Game


def commands_of_games(entries: Iterable[Entry]) -> Iterator[tuple[Entry, Sequence[Callable[..., Any]]]]:
    """The games that have their own commands, each with the tuple ``COMMANDS`` from the game's module ``commands``."""
    for entry in entries:
        if entry.has_part("commands"):
            yield entry, entry.part("commands").COMMANDS


def command_of_game(name: str) -> Callable[..., Any] | None:
    """The command with this name from a shipped game; None if there is none."""
    found = (each for _, functions in commands_of_games(GAMES) for each in functions)
    return next((each for each in found if each.__name__ == name), None)


def name_of(game: GameLike | None) -> str | None:
    """The name of a game; if the game is defined in a file, gpkit imports the file.

    Raises:
        GuestError: the file is not a game, or another game has this name.
        UsageError: the package of the game is not installed, or has no such game; or the value is not a game.
    """
    if game is None:
        return None
    if isinstance(game, str | os.PathLike):
        return name_game(os.fspath(game))
    from gpkit.gamekit.game import Game

    if not isinstance(game, Game):
        message = shortened(repr(game))
        raise UsageError(
            f"{message} is not a game; expected a name, the path of a file, or what gpkit.game returned"
        )
    return keep_game(game, cells_of(game))


def cells_of(game: "Game") -> frozenset[str]:
    """The files, or notebook cells, with the code of the module that defines the ``begin`` of a user's game."""
    module = sys.modules.get(game.first.__module__) if game.is_of_states else None
    return frozenset() if module is None else frozenset(_files(vars(module).values(), module))


def _files(values: Iterable[object], module: ModuleType) -> Iterator[str]:
    """The files that contain those functions of a module and its classes that are among these values."""
    for value in list(values):
        function = value.fget if isinstance(value, property) else value
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            yield function.__code__.co_filename
        elif isinstance(value, type) and value.__module__ == module.__name__:
            yield from _files(vars(value).values(), module)
