"""Programs that a run folder holds as texts: each must be a program of the game that the folder says."""

from collections.abc import Callable
from typing import Any

from gpkit.core.diagnostics import SourceError
from gpkit.core.registry import game_of, language_entry
from gpkit.evolution.config import Config
from gpkit.games.game import Game, language_of_alphabet
from gpkit.languages.language import Language

Check = Callable[[str, str], Any]
"""Gives the program of a text, and takes what the text is called in messages, too."""


def checker(config: Config) -> Check:
    """The parser of the programs of a run with that configuration.

    It raises SourceError for a text that is no program, or one of another game, and LimitError for one that is too
    large.

    Raises:
        UsageError: there is no such game.
    """
    game: Game = game_of(config.game)
    language: Language = language_entry(language_of_alphabet(game, config.alphabet)).load()

    def check(text: str, name: str) -> Any:
        source = language.parse(text, name)
        for finding in language.check(source, game.offers):
            if finding.severity == "error":
                raise SourceError(finding, text, name)
        return source.program

    return check
