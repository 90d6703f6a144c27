"""Strength of the preset ``placed``, and of the table of values that it keeps beside its rules, on unseen seeds.

    nice python tests/placed_runs.py

Each run is kept in ``tests/data/placed-dots-and-boxes.json`` as soon as it is over, with exact win rates on 3x3 boxes:
of the rules, and of a player that draws the edge of the greatest value by the table.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpkit.app.files import write_atomic
from gpkit.core.settings import to_data
from gpkit.games.dots_and_boxes.exact import result
from gpkit.learners.dots_and_boxes.exact import by_table, greedy
from gpkit.learners.dots_and_boxes.learner import RULES, Learner, environment_against
from gpkit.learners.dots_and_boxes.presets import PRESETS

FILE = Path(__file__).resolve().parent / "data" / "placed-dots-and-boxes.json"
COMMAND = "python tests/placed_runs.py"
SEEDS = range(18_001, 18_011)
"""Named before any of them was played; settings were chosen on seed 5."""

MARKS = (10_000, 50_000, 100_000)
CONFIG = replace(PRESETS["placed"], games=MARKS[-1])


def strength(learner: Learner) -> dict[str, dict[str, float]]:
    """Exact win rates of the rules and of the table against each opponent of the training."""
    found: dict[str, dict[str, float]] = {}
    for opponent in learner.config.opponents:
        replies = environment_against(opponent).replies
        found[opponent] = {
            "rules": round(greedy(learner, opponent).result.rate, 4),
            "table": round(result(by_table(learner), replies, RULES).rate, 4),
        }
    return found


def measured(seed: int) -> dict[str, Any]:
    """The run of a seed: by games its strength."""
    learner = Learner(replace(CONFIG, seed=seed))
    found: dict[str, Any] = {}
    for mark in MARKS:
        while learner.games < mark:
            learner.play_batch()
        found[str(mark)] = strength(learner)
    return found


def main() -> None:
    """Make the runs that are missing."""
    runs: dict[str, Any] = {}
    if FILE.exists():
        data = json.loads(FILE.read_text(encoding="utf-8"))
        runs = data["runs"] if data["config"] == to_data(CONFIG) else {}
    for seed in SEEDS:
        if str(seed) in runs:
            continue
        runs[str(seed)] = measured(seed)
        data = {"schema": "gpkit/placed/1", "command": COMMAND, "config": to_data(CONFIG), "runs": runs}
        write_atomic(FILE, json.dumps(data, indent=1) + "\n")
        sys.stdout.write(f"{seed}: {runs[str(seed)]}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
