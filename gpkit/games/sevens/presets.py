"""Ready configurations of evolution for Sevens, by name."""

from gpkit.evolution.config import (
    BloatSettings,
    Config,
    FitnessSettings,
    LimitsSettings,
    PopulationSettings,
    RaceSettings,
    RefinementSettings,
    SchemeSettings,
    SelectionSettings,
    StopSettings,
)
from gpkit.languages.arithmetic.forms import evolution as arithmetic
from gpkit.languages.decision.forms import evolution as decision

ARTICLE = Config(
    alphabet="article",
    representation=arithmetic.Settings(shape="grow", low_depth=1, high_depth=5),
    population=PopulationSettings(size=200),
    scheme=SchemeSettings(name="article", elites=0, attempts=1),
    operators={"clone": 0.1, "constants": 0.45, "subtree": 0.225, "crossover": 0.225},
    bloat=BloatSettings(penalty=0.0004, free=20),
    fitness=FitnessSettings(deals=50),
    refinement=RefinementSettings(finish=False, simplify=False),
    stop=StopSettings(generations=111),
)
"""Splits, operators and penalty of P. Hansson, "Light Introduction to Genetic Programming", 2013, at level expert."""

SEVENS = Config(
    alphabet="article",
    representation=arithmetic.Settings(low_depth=2, high_depth=4, constants="one"),
    population=PopulationSettings(size=1000),
    scheme=SchemeSettings(name="generational", elites=6),
    operators={
        "constants": 0.2,
        "subtree": 0.25,
        "crossover": 0.35,
        "point": 0.1,
        "hoist": 0.05,
        "shrink": 0.05,
    },
    selection=SelectionSettings(name="tournament", size=5),
    limits=LimitsSettings(size=30),
    bloat=BloatSettings(penalty=0.0004, free=30),
    fitness=FitnessSettings(deals=60, candidates=5, validation_deals=3000),
    race=RaceSettings(first=15, keep=0.2),
    refinement=RefinementSettings(rounds=8, candidates=40, deals=2000),
    stop=StopSettings(generations=90),
)
"""Strong programs of at most 30 nodes in the article's alphabet, in about four minutes on one core."""

DECISIONS = Config(
    alphabet="decisions",
    representation=decision.Settings(low_depth=3, high_depth=4, max_leaves=15),
    population=PopulationSettings(size=600),
    scheme=SchemeSettings(name="generational", elites=6),
    operators={
        "branch": 0.2,
        "crossover": 0.25,
        "hoist": 0.05,
        "prune": 0.05,
        "swap": 0.0,
        "scale": 0.05,
        "step": 0.1,
        "comparison": 0.02,
        "feature": 0.08,
        "leaf": 0.2,
    },
    selection=SelectionSettings(name="tournament", size=5),
    bloat=BloatSettings(penalty=0.0002, free=40),
    fitness=FitnessSettings(deals=60, candidates=5, validation_deals=3000),
    race=RaceSettings(first=15, keep=0.2),
    refinement=RefinementSettings(rounds=8, candidates=40, deals=2000),
    stop=StopSettings(generations=60),
)
"""Decision trees of at most 15 leaves for each decision of Sevens, in about two and a half minutes on one core."""

PRESETS = {"article": ARTICLE, "sevens": SEVENS, "decisions": DECISIONS}
