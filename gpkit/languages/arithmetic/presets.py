"""Ready configurations of evolution with which those of games begin, and those for games of one's own."""

from dataclasses import replace

from gpkit.evolution.config import Config, SchemeSettings, SelectionSettings
from gpkit.evolution.presets import SEARCH
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

OWN = replace(SEARCH, representation=FORMULAS.representation, operators=FORMULAS.operators)
"""Formulas for a game of one's own; see ``all_presets``."""
