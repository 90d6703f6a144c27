"""Claims of the article on its levels, its fitness and its pictures, in runs up to hard and in smaller ones."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gpkit.evolution.config import Config
from gpkit.genomes.tree import TreeProgram
from gpkit_experiments.papers.courses import Course, fittest, middling
from gpkit_experiments.papers.paper import Budget, Findings, Paper, Row, above
from gpkit_experiments.papers.sevens.blue_nodes import blue_row, blue_svg, blue_text, histories, typical
from gpkit_experiments.papers.sevens.growth import overgrowth_rows, selection_row, unpunished
from gpkit_experiments.papers.sevens.ladder import (
    AT_BEST,
    Rosters,
    Strengths,
    circle_rows,
    rosters_of,
    sample_rows,
    single,
    strengths_of,
)
from gpkit_experiments.papers.sevens.plans import branch_rows
from gpkit_experiments.papers.sevens.study import EASY, EXPERT, HARD, MEDIUM, Effort, Study
from gpkit_experiments.papers.units import paired_difference

Courses = Sequence[Course[TreeProgram]]

LEVELS = (EASY, MEDIUM, HARD)
OPPONENTS = ("random", "simple")

HIGHER = 0.01
"""A level is above another if its share of games won is by so much."""

FEWER = 0.1
"""A share of formulas is smaller than another if it is by so much."""

SINGLE = "Formulas that are a single terminal, share of all"

ROSTER = 20
"""Programs of a level whose formulas are looked at."""

NOISY, QUIET = 5, 50
"""Deals of an evaluation: with much chance, and the article's preset."""


def level_rows(levels: Mapping[str, Strengths]) -> list[Row]:
    """Rows of what each level is above the one below it; of easy the fittest programs count, not its median."""
    rows = []
    for opponent, strengths in levels.items():
        heading = f"Levels, share of games won against two `{opponent}`"
        for lower, upper in ((AT_BEST, MEDIUM), (MEDIUM, HARD)):
            gain = paired_difference(
                strengths[upper].runs, strengths[lower].runs, support=strengths[upper].support
            )
            rows.append(Row(heading, f"{upper}, less {lower}", gain, "runs", f"above {lower}", above(HIGHER)))
    return rows


def shares_of_single(courses: Courses, generations: Mapping[str, int], level: str) -> list[float]:
    """By run the share of formulas of a level that are a single terminal."""
    chosen = middling if level == EASY else fittest
    return [single(chosen(course.populations[generations[level]], ROSTER)) for course in courses]


def terminal_rows(study: Study, courses: Courses) -> list[Row]:
    """Rows of formulas that are a single terminal: more at easy and medium than at hard, and more by much chance."""
    generations = study.effort.generations
    hard = shares_of_single(courses, generations, HARD)
    rows = []
    for level in (EASY, MEDIUM):
        fewer = paired_difference(shares_of_single(courses, generations, level), hard, support=(0.0, 1.0))
        said = "only at hard you start seeing more interesting functions"
        rows.append(Row(SINGLE, f"{level}, less hard", fewer, "runs", said, above(FEWER)))
    shares = [
        shares_of_single(
            study.courses(
                f"{deals} deals", evaluated(study.effort.config, deals), (MEDIUM,), study.effort.variants
            ),
            generations,
            MEDIUM,
        )
        for deals in (NOISY, QUIET)
    ]
    chance = paired_difference(*shares, support=(0.0, 1.0))
    quantity = f"medium, {NOISY} deals an evaluation, less {QUIET}"
    said = "due to the stochastic nature of the game"
    return [*rows, Row(SINGLE, quantity, chance, "runs", said, above(FEWER))]


def evaluated(config: Config, deals: int) -> Config:
    """The configuration with so many deals of an evaluation."""
    return replace(config, fitness=replace(config.fitness, deals=deals))


def small(config: Config) -> Config:
    """The configuration at the effort of runs up to expert: half of the programs, a fifth of the deals."""
    fewer = evaluated(config, config.fitness.deals // 5)
    return replace(fewer, population=replace(config.population, size=config.population.size // 2))


def growth_of(study: Study) -> list[Row]:
    """Rows of growth with the penalty for size and without it."""
    levels = (EASY, EXPERT)
    config = small(study.effort.config)
    punished = study.courses("with the penalty", config, levels, study.effort.runs)
    free = study.courses("without the penalty", unpunished(config), levels, study.effort.runs)
    return overgrowth_rows(study, punished, free)


EFFORTS: Mapping[Budget, Effort] = {
    "quick": Effort(
        runs=2,
        variants=4,
        games=300,
        sample_games=3000,
        population_games=30,
        tournament_games=600,
        plan_runs=2,
        data_sets=0,
    ),
    "full": Effort(
        runs=6,
        variants=24,
        games=3000,
        sample_games=300_000,
        population_games=150,
        tournament_games=21_000,
        plan_runs=12,
        data_sets=0,
    ),
}

NOTES = (
    "The article gives no numbers. A level is above another by a share of 0.01 of the games, a share of formulas by "
    "0.1, a program larger by 5 nodes, a population stronger by 0.05; the best of four trees is bluer by half a node.",
    "Medium is compared with the fittest programs of generation 0, the least that selection alone gives.",
    "The function that the article prints sends as `simple` does, as how it sends is not printed. It is of a medium "
    "level if it is nearer to medium than to easy and to hard. In the first 30,000 of its 300,000 games it wins .6356 "
    "against two `random`, which was luck: in all of them .6277.",
    "Of a level the formulas of 20 programs are looked at, those of easy around the median. Six runs detect a "
    "difference of .46 between medium and hard, where .1 is asked: they cannot tell.",
    "Growth is that of runs with half of the programs and a fifth of the deals; it is unlimited if 5 nodes more come "
    "in the second half of 111 generations.",
    "Circles of wins are counted up to those of three that could be, as some pairs are undecided.",
    "Branches are those of decisions that were met; a decision leaves one consistently if games never take it.",
)


def measure(study: Study) -> Findings:
    """Measure what the article says of its levels, its fitness and its pictures."""
    effort = study.effort
    levels = replace(
        study, effort=replace(effort, generations={each: effort.generations[each] for each in LEVELS})
    )
    courses = levels.courses("the algorithm", effort.config, LEVELS, effort.runs)
    rosters: Rosters = rosters_of(levels, courses)
    strengths = {opponent: strengths_of(levels, rosters, opponent) for opponent in OPPONENTS}
    circles, result = circle_rows(levels, rosters)
    blue = histories(study.run_seeds(effort.blue_runs))
    rows = (
        *level_rows(strengths),
        *sample_rows(levels, strengths),
        *terminal_rows(levels, courses),
        selection_row(levels, courses),
        *growth_of(study),
        *circles,
        *branch_rows(study),
        blue_row(blue),
    )
    files = {"blue-nodes.txt": blue_text(typical(blue)), "blue-nodes.svg": blue_svg(typical(blue))}
    settings = {"run_seeds": list(study.run_seeds(effort.runs)), **effort.to_json()}
    return Findings(settings, (*NOTES, result), rows, files)


PAPER = Paper(EFFORTS, Study, measure)
