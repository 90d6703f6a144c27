"""The reproduction of the article as a whole: in what order its tables are measured, and how much that takes."""

from collections.abc import Mapping

from gpkit.export.lua.module import roster_text
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.text import print_program
from gpkit_experiments.papers.paper import Budget, Findings, Paper, Row
from gpkit_experiments.papers.sevens.decisions import decision_rows
from gpkit_experiments.papers.sevens.growth import growth_rows, selection_rows, sizes_table, unpunished
from gpkit_experiments.papers.sevens.ladder import (
    AT_BEST,
    Rosters,
    duel_rows,
    rosters_of,
    strength_rows,
    strengths_of,
    terminal_rows,
)
from gpkit_experiments.papers.sevens.plans import plan_rows
from gpkit_experiments.papers.sevens.study import EXPERT, GENERATIONS, Effort, Study

OPPONENTS = ("random", "simple")
"""Opponents of the levels: the baseline that chooses blindly, and the hand-written one."""

EFFORTS: Mapping[Budget, Effort] = {
    "quick": Effort(
        runs=2,
        variants=2,
        games=600,
        sample_games=30_000,
        population_games=30,
        tournament_games=600,
        plan_runs=2,
        data_sets=2,
        generations={**GENERATIONS, EXPERT: 33},
    ),
    "full": Effort(
        runs=16,
        variants=8,
        games=9000,
        sample_games=30_000,
        population_games=300,
        tournament_games=9000,
        plan_runs=30,
        data_sets=100,
    ),
}

NOTES = (
    "Levels are generations 0, 1, 11 and 111 of the preset `article`; a shorter run is the beginning of a longer one.",
    "The roster of a level is, in every run, the fittest different programs of its generation; that of easy is "
    "around the median of generation 0, because the fittest of so many random programs is not easy.",
    "The article gives no numbers: hard and expert are claimed to be above the level below, with disjoint intervals; "
    "medium, which any selection brings above the median of generation 0, is compared in `sevens-claims`.",
    "All games are on held-out deals, three players, every deal in every seat. Intervals whose unit is the run are "
    "about the algorithm; those whose unit is the deal are about the programs that these runs gave.",
    "Plans and formulas for the build order evolve by the presets `plans` and `build_order` with 100 individuals "
    "for 60 generations, without a penalty or a limit that they meet, and nothing is cut; their operators differ.",
    "Rows of a table are uniform, with the classes of a random tree of 8 leaves, one in ten wrong. Trees evolve from "
    "200 rows, 100 individuals for 30 generations, once with shares of the operators for thresholds, "
    "columns and leaves, once with these shares given to the replacement of branches and to crossover. Greedy splits "
    "are those of CART by Gini impurity, with as many leaves at most.",
)

QUICK_NOTES = ("With the quick budget expert is generation 33, not 111.",)


def measure(study: Study) -> Findings:
    """Measure everything that the article says of its levels, its operators and its fitness."""
    effort = study.effort
    levels = tuple(effort.generations)
    courses = study.courses("the algorithm", effort.config, levels, effort.runs)
    some = courses[: effort.variants]
    free = study.courses("no penalty for size", unpunished(effort.config), levels, effort.variants)
    rosters = rosters_of(study, courses)
    strengths = {opponent: strengths_of(study, rosters, opponent) for opponent in OPPONENTS}
    rows: list[Row] = []
    for opponent in OPPONENTS:
        rows += strength_rows(strengths[opponent], opponent)
    rows += duel_rows(study, rosters)
    rows += terminal_rows(rosters)
    rows += growth_rows(study, some, free)
    rows += selection_rows(study, some)
    rows += plan_rows(study)
    rows += decision_rows(study)
    files = {
        **_programs(study, rosters),
        "computer.lua": roster_text(_specimens(rosters)),
        "sizes.csv": sizes_table(some, free),
    }
    settings = {"run_seeds": list(study.run_seeds(effort.runs)), **effort.to_json()}
    return Findings(
        settings, (*NOTES, *QUICK_NOTES) if study.budget == "quick" else NOTES, tuple(rows), files
    )


def _specimens(rosters: Rosters) -> dict[str, list[TreeProgram]]:
    """The programs of every level, of all runs, as the article's tool exports them."""
    return {
        level: [program for run in runs for program in run]
        for level, runs in rosters.items()
        if level != AT_BEST
    }


def _programs(study: Study, rosters: Rosters) -> dict[str, str]:
    """The program file of every specimen, by its path."""
    config, generations = study.effort.config, study.effort.generations
    files = {}
    for level, generation in generations.items():
        for seed, specimens in zip(study.run_seeds(study.effort.runs), rosters[level], strict=True):
            for number, program in enumerate(specimens, start=1):
                header = {
                    "game": config.game,
                    "alphabet": config.alphabet,
                    "level": level,
                    "seed": str(seed),
                    "generation": str(generation),
                    "specimen": str(number),
                }
                files[f"{level}/{seed}-{number}.tree"] = print_program(program, header)
    return files


PAPER = Paper(EFFORTS, Study, measure)
