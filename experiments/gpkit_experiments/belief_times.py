"""Times of the belief-state agent: an exact count of the empty classic board, moves, and moves on 50x50 squares.

``python -m gpkit_experiments.belief_times`` writes ``experiments/data/times-battleships-belief.json`` anew, in three
minutes. All are processor times of one core; samplers take turns, board by board. They do not come out again.
"""

import json
import platform
import time

import numpy as np

from gpkit.games.battleship.belief.facts import Facts
from gpkit.games.battleship.belief.posterior import PosteriorLimits, posterior_of
from gpkit.games.battleship.fleets import fleet_squares
from gpkit.games.battleship.kernel import samples as at
from gpkit.games.battleship.monte_carlo import MCS, MENDED, next_shot
from gpkit.games.battleship.options import Rules
from gpkit_experiments.papers.battleships_belief.belief_state import TIMES
from gpkit_experiments.papers.battleships_belief.paper import RULES
from gpkit_experiments.papers.battleships_belief.samples import large_rules
from gpkit_experiments.papers.battleships_belief.trials import Boards, Target
from gpkit_experiments.sampled_boards import clear_board

COMMAND = "python -m gpkit_experiments.belief_times"
SEED = 83_101
"""Named before any of its boards was played."""

COUNTS, GAMES, LARGE = 5, 100, 3
SAMPLERS = {"mcs:10": (MCS, 10), "mcs:100": (MCS, 100), "mcs-mended:100": (MENDED, 100)}


def count_seconds(number: int) -> float:
    """Seconds of an exact count; the limit differs from one to the next, so that none is remembered."""
    began = time.process_time()
    assert posterior_of(Facts(Rules()), effort=PosteriorLimits(operations=3_000_000_000 + number)).exact
    return time.process_time() - began


def move_times(board: Target, sampler: str) -> dict[str, float]:
    """Milliseconds of the moves of a game, the mean and the longest."""
    agent, samples = SAMPLERS[sampler]
    ships = fleet_squares(board.fleet, RULES)
    known = np.zeros(RULES.squares, np.int8)
    times: list[float] = []
    left = len(ships)
    while left:
        began = time.process_time()
        square = next_shot(known, len(times), agent.method, RULES, samples, board.key).square
        times.append(1000 * (time.process_time() - began))
        known[square] = at.HIT if square in ships else at.MISS
        left -= square in ships
    return {"mean": round(float(np.mean(times)), 4), "longest": round(max(times), 4)}


def large_seconds(board: Target) -> float:
    """Seconds of a move on 50x50 squares, the mean of a game."""
    began = time.process_time()
    shots = clear_board(board.fleet, MCS.method, large_rules(), 100, board.key).shots
    return (time.process_time() - began) / shots


def document() -> dict[str, object]:
    """Everything that is timed."""
    count_seconds(0)
    boards = Boards.drawn(SEED, "times", GAMES + 1, "one-by-one", RULES).targets()
    moves: dict[str, list[dict[str, float]]] = {name: [] for name in SAMPLERS}
    for number, board in enumerate(boards):
        for name in SAMPLERS:
            found = move_times(board, name)
            if number:  # the first one compiles
                moves[name].append(found)
    large = Boards.drawn(SEED, "large times", LARGE, "one-by-one", large_rules()).targets()
    return {
        "schema": "gpkit/times-battleships-belief/1",
        "command": COMMAND,
        "seed": SEED,
        "machine": f"{platform.machine()}, one core of 2024",
        "count_s": [round(count_seconds(number), 3) for number in range(1, COUNTS + 1)],
        "moves_ms": moves,
        "large_s": [round(large_seconds(board), 6) for board in large],
    }


if __name__ == "__main__":
    TIMES.write_text(json.dumps(document(), indent=1) + "\n", encoding="utf-8")
