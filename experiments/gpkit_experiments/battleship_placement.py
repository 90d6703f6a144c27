"""Placement against shooters at Battleship: what each side gains by knowing the other, and iterated best response.

    python -m gpkit_experiments.battleship_placement

writes ``experiments/data/placement-battleship.json``. Placements give each ship's places weights of their own, and are
drawn until ships lie legally. ``edges P`` weighs a place by the mean chance of a ship on its squares to the power of
minus P. The shooter is the one that counts weighted placements (``density``, and ``counts`` with its memory full): it
takes fleets as uniform, or knows the weights.
``adversarial`` comes from iterated best response (fictitious play): the shooter knows the mean of all placements so
far, and the placement shifts its weights to where its ships were found late.
"""

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.games.battleship.arena import empty_memory, fleets_of, play_compiled
from gpkit.games.battleship.fleets import is_on_board, squares_of
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.memory import base_rates
from gpkit.playing.players import player_of_name
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import mean_interval, paired_difference, told, write_record

COMMAND = "python -m gpkit_experiments.battleship_placement"
SEED = 43_001
"""Named before any of its boards was played; the step and the number of rounds were chosen on seed 7."""

BOARDS = 10_000
POWERS = (0, 1, 2, 3, 4, 6, 8)
ROUNDS, BOARDS_OF_A_ROUND, STEP = 200, 1_000, 0.1

RULES = GAME.make_rules({})
SIDE, SHIPS, PLACES = RULES.width, len(RULES.fleet), 2 * RULES.squares
PLAYERS = [player_of_name("counts", GAME), player_of_name("uniform", GAME)]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEGAL = np.array(
    [[float(is_on_board(place, length, RULES)) for place in range(PLACES)] for length in RULES.fleet]
)
"""By ship and placement whether it is on the board."""


def scaled(weights: Floats) -> Floats:
    """Weights whose mean over the places of each ship is 1."""
    found: Floats = weights / weights.sum(axis=1, keepdims=True) * LEGAL.sum(axis=1, keepdims=True)
    return found


def shots_of(weights: Floats, assumed: Floats, seed: int, number: int, boards: int) -> tuple[Floats, Ints]:
    """Shots at fleets of a placement by who takes them for those of another: float64 (boards,); and the fleets."""
    deals = GAME.deal(stream(seed, "placement", number), boards, RULES)
    sums = np.cumsum(weights, axis=1)
    memory = empty_memory(PLAYERS, (boards, 1), RULES)
    memory[:, 0, 0, at.WEIGHTS :] = np.stack([assumed[:, 0::2], assumed[:, 1::2]], axis=1).reshape(
        2 * SHIPS, -1
    )
    played = play_compiled(PLAYERS, deals.keys, RULES, memory, sums=np.stack([sums, sums]))
    return played.scores[:, 0, at.SCORE], fleets_of(deals.keys[:, 1], sums, RULES)


def edges(power: int) -> Floats:
    """Weights by the chance of ships on a place under fleets that lie anywhere."""
    rates = base_rates(RULES)
    found = np.ones_like(LEGAL)
    for ship, length in enumerate(RULES.fleet):
        for place in np.flatnonzero(LEGAL[ship]).tolist():
            found[ship, place] = np.mean(rates[list(squares_of(place, length, RULES))]) ** -power
    return scaled(found * LEGAL)


def mirrored(length: int) -> NDArray[np.int64]:
    """The places of a ship under the eight symmetries of the board: int64 (8, placements), 0 off the board."""
    found = np.zeros((8, PLACES), dtype=np.int64)
    for place in range(PLACES):
        if not is_on_board(place, length, RULES):
            continue
        ends = [divmod(square, SIDE) for square in squares_of(place, length, RULES)]
        for turn in range(8):
            turned = [(SIDE - 1 - y if turn & 1 else y, SIDE - 1 - x if turn & 2 else x) for y, x in ends]
            turned = sorted((x, y) if turn & 4 else (y, x) for y, x in turned)
            vertical = turned[0][0] != turned[-1][0]
            found[turn, place] = 2 * (turned[0][0] * SIDE + turned[0][1]) + vertical
    return found


MIRRORED = [mirrored(length) for length in RULES.fleet]


def symmetric(sums: Floats) -> Floats:
    """The mean over the symmetries of the board."""
    means = [row[turned].mean(axis=0) for row, turned in zip(sums, MIRRORED, strict=True)]
    found: Floats = np.stack(means) * LEGAL
    return found


def adversarial(seed: int, rounds: int, boards: int) -> Floats:
    """The mean of the placements of iterated best response."""
    logarithms, total = np.zeros_like(LEGAL), np.zeros_like(LEGAL)
    for number in range(rounds):
        weights = scaled(np.exp(logarithms) * LEGAL)
        total += weights
        shots, fleets = shots_of(weights, scaled(total), seed, number, boards)
        late, times = np.zeros_like(LEGAL), np.zeros_like(LEGAL)
        for ship in range(SHIPS):
            np.add.at(late[ship], fleets[:, ship], shots - shots.mean())
            np.add.at(times[ship], fleets[:, ship], 1.0)
        logarithms += STEP * symmetric(late) / (symmetric(times) + 2.0)
    return scaled(total)


def row_of(weights: Floats, seed: int, boards: int) -> dict[str, object]:
    """Shots against a placement by who takes it as uniform, and who knows it; ``known`` is what knowing saves."""
    taken, known = (shots_of(weights, each, seed, -1, boards)[0] for each in (scaled(LEGAL), weights))
    return {
        "assuming uniform": told(mean_interval(taken)),
        "knowing": told(mean_interval(known)),
        "saved": told(paired_difference(taken, known)),
    }


def report(
    seed: int = SEED, boards: int = BOARDS, rounds: int = ROUNDS, of_a_round: int = BOARDS_OF_A_ROUND
) -> dict[str, object]:
    """The data file."""
    placed = adversarial(seed, rounds, of_a_round)
    uniform_by_wary, _ = shots_of(scaled(LEGAL), placed, seed, -1, boards)
    return {
        "schema": "gpkit/placement-battleship/1",
        "command": COMMAND,
        "seed": seed,
        "boards": boards,
        "rounds": rounds,
        "boards of a round": of_a_round,
        "step": STEP,
        "placements": {
            **{f"edges {power}": row_of(edges(power), seed, boards) for power in POWERS},
            "adversarial": row_of(placed, seed, boards),
        },
        "uniform, by who expects the adversarial placement": told(mean_interval(uniform_by_wary)),
        "weights": {
            f"{ship} of {length}": [round(value, 3) for value in placed[ship - 1].tolist()]
            for ship, length in enumerate(RULES.fleet, 1)
        },
    }


if __name__ == "__main__":
    write_record(DATA / "placement-battleship.json", report())
