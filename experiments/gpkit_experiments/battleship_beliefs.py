"""Errors of the sensor ``env.chance`` and of the mean field: against the exact posterior, in the middle of games.

``python -m gpkit_experiments.battleship_beliefs`` measures anew and writes
``experiments/data/beliefs-battleship.json``: games that the shooter of the likeliest square plays, each looked at after
some numbers of shots. With the word ``field`` only the mean field is measured.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.games.battleship.belief.facts import Facts
from gpkit.games.battleship.belief.field import mean_field
from gpkit.games.battleship.belief.posterior import posterior_of
from gpkit.games.battleship.propagation import beliefs
from gpkit.games.battleship.rules import Board
from gpkit.playing.players import player_of_name

FILE = Path(__file__).parents[1] / "data" / "beliefs-battleship.json"
GAME: Game = game_of("battleship")

SEED = 32001
"""Seed of the boards, named before any was looked at."""

Estimate = Callable[[Board], NDArray[np.float64]]
"""Chances of a ship by square."""

Variants = Mapping[str, tuple[dict[str, str], tuple[int, ...]]]
"""By name the rules, and after how many shots a game is looked at."""

GAMES = 100
VARIANTS: Variants = {
    "classic": ({}, (10, 15, 20, 25, 30, 35, 40)),
    "classic, sinkings not told": ({"announce": "hit"}, (15, 20, 25, 30, 35, 40)),
    "ten ships that may not touch": ({"variant": "ten-ships"}, (35, 40, 45, 50, 55)),
}

FIELD_GAMES = 20
FIELD_VARIANTS: Variants = {
    "classic": ({}, (10, 20, 30, 40)),
    "classic on 12x12": ({"board": "12x12"}, (30, 45, 60)),
    "12x12, 4,3,2,1 that may not touch": (
        {"board": "12x12", "fleet": "4,3,2,1", "touch": "no"},
        (20, 40, 60),
    ),
    "22x22, 4,3,2 that may not touch": (
        {"board": "22x22", "fleet": "4,3,2", "touch": "no"},
        (50, 100, 150),
    ),
}
"""Boards on which ``belief`` counts, up to the largest; on larger ones it takes the mean field."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Errors in one position, over the squares that have not been shot.

    Attributes:
        mean: of the absolute error of a chance.
        largest: the largest absolute error.
        loss: by how much the square that it thinks likeliest is in truth less likely than the likeliest one.
    """

    mean: float
    largest: float
    loss: float


def propagated(board: Board) -> NDArray[np.float64]:
    """Chances of belief propagation, those of ``env.chance``."""
    return np.array(beliefs(board).chance)


def relaxed(board: Board) -> NDArray[np.float64]:
    """Chances of the mean field."""
    return mean_field(Facts.of(board))


def errors_in(board: Board, estimate: Estimate = propagated) -> Errors | None:
    """Errors in a position; None where the exact posterior takes too long."""
    exact = posterior_of(Facts.of(board))
    if not exact.exact:
        return None
    unshot = [square for square, known in enumerate(board.known) if known == "unshot"]
    mine, truth = estimate(board)[unshot], exact.chances[unshot]
    error = np.abs(mine - truth)
    return Errors(float(error.mean()), float(error.max()), float(truth.max() - truth[mine.argmax()]))


def positions(options: dict[str, str], games: int, turns: tuple[int, ...]) -> list[list[Board]]:
    """The boards of games after these numbers of shots, by number; those that are over are left out."""
    rules = GAME.make_rules(options)
    deals = GAME.deal(stream(SEED, "beliefs"), games, rules)
    placed = [player_of_name("uniform", GAME)] * 2
    found: list[list[Board]] = [[] for _ in turns]
    for number in range(games):
        (board,) = GAME.begin(placed, deals[number : number + 1], rules).boards
        while board.status == "playing" and board.turns < turns[-1]:
            chances = beliefs(board).chance
            board = board.shoot(max(range(rules.squares), key=chances.__getitem__))
            if board.turns in turns and board.status == "playing":
                found[turns.index(board.turns)].append(board)
    return found


def first() -> dict[str, float]:
    """Errors in the first position of the classic game after 15 shots."""
    (boards,) = positions({}, 1, (15,))
    errors = errors_in(boards[0])
    assert errors is not None
    return asdict(errors)


def measured(variants: Variants, games: int, estimate: Estimate) -> dict[str, list[dict[str, Any]]]:
    """By variant the rows: of each number of shots the means over all positions, and the largest error of all."""
    return {name: _rows(*variant, games, estimate) for name, variant in variants.items()}


def _rows(
    options: dict[str, str], turns: tuple[int, ...], games: int, estimate: Estimate
) -> list[dict[str, Any]]:
    rows = []
    for turn, boards in zip(turns, positions(options, games, turns), strict=True):
        found = [errors for board in boards if (errors := errors_in(board, estimate)) is not None]
        if not found:
            continue
        rows.append(
            {
                "shots": turn,
                "positions": len(found),
                "not_counted": len(boards) - len(found),
                **asdict(
                    Errors(
                        float(np.mean([errors.mean for errors in found])),
                        max(errors.largest for errors in found),
                        float(np.mean([errors.loss for errors in found])),
                    )
                ),
            }
        )
    return rows


def main(words: list[str]) -> None:
    """Measure all variants, or those of the mean field."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    if "field" not in words:
        content = {
            "schema": "gpkit/battleship-beliefs/1",
            "command": "python -m gpkit_experiments.battleship_beliefs",
            "seed": SEED,
            "games": GAMES,
            "first": first(),
            "variants": measured(VARIANTS, GAMES, propagated),
        }
    content["field_games"] = FIELD_GAMES
    content["field"] = measured(FIELD_VARIANTS, FIELD_GAMES, relaxed)
    FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
