"""A longer run of an open row of the paper on sinking: no-ops anywhere, or behind the instructions of their block."""

from dataclasses import replace

from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.battleship_sinking.paper import (
    ANYWHERE,
    ARMS,
    EFFORTS,
    EVOLUTION,
    GAME,
    TOP,
    Study,
    ends,
)
from gpkit_experiments.papers.controls import Control
from gpkit_experiments.papers.paper import ignore
from gpkit_experiments.papers.units import paired_difference

SEED, RUNS = 7208, 488
"""No other run has this seed."""


def _no_ops(seed: int, executor: Executor) -> Interval:
    """The shots that it costs if no-ops lie anywhere."""
    study = Study(replace(EFFORTS["full"], runs=RUNS), seed, executor, ignore)
    shots = (ends(study, study.champions(name, ARMS[name])) for name in (ANYWHERE, TOP))
    return paired_difference(*shots, support=GAME.metric(GAME.make_rules({})).support)


CONTROLS = (Control(EVOLUTION, f"{ANYWHERE}, minus {TOP}", "", "runs", SEED, _no_ops, True, RUNS),)
