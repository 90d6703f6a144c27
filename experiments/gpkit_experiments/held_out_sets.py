"""Sets of held-out deals on which the recorded strengths of Sevens and Battleship rest, and a program measured on them.

``python -m gpkit_experiments.held_out_sets`` measures every program of the data files anew and writes what it finds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpkit.core.registry import GAMES, LANGUAGES, data_folder, find
from gpkit.gamekit.game import Game
from gpkit.playing.contest import play_match
from gpkit.playing.match import Result
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.playing.results import chained
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import entry, mean_interval, paired_difference, read_record, write_record

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


def measured_anew(yardstick: Yardstick, recorded: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a data file with every program measured anew."""
    found = {
        **{key: entries_anew(yardstick, value) for key, value in recorded.items()},
        "sets": list(SETS),
        "games": yardstick.games,
    }
    by_seed = {run["seed"]: run["results"][0]["mean"] for run in found["runs"]}
    if "summary" in found:
        found["summary"] = {
            part: reached([by_seed[seed] for seed in recorded[part]], yardstick.limit)
            for part in recorded["summary"]
        }
    return found


def entries_anew(yardstick: Yardstick, content: Any) -> Any:
    """The same with every program in it measured anew."""
    if isinstance(content, list):
        return [entries_anew(yardstick, each) for each in content]
    if not isinstance(content, dict):
        return content
    if "results" in content:
        return entry_anew(yardstick, content)
    return {key: entries_anew(yardstick, value) for key, value in content.items()}


def reached(means: Sequence[float], limit: int) -> dict[str, Any]:
    """Results of several runs, the run being the unit."""
    return {
        "runs": len(means),
        f"at_most_{limit}": sum(mean <= limit for mean in means),
        **(entry(mean_interval(means)) if len(means) > 1 else {"mean": means[0]}),
    }


def entry_anew(yardstick: Yardstick, known: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of a program, measured anew; with a switch of its dialect also how much that changes."""
    met = replace(yardstick, opponents=tuple(result["opponent"] for result in known["results"]))
    text = known.get("program") or yardstick.shipped(known["name"])
    if "direction" not in known:
        return {**known, "results": met.measure(text)}
    switched = f"// direction: {known['direction']}\n{text}"
    return {**known, "results": met.measure(switched), "more": met.compare(switched, text)}


def main() -> None:
    """Measure every program of the data files."""
    for yardstick in (SEVENS, TREES, BATTLESHIP, SQUARES):
        write_record(DATA / yardstick.file, measured_anew(yardstick, yardstick.recorded()))


if __name__ == "__main__":
    main()
