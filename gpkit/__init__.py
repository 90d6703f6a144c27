"""gpkit: game-playing programs that people can read.

The names below are for files of one's own; they are imported when they are asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpkit.authoring.declare import game, option, sensor
    from gpkit.games.game import Metric
    from gpkit.games.state import CHANCE, NOBODY

__version__ = "0.1.0"

__all__ = ["CHANCE", "NOBODY", "Metric", "game", "option", "sensor"]

_HOMES = {
    "CHANCE": "gpkit.games.state",
    "Metric": "gpkit.games.game",
    "NOBODY": "gpkit.games.state",
    "game": "gpkit.authoring.declare",
    "option": "gpkit.authoring.declare",
    "sensor": "gpkit.authoring.declare",
}
"""The module of each name."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
