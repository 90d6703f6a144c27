"""Controls of the paper on the levels of Sevens: runs up to hard in which parents are drawn by chance.

Hard among medium is no control: by these runs it wins .329 (.309 to .350), which neither fails nor holds, so that row
stays a description.
"""

from dataclasses import replace
from functools import cache, partial

from gpkit.core.statistics import Interval
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.controls import Control, by_chance, picked
from gpkit_experiments.papers.paper import ignore
from gpkit_experiments.papers.sevens.ladder import (
    Rosters,
    rosters_of,
    strength_rows,
    strengths_of,
)
from gpkit_experiments.papers.sevens.paper import EFFORTS
from gpkit_experiments.papers.sevens.study import EASY, GENERATIONS, HARD, MEDIUM, Study

SEED = 7206


@cache
def _drawn(seed: int) -> tuple[Study, Rosters]:
    """As many runs as those of the paper, and the programs of their levels."""
    generations = {level: GENERATIONS[level] for level in (EASY, MEDIUM, HARD)}
    study = Study(replace(EFFORTS["full"], generations=generations), seed, SerialExecutor(), ignore)
    config, count = by_chance(study.effort.config), study.effort.runs
    return study, rosters_of(study, study.courses("by chance", config, tuple(generations), count))


def _level(opponent: str, words: str, seed: int, _executor: Executor) -> Interval:
    study, rosters = _drawn(seed)
    rows = strength_rows(strengths_of(study, rosters, opponent), opponent)
    return picked(rows, f"Levels against two `{opponent}`, share of games won: {words}", HARD)


CONTROLS = tuple(
    Control(
        f"Levels against two `{opponent}`, share of games won: {words}",
        HARD,
        "selection: parents by chance",
        unit,
        SEED,
        partial(_level, opponent, words),
        is_slow=True,
    )
    for opponent in ("random", "simple")
    for words, unit in (("the algorithm", "runs"), ("these programs", "deals"))
)
