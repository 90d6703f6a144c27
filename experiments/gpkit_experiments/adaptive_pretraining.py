"""Pre-training of the adaptive player of Battleship against hard-coded placements.

python -m gpkit_experiments.adaptive_pretraining > programs/battleship/adaptive/pretrained.json
"""

import json
import re
import sys

from gpkit.games.battleship.learner.experience import PROGRAMS, WAVES
from gpkit.games.battleship.learner.targeting import training_density
from gpkit.games.battleship.options import Rules
from gpkit_experiments.papers.battleship_adaptive.pretraining import (
    Effort,
    pretrained_programs,
    pretrained_waves,
)

COMMAND = "python -m gpkit_experiments.adaptive_pretraining > programs/battleship/adaptive/pretrained.json"
SEED = 42_001
BOARDS = ("10x10", "8x8", "12x12")
BEST = 20
"""The best waves, which ship; with them a population of 100 has 60 random ones and 20 at regular intervals."""

EFFORT = Effort(wave_generations=60, rounds=100, boards=25)


def board_of(name: str, effort: Effort) -> dict[str, object]:
    """Pre-training for a board, with the usual fleet: the density of training, and waves that fit it."""
    rules = {"board": name, "fleet": "5,4,3,3,2", "touch": "yes"}
    known = Rules.from_options(rules)
    density = [round(value, 4) for value in training_density(known).tolist()]
    waves = WAVES.write(pretrained_waves(known, effort, SEED)[:BEST])
    return {"rules": rules, "density": density, "waves": waves}


def report(effort: Effort = EFFORT, boards: tuple[str, ...] = BOARDS) -> dict[str, object]:
    """The data file."""
    rules = Rules()
    programs = pretrained_programs(rules, pretrained_waves(rules, effort, SEED), effort, SEED)
    return {
        "schema": "gpkit/adaptive-pretrained/1",
        "command": COMMAND,
        "seed": SEED,
        "programs": PROGRAMS.write(programs),
        "boards": [board_of(name, effort) for name in boards],
    }


def pretty(value: object) -> str:
    """JSON with a line for each program, wave and density."""
    text = json.dumps(value, indent=1)
    return re.sub(r"\n {4,}|\n {3}(?=\])", " ", text).replace("[ ", "[").replace(" ]", "]") + "\n"


if __name__ == "__main__":
    sys.stdout.write(pretty(report()))
