"""Completion in shells: commands come from their declarations, and values from an index of the names that games offer.

After an installation, the first completion of such a value takes a few seconds, because gpkit then builds the index and
stores it in the cache folder.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, shell_complete

from gpkit.api.catalogue import KINDS as KINDS_OF_THINGS
from gpkit.api.catalogue import read_index
from gpkit.core.registry import GAMES, LANGUAGES, benchmarks, papers, shipped_programs

Completion = str | CompletionItem


def complete(instruction: str, group: click.Group) -> int:
    """Answer a shell.

    Args:
        instruction: the shell's request, such as ``bash_source`` or ``zsh_complete``.
        group: all commands.

    Returns:
        The exit code.
    """
    return shell_complete(group, {}, "gpkit", "_GPKIT_COMPLETE", instruction)


@add_completion_class
class WholeWords(BashComplete):
    """Completion for bash, which splits ``players=4`` into three words; this class joins them again."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one at the cursor, and the word at the cursor."""
        before, incomplete = super().get_completion_args()
        words: list[str] = []
        for word in (*before, incomplete):
            if words and (word == "=" or words[-1].endswith("=")):
                words[-1] += word
            else:
                words.append(word)
        self._is_joined = "=" in words[-1]
        return words[:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """The type of an item, and its text without the part up to the last ``=``, which bash already has."""
        value = item.value.rpartition("=")[2] if self._is_joined else item.value
        return f"{item.type},{value}"


def values(by: str, choices: Sequence[str], context: click.Context, incomplete: str) -> list[CompletionItem]:
    """The completions of an incomplete value: from the choices if there are any, otherwise from the completer
    ``by``."""
    found = choices if choices or not by else _VALUES[by](context, incomplete)
    items = (CompletionItem(each) if isinstance(each, str) else each for each in dict.fromkeys(found))
    return [each for each in items if each.type != "plain" or each.value.startswith(incomplete)]


def _games(context: click.Context) -> Iterator[Mapping[str, Any]]:
    """The game that the command line names so far, or all games if it names none."""
    chosen = context.params.get("game")
    known = read_index()["games"]
    yield from [known[chosen]] if chosen in known else known.values()


def _programs(context: click.Context, incomplete: str, *, players: str = "") -> Iterator[Completion]:
    """The games' players under this key, names of shipped programs, and program files in the typed folder."""
    chosen = context.params.get("game")
    yield from _files(tuple(entry.suffix for entry in LANGUAGES), context, incomplete)
    yield from (name for game in _games(context) for name in game.get(players, ()))
    yield from (name for game in GAMES if chosen in (None, game.name) for name in shipped_programs(game.name))


def _files(suffixes: tuple[str, ...], _context: click.Context, incomplete: str) -> Iterator[Completion]:
    """Files with these suffixes; the shell completes folders."""
    yield CompletionItem(incomplete, type="dir")
    folder, _, beginning = incomplete.rpartition("/")
    place = Path(f"{folder}/" if folder or incomplete.startswith("/") else ".")
    stem = incomplete[: len(incomplete) - len(beginning)]
    with suppress(OSError):
        yield from sorted(stem + entry.name for entry in os.scandir(place) if entry.name.endswith(suffixes))


def _rules(context: click.Context, incomplete: str) -> Iterator[Completion]:
    """Names of options, each followed by ``=``; after the ``=``, the values of the option."""
    options = {option["name"]: option for game in _games(context) for option in game["rules"]}
    name, equals, _ = incomplete.partition("=")
    if not equals:
        yield from (CompletionItem(f"{each}=", help=option["meaning"]) for each, option in options.items())
    elif name in options:
        yield from (f"{name}={value}" for value in options[name]["values"])


def _presets(key: str, context: click.Context, incomplete: str) -> Iterator[Completion]:
    yield from _files((".toml",), context, incomplete)
    yield from read_index()["presets"][key]


_VALUES: Mapping[str, Callable[[click.Context, str], Iterable[Completion]]] = {
    "game": lambda _context, _incomplete: [entry.name for entry in GAMES],
    "language": lambda _context, _incomplete: [entry.name for entry in LANGUAGES],
    "new": lambda _context, _incomplete: [
        *(entry.name for entry in LANGUAGES),
        *("config", "fit", "game", "language", "problem"),
    ],
    "paper": lambda _context, _incomplete: [entry.name for entry in papers()],
    "benchmark": lambda _context, _incomplete: [entry.name for entry in benchmarks()],
    "format": lambda _context, _incomplete: read_index()["formats"],
    "preset": lambda _context, _incomplete: [
        name for names in read_index()["presets"].values() for name in names
    ],
    "evolved": partial(_presets, "evolved"),
    "learned": partial(_presets, "learned"),
    "opponent": partial(_programs, players="players"),
    "program": _programs,
    "rules": _rules,
    "thing": lambda _context, _incomplete: KINDS_OF_THINGS,
    "position": partial(_files, (".board",)),
    "folder": lambda _context, incomplete: [CompletionItem(incomplete, type="dir")],  # by the shell itself
    "file": lambda _context, incomplete: [CompletionItem(incomplete, type="file")],
}
"""The completers of values, by the name in a kind's ``completes``; they return items, or words to choose from."""
