"""Held-out deals on which the recorded strengths of Sevens and Battleship rest, and a program measured on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpkit.core.registry import GAMES, LANGUAGES, data_folder, find
from gpkit.gamekit.game import Game
from gpkit.playing.contest import Result, play_match
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.playing.results import chained
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import entry, mean_interval, paired_difference, read_record

SETS = tuple(range(31001, 31011))
"""The seeds of the sets, named before any was played: matches have random streams that no evolution uses, and none of
these seeds was looked at when a program or a setting was chosen."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """The opponents of the programs of a data file, and the games against each.

    Attributes:
        file: the data file's name.
        game, language: their names.
        games: of each set.
        opponents: by name.
        limit: shots that a run is to reach; 0 where nothing is said of that.
    """

    file: str
    game: str
    language: str
    games: int
    opponents: tuple[str, ...]
    limit: int = 0

    def recorded(self) -> dict[str, Any]:
        """The content of the data file."""
        return read_record(DATA / self.file)

    def shipped(self, name: str) -> str:
        """The text of a program that ships with the game."""
        suffix = find(LANGUAGES, self.language, "language").suffix
        return (data_folder("programs") / self.game / f"{name}{suffix}").read_text(encoding="utf-8")

    def play(self, text: str, opponent: str, seed: int) -> Result:
        """The result of a program against an opponent on the deals of one set."""
        game: Game = find(GAMES, self.game, "game").load()
        return play_match(
            game,
            player_of_text(text, game, filename="program", language=self.language),
            [player_of_name(opponent, game)],
            rules=game.make_rules({}),
            seed=seed,
            games=self.games,
        )

    def measure(self, text: str, sets: Sequence[int] = SETS) -> list[dict[str, Any]]:
        """The results of a program on all sets together, an entry for each opponent."""
        return [
            pooled([self.play(text, opponent, seed) for seed in sets], opponent)
            for opponent in self.opponents
        ]

    def compare(self, first: str, second: str, sets: Sequence[int] = SETS) -> dict[str, Any]:
        """The mean score of the first program less that of the second, against the first opponent, paired by deal."""
        scores = (
            np.concatenate([self.play(text, self.opponents[0], seed).by_deal for seed in sets])
            for text in (first, second)
        )
        return entry(paired_difference(*scores))


def pooled(results: Sequence[Result], opponent: str) -> dict[str, Any]:
    """The entry of the results of several sets: their means, and the mean of all with the deal as the unit."""
    found = chained(results)
    return {
        "opponent": opponent,
        "metric": found.metric.name,
        "sets": [one.interval.mean for one in results],
        **entry(found.interval),
        "games": found.games,
        "invalid": found.invalid,
    }


SEVENS = Yardstick("strength.json", "sevens", "arithmetic", 60_000, ("random", "simple"))
TREES = Yardstick("strength-decisions.json", "sevens", "decision", 60_000, ("random", "simple"))
BATTLESHIP = Yardstick("strength-battleship.json", "battleship", "sinking", 50_000, ("uniform",), 60)
SQUARES = Yardstick("strength-battleship-squares.json", "battleship", "arithmetic", 10_000, ("uniform",), 45)


def reached(means: Sequence[float], limit: int) -> dict[str, Any]:
    """Results of several runs, the run being the unit."""
    return {
        "runs": len(means),
        f"at_most_{limit}": sum(mean <= limit for mean in means),
        **(entry(mean_interval(means)) if len(means) > 1 else {"mean": means[0]}),
    }
