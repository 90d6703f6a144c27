"""Kinds of arguments: the way the shell reads their values, and their names in help, completion and messages.

This module and the modules that declare commands import nothing heavy, because help needs neither a game nor evolution.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from gpkit.core.errors import UsageError
from gpkit.core.header import NO_DIALECT as NO_DIALECT
from gpkit.gamekit.options import chosen_dialect, chosen_rules

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from gpkit.api.programs import Program
    from gpkit.evolution.executors import Workers
    from gpkit.evolution.search import Summary
    from gpkit.gamekit.game import Game
    from gpkit.gamekit.options import Value


@dataclass(frozen=True, slots=True)
class Within:
    """The inclusive bounds of a number; None means no bound."""

    low: float
    high: float | None = None

    def __str__(self) -> str:
        """The bounds in words."""
        return f"of at least {self.low:g}" if self.high is None else f"from {self.low:g} to {self.high:,}"


Given = Mapping[str, Any]
"""The strings and values from the command line, by the names of parameters and of further options."""


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of argument.

    Attributes:
        metavar: the name of the value in help.
        words: the description of the expected value in messages.
        completes: the name of the completer for its values in ``gpkit.cli.completion``.
        read: a function that makes the value from a string, or from several strings if the argument may be repeated;
            None if the value is the string itself.
        many: whether the argument may be repeated; gpkit then reads it from a tuple of strings.
        option: the name of the option in the shell, if the parameter has another name or is positional; a short name
            may come before it, as in ``-o --out``.
        help: the help text of an option that exists only in the shell; the help of other options comes from docstrings.
        beside: further shell options that come with the argument, by the names under which ``read`` receives them;
            options without a metavar are switches.
        in_shell: whether the argument exists in the shell.
        known: the registry with the names that help lists.
    """

    metavar: str = ""
    words: str = ""
    completes: str = ""
    read: Callable[[Any, Given], Any] | None = None
    many: bool = False
    option: str = ""
    help: str = ""
    beside: "Mapping[str, Kind]" = field(default_factory=dict)
    in_shell: bool = True
    known: str = ""


IN_PYTHON = Kind(in_shell=False)
"""Marks an argument that only Python code can pass, such as a function."""

OnGeneration = Annotated[Callable[["Summary", "Program"], object], IN_PYTHON]
"""Called for every new generation with its numbers and the champion so far; the run ends when it returns False."""

Seed = Annotated[int, Within(0)]
"""The seed of all random numbers: a whole number of at least 0."""

Count = Annotated[int, Within(1, 10_000_000)]
"""The number of games or of similar things, at least 1."""

Number = Annotated[int, Within(0, 10_000_000)]
"""The number of a deal, from 0."""

Seconds = Annotated[float, Within(0)]
"""A number of seconds, at least 0."""


def _game(text: str, given: Given) -> str:
    from gpkit.core.registry import name_game

    name = name_game(text)
    if given.get("sensors"):
        from gpkit.user_games.extra_sensors import add_sensors

        add_sensors(given["sensors"], name)
    return name


def _sensors(text: str, given: Given) -> str:
    if given.get("game") is None:
        raise UsageError("--sensors needs --game, the game that gets the sensors")
    return text


GameLike = Annotated[
    "str | os.PathLike[str] | Game",
    Kind(
        "GAME | FILE.py",
        "a name, the path of a file, or what gpkit.game returned",
        "game",
        _game,
        beside={
            "sensors": Kind(
                "FILE.py",
                completes="file",
                read=_sensors,
                option="--sensors",
                help="A file with your own sensors (@sensor) for the game of --game, which then runs in plain "
                "Python, slowly.",
            )
        },
        known="GAMES",
    ),
]
"""A game: its name, the path of your game's file, a name such as ``openspiel:hex``, or a value from ``gpkit.game``."""


PlayerLike = Annotated[
    "Program | str | os.PathLike[str]",
    Kind("", "a program, the path of a file, or the name of a player", "program"),
]
"""A program, or a player's name as on the command line: a file, a shipped program, ``random``, ``pimc:100``."""

OpponentLike = Annotated[
    "Program | str | os.PathLike[str]",
    Kind("", "a program, the path of a file, or the name of a player", "opponent"),
]
"""The same as ``PlayerLike``, but completion also offers the players that come with games."""

PlayersLike = Annotated[
    "Program | str | os.PathLike[str] | Sequence[Program | str | os.PathLike[str]]",
    Kind("PROGRAM...", "a program, a file, the name of a player, or several", "program", many=True),
]
"""One player or several; the path of a folder stands for all program files in the folder."""

Opponents = Annotated[
    "Program | str | os.PathLike[str] | Sequence[Program | str | os.PathLike[str]]",
    Kind(
        "OPPONENT",
        "a program, a file, the name of a player, or several",
        "opponent",
        many=True,
        option="--opponent",
    ),
]
"""The players in the other seats, one or several."""

ProgramFiles = Annotated[
    "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]",
    Kind("PATH...", "a path, or several", "program", many=True),
]
"""Program files, folders of them, or shipped programs by name."""

Starts = Annotated[
    "Program | str | os.PathLike[str] | Sequence[Program | str | os.PathLike[str]]",
    Kind("PROGRAM", "programs, or files or names of programs", "program", many=True, option="--start"),
]
"""Programs to start from: values, files, folders of runs, or names of programs of the game."""


def _language(text: str, _given: Given) -> str:
    from gpkit.core.registry import name_language

    return name_language(text)


Language = Annotated[
    str,
    Kind(
        "LANGUAGE | FILE.py",
        completes="language",
        read=_language,
        option="--language --lang",
        known="LANGUAGES",
    ),
]
"""The name of a language, or, in the shell, a file that declares your own language."""


Dialect = Annotated[
    "Mapping[str, str]", Kind("SWITCH=VALUE", read=chosen_dialect, many=True, option="--dialect")
]
"""Header lines that replace those in the programs."""


Rules = Annotated[
    "Mapping[str, Value]",
    Kind(
        "KEY=VALUE",
        "a mapping from a text to a value",
        "rules",
        chosen_rules,
        True,
        "--rules",
        beside={
            "players": Kind(
                "N", option="--players", help="The number of players; short for --rules players=N."
            )
        },
    ),
]
"""Options of a game that differ from the defaults."""

NO_RULES: "Mapping[str, Value]" = MappingProxyType({})
"""The default rules of a game."""

DataLike = Annotated[
    Any,
    Kind(
        "FILE",
        "the path of a CSV or Parquet file, columns by name, a data frame, or an array (rows, columns)",
        "file",
    ),
]
"""Rows of a table: a path, columns by name, a data frame, or an array whose columns are called x0, x1 and so on."""

Columns = Annotated[Sequence[str], Kind("COLUMN", many=True)]
"""Names of columns."""

Folder = Annotated["str | os.PathLike[str]", Kind("DIR", "a path", "folder")]
"""A folder."""

WorkersLike = Annotated[
    "int | str | os.PathLike[str] | Executor | Callable[[], object] | Workers",
    Kind(
        "N | tcp://HOST:PORT | FILE.py",
        "a number, the address of a dask scheduler, a file, an Executor, or a function that returns one",
    ),
]
"""A number of worker processes, a dask scheduler's address, an executor, or a function or file that provides one."""
