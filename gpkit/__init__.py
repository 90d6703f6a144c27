"""gpkit: game-playing programs that people can read.

The names below are for files of one's own; they are imported when they are asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpkit.authoring.compiled_games import Kernel
    from gpkit.authoring.declare import game, option, sensor
    from gpkit.core.compiled import inlined as kernel
    from gpkit.games.game import Metric
    from gpkit.games.state import CHANCE, NOBODY

__version__ = "0.1.0"

__all__ = ["CHANCE", "NOBODY", "Kernel", "Metric", "game", "kernel", "option", "sensor"]

_HOMES = {
    "CHANCE": ("gpkit.games.state", "CHANCE"),
    "Kernel": ("gpkit.authoring.compiled_games", "Kernel"),
    "Metric": ("gpkit.games.game", "Metric"),
    "NOBODY": ("gpkit.games.state", "NOBODY"),
    "game": ("gpkit.authoring.declare", "game"),
    "kernel": ("gpkit.core.compiled", "inlined"),
    "option": ("gpkit.authoring.declare", "option"),
    "sensor": ("gpkit.authoring.declare", "sensor"),
}
"""The module of each name, and its name there."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
