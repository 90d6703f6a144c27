"""Learning speed of a Battleship player: shots after some games of a series against fleets laid out by a pattern.

    python -m gpkit_experiments.battleship_series

writes ``experiments/data/series-battleship.json``. ``known`` is the same player with the memory of ``LESSONS`` games in
which every square was told, so that it has nothing left to learn. ``corrected`` is a program that follows the memory
only where it says ``Target``.
"""

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import running_sums
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.game import GAME, memory_of, play_on
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.memory import placement_weights
from gpkit.playing.contest import play_series
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import mean_interval, paired_difference, told, write_record
from gpkit_experiments.readable.fleets import draw_fleet

COMMAND = "python -m gpkit_experiments.battleship_series"
SEED = 41_001
"""Named before any of its games was played; settings were chosen on seeds 0 to 100."""

GAMES, REPEAT, LESSONS = 21, 2_000, 20_000
SEEN = (0, 1, 5, 20)
"""Games seen before those that are told of."""

LAID = ("uniform", "corner", "wall", "corners", "lines")
"""Placements of the fleets: those of the first source, of whole fleets."""

RULES = GAME.make_rules({})

Floats = NDArray[np.float64]


def learners() -> dict[str, Player]:
    """The players that learn, and the one from which they start."""
    program = program_of_name("corrected", GAME)
    corrected = player_of_program(program, GAME, "corrected", {"sunk": "reset"})
    return {
        "density": player_of_name("density", GAME),
        "counts": player_of_name("counts", GAME),
        "corrected": Player(
            "corrected", (), corrected.placement, strategy="counts", policy=corrected, remembers=True
        ),
    }


def scores_against(player: Player, pattern: str, seed: int, repeat: int) -> Floats:
    """Shots: float64 (repeats, games)."""
    players = [player, player_of_name(pattern, GAME)]
    return play_series(GAME, players, rules=RULES, seed=seed, games=GAMES, repeat=repeat).scores[..., 0]


def known_scores(pattern: str, seed: int, repeat: int, lessons: int) -> Floats:
    """Shots of one who knows the pattern: float64 (repeats,), on the boards of the last games of the series."""
    players = [player_of_name("counts", GAME), player_of_name(pattern, GAME)]
    memory = memory_of(players, repeat, RULES)
    ships = np.zeros(RULES.squares)
    sums = running_sums(pattern, RULES)
    for key, extra, _ in GAME.deal(stream(seed, "lessons"), lessons, RULES).keys[:, 1].tolist():
        for placement, length in zip(draw_fleet(key, extra, sums, RULES), RULES.fleet, strict=True):
            ships[list(squares_of(placement, length, RULES))] += 1.0
    games = np.full(RULES.squares, float(lessons))
    memory[..., at.WEIGHTS :, :] = placement_weights(ships, games, RULES)
    deals = GAME.deal(stream(seed, "series", GAMES - 1, 0), repeat, RULES)
    return play_on(players, deals, RULES, memory)[0].values[:, 0]


def row_of(pattern: str, seed: int = SEED, repeat: int = REPEAT, lessons: int = LESSONS) -> dict[str, object]:
    """Measurements against one pattern, by games seen; ``fewer`` is density less counts, over all games."""
    scores = {name: scores_against(each, pattern, seed, repeat) for name, each in learners().items()}
    by_series = {name: each.mean(axis=1) for name, each in scores.items()}
    return {
        **{
            name: {str(seen): told(mean_interval(each[:, seen])) for seen in SEEN}
            for name, each in scores.items()
        },
        "known": told(mean_interval(known_scores(pattern, seed, min(repeat, 1024), lessons))),
        "fewer": told(paired_difference(by_series["density"], by_series["counts"])),
    }


def report() -> dict[str, object]:
    """The data file."""
    patterns = {pattern: row_of(pattern) for pattern in LAID}
    size = {"seed": SEED, "games": GAMES, "series": REPEAT, "lessons": LESSONS}
    return {"schema": "gpkit/series-battleship/1", "command": COMMAND, **size, "patterns": patterns}


if __name__ == "__main__":
    write_record(DATA / "series-battleship.json", report())
