"""Texts to start from: a small program in a language, or a configuration."""

from gpkit.app.new_config import config_text
from gpkit.core.errors import UsageError
from gpkit.core.registry import all_games, data_folder, is_game, language_entry, offers_of

CONFIG, FILE = "config", "game"
"""Instead of a language: a configuration, and the file of a game."""


def starting_text(language: str, game: str | None, preset: str | None) -> str:
    """The program or the configuration.

    Raises:
        UsageError: there is no such language, game or preset, or they do not go together.
    """
    if language == FILE:
        return (data_folder("programs") / "games" / "nim.py").read_text(encoding="utf-8")
    if language == CONFIG:
        return config_text(game, preset)
    if preset is not None:
        raise UsageError(f"--preset is for a configuration: gpkit new {CONFIG} --preset {preset}")
    known = language_entry(_language(language)).load()
    game = game or _first_game(known.name)
    if game is None:
        return str(known.template(None))
    offers = offers_of(game)
    if known.name not in offers:
        raise UsageError(
            f"programs of {game} are not in {known.name} but in {' or '.join(offers)}: "
            f"gpkit new {next(iter(offers))} --game {game}"
        )
    return str(known.template(offers[known.name]))


def _language(name: str) -> str:
    """The name.

    Raises:
        UsageError: it is that of a game, not of a language.
    """
    if is_game(name):
        offers = offers_of(name)
        raise UsageError(
            f"{name} is a game; its programs are in {' or '.join(offers)}: "
            f"gpkit new {next(iter(offers))} --game {name}"
        )
    return name


def _first_game(language: str) -> str | None:
    """The first game whose programs usually are in a language, else the first that takes any; None if none does."""
    games = {entry.name: list(offers_of(entry.name)) for entry in all_games()}
    fitting = [name for name, languages in games.items() if languages[0] == language]
    return next(iter([*fitting, *(name for name, languages in games.items() if language in languages)]), None)
