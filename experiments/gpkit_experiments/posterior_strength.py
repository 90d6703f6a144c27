"""Strength of formulas over beliefs on boards that no evolution met, paired with the other shooters.

``python -m gpkit_experiments.posterior_strength`` measures the runs of the preset ``posterior`` in
``experiments/data/strength-battleship-posterior.json`` and the shipped programs anew, and writes what it finds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.registry import game_of
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name, player_of_program, player_of_text, program_of_name
from gpkit_experiments.held_out_sets import SETS
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import entry, mean_interval, paired_difference, read_record, write_record

FILE = DATA / "strength-battleship-posterior.json"
GAME: Game = game_of("battleship")

BASE = "likeliest"
OTHERS = ("covers", "marksman", "density")


@dataclass(frozen=True, slots=True)
class Place:
    """Boards of one kind.

    Attributes:
        games: of each of the ten sets.
        opponent: the placement.
        rules: other than the usual ones.
    """

    games: int
    opponent: str = "uniform"
    rules: Mapping[str, str] = field(default_factory=dict)


PLACES: Mapping[str, Place] = {
    "uniform": Place(2_000),
    "8x8": Place(400, rules={"board": "8x8"}),
    "12x12": Place(200, rules={"board": "12x12"}),
    "ten ships that may not touch": Place(200, rules={"variant": "ten-ships"}),
    "sinkings not told": Place(200, rules={"announce": "hit"}),
    **{pattern: Place(200, pattern) for pattern in ("corner", "corners", "wall", "lines")},
}
"""The boards of training first; the others played no part in it. Runs are measured on the first alone."""

Scores = Callable[[str, str], NDArray[np.float64]]
"""Shots by board of a program, by its name or text, in a place, by its name."""


def player_of(program: str) -> Player:
    """The player of a program's text, or of a name."""
    if "shoot:" in program:
        return player_of_text(program, GAME, filename="program", language="arithmetic")
    if program in GAME.programs:
        return player_of_name(program, GAME)
    return player_of_program(program_of_name(program, GAME), GAME, program)


def played(program: str, place: Place, seed: int) -> NDArray[np.float64]:
    """Shots by board of a program on one set."""
    return play_match(
        GAME,
        player_of(program),
        [player_of_name(place.opponent, GAME)],
        rules=GAME.make_rules(place.rules),
        seed=seed,
        games=place.games,
    ).by_deal


def scores(program: str, place: str) -> NDArray[np.float64]:
    """Shots by board of a program on all sets."""
    return np.concatenate([played(program, PLACES[place], seed) for seed in SETS])


def results_of(program: str, measured: Scores, places: Sequence[str] = tuple(PLACES)) -> dict[str, Any]:
    """By place the mean of a program by set and of all, and by how much it takes more shots than ``BASE``."""
    found = {}
    for name in places:
        shots = measured(program, name)
        found[name] = {
            "sets": shots.reshape(len(SETS), -1).mean(axis=1).round(6).tolist(),
            **entry(mean_interval(shots)),
            "more": entry(paired_difference(shots, measured(BASE, name))),
            "games": len(shots),
        }
    return found


def content(recorded: Mapping[str, Any], measured: Scores, shipped: Sequence[str] = ()) -> dict[str, Any]:
    """The content of the data file with every program measured."""
    return {
        **recorded,
        "sets": list(SETS),
        "base": BASE,
        "shipped": {name: results_of(name, measured) for name in (BASE, *OTHERS, *shipped)},
        "runs": [
            run | {"results": results_of(run["program"], measured, ("uniform",))} for run in recorded["runs"]
        ],
    }


def main() -> None:
    """Measure everything anew."""
    write_record(FILE, content(read_record(FILE), scores))


if __name__ == "__main__":
    main()
