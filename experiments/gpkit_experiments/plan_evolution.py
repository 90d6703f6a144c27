"""Distance from the optimum that evolution reaches from random plans, for the goals whose least ticks are known.

    python -m gpkit_experiments.plan_evolution > experiments/data/plans-build_order.json

Runs of the preset ``plans`` with other goals; each ends when its champion needs the least ticks there are, or after the
preset's generations. The seconds are those of one core, compiled kernels at hand.
"""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import advance, begin
from gpkit.evolution.presets import shipped_presets
from gpkit.evolution.subjects import resolve
from gpkit.games.build_order.game import GAME, play_plan
from gpkit.genomes.plan import PlanProgram
from gpkit.languages.execution.compiler import compile_program
from gpkit.languages.execution.parser import parse
from gpkit.languages.execution.printer import print_program

COMMAND = "python -m gpkit_experiments.plan_evolution > experiments/data/plans-build_order.json"
SEEDS = (16101, 16102, 16103, 16104, 16105)
"""Named before any of them was run; the preset was made on seed 1."""

STAIRS = {
    "zerglings=12": ("goal=zerglings=4", "goal=zerglings=6", "goal=zerglings=8", "goal=zerglings=10"),
    "drone=16": ("goal=drone=8", "goal=drone=10", "goal=drone=12", "goal=drone=14"),
}
"""Easier goals as exercises, for goals that random plans never reach; chosen on seeds 1 and 2."""

SEEDS_OF_STAIRS = (16201, 16202, 16203, 16204, 16205)
"""Named before any of them was run."""

ROOT = Path(__file__).parents[2]
OPTIMA = ROOT / "experiments" / "data" / "optimum-build_order.json"


def ticks_of(program: PlanProgram, goal: str) -> int:
    """The tick of the goal in the game without an enemy."""
    compiled = compile_program(program, GAME.offers["execution"])
    nothing = np.zeros((1, 2), dtype=np.int64)
    return int(
        play_plan(compiled, nothing, np.ones(1, dtype=np.int64), GAME.make_rules({"goal": goal}))[0, 0]
    )


def shipped(name: str) -> PlanProgram:
    """A shipped plan."""
    program: PlanProgram = parse(
        (ROOT / "programs" / "build_order" / name).read_text(encoding="utf-8")
    ).program
    return program


def course(goal: str, seed: int, optimum: int, exercises: tuple[str, ...] = ()) -> dict[str, Any]:
    """One run."""
    guide = replace(shipped_presets()["plans"].guide, exercises=exercises, deals=1)
    config = replace(shipped_presets()["plans"], seed=seed, rules={"goal": goal}, guide=guide)
    search, executor = resolve(config).search(), SerialExecutor()
    started = time.process_time()
    state = begin(search, executor).state
    while state.generation < (config.stop.generations or 0) and -state.champion.score > optimum:
        state = advance(search, state, executor).state
    program = search.representation.simplify(state.champion.individual.genome)
    return {
        "seed": seed,
        "ticks": ticks_of(program, goal),
        "generation": state.generation,
        "evaluations": state.evaluations,
        "cpu_seconds": round(time.process_time() - started, 1),
        "plan": print_program(program).splitlines(),
    }


def results() -> Iterator[dict[str, Any]]:
    """For each goal its runs."""
    for row in json.loads(OPTIMA.read_text(encoding="utf-8"))["results"]:
        goal, optimum = row["goal"], row["ticks"]
        for seeds, exercises in ((SEEDS, ()), (SEEDS_OF_STAIRS, STAIRS.get(goal, ()))):
            if seeds == SEEDS or exercises:
                runs = [course(goal, seed, optimum, exercises) for seed in seeds]
                yield {
                    "goal": goal,
                    "exercises": list(exercises),
                    "optimum": optimum,
                    "lacks": [run["ticks"] - optimum for run in runs],
                    "8_pool": ticks_of(shipped("8_pool.plan"), goal),
                    "runs": runs,
                }


if __name__ == "__main__":
    document = {"command": COMMAND, "preset": "plans", "results": list(results())}
    sys.stdout.write(json.dumps(document, indent=1) + "\n")
