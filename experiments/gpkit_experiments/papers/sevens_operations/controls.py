"""Longer runs of open rows of the paper on the operations of Sevens."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.controls import Control
from gpkit_experiments.papers.paper import ignore
from gpkit_experiments.papers.sevens.study import Study
from gpkit_experiments.papers.sevens_operations.paper import (
    ARMS,
    EFFORTS,
    HALFWAY,
    NODES,
    STRENGTH,
    WHOLE,
    Course_,
    courses_of,
    halfway,
    larger,
    stronger,
)

SEED, SECOND_SEED = 7202, 7233
"""Of longer runs of open rows; no other run has them."""

Measure = Callable[[Study, Sequence[Course_], Sequence[Course_]], Interval]


def _longer(arm: str, measure: Measure, runs: int, seed: int, executor: Executor) -> Interval:
    """A measure of a variant beside the algorithm."""
    study = Study(replace(EFFORTS["full"], runs=runs), seed, executor, ignore)
    return measure(study, *(courses_of(study, name, ARMS[name]) for name in (arm, WHOLE)))


CONTROLS = tuple(
    Control(table, arm + words, "", "runs", seed, partial(_longer, arm, measure, runs), True, runs)
    for table, arm, words, measure, runs, seed in (
        (STRENGTH, "random subtrees of depth 1", "", stronger, 15, SEED),
        (STRENGTH, "constants as good as new", "", stronger, 18, SEED),
        (STRENGTH, "random subtrees of depth 4", "", stronger, 53, SEED),
        (HALFWAY, "no crossover", ", less the algorithm", halfway, 130, SEED),
        (NODES, "random subtrees of depth 4", ", less depth 2", larger, 412, SECOND_SEED),
    )
)
