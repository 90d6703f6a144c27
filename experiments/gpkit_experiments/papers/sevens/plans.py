"""Execution trees: whether the ticks that they cost keep them from growing, and what no game visits of them."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from statistics import mean
from types import MappingProxyType
from typing import Any

from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.core.statistics import mean_interval, paired_difference
from gpkit.evolution.config import BloatSettings, Config, LimitsSettings
from gpkit.evolution.setup import search_of
from gpkit.games.build_order.presets import BUILD_ORDER, PLANS
from gpkit.genomes.plan import Decide, PlanProgram, steps
from gpkit.languages.execution.forms import evolution as execution
from gpkit.languages.execution.forms.playing import visits
from gpkit.languages.execution.visits import Visit, unvisited
from gpkit_experiments.papers.courses import Course, fittest, follow
from gpkit_experiments.papers.paper import Row, above, below
from gpkit_experiments.papers.sevens.study import Study

SIZE = 100
"""Individuals."""

FREE = 1000
"""The limit on size, which none of them meets."""


def unlimited(config: Config) -> Config:
    """A configuration in which size costs nothing in itself, and nothing is cut."""
    if isinstance(config.representation, execution.Settings):
        config = replace(config, representation=replace(config.representation, rehearsals=0))
    population = replace(config.population, size=SIZE)
    return replace(
        config, population=population, bloat=BloatSettings(penalty=0.0), limits=LimitsSettings(size=FREE)
    )


def plan_rows(study: Study) -> list[Row]:
    """Rows of the growth of plans and formulas for the same game, and of what games do not visit of plans."""
    plans, formulas = (_courses(study, name, config) for name, config in _FORMS.items())
    return [*_growth(plans, formulas), *_dead_weight(study, plans)]


_FORMS = MappingProxyType({"plans": unlimited(PLANS), "formulas": unlimited(BUILD_ORDER)})


def _courses(study: Study, name: str, config: Config) -> list[Course[Any]]:
    """Runs of a configuration."""
    seeds = study.run_seeds(study.effort.plan_runs)
    found = []
    for number, seed in enumerate(seeds, start=1):
        study.watch(f"{name} for the build order, run {number} of {len(seeds)}")
        found.append(
            follow(search_of(replace(config, seed=seed)), {study.effort.plan_generations}, study.executor)
        )
    return found


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


def _dead_weight(study: Study, courses: Sequence[Course[PlanProgram]]) -> list[Row]:
    """Rows of the parts of plans that games never visit; games for the usual goal are all alike."""
    study.watch("what games visit of plans")
    game = game_of(PLANS.game)
    rules = game.make_rules({})
    deals = game.deal(stream(study.seed, "visits"), 1, rules)
    branches, nodes = [], []
    for course in courses:
        programs = fittest(course.populations[study.effort.plan_generations], study.effort.plans_visited)
        seen = [visits(program, game, deals, rules) for program in programs]
        branches.append(mean(map(one_sided, programs, seen)))
        nodes.append(mean(len(unvisited(p, found)) / len(p) for p, found in zip(programs, seen, strict=True)))
    heading = "Plans for the build order, mean of the different ones of the last generation"
    one = mean_interval(branches, support=(0.0, math.inf))
    dead = mean_interval(nodes, support=(0.0, 1.0))
    return [
        Row(heading, "decisions with a branch never taken", one, "runs", "a branch unvisited", above(0.0)),
        Row(heading, "share of nodes never visited", dead, "runs", "dead weight", above(0.0)),
    ]


def one_sided(program: PlanProgram, seen: Collection[Visit]) -> int:
    """Number of decisions that were met, and of which one branch was never taken."""
    return sum(
        len({outcome for place, outcome in seen if place == (plan, number)}) == 1
        for plan, sequence in enumerate(program.plans)
        for number, step in enumerate(steps(sequence))
        if isinstance(step, Decide)
    )
