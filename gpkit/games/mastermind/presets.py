"""Ready configurations of evolution for Mastermind, by name."""

from dataclasses import replace

from gpkit.evolution.config import (
    BloatSettings,
    FitnessSettings,
    LimitsSettings,
    PopulationSettings,
    RefinementSettings,
    StopSettings,
)
from gpkit.languages.arithmetic.presets import FORMULAS

MASTERMIND = replace(
    FORMULAS,
    game="mastermind",
    alphabet="chances",
    population=PopulationSettings(size=100),
    operators={
        "constants": 0.3,
        "subtree": 0.2,
        "crossover": 0.3,
        "point": 0.1,
        "hoist": 0.05,
        "shrink": 0.05,
    },
    limits=LimitsSettings(size=40),
    bloat=BloatSettings(penalty=0.00002, free=0),
    fitness=FitnessSettings(opponents=("codemaker",), exact=True, candidates=1),
    refinement=RefinementSettings(every=5, rounds=6, candidates=20),
    stop=StopSettings(generations=24),
)
"""Code breakers by their exact mean over all secrets of the classic game, in about a minute."""

PRESETS = {"mastermind": MASTERMIND}
