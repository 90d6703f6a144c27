"""Ready configurations by name, and for each game from outside, by its name, the one for games of one's own.

They are tables of ``presets.toml`` beside a game, and beside a language the table ``own``, for programs of it in a game
from outside: against its usual opponents and former champions; ``problem``, for programs of it that solve a problem
without a game; and ``fit``, for those that predict a column. A table has the keys of a configuration, and ``language``.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from gpkit.core.plugins import Entry
from gpkit.core.registry import DEFAULT_LANGUAGE, GAMES, all_games, language_entry
from gpkit.core.settings import from_data
from gpkit.evolution.config import Config, evolved
from gpkit.gamekit.game import language_of_alphabet


@cache
def tables_beside(entry: Entry) -> Mapping[str, Mapping[str, Any]]:
    """The presets beside a game or a language, as they are written."""
    place = entry.file("presets.toml")
    return {} if place is None else tomllib.loads(place.read_text("utf-8"))


def _config(data: Mapping[str, Any], game: str, language: str) -> Config:
    """The configuration of a table; no game is imported."""
    own = {key: value for key, value in data.items() if key != "language"}
    return from_data(Config, own, Config(game=game, representation=evolved(language).Settings()))


@cache
def _tables() -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """The presets of the games of the package by name, each with its game."""
    return {name: (entry.name, data) for entry in GAMES for name, data in tables_beside(entry).items()}


@cache
def _shipped(name: str) -> Config:
    """The ready configuration with that name, for a game of the package."""
    game, data = _tables()[name]
    return _config(data, game, data["language"])


@dataclass(frozen=True, slots=True, eq=False)
class _Ready(Mapping[str, Config]):
    """Ready configurations, each made on demand.

    Attributes:
        outside: gives the games from outside by name; looking up a configuration of the package does not call it.
    """

    outside: Callable[[], Mapping[str, Entry]]

    def _found(self, name: str) -> tuple[Entry | None, str]:
        """The game from outside of a configuration, and the alphabet if its name says one, as in ``chomp-trees``."""
        game, _, alphabet = name.rpartition("-")
        outside = self.outside()
        return (outside[name], "") if name in outside else (outside.get(game), alphabet)

    def __getitem__(self, name: str) -> Config:
        """The configuration of that name.

        Raises:
            UsageError: the game has no such alphabet.
        """
        if name in _tables():
            return _shipped(name)
        entry, alphabet = self._found(name)
        if entry is None:
            raise KeyError(name)
        if name in tables_beside(entry):
            return _config(tables_beside(entry)[name], entry.name, tables_beside(entry)[name]["language"])
        game = entry.load()
        openings = game.openings()
        language = language_of_alphabet(game, alphabet) if alphabet else DEFAULT_LANGUAGE
        own = _config(tables_beside(language_entry(language))["own"], entry.name, language)
        rules = {"opening": openings} if openings else {}
        return replace(own, alphabet=alphabet or own.alphabet, rules=rules)

    def __contains__(self, name: object) -> bool:
        return name in _tables() or (isinstance(name, str) and self._found(name)[0] is not None)

    def __iter__(self) -> Iterator[str]:
        return iter([*_tables(), *self.outside()])

    def __len__(self) -> int:
        return len(_tables()) + len(self.outside())


@cache
def shipped_presets() -> Mapping[str, Config]:
    """The ready configurations of the games of the package, by name."""
    return _Ready(dict)


def all_presets() -> Mapping[str, Config]:
    """The ready configurations, and for each game from outside, by its name, the one for games of one's own.

    By its name and one of its alphabets it is the one for that alphabet, such as ``chomp-trees``.
    Where chance does not move, that one mixes openings of no, one and two random actions.
    """

    @cache
    def outside() -> Mapping[str, Entry]:
        shipped = {entry.name for entry in GAMES}
        return {each.name: each for each in all_games() if each.origin and each.name not in shipped}

    return _Ready(outside)


def presets_of(game: str, language: str) -> Iterator[tuple[str, Config]]:
    """The names and ready configurations of a game for programs in a language; no other game or language is loaded."""
    own = {name: data for name, (owner, data) in _tables().items() if owner == game}
    ready = shipped_presets() if own else all_presets()
    names = [name for name, data in own.items() if data["language"] == language] if own else [game]
    return ((name, ready[name]) for name in names if name in ready)
