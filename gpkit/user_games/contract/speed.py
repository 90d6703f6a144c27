"""Speed of a game of one's own: random games in a second."""

from collections.abc import Callable
from typing import Any

from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import BuiltinPlayer

ENOUGH = 0.2
"""Seconds that are measured."""

MOST = 1 << 16
"""Deals that are played at most."""


def games_per_second(game: Game, rules: Any, seed: int, clock: Callable[[], float]) -> float:
    """Games that random players finish in a second, as matches and evolution play them.

    Args:
        game: the game.
        rules: its rules.
        seed: of the deals.
        clock: the time in seconds.
    """
    players = [BuiltinPlayer("random")] * game.players(rules)
    game.play(players, game.deal(stream(seed, "speed"), 1, rules), rules)  # compiles what is compiled
    deals = 1
    while True:
        dealt = game.deal(stream(seed, "speed"), deals, rules)
        start = clock()
        scores = game.play(players, dealt, rules)
        seconds = clock() - start
        if seconds >= ENOUGH or deals >= MOST:
            return scores.values.size / max(seconds, 1e-9)
        deals *= 4
