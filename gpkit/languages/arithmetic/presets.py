"""Ready configurations of evolution with which those of games begin, and those for games of one's own."""

from dataclasses import replace

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

FORMULAS = Config(
    alphabet="all",
    representation=arithmetic.Settings(low_depth=2, high_depth=4, constants="one"),
    scheme=SchemeSettings(name="generational", elites=4),
    operators={
        "constants": 0.25,
        "subtree": 0.25,
        "crossover": 0.3,
        "point": 0.1,
        "hoist": 0.05,
        "shrink": 0.05,
    },
    selection=SelectionSettings(name="tournament", size=4),
)
"""Settings with which presets for formulas begin where nothing speaks for others; no preset itself."""

OWN = replace(
    FORMULAS,
    population=PopulationSettings(size=200),
    limits=LimitsSettings(size=30),
    bloat=BloatSettings(penalty=0.0004, free=10),
    fitness=FitnessSettings(opponents=(), deals=20, hall=3, hall_every=8, candidates=3, validation_deals=200),
    race=RaceSettings(first=5, keep=0.3),
    refinement=RefinementSettings(rounds=3, candidates=20, deals=200),
    stop=StopSettings(generations=30),
)
"""Formulas for a game of one's own, against its usual opponents and former champions; see ``all_presets``."""
