"""Errors of the sensor ``env.chance``: against the exact posterior, in the middle of games.

``python tests/battleship_beliefs.py`` measures anew and writes ``tests/data/beliefs-battleship.json``: games that the
shooter of the likeliest square plays, each looked at after some numbers of shots.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.games.battleship.belief.posterior import posterior
from gpkit.games.battleship.propagation import beliefs
from gpkit.games.battleship.rules import Board
from gpkit.games.game import Game
from gpkit.playing.players import player_of_name

FILE = Path(__file__).parent / "data" / "beliefs-battleship.json"
GAME: Game = game_of("battleship")

SEED = 32001
"""Seed of the boards, named before any was looked at."""

GAMES = 100
VARIANTS: dict[str, tuple[dict[str, str], tuple[int, ...]]] = {
    "classic": ({}, (10, 15, 20, 25, 30, 35, 40)),
    "classic, sinkings not told": ({"announce": "hit"}, (15, 20, 25, 30, 35, 40)),
    "ten ships that may not touch": ({"variant": "ten-ships"}, (35, 40, 45, 50, 55)),
}
"""By name the rules, and after how many shots a game is looked at."""


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


def errors_in(board: Board) -> Errors | None:
    """Errors in a position; None where the exact posterior takes too long."""
    exact = posterior(board)
    if not exact.exact:
        return None
    unshot = [square for square, known in enumerate(board.known) if known == "unshot"]
    mine, truth = np.array(beliefs(board).chance)[unshot], exact.chances[unshot]
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
            board = board.shoot(max(range(rules.squares), key=lambda s, c=chances: c[s]))
            if board.turns in turns and board.status == "playing":
                found[turns.index(board.turns)].append(board)
    return found


def first() -> dict[str, float]:
    """Errors in the first position of the classic game after 15 shots."""
    (boards,) = positions({}, 1, (15,))
    errors = errors_in(boards[0])
    assert errors is not None
    return asdict(errors)


def measured(name: str) -> list[dict[str, Any]]:
    """The rows of a variant: of each number of shots the means over all positions, and the largest error of all."""
    options, turns = VARIANTS[name]
    rows = []
    for turn, boards in zip(turns, positions(options, GAMES, turns), strict=True):
        found = [errors for board in boards if (errors := errors_in(board)) is not None]
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


def main() -> None:
    """Measure all variants."""
    content = {
        "schema": "gpkit/battleship-beliefs/1",
        "command": "python tests/battleship_beliefs.py",
        "seed": SEED,
        "games": GAMES,
        "first": first(),
        "variants": {name: measured(name) for name in VARIANTS},
    }
    FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
