"""Sizes of programs with the penalty in the fitness and without it, and the growth that selection drives."""

from collections.abc import Sequence
from dataclasses import replace

from gpkit.core.statistics import Interval
from gpkit.evolution.config import Config
from gpkit.genomes.tree import TreeProgram
from gpkit_experiments.papers.controls import by_chance
from gpkit_experiments.papers.courses import Course, Strength, against, fittest, strength
from gpkit_experiments.papers.paper import Row, above, below
from gpkit_experiments.papers.sevens.study import EASY, EXPERT, HARD, Study
from gpkit_experiments.papers.units import mean_interval, paired_difference

Courses = Sequence[Course[TreeProgram]]


def unpunished(config: Config) -> Config:
    """The configuration in which size costs nothing."""
    return replace(config, bloat=replace(config.bloat, penalty=0.0))


def growth_rows(study: Study, punished: Courses, free: Courses) -> list[Row]:
    """Mean sizes in the generations of the levels, and what the growth does to size in the last one.

    Args:
        study: the reproduction.
        punished: runs with the penalty.
        free: runs of the same seeds without it.
    """
    generations = study.effort.generations
    rows = []
    for name, courses in (("with", punished), ("without", free)):
        for level, generation in generations.items():
            sizes = mean_interval(
                [course.sizes[generation] for course in courses], support=(1.0, float("inf"))
            )
            heading = f"Nodes of a program, mean of a population, {name} the penalty for size"
            rows.append(Row(heading, f"{level}, generation {generation}", sizes, "runs"))
    last = generations[EXPERT]
    larger = paired_difference([c.sizes[last] for c in free], [c.sizes[last] for c in punished])
    heading = "Without the penalty, minus with it"
    return [*rows, Row(heading, "nodes at expert", larger, "runs", "can grow without limit", above(0.0))]


GROWTH = "Without the penalty for size"

LARGER = 5.0
"""So many nodes more are growth."""


def overgrowth_rows(study: Study, punished: Courses, free: Courses) -> list[Row]:
    """Rows of what the penalty prevents: larger programs, growth that goes on, and weaker programs."""
    last = study.effort.generations[EXPERT]
    grown, half, kept = (
        [course.sizes[generation] for course in courses]
        for courses, generation in ((free, last), (free, last // 2), (punished, last))
    )
    more, still = paired_difference(grown, kept), paired_difference(grown, half)
    return [
        Row(
            GROWTH, "nodes at expert, less those with it", more, "runs", "protects against it", above(LARGER)
        ),
        Row(
            GROWTH,
            "nodes at expert, less those in half the generations",
            still,
            "runs",
            "unlimited growth",
            above(LARGER),
        ),
        _price(study, GROWTH, punished, free),
    ]


def _price(study: Study, heading: str, punished: Courses, free: Courses) -> Row:
    """Row of the cost of growth in strength."""
    study.watch("programs that grew without a penalty")
    last, count = study.effort.generations[EXPERT], study.effort.specimens
    held_out, simple = study.held_out(study.effort.games), study.opponent("simple")
    grown, kept = (
        strength(
            held_out, against([fittest(c.populations[last], count) for c in courses], simple), study.executor
        )
        for courses in (free, punished)
    )
    difference = paired_difference(grown.runs, kept.runs, support=grown.support)
    quantity = "share of games won by expert against two `simple`, less that with it"
    return Row(heading, quantity, difference, "runs", "slowing down evolution", below(-0.01))


def sizes_table(punished: Courses, free: Courses) -> str:
    """The mean sizes of every generation as lines of comma-separated values, a mean over runs each."""
    lines = ["generation,with_penalty,without_penalty"]
    columns = [[course.sizes for course in courses] for courses in (punished, free)]
    for generation in range(len(columns[0][0])):
        means = [sum(sizes[generation] for sizes in runs) / len(runs) for runs in columns]
        lines.append(",".join([str(generation), *(f"{mean:.3f}" for mean in means)]))
    return "\n".join(lines) + "\n"


RISE = "Rise of a population from easy to hard against two `random`, share of games won"

NO_RISE = 0.05
"""Strength has not risen if the share of games won by the population has not by so much."""


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
