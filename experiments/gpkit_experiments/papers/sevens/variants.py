"""The rise of whole populations, which selection drives."""

from collections.abc import Sequence

from gpkit.core.statistics import Interval
from gpkit.genomes.tree import TreeProgram
from gpkit_experiments.papers.controls import by_chance
from gpkit_experiments.papers.courses import Course
from gpkit_experiments.papers.paper import Row, above, below
from gpkit_experiments.papers.sevens.study import EASY, HARD, Study
from gpkit_experiments.papers.strength import Strength, against, strength
from gpkit_experiments.papers.units import paired_difference

RISE = "Rise of a population from easy to hard against two `random`, share of games won"

NO_RISE = 0.05
"""Strength has not risen if the share of games won by the population has not by so much."""

Courses = Sequence[Course[TreeProgram]]


def selection_row(study: Study, courses: Courses) -> Row:
    """Row of the rise in strength of whole populations up to hard."""
    return Row(RISE, "the algorithm", rise(study, courses), "runs", "fitness drives it", above(NO_RISE))


def selection_rows(study: Study, courses: Courses) -> list[Row]:
    """Rows of that rise by the algorithm, and by two controls without selection.

    Args:
        study: the reproduction.
        courses: runs of the algorithm itself.
    """
    config, count, ends = study.effort.config, study.effort.variants, (EASY, HARD)
    chance = study.courses("parents by chance", by_chance(config), ends, count)
    shuffled = study.courses("shuffled fitness", config, ends, count, shuffled=True)
    return [
        Row(RISE, "the algorithm", rise(study, courses), "runs", "fitness drives it", above(0.0)),
        Row(RISE, "parents by chance", rise(study, chance), "runs", "", below(NO_RISE)),
        Row(RISE, "shuffled fitness", rise(study, shuffled), "runs", "", below(NO_RISE)),
    ]


def rise(study: Study, courses: Courses) -> Interval:
    """By how much the mean strength of a population rises from easy to hard, paired by run."""
    study.watch("whole populations against two `random`")
    before, after = (_population_strength(study, courses, level) for level in (EASY, HARD))
    return paired_difference(after.runs, before.runs, support=after.support)


def _population_strength(study: Study, courses: Courses, level: str) -> Strength:
    generation = study.effort.generations[level]
    programs = [[individual.genome for individual in c.populations[generation]] for c in courses]
    held_out = study.held_out(study.effort.population_games)
    return strength(held_out, against(programs, study.opponent("random")), study.executor)
