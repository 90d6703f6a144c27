"""Execution trees: whether the ticks that they cost keep them from growing, and what no game visits of them."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.evolution.config import BloatSettings, Config, LimitsSettings, shipped_presets
from gpkit.evolution.search import Search
from gpkit.evolution.subjects import resolve
from gpkit.genomes.plan import Decide, PlanProgram, steps
from gpkit.languages.execution.forms import evolution as execution
from gpkit.languages.execution.forms.playing import visits
from gpkit.languages.execution.simplify import Visit
from gpkit_experiments.papers.courses import Course, fittest
from gpkit_experiments.papers.paper import Row, above, below
from gpkit_experiments.papers.sevens.study import Study
from gpkit_experiments.papers.units import mean_interval, paired_difference, rate_interval

SIZE = 100

FREE = 1000
"""The limit on size, which none of them meets."""


def unlimited(config: Config) -> Config:
    """A configuration in which size costs nothing in itself, and nothing is cut."""
    if isinstance(config.representation, execution.PlanSettings):
        config = replace(config, representation=replace(config.representation, rehearsals=0))
    population = replace(config.population, size=SIZE)
    return replace(
        config, population=population, bloat=BloatSettings(penalty=0.0), limits=LimitsSettings(size=FREE)
    )


def plan_rows(study: Study) -> list[Row]:
    """Rows of the growth of plans and formulas for the same game."""
    plans, formulas = (_courses(study, name, config) for name, config in _FORMS.items())
    return _growth(plans, formulas)


_FORMS = MappingProxyType(
    {"plans": unlimited(shipped_presets()["plans"]), "formulas": unlimited(shipped_presets()["build_order"])}
)


def _courses(study: Study, name: str, config: Config) -> list[Course[Any]]:
    """Runs of a configuration."""
    seeds = study.run_seeds(study.effort.plan_runs)
    searches: list[Search[Any]] = [resolve(replace(config, seed=seed)).search() for seed in seeds]
    return study.followed(f"{name} for the build order", searches, {study.effort.plan_generations})


def _growth(plans: Sequence[Course[Any]], formulas: Sequence[Course[Any]]) -> list[Row]:
    """Rows of how many times as large programs become."""
    heading = "Build order without a penalty for size, nodes in the last generation for each in generation 0"
    support = (0.0, math.inf)
    factors = [[course.sizes[-1] / course.sizes[0] for course in courses] for courses in (plans, formulas)]
    less = paired_difference(factors[0], factors[1])
    return [
        Row(heading, "plans, whose steps cost ticks", mean_interval(factors[0], support=support), "runs"),
        Row(
            heading, "formulas, whose nodes cost nothing", mean_interval(factors[1], support=support), "runs"
        ),
        Row(
            heading, "plans less formulas", less, "runs", "less of a problem for execution trees", below(0.0)
        ),
    ]


BRANCHES, IN_BRANCHES = (
    "Plans for the build order, the different ones of the last generation",
    "nodes in such branches, share of all",
)
CONSISTENTLY, HEAVY = 0.5, 0.05
"""Shares above which decisions leave branches consistently, and what lies in these is a weight."""


def branch_rows(study: Study) -> list[Row]:
    """Rows of the branches that games never take; games for the usual goal are all alike."""
    courses = _courses(study, "plans", _FORMS["plans"])
    study.watch("what games visit of plans")
    game = game_of(shipped_presets()["plans"].game)
    rules = game.make_rules({})
    deals = game.deal(stream(study.seed, "visits"), 1, rules)
    shares, weights = [], []
    for course in courses:
        programs = fittest(course.populations[study.effort.plan_generations], study.effort.plans_visited)
        seen = [untaken(program, visits(program, game, deals, rules)) for program in programs]
        met, left = (sum(counts[place] for counts in seen) for place in (0, 1))
        shares += [left / met] if met else []
        weights.append(sum(counts[2] for counts in seen) / sum(map(len, programs)))
    share, weight = (rate_interval(values or [0.0]) for values in (shares, weights))
    leaving = "decisions that leave a branch unvisited, share of those met"
    return [
        Row(BRANCHES, leaving, share, "runs", "consistently leave a branch unvisited", above(CONSISTENTLY)),
        Row(BRANCHES, IN_BRANCHES, weight, "runs", "dead weight", above(HEAVY)),
    ]


def untaken(program: PlanProgram, seen: Collection[Visit]) -> tuple[int, int, int]:
    """Numbers of decisions that were met, of those that left a branch unvisited, and of nodes in such branches."""
    met = left = weight = 0
    for plan, sequence in enumerate(program.plans):
        for number, step in enumerate(steps(sequence)):
            outcomes = {outcome for place, outcome in seen if place == (plan, number)}
            if not isinstance(step, Decide) or not outcomes:
                continue
            met += 1
            if len(outcomes) == 1:
                left += 1
                weight += sum(1 for _ in steps(step.no if outcomes == {True} else step.yes))
    return met, left, weight
