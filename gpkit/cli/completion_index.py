"""The index that completion reads: all commands with their parameters, and what games and configurations offer.

Making it imports everything.
"""

from collections.abc import Mapping
from typing import Any

import click

from gpkit.cli.commands import CommandLine, all_commands
from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES, LEARNED
from gpkit.evolution.presets import shipped_presets
from gpkit.export.registry import EXPORTERS
from gpkit.gamekit.game import Game

_BY_METAVAR: Mapping[str, str] = {
    "GAME": "game",
    "[GAME]": "game",
    "GAME | FILE.py": "game",
    "OPPONENT": "opponent",
    "NAME[=RATE][@BOARD]": "opponent",
    "PROGRAM": "program",
    "PROGRAM...": "program",
    "PATH...": "program",
    "LANGUAGE": "language",
    "LANGUAGE | config | fit | game | problem": "new",
    "KEY=VALUE": "rules",
    "RUN": "folder",
    "DIR": "folder",
    "[FOLDER]": "folder",
    "FILE": "file",
    "FILE.py": "file",
    "FILE.csv": "file",
    "DATA": "file",
    "[DATA | CONFIG.toml]": "file",
    "PATH": "file",
    "[POSITION]": "file",
    "CODE": "",
    "COLUMN": "",
    "COLUMN,...": "",
    "'+ - * /'": "",
    "balanced | CLASS=WEIGHT,...": "",
    "N": "",
    "N | tcp://HOST:PORT": "",
    "SECONDS": "",
    "SWITCH=VALUE": "",
}
"""The completer of the values of a parameter, by how its help calls them."""

_BY_NAME: Mapping[tuple[str, str], str] = {
    ("evolve", "what"): "evolved",
    ("learn", "what"): "learned",
    ("paper", "name"): "paper",
    ("bench", "names"): "benchmark",
    ("new", "preset"): "preset",
    ("compare", "first"): "program",
    ("compare", "second"): "program",
    ("series", "first"): "program",
    ("series", "second"): "opponent",
    ("run", "named_players"): "opponent",
}
"""The same for the parameters of one command, where the help has a word of many meanings."""


def index() -> dict[str, Any]:
    """The index as JSON values."""
    return {
        "commands": {
            line.name: {"help": line.help, "parameters": _parameters(line)} for line in all_commands()
        },
        "games": {entry.name: _game(entry.load()) for entry in GAMES},
        "presets": {
            "evolved": list(shipped_presets()),
            "learned": [name for each in LEARNED.values() for name in each.part("learning").PRESETS],
        },
        "formats": [entry.name for entry in EXPORTERS],
    }


def _parameters(line: CommandLine) -> list[dict[str, Any]]:
    """The parameters of a command; none if it comes with the source checkout alone, and this is none."""
    try:
        return [
            _parameter(line.name, each) for each in line.load().params if not getattr(each, "hidden", False)
        ]
    except UsageError:
        return []


def _parameter(command: str, parameter: click.Parameter) -> dict[str, Any]:
    choices = getattr(parameter, "choices", getattr(parameter.type, "choices", ()))
    return {
        "name": parameter.name,
        "is_argument": isinstance(parameter, click.Argument),
        "options": []
        if isinstance(parameter, click.Argument)
        else [*parameter.opts, *parameter.secondary_opts],
        "is_flag": bool(getattr(parameter, "is_flag", False)),
        "nargs": parameter.nargs,
        "multiple": parameter.multiple,
        "help": (getattr(parameter, "help", None) or "").partition(".")[0],
        "choices": list(choices),
        "values": "" if choices else _values(command, parameter),
    }


def _values(command: str, parameter: click.Parameter) -> str:
    """The word for what completes a parameter; empty where nothing does.

    Raises:
        KeyError: neither table knows the parameter.
    """
    if hasattr(parameter, "completes"):
        return str(parameter.completes)
    place = (command, str(parameter.name))
    if place in _BY_NAME:
        return _BY_NAME[place]
    return _BY_METAVAR[parameter.metavar] if parameter.metavar else ""


def _game(game: Game) -> dict[str, Any]:
    return {
        "players": [*game.named],
        "rules": [
            {"name": option.name, "meaning": option.meaning, "values": list(option.choices)}
            for option in game.options
        ],
    }
