"""Ready configuration of evolution of plans for games of one's own."""

from dataclasses import replace

from gpkit.evolution.presets import SEARCH
from gpkit.languages.execution.forms import evolution as execution

OWN = replace(
    SEARCH,
    alphabet="plans",
    representation=execution.Settings(rehearsals=20),
    operators={
        "branch": 0.15,
        "crossover": 0.15,
        "splice": 0.15,
        "insert": 0.15,
        "hoist": 0.1,
        "prune": 0.02,
        "exchange": 0.08,
        "action": 0.08,
        "count": 0.06,
        "step": 0.03,
        "comparison": 0.01,
        "feature": 0.02,
    },
)
"""Plans from random ones; see ``gpkit.evolution.presets.all_presets``."""
