"""Strength of the preset ``placed``, and of the table of values that it keeps beside its rules, on unseen seeds.

    nice python -m gpkit_experiments.placed_runs
    nice python -m gpkit_experiments.placed_runs held-out

Each run is kept in ``experiments/data/placed-dots-and-boxes.json`` as soon as it is over, with exact win rates on 3x3
boxes: of the rules, and of a player that draws the edge of the greatest value by the table. Beside them are runs that
keep no table, and under ``tuned`` the run on which settings were chosen. Under ``held_out`` are runs of other seeds
with what they reach against opponents and on boards that they never met: at the end, and at the point of twenty that is
best against ``control``, so that no rate that is told has chosen it; with the seconds of processor time that learning
took in user mode, on a machine that did other work beside it.
"""

import json
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.files import write_atomic
from gpkit.core.registry import game_of
from gpkit.core.settings import to_data
from gpkit.gamekit.game import Game
from gpkit.games.dots_and_boxes.exact import result
from gpkit.games.dots_and_boxes.learner.config import PRESETS
from gpkit.games.dots_and_boxes.learner.curves import greedy
from gpkit.games.dots_and_boxes.learner.learner import RULES, Learner, environment_against
from gpkit.genomes.graph import RuleList
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name, player_of_program
from gpkit_experiments.papers.dots_and_boxes.runs import OURS, PARTS

FILE = Path(__file__).resolve().parents[1] / "data" / "placed-dots-and-boxes.json"
COMMAND = "python -m gpkit_experiments.placed_runs"
SEEDS = range(18_002, 18_012)
"""Named before any of them was played with these settings, which were chosen on the seeds 5 and 18001."""

SEEDS_WITHOUT = range(18_001, 18_004)
"""Of the learner that keeps no table."""

MARKS = (100_000, 1_000_000)
CONFIG = replace(PRESETS["placed"], games=MARKS[-1])

HELD_OUT_SEEDS = range(18_101, 18_111)
"""Of the runs that are measured against others, named before any of them was played."""

CHOOSER = "control"
"""The opponent by whom a point is chosen: nothing was learned from it, and what is won against it is not told."""

WATCHED = ("chain", "greedy", CHOOSER)
OPPONENTS = ("chain", "chain+ex12", "greedy", "safe+min", "optimal")
"""Those met at every point, and those told of at the end."""

BOARDS, GAMES_THERE, SEED_THERE = ("4x3", "4x4", "5x5"), 4_000, 18_100
"""Boards that nothing was learned on, against ``chain``: the games on each, and their seed."""

POINTS = range(50_000, MARKS[-1] + 1, 50_000)

WITHOUT = replace(
    PARTS["quality by the score at the end"],
    games=100_000,
    population=replace(OURS.population, size=4000, access=1.0),
)
"""A learner that keeps no table at all: its rules learn the difference of scores at the end of their games."""


def by_table(learner: Learner) -> NDArray[np.int64]:
    """The choices of a player without rules, who draws the edge of the greatest value by the table: int64 (classes,).

    Of equal edges the first, as a mask of edges; 0 for the last class, which has none.
    """
    successors, closed = learner.environment.classes.successors, learner.environment.classes.closed
    critic, worth = learner.critic, learner.environment.worth
    after = np.where(closed > 0, critic.own[successors], critic.other[successors])
    values = np.where(successors >= 0, worth + after, -np.inf)
    choices: NDArray[np.int64] = np.left_shift(1, np.argmax(values, axis=1), dtype=np.int64)
    choices[-1] = 0
    return choices


def strength(learner: Learner) -> dict[str, dict[str, float]]:
    """Exact win rates of the rules and of the table against each opponent of the training."""
    found: dict[str, dict[str, float]] = {}
    for opponent in learner.config.opponents:
        replies = environment_against(opponent).replies
        found[opponent] = {
            "rules": round(greedy(learner, opponent).result.mean, 4),
            "table": round(result(by_table(learner), replies, RULES).mean, 4),
        }
    return found


