"""Ready configurations, by name."""

from gpkit.evolve.config import (
    BloatTable,
    Config,
    FitnessTable,
    LimitsTable,
    PopulationTable,
    RaceTable,
    RefinementTable,
    SchemeTable,
    SelectionTable,
    StopTable,
    VariationTable,
)

ARTICLE = Config(
    alphabet="article",
    population=PopulationTable(size=200, shape="grow", low_depth=1, high_depth=5),
    scheme=SchemeTable(name="article", elites=0, attempts=1),
    operators={"clone": 0.1, "constants": 0.45, "subtree": 0.225, "crossover": 0.225},
    bloat=BloatTable(penalty=0.0004, free=20),
    fitness=FitnessTable(deals=50),
    refinement=RefinementTable(finish=False, simplify="no"),
    stop=StopTable(generations=111),
)
"""Splits, operators and penalty of P. Hansson, "Light Introduction to Genetic Programming", 2013, at level expert."""

SEVENS = Config(
    alphabet="article",
    population=PopulationTable(size=1000, low_depth=2, high_depth=4),
    scheme=SchemeTable(name="generational", elites=6),
    operators={
        "constants": 0.2,
        "subtree": 0.25,
        "crossover": 0.35,
        "point": 0.1,
        "hoist": 0.05,
        "shrink": 0.05,
    },
    selection=SelectionTable(name="tournament", size=5),
    variation=VariationTable(constants="one"),
    limits=LimitsTable(size=30),
    bloat=BloatTable(penalty=0.0004, free=30),
    fitness=FitnessTable(deals=60, candidates=5, validation_deals=3000),
    race=RaceTable(first=15, keep=0.2),
    refinement=RefinementTable(rounds=8, candidates=40, deals=2000),
    stop=StopTable(generations=90),
)
"""Strong programs of at most 30 nodes in the article's alphabet, in about four minutes on one core."""

PRESETS = {"article": ARTICLE, "sevens": SEVENS}
