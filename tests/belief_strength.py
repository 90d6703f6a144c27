"""Strength of the player of the posterior, of its parts, and of greedy shots, on the same boards.

    python tests/belief_strength.py FILE [ROW[=BOARDS] ...] > tests/data/strength-belief.json

FILE keeps the boards that were played, a line each, so that the work can be stopped at any time; the rows are those of
``ROWS``, and without any the file is told of as it is. All rows of one set of rules take the boards of the same seed
from the first one on, and differences are over the boards that both have played.
"""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval, paired_difference
from gpkit.games.battleship.arena import running_sums
from gpkit.games.battleship.belief.facts import Facts
from gpkit.games.battleship.belief.lists import Stage
from gpkit.games.battleship.belief.player import shot_at
from gpkit.games.battleship.belief.settings import DEFAULT, Settings, within
from gpkit.games.battleship.fleets import draw_fleet
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board

COMMAND = "python tests/belief_strength.py FILE > tests/data/strength-belief.json"
SEED = 73_001
"""Named before any of its boards was played; settings were chosen on seeds 100 to 302."""

CHUNK = 50
"""Boards after which the file is written."""

GREEDY = replace(DEFAULT, stages=())
NARROW = Stage(20_000)
RULES = {
    "classic": {},
    "not-announced": {"announce": "hit"},
    "ten-ships": {"variant": "ten-ships"},
}
SETTINGS: dict[str, Settings] = {
    "belief": DEFAULT,
    "greedy": GREEDY,
    "information": replace(GREEDY, information=0.05),
    "rollouts": replace(DEFAULT, stages=(NARROW,)),
    "wide-rollouts": replace(DEFAULT, stages=(Stage(20_000, squares=16, margin=0.4),)),
    "nested": replace(DEFAULT, stages=(Stage(300, squares=16, margin=0.4, nested=True), NARROW)),
    "whole-lists": replace(DEFAULT, stages=(*DEFAULT.stages[:2], replace(NARROW, sample=20_000))),
    "belief:50": within(50),
}
ROWS = {f"{rules} {settings}": (rules, settings) for rules in RULES for settings in SETTINGS}

Floats = NDArray[np.float64]


def boards(rules: Rules, first: int, count: int) -> Iterator[tuple[Board, int]]:
    """Boards by number, and the key of the shots at each."""
    sums = running_sums("uniform", rules)
    keys = GAME.deal(stream(SEED, "strength"), first + count, rules).keys[first:]
    for (_, _, shots), (key, extra, _) in keys.tolist():
        yield Board.of(draw_fleet(key, extra, sums, rules), rules), shots


def play(board: Board, key: int, settings: Settings) -> tuple[int, float]:
    """The shots until a board is cleared, and the hits less the sum of their chances: luck, of mean zero."""
    luck = 0.0
    while board.status == "playing":
        shot = shot_at(Facts.of(board), key, settings)
        board = board.shoot(shot.square)
        luck += board.shots[-1].hit - float(shot.belief.chances[shot.square])
    return board.turns, round(luck, 4)


def play_on(path: Path, row: str, count: int) -> None:
    """Play the boards of a row from the first that the file does not have, and write them to its end."""
    rules, settings = ROWS[row]
    done = len(played(path).get(row, []))
    for first in range(done, count, CHUNK):
        some = boards(GAME.make_rules(RULES[rules]), first, min(CHUNK, count - first))
        games = [play(board, key, SETTINGS[settings]) for board, key in some]
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps([row, *game]) + "\n" for game in games)
            file.flush()
            os.fsync(file.fileno())


def played(path: Path) -> dict[str, Floats]:
    """By row the boards of a file, in order: float64 (boards, 2), shots and luck."""
    found: dict[str, list[list[float]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        row, *game = json.loads(line)
        found.setdefault(row, []).append(game)
    return {row: np.array(games) for row, games in found.items()}


def adjusted(games: Floats) -> Floats:
    """The shots without luck: float64 (boards,), by the regression of shots on luck."""
    shots, luck = games.T
    slope = float(np.cov(shots, luck)[0, 1] / luck.var(ddof=1))
    return shots - slope * luck


def told(interval: Interval) -> dict[str, object]:
    """The fields of an interval."""
    return {"mean": round(interval.mean, 4), "ci95": [round(interval.low, 4), round(interval.high, 4)]}


def report(path: Path) -> dict[str, object]:
    """The data file; ``fewer`` is greedy less the row, on the boards of both."""
    games = played(path)
    rows: dict[str, object] = {}
    for row, each in games.items():
        rules, settings = ROWS[row]
        rows[row] = {
            "rules": RULES[rules],
            "settings": settings,
            "boards": len(each),
            "shots": told(mean_interval(each[:, 0])),
            "adjusted": told(mean_interval(adjusted(each))),
        }
        greedy = games.get(f"{rules} greedy")
        if settings != "greedy" and greedy is not None:
            both = min(len(greedy), len(each))
            difference = paired_difference(adjusted(greedy[:both]), adjusted(each[:both]))
            rows[row] |= {"fewer": {"boards": both, **told(difference)}}  # type: ignore[operator]
    return {"schema": "gpkit/strength-belief/1", "command": COMMAND, "seed": SEED, "rows": rows}


def main() -> None:
    """Play the rows named, and write the report."""
    path = Path(sys.argv[1])
    for word in sys.argv[2:]:
        row, _, count = word.partition("=")
        play_on(path, row, int(count or 10_000))
    json.dump(report(path), sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
