"""gpkit: game-playing programs that people can read.

The names below are imported when they are asked for: programs and what is done with them, and what files with games of
one's own are made of. Commands of games, such as ``gpkit.solve``, are found by their names, too.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpkit.analysis.compared_rows import ComparedRows
    from gpkit.analysis.results import Compared, Ladders, League, Measured
    from gpkit.api.drawings import Drawing
    from gpkit.api.evolving import evolve, fit, predict
    from gpkit.api.exports import exports
    from gpkit.api.findings import Finding
    from gpkit.api.fits import Fitted, Predicted
    from gpkit.api.fronts import Archive, Elite, Front, FrontMember
    from gpkit.api.health import Installed
    from gpkit.api.inquiries import add_sensors, check, doctor, explain, fmt, new
    from gpkit.api.inquiries import list as list  # noqa: A004
    from gpkit.api.kinds import GameLike, PlayerLike
    from gpkit.api.matches import compare, ladder, play, run, series, tournament
    from gpkit.api.pictures import drawing
    from gpkit.api.problems import Evaluator, Problem, actions, problem
    from gpkit.api.programs import Program, load, parse
    from gpkit.api.progress import progress
    from gpkit.api.reports import Report, report
    from gpkit.api.runs import Evolved, Run
    from gpkit.api.searches import Search, search
    from gpkit.api.traces import trace
    from gpkit.core.compiled import inlined as kernel
    from gpkit.core.errors import GpkitError
    from gpkit.core.tabular import Table
    from gpkit.draw.traced import Traced
    from gpkit.evolution.individual import Evaluation, Individual
    from gpkit.evolution.parts import Operator, register, registered, unregister
    from gpkit.evolution.schemes import Scheme, Selector
    from gpkit.evolution.search import State as SearchState
    from gpkit.evolution.summary import Summary
    from gpkit.gamekit.facts import fact
    from gpkit.gamekit.game import Builtin, Game, Metric, Plans
    from gpkit.gamekit.options import option
    from gpkit.gamekit.sensors import sensor
    from gpkit.gamekit.state import CHANCE, NOBODY, State
    from gpkit.genomes.program_operators import Child
    from gpkit.playing.evaluation import HeldOutTable
    from gpkit.playing.match import Result
    from gpkit.playing.results import Comparison, ExactResult
    from gpkit.playing.series import Series
    from gpkit.user_games.compiled_games import Kernel
    from gpkit.user_games.contract.examine import Examined
    from gpkit.user_games.declare import game

    __version__: str

_HOMES = {
    "Archive": ("gpkit.api.fronts", "Archive"),
    "Builtin": ("gpkit.gamekit.game", "Builtin"),
    "CHANCE": ("gpkit.gamekit.state", "CHANCE"),
    "Compared": ("gpkit.analysis.results", "Compared"),
    "ComparedRows": ("gpkit.analysis.compared_rows", "ComparedRows"),
    "Comparison": ("gpkit.playing.results", "Comparison"),
    "Drawing": ("gpkit.api.drawings", "Drawing"),
    "Elite": ("gpkit.api.fronts", "Elite"),
    "Evaluation": ("gpkit.evolution.individual", "Evaluation"),
    "Evaluator": ("gpkit.api.problems", "Evaluator"),
    "Evolved": ("gpkit.api.runs", "Evolved"),
    "ExactResult": ("gpkit.playing.results", "ExactResult"),
    "Examined": ("gpkit.user_games.contract.examine", "Examined"),
    "Fitted": ("gpkit.api.fits", "Fitted"),
    "Finding": ("gpkit.api.findings", "Finding"),
    "Front": ("gpkit.api.fronts", "Front"),
    "FrontMember": ("gpkit.api.fronts", "FrontMember"),
    "Game": ("gpkit.gamekit.game", "Game"),
    "GameLike": ("gpkit.api.kinds", "GameLike"),
    "GpkitError": ("gpkit.core.errors", "GpkitError"),
    "HeldOutTable": ("gpkit.playing.evaluation", "HeldOutTable"),
    "Installed": ("gpkit.api.health", "Installed"),
    "Kernel": ("gpkit.user_games.compiled_games", "Kernel"),
    "Ladders": ("gpkit.analysis.results", "Ladders"),
    "League": ("gpkit.analysis.results", "League"),
    "Measured": ("gpkit.analysis.results", "Measured"),
    "Metric": ("gpkit.gamekit.game", "Metric"),
    "NOBODY": ("gpkit.gamekit.state", "NOBODY"),
    "Plans": ("gpkit.gamekit.game", "Plans"),
    "PlayerLike": ("gpkit.api.kinds", "PlayerLike"),
    "Predicted": ("gpkit.api.fits", "Predicted"),
    "Problem": ("gpkit.api.problems", "Problem"),
    "Program": ("gpkit.api.programs", "Program"),
    "Report": ("gpkit.api.reports", "Report"),
    "Result": ("gpkit.playing.match", "Result"),
    "Run": ("gpkit.api.runs", "Run"),
    "Search": ("gpkit.api.searches", "Search"),
    "Series": ("gpkit.playing.series", "Series"),
    "State": ("gpkit.gamekit.state", "State"),
    "Table": ("gpkit.core.tabular", "Table"),
    "Traced": ("gpkit.draw.traced", "Traced"),
    "__version__": ("gpkit.core.version", "VERSION"),
    "actions": ("gpkit.api.problems", "actions"),
    "add_sensors": ("gpkit.api.inquiries", "add_sensors"),
    "check": ("gpkit.api.inquiries", "check"),
    "compare": ("gpkit.api.matches", "compare"),
    "doctor": ("gpkit.api.inquiries", "doctor"),
    "drawing": ("gpkit.api.pictures", "drawing"),
    "evolve": ("gpkit.api.evolving", "evolve"),
    "exports": ("gpkit.api.exports", "exports"),
    "fact": ("gpkit.gamekit.facts", "fact"),
    "explain": ("gpkit.api.inquiries", "explain"),
    "fit": ("gpkit.api.evolving", "fit"),
    "fmt": ("gpkit.api.inquiries", "fmt"),
    "game": ("gpkit.user_games.declare", "game"),
    "kernel": ("gpkit.core.compiled", "inlined"),
    "ladder": ("gpkit.api.matches", "ladder"),
    "list": ("gpkit.api.inquiries", "list"),
    "load": ("gpkit.api.programs", "load"),
    "new": ("gpkit.api.inquiries", "new"),
    "option": ("gpkit.gamekit.options", "option"),
    "parse": ("gpkit.api.programs", "parse"),
    "play": ("gpkit.api.matches", "play"),
    "predict": ("gpkit.api.evolving", "predict"),
    "problem": ("gpkit.api.problems", "problem"),
    "progress": ("gpkit.api.progress", "progress"),
    "report": ("gpkit.api.reports", "report"),
    "run": ("gpkit.api.matches", "run"),
    "search": ("gpkit.api.searches", "search"),
    "sensor": ("gpkit.gamekit.sensors", "sensor"),
    "series": ("gpkit.api.matches", "series"),
    "tournament": ("gpkit.api.matches", "tournament"),
    "trace": ("gpkit.api.traces", "trace"),
    "Child": ("gpkit.genomes.program_operators", "Child"),
    "Individual": ("gpkit.evolution.individual", "Individual"),
    "Operator": ("gpkit.evolution.parts", "Operator"),
    "Scheme": ("gpkit.evolution.schemes", "Scheme"),
    "SearchState": ("gpkit.evolution.search", "State"),
    "Selector": ("gpkit.evolution.schemes", "Selector"),
    "Summary": ("gpkit.evolution.summary", "Summary"),
    "register": ("gpkit.evolution.parts", "register"),
    "registered": ("gpkit.evolution.parts", "registered"),
    "unregister": ("gpkit.evolution.parts", "unregister"),
}
"""The module of each name, and its name there."""

__all__ = [
    "CHANCE",
    "NOBODY",
    "Archive",
    "Builtin",
    "Child",
    "Compared",
    "ComparedRows",
    "Comparison",
    "Drawing",
    "Elite",
    "Evaluation",
    "Evaluator",
    "Evolved",
    "ExactResult",
    "Examined",
    "Finding",
    "Fitted",
    "Front",
    "FrontMember",
    "Game",
    "GameLike",
    "GpkitError",
    "HeldOutTable",
    "Individual",
    "Installed",
    "Kernel",
    "Ladders",
    "League",
    "Measured",
    "Metric",
    "Operator",
    "Plans",
    "PlayerLike",
    "Predicted",
    "Problem",
    "Program",
    "Report",
    "Result",
    "Run",
    "Scheme",
    "Search",
    "SearchState",
    "Selector",
    "Series",
    "State",
    "Summary",
    "Table",
    "Traced",
    "actions",
    "add_sensors",
    "check",
    "compare",
    "doctor",
    "drawing",
    "evolve",
    "explain",
    "exports",
    "fact",
    "fit",
    "fmt",
    "game",
    "kernel",
    "ladder",
    "load",
    "new",
    "option",
    "parse",
    "play",
    "predict",
    "problem",
    "progress",
    "register",
    "registered",
    "report",
    "run",
    "search",
    "sensor",
    "series",
    "tournament",
    "trace",
    "unregister",
]

_INSTEAD = {
    "bench": "it measures this machine and prints: run `gpkit bench`",
    "demo": "it shows the commands of the terminal: run `gpkit demo`",
    "draw": "gpkit.drawing and Program.draw draw",
    "export": "gpkit.exports and Program.export export",
    "lsp": "it talks with editors over its standard input: run `gpkit lsp`",
    "paper": "it prints what was measured: run `gpkit paper`",
    "serve": "it opens pages in a browser: run `gpkit serve`",
}
"""By command that is no function the reason, or the name that does the same."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "types":
            return import_module("gpkit.types")
        if (of_game := import_module("gpkit.api.games").command_of_game(name)) is not None:
            return of_game
        if name in _INSTEAD:
            raise AttributeError(f"gpkit.{name} is a command, and no function of Python: {_INSTEAD[name]}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> Any:
    return [*__all__, "list", "__version__"]
