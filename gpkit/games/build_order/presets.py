"""Ready configurations of evolution for build orders, by name."""

from dataclasses import replace

from gpkit.evolution.config import (
    BloatSettings,
    Config,
    FitnessSettings,
    LimitsSettings,
    PopulationSettings,
    RefinementSettings,
    SchemeSettings,
    SelectionSettings,
    StopSettings,
)
from gpkit.languages.arithmetic.presets import FORMULAS
from gpkit.languages.execution.forms import evolution as execution
from gpkit.languages.execution.presets import OWN

BUILD_ORDER = replace(
    FORMULAS,
    game="build_order",
    alphabet="opening",
    population=PopulationSettings(size=300),
    limits=LimitsSettings(size=60),
    bloat=BloatSettings(penalty=0.001, free=0),
    fitness=FitnessSettings(opponents=("enemy",), deals=1, fresh=False, candidates=1, validation_deals=1),
    refinement=RefinementSettings(rounds=4, candidates=30),
    stop=StopSettings(generations=25),
)
"""Formulas that order for the default goal, in seconds; games without an attack are all alike, so one deal says all."""

PLANS = Config(
    game="build_order",
    alphabet="plans",
    representation=execution.Settings(rehearsals=20),
    population=PopulationSettings(size=300),
    scheme=SchemeSettings(name="generational", elites=4),
    operators=OWN.operators,
    selection=SelectionSettings(name="tournament", size=4),
    limits=LimitsSettings(size=40),
    bloat=BloatSettings(penalty=0.01, free=0),
    fitness=FitnessSettings(opponents=("enemy",), deals=1, fresh=False, candidates=1, validation_deals=1),
    refinement=RefinementSettings(rounds=4, candidates=60),
    stop=StopSettings(generations=40),
)
"""Plans for the default goal from random ones; useless requests cost ticks, so a small penalty is enough."""

PRESETS = {"build_order": BUILD_ORDER, "plans": PLANS}
