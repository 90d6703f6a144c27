"""Ready configuration of evolution of decision trees for games of one's own."""

from dataclasses import replace

from gpkit.evolution.presets import SEARCH
from gpkit.languages.decision.forms import evolution as decision

OWN = replace(
    SEARCH,
    alphabet="trees",
    representation=decision.Settings(low_depth=2, high_depth=3, max_leaves=12),
    operators={
        "branch": 0.2,
        "crossover": 0.25,
        "hoist": 0.05,
        "prune": 0.05,
        "scale": 0.05,
        "step": 0.1,
        "comparison": 0.02,
        "feature": 0.08,
        "leaf": 0.2,
    },
)
"""Trees that value actions; see ``gpkit.evolution.presets.all_presets``."""
