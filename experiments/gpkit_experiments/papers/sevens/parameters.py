"""Parameter mutation against node replacement: decision trees for Sevens, with as many programs and games for each."""

from collections.abc import Mapping
from dataclasses import replace

from gpkit.core.statistics import Interval
from gpkit.evolution.config import Config
from gpkit.evolution.presets import shipped_presets
from gpkit.evolution.subjects import resolve
from gpkit.evolution.tables import FitnessSettings, PopulationSettings, RaceSettings
from gpkit_experiments.papers.courses import fittest, follow
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.sevens.study import Study
from gpkit_experiments.papers.strength import Strength, against, strength
from gpkit_experiments.papers.units import paired_difference

GENERATIONS = 20

NODES = {"branch": 0.6, "crossover": 0.3, "hoist": 0.1}
"""Mutation by node replacement alone: parameters are only drawn with a new node."""

PARAMETERS = {"leaf": 0.3, "step": 0.2, "scale": 0.05, "comparison": 0.05, "crossover": 0.3, "hoist": 0.1}
"""Mutation of parameters alone: what nodes ask for changes by crossover."""

BOTH = {
    "branch": 0.3,
    "leaf": 0.15,
    "step": 0.1,
    "scale": 0.025,
    "comparison": 0.025,
    "crossover": 0.3,
    "hoist": 0.1,
}
"""Half of the mutation of each kind."""

HEADING = "Decision trees, strength by mutation, minus that by node replacement alone, against two `simple`"


def config_of(operators: Mapping[str, float]) -> Config:
    """The configuration of a run with these shares of the operators."""
    return replace(
        shipped_presets()["decisions"],
        population=PopulationSettings(size=100),
        operators=dict(operators),
        fitness=FitnessSettings(deals=60, candidates=1, validation_deals=1),
        race=RaceSettings(first=15, keep=0.3),
    )


def parameter_rows(study: Study, count: int) -> list[Row]:
    """Rows of what mutation of parameters adds, paired by run.

    Args:
        study: the reproduction.
        count: how many runs of each kind; all kinds have the same seeds, and so the same first generations.
    """
    nodes = _strength(study, "node replacement", NODES, count)
    both = _strength(study, "both", BOTH, count)
    alone = _strength(study, "parameters", PARAMETERS, count)

    def minus_nodes(other: Strength) -> Interval:
        return paired_difference(other.runs, nodes.runs, support=nodes.support)

    said = "possibly needed for more efficient learning"
    return [
        Row(HEADING, "both", minus_nodes(both), "runs", said, above(0.0)),
        Row(HEADING, "parameters alone", minus_nodes(alone), "runs"),
    ]


def _strength(study: Study, what: str, operators: Mapping[str, float], count: int) -> Strength:
    """The strength of the fittest of the last generation of each run."""
    programs = []
    for number, seed in enumerate(study.run_seeds(count), start=1):
        study.watch(f"decision trees by {what}, run {number} of {count}")
        search = resolve(replace(config_of(operators), seed=seed)).search()
        course = follow(search, [GENERATIONS], study.executor)
        programs.append(fittest(course.populations[GENERATIONS], study.effort.specimens))
    held_out = study.held_out(study.effort.games)
    return strength(held_out, against(programs, study.opponent("simple")), study.executor)
