"""Learning instead of evolution: what configurations of the learner are called, and what they may hold."""

from collections.abc import Mapping

from gpkit.games.dots_and_boxes.learner.config import GAME, PRESETS
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.genomes.graph_operators import EDITS

__all__ = ["BEST", "NOT_EVOLVED", "PRESETS", "USE", "notes"]

BEST = "ours"

USE = f"gpkit learn {GAME} my.toml"
"""The command that takes a file with such a configuration."""

NOT_EVOLVED = f"rules for {GAME} are learned, not evolved: gpkit learn {GAME} ours"


def notes() -> Mapping[str, str]:
    """The values that keys of a configuration may have, in words."""
    return {"opponent": f"there are {', '.join(POLICIES)}", "mutations": f"there are {', '.join(EDITS)}"}
