"""Controls of the papers on Sevens: evolution without selection, and a function that looks at nothing."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from gpkit.core.statistics import Interval
from gpkit.evolution.config import Config
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Executor
from gpkit.evolution.schemes import Generational
from gpkit.evolution.selection import Truncation
from gpkit.languages.arithmetic.parser import parse
from gpkit_experiments.papers.controls import Control, by_chance
from gpkit_experiments.papers.courses import follow
from gpkit_experiments.papers.paper import ignore
from gpkit_experiments.papers.sevens.blue_nodes import GENERATIONS, blue_row, blue_search
from gpkit_experiments.papers.sevens.field import PRINTED
from gpkit_experiments.papers.sevens.study import Study
from gpkit_experiments.papers.sevens.variants import RISE, rise
from gpkit_experiments.papers.sevens_claims.paper import EFFORTS, LEVELS
from gpkit_experiments.papers.strength import Pairing
from gpkit_experiments.papers.units import mean_interval

SEED = 61
"""Of all controls; the runs of the papers have others."""

BLIND = parse("play: math.random()\nsend: math.random()").program


def _study(seed: int, executor: Executor) -> Study:
    """The study of the levels up to hard at the effort of the record."""
    effort = EFFORTS["full"]
    return Study(
        replace(effort, generations={level: effort.generations[level] for level in LEVELS}),
        seed,
        executor,
        ignore,
    )


def _rise(
    change: Callable[[Config], Config], *, shuffled: bool = False
) -> Callable[[int, Executor], Interval]:
    """The rise of populations of a changed configuration."""

    def measure(seed: int, executor: Executor) -> Interval:
        study = _study(seed, executor)
        config = change(study.effort.config)
        return rise(study, study.courses("control", config, LEVELS, study.effort.runs, shuffled=shuffled))

    return measure


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


CONTROLS = (
    Control(
        RISE, "the algorithm", "selection: parents by chance", "runs", SEED, _rise(by_chance), is_slow=True
    ),
    Control(
        RISE,
        "the algorithm",
        "fitness: given to the wrong programs",
        "runs",
        SEED,
        _rise(lambda config: config, shuffled=True),
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
