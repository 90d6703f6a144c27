"""Controls of the papers on Sevens: evolution without selection, and a function that looks at nothing; longer runs."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from gpkit.core.statistics import Interval
from gpkit.evolution.config import Config
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Executor
from gpkit.evolution.schemes import Generational, Truncation
from gpkit.languages.arithmetic.text import parse
from gpkit_experiments.papers.controls import Control, by_chance, picked
from gpkit_experiments.papers.courses import Pairing, follow
from gpkit_experiments.papers.paper import Row, ignore
from gpkit_experiments.papers.sevens.blue_nodes import GENERATIONS, blue_row, blue_search
from gpkit_experiments.papers.sevens.growth import GROWTH, RISE, rise
from gpkit_experiments.papers.sevens.ladder import PRINTED, rosters_of, strengths_of
from gpkit_experiments.papers.sevens.plans import BRANCHES, IN_BRANCHES, branch_rows
from gpkit_experiments.papers.sevens.study import EASY, HARD, MEDIUM, Study
from gpkit_experiments.papers.sevens_claims.paper import (
    EFFORTS,
    LEVELS,
    SINGLE,
    Courses,
    growth_of,
    level_rows,
    shares_of_single,
)
from gpkit_experiments.papers.units import mean_interval, paired_difference

SEED, LONGER_SEED, SECOND_SEED, THIRD_SEED = 61, 7201, 7209, 7232
"""Of all controls, and of longer runs of open rows; the runs of the papers have others."""


BLIND = parse("play: math.random()\nsend: math.random()").program


def _study(seed: int, executor: Executor, runs: int = EFFORTS["full"].runs) -> Study:
    """The study of the levels up to hard at the effort of the record, by so many runs."""
    effort = EFFORTS["full"]
    return Study(
        replace(effort, runs=runs, generations={level: effort.generations[level] for level in LEVELS}),
        seed,
        executor,
        ignore,
    )


def _rise(change: Callable[[Config], Config], shuffled: bool, seed: int, executor: Executor) -> Interval:
    """The rise of populations of a changed configuration."""
    study = _study(seed, executor)
    config = change(study.effort.config)
    return rise(study, study.courses("control", config, LEVELS, study.effort.runs, shuffled=shuffled))


def _blue(seed: int, executor: Executor) -> Interval:
    """The gain of the best tree where all trees have children alike, and none is kept."""
    runs = []
    for number in range(200):
        search = blue_search(1000 * seed + number)
        scheme = Generational(search.parameters.scheme.shares, Truncation(1.0), elites=0)
        search = replace(search, parameters=replace(search.parameters, scheme=scheme))
        runs.append(follow(search, GENERATIONS, SerialExecutor()).populations)
    return blue_row(runs).measured


def _blind(opponent: str, seed: int, executor: Executor) -> Interval:
    """The strength of a function that values cards at random."""
    study = _study(seed, executor)
    held_out = study.held_out(study.effort.sample_games // 10)
    (scores,) = held_out.by_deal([Pairing(BLIND, study.opponent(opponent))], executor)
    return mean_interval(scores, support=held_out.game.metric(held_out.rules).support)


def _levels(
    measure: Callable[[Study, Courses], Interval], runs: int, seed: int, executor: Executor
) -> Interval:
    """A measure of runs of the algorithm."""
    study = _study(seed, executor, runs)
    return measure(study, study.courses("longer", study.effort.config, LEVELS, runs))


def _medium(study: Study, courses: Courses) -> Interval:
    """The strength of medium against two `simple`, less that of easy at best."""
    rows = level_rows({"simple": strengths_of(study, rosters_of(study, courses), "simple")})
    return rows[0].measured


def _single(level: str, study: Study, courses: Courses) -> Interval:
    """The share of formulas of a level that are a single terminal, less that of hard."""
    shares = (shares_of_single(courses, study.effort.generations, each) for each in (level, HARD))
    return paired_difference(*shares, support=(0.0, 1.0))


@cache
def _growth(runs: int, seed: int) -> list[Row]:
    return growth_of(Study(replace(EFFORTS["full"], runs=runs), seed, SerialExecutor(), ignore))


def _grown(quantity: str, runs: int, seed: int, _executor: Executor) -> Interval:
    """Growth without the penalty for size."""
    return picked(_growth(runs, seed), GROWTH, quantity)


def _branches(runs: int, seed: int, _executor: Executor) -> Interval:
    """The share of nodes in branches that no game takes."""
    study = Study(replace(EFFORTS["full"], plan_runs=runs), seed, SerialExecutor(), ignore)
    return picked(branch_rows(study), BRANCHES, IN_BRANCHES)


NODES = ("nodes at expert, less those with it", "nodes at expert, less those in half the generations")

LONGER = (
    *(
        Control(table, quantity, "", "runs", seed, partial(_levels, measure, runs), True, runs)
        for table, quantity, seed, measure, runs in (
            (
                "Levels, share of games won against two `simple`",
                "medium, less easy, at best",
                LONGER_SEED,
                _medium,
                13,
            ),
            (SINGLE, "easy, less hard", LONGER_SEED, partial(_single, EASY), 19),
            (SINGLE, "medium, less hard", SECOND_SEED, partial(_single, MEDIUM), 127),
        )
    ),
    *(
        Control(GROWTH, quantity, "", "runs", LONGER_SEED, partial(_grown, quantity, 55), True, 55)
        for quantity in NODES
    ),
    Control(BRANCHES, IN_BRANCHES, "", "runs", THIRD_SEED, partial(_branches, 191), True, 191),
)
CONTROLS = (
    *LONGER,
    Control(
        RISE,
        "the algorithm",
        "selection: parents by chance",
        "runs",
        SEED,
        partial(_rise, by_chance, False),
        is_slow=True,
    ),
    Control(
        RISE,
        "the algorithm",
        "fitness: given to the wrong programs",
        "runs",
        SEED,
        partial(_rise, lambda config: config, True),
        is_slow=True,
    ),
    *(
        Control(
            PRINTED,
            f"against two `{opponent}`",
            "the function: its values are random",
            "deals",
            SEED,
            partial(_blind, opponent),
        )
        for opponent in ("random", "simple")
    ),
    Control(
        "Population of 4 for 5 generations, blue nodes of the best tree",
        "gain",
        "selection: all have children alike",
        "runs",
        SEED,
        _blue,
    ),
)
