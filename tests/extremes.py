"""Who plays under extreme rules, and the games that are played."""

from collections.abc import Sequence

import numpy as np

from gpkit.core.registry import LANGUAGES, data_folder, find
from gpkit.core.rng import below, stream
from gpkit.gamekit.game import Game, Scores
from gpkit.gamekit.players import Player
from gpkit.playing.players import player_of_name, player_of_text


def everybody(game: Game, worlds: int = 2) -> list[Player]:
    """All opponents of a game, its own players, and all programs that ship with it."""
    suffix = find(LANGUAGES, next(iter(game.offers)), "language").suffix
    own = [
        player_of_name(f"{name}:{worlds}" if builtin.searches else name, game)
        for name, builtin in game.builtins.items()
    ]
    shipped = [
        player_of_text(path.read_text(encoding="utf-8"), game, filename=str(path))
        for path in sorted((data_folder("programs") / game.name).rglob(f"*{suffix}"))
    ]
    return [*own, *shipped]


def checked_play(game: Game, agents: Sequence[Player], options: dict[str, str], deals: int = 3) -> Scores:
    """Play some deals; the scores are among those that there can be."""
    rules = game.make_rules(options)
    drawn = game.deal(stream(5, "bounds"), deals, rules)
    scores = game.play(agents, drawn, rules)
    low, high = game.metric(rules).support
    assert scores.values.shape == (deals, game.seatings(rules)), options
    assert np.all((low <= scores.values) & (scores.values <= high)), options
    return scores


def drawn_options(game: Game, numbers: dict[str, Sequence[str]], number: int) -> dict[str, str]:
    """A value for each option, drawn from its choices or, of a number, from those given."""
    rng = stream(number, "bounds options")
    values = {option.name: numbers.get(option.name, option.choices) for option in game.all_options}
    return {name: each[below(rng, len(each))] for name, each in values.items() if each}
