"""The paper on Sevens in seconds: few runs, few generations, few games; for tests of everything but the numbers."""

from dataclasses import replace

from gpkit.evolution.config import shipped_presets
from gpkit_experiments.papers.sevens import paper
from gpkit_experiments.papers.sevens.study import Effort

CONFIG = replace(
    shipped_presets()["article"],
    population=replace(shipped_presets()["article"].population, size=20),
    fitness=replace(shipped_presets()["article"].fitness, deals=10),
)

TINY = Effort(
    runs=2,
    variants=2,
    specimens=3,
    games=60,
    sample_games=300,
    population_games=30,
    tournament_games=60,
    blue_runs=30,
    plan_runs=2,
    plan_generations=2,
    plans_visited=3,
    data_sets=2,
    tree_generations=1,
    config=CONFIG,
    generations={"easy": 0, "medium": 1, "hard": 2, "expert": 4},
)

PAPER = replace(paper.PAPER, efforts={"quick": TINY})
