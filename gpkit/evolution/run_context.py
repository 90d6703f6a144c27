"""Language, metric and offers of the programs of a run: those of its game, or of the rows that they classify."""

from gpkit.core.primitives import Offers
from gpkit.core.registry import ROWS_LANGUAGE, game_of, language_entry
from gpkit.evolution.rows_config import AnyConfig, RowsConfig
from gpkit.evolution.setup import rule_options
from gpkit.gamekit.game import Game, Metric, language_of_alphabet
from gpkit.langkit.language import Language

ACCURACY = Metric("accuracy", 0.0, 1.0)
"""The share of the rows that come into their class."""


def language_of(config: AnyConfig) -> Language:
    """The language of the programs.

    Raises:
        UsageError: there is no such game.
    """
    if isinstance(config, RowsConfig):
        name = ROWS_LANGUAGE
    else:
        game: Game = game_of(config.game)
        name = language_of_alphabet(game, config.alphabet)
    language: Language = language_entry(name).load()
    return language


def offers_of(config: AnyConfig) -> Offers | None:
    """Primitives that the game offers; None on rows, whose columns programs name as they are."""
    if isinstance(config, RowsConfig):
        return None
    game: Game = game_of(config.game)
    return game.offers


def metric_of(config: AnyConfig) -> Metric:
    """The unit of strength."""
    if isinstance(config, RowsConfig):
        return ACCURACY
    game: Game = game_of(config.game)
    return game.metric(game.make_rules(rule_options(config)))
