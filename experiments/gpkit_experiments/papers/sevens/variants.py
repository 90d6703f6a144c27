"""Variants of the algorithm up to the level hard: without selection, and without one of its operators."""

from collections.abc import Sequence

from gpkit.core.statistics import Interval, paired_difference
from gpkit.genomes.tree import TreeProgram
from gpkit_experiments.papers.controls import by_chance, without
from gpkit_experiments.papers.courses import Course, fittest
from gpkit_experiments.papers.paper import Row, above, below
from gpkit_experiments.papers.sevens.study import EASY, HARD, Study
from gpkit_experiments.papers.strength import Strength, against, strength

NO_RISE = 0.05
"""Strength has not risen if the share of games won by the population has not by so much, for certain."""

Courses = Sequence[Course[TreeProgram]]


def selection_rows(study: Study, courses: Courses) -> list[Row]:
    """Rows of the rise in strength of whole populations up to hard: by the algorithm, by chance, by shuffled fitness.

    Args:
        study: the reproduction.
        courses: runs of the algorithm itself.
    """
    config, count, ends = study.effort.config, study.effort.variants, (EASY, HARD)
    chance = study.courses("parents by chance", by_chance(config), ends, count)
    shuffled = study.courses("shuffled fitness", config, ends, count, shuffled=True)
    heading = "Rise of a population from easy to hard against two `random`, share of games won"
    return [
        Row(heading, "the algorithm", rise(study, courses), "runs", "fitness drives it", above(0.0)),
        Row(heading, "parents by chance", rise(study, chance), "runs", "", below(NO_RISE)),
        Row(heading, "shuffled fitness", rise(study, shuffled), "runs", "", below(NO_RISE)),
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


def operator_rows(study: Study, courses: Courses) -> list[Row]:
    """Rows of the loss of the level hard without one of the operators, paired by run.

    Args:
        study: the reproduction.
        courses: runs of the algorithm itself.
    """
    config, count = study.effort.config, study.effort.variants
    heading = "Hard without one operation, minus hard with all, share of games won against two `simple`"
    whole = _hard(study, courses)
    rows = []
    for operator in config.operators:
        variant = study.courses(f"no {operator}", without(config, operator), (HARD,), count)
        difference = paired_difference(_hard(study, variant).runs, whole.runs, support=whole.support)
        published, claim = _SAID.get(operator, ("", None))
        rows.append(Row(heading, f"no {operator}", difference, "runs", published, claim))
    return rows


_SAID = {
    "clone": ("not really necessary in huge populations", None),
    "crossover": ("it speeds evolution up", below(0.0)),
}
"""Published statements on operators, and the claims tested here."""


def _hard(study: Study, courses: Courses) -> Strength:
    generation, count = study.effort.generations[HARD], study.effort.specimens
    programs = [fittest(course.populations[generation], count) for course in courses]
    held_out = study.held_out(study.effort.games)
    return strength(held_out, against(programs, study.opponent("simple")), study.executor)
