"""gpkit: game-playing programs that people can read.

The names below are imported when they are asked for: programs and what is done with them, and what files with games of
one's own are made of.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpkit.api.drawings import Drawing
    from gpkit.api.matches import play
    from gpkit.api.problems import Evaluator, Problem, problem
    from gpkit.api.programs import Finding, Program, load, parse
    from gpkit.api.runs import Run, evolve
    from gpkit.core.compiled import inlined as kernel
    from gpkit.core.errors import GpkitError
    from gpkit.evolution.individual import Evaluation
    from gpkit.gamekit.game import Game, Metric
    from gpkit.gamekit.options import option
    from gpkit.gamekit.sensors import sensor
    from gpkit.gamekit.state import CHANCE, NOBODY, State
    from gpkit.playing.match import Result
    from gpkit.user_games.compiled_games import Kernel
    from gpkit.user_games.declare import game, planned

    __version__: str

_HOMES = {
    "__version__": ("gpkit.core.version", "VERSION"),
    "CHANCE": ("gpkit.gamekit.state", "CHANCE"),
    "Drawing": ("gpkit.api.drawings", "Drawing"),
    "Evaluation": ("gpkit.evolution.individual", "Evaluation"),
    "Evaluator": ("gpkit.api.problems", "Evaluator"),
    "Finding": ("gpkit.api.programs", "Finding"),
    "Game": ("gpkit.gamekit.game", "Game"),
    "GpkitError": ("gpkit.core.errors", "GpkitError"),
    "Kernel": ("gpkit.user_games.compiled_games", "Kernel"),
    "Metric": ("gpkit.gamekit.game", "Metric"),
    "NOBODY": ("gpkit.gamekit.state", "NOBODY"),
    "Problem": ("gpkit.api.problems", "Problem"),
    "Program": ("gpkit.api.programs", "Program"),
    "Result": ("gpkit.playing.match", "Result"),
    "Run": ("gpkit.api.runs", "Run"),
    "State": ("gpkit.gamekit.state", "State"),
    "evolve": ("gpkit.api.runs", "evolve"),
    "game": ("gpkit.user_games.declare", "game"),
    "kernel": ("gpkit.core.compiled", "inlined"),
    "load": ("gpkit.api.programs", "load"),
    "option": ("gpkit.gamekit.options", "option"),
    "parse": ("gpkit.api.programs", "parse"),
    "planned": ("gpkit.user_games.declare", "planned"),
    "play": ("gpkit.api.matches", "play"),
    "problem": ("gpkit.api.problems", "problem"),
    "sensor": ("gpkit.gamekit.sensors", "sensor"),
}
"""The module of each name, and its name there."""

__all__ = [
    "CHANCE",
    "NOBODY",
    "Drawing",
    "Evaluation",
    "Evaluator",
    "Finding",
    "Game",
    "GpkitError",
    "Kernel",
    "Metric",
    "Problem",
    "Program",
    "Result",
    "Run",
    "State",
    "evolve",
    "game",
    "kernel",
    "load",
    "option",
    "parse",
    "planned",
    "play",
    "problem",
    "sensor",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