def measured(seed: int) -> dict[str, Any]:
    """The run of a seed: by games its strength, and the seconds of one core that learning took."""
    learner = Learner(replace(CONFIG, seed=seed))
    found: dict[str, Any] = {}
    seconds = 0.0
    for mark in MARKS:
        began = time.process_time()
        while learner.games < mark:
            learner.play_batch()
        seconds += time.process_time() - began
        found[str(mark)] = strength(learner)
    return found | {"seconds": round(seconds, 1)}


def without(seed: int) -> dict[str, float]:
    """The exact win rates of rules that were learned without a table, at the end."""
    learner = Learner(replace(WITHOUT, seed=seed))
    while learner.games < WITHOUT.games:
        learner.play_batch()
    assert not learner.critic.own.any()
    return {name: round(greedy(learner, name).result.mean, 4) for name in learner.config.opponents}


def rates(learner: Learner, opponents: tuple[str, ...]) -> dict[str, float]:
    """The exact win rate of the rules against each opponent."""
    return {name: round(greedy(learner, name).result.mean, 4) for name in opponents}


def on_boards(rules: RuleList) -> dict[str, float]:
    """The share of wins against ``chain`` on each larger board."""
    game: Game = game_of("dots_and_boxes")
    player, chain = player_of_program(rules, game, "placed"), player_of_name("chain", game)
    return {
        board: play_match(
            game, player, [chain], rules=game.make_rules({"board": board}), seed=SEED_THERE, games=GAMES_THERE
        ).mean
        for board in BOARDS
    }


def held_out(seed: int) -> dict[str, Any]:
    """The run of a seed: by point the rates against ``WATCHED``, and all rates at the end and at the chosen point."""
    learner = Learner(replace(CONFIG, seed=seed))
    points: dict[str, dict[str, float]] = {}
    chosen: dict[str, Any] = {}
    seconds = 0.0
    for mark in POINTS:
        began = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        while learner.games < mark:
            learner.play_batch()
        seconds += resource.getrusage(resource.RUSAGE_SELF).ru_utime - began
        points[str(mark)] = rates(learner, WATCHED)
        if all(points[str(mark)][CHOOSER] > points[before][CHOOSER] for before in [*points][:-1]):
            chosen = {"games": mark, **rates(learner, OPPONENTS), **on_boards(learner.rules.as_list())}
    end = {**rates(learner, OPPONENTS), **on_boards(learner.rules.as_list())}
    return {"points": points, "end": end, "chosen": chosen, "seconds": round(seconds, 1)}


def main(words: list[str]) -> None:
    """Make the runs that are missing."""
    data: dict[str, Any] = {
        "schema": "gpkit/placed/1",
        "command": COMMAND,
        "config": to_data(CONFIG),
        "runs": {},
        "without": {"config": to_data(WITHOUT), "runs": {}},
    }
    if FILE.exists():
        kept = json.loads(FILE.read_text(encoding="utf-8"))
        data = kept if kept["config"] == data["config"] else data
    if words == ["held-out"]:
        begun = {"seed of games": SEED_THERE, "games": GAMES_THERE, "chosen by": CHOOSER, "runs": {}}
        make(data, data.setdefault("held_out", begun)["runs"], HELD_OUT_SEEDS, held_out)
    if words:
        return
    both = ((data["without"]["runs"], SEEDS_WITHOUT, without), (data["runs"], SEEDS, measured))
    for runs, seeds, measure in both:
        make(data, runs, seeds, measure)


def make(
    data: dict[str, Any], runs: dict[str, Any], seeds: range, measure: Callable[[int], dict[str, Any]]
) -> None:
    """Make the runs of some seeds that are missing, and keep each as soon as it is over."""
    for seed in seeds:
        if str(seed) in runs:
            continue
        runs[str(seed)] = measure(seed)
        write_atomic(FILE, json.dumps(data, indent=1) + "\n")
        sys.stdout.write(f"{measure.__name__} {seed}: {runs[str(seed)]}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
