"""gpkit: game-playing programs that people can read.

gpkit imports each name below when it is first used: programs, the functions that work with them, and the building
blocks of your own game. Commands of games, such as ``gpkit.solve``, are also available by name.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpkit.analysis.balance import Balance, Figure
    from gpkit.analysis.levels import Level, Roster
    from gpkit.analysis.predictions import ComparedRows
    from gpkit.analysis.results import Compared, Ladders, League, Measured
    from gpkit.analysis.studies import Studied
    from gpkit.api.drawings import Drawing
    from gpkit.api.evolving import evolve, fit, predict
    from gpkit.api.exports import exports
    from gpkit.api.findings import Finding
    from gpkit.api.fits import Fitted, Predicted
    from gpkit.api.health import Installed
    from gpkit.api.inquiries import add_sensors, check, doctor, explain, fmt, new
    from gpkit.api.inquiries import list as list  # noqa: A004
    from gpkit.api.kinds import GameLike, PlayerLike
    from gpkit.api.matches import balance, compare, ladder, play, run, series, tournament, trace
    from gpkit.api.pictures import drawing
    from gpkit.api.problems import Evaluator, Problem, actions, primitive, problem
    from gpkit.api.programs import Program, load, parse
    from gpkit.api.progress import progress
    from gpkit.api.reports import Report, report
    from gpkit.api.rivals import rivals
    from gpkit.api.rosters import roster
    from gpkit.api.runs import Archive, Elite, Evolved, Front, FrontMember, Run
    from gpkit.api.searches import Search, search
    from gpkit.api.studies import study
    from gpkit.core.compiled import inlined as kernel
    from gpkit.core.errors import GpkitError
    from gpkit.core.layout import Table
    from gpkit.evolution.executors import Workers
    from gpkit.evolution.parts import Operator, register, registered, unregister
    from gpkit.evolution.problem import Evaluation, Individual
    from gpkit.evolution.schemes import Scheme, Selector
    from gpkit.evolution.search import SearchState, Summary
    from gpkit.gamekit.facts import fact
    from gpkit.gamekit.game import Builtin, Game, Metric, Plans
    from gpkit.gamekit.options import option
    from gpkit.gamekit.sensors import sensor
    from gpkit.gamekit.state import CHANCE, NOBODY, State
    from gpkit.genomes.program_operators import Child
    from gpkit.playing.contest import Result, Series
    from gpkit.playing.disagreements import Disagreement, Disagreements
    from gpkit.playing.evaluation import HeldOutTable
    from gpkit.playing.results import Comparison, ExactResult
    from gpkit.show.traced import Traced
    from gpkit.user_games.arena import Kernel
    from gpkit.user_games.contract.examine import Examined
    from gpkit.user_games.declare import game
    from gpkit.user_languages.declare import language

    __version__: str

_HOMES = {
    name: module
    for module, names in {
        "gpkit.analysis.predictions": "ComparedRows",
        "gpkit.analysis.balance": "Balance Figure",
        "gpkit.analysis.levels": "Level Roster",
        "gpkit.analysis.results": "Compared Ladders League Measured",
        "gpkit.analysis.studies": "Studied",
        "gpkit.api.evolving": "evolve fit predict",
        "gpkit.api.exports": "exports",
        "gpkit.api.findings": "Finding",
        "gpkit.api.fits": "Fitted Predicted",
        "gpkit.api.health": "Installed",
        "gpkit.api.inquiries": "add_sensors check doctor explain fmt list new",
        "gpkit.api.kinds": "GameLike PlayerLike",
        "gpkit.api.matches": "balance compare ladder play run series tournament trace",
        "gpkit.api.drawings": "Drawing",
        "gpkit.api.pictures": "drawing",
        "gpkit.api.problems": "Evaluator Problem actions primitive problem",
        "gpkit.api.programs": "Program load parse",
        "gpkit.api.progress": "progress",
        "gpkit.api.reports": "Report report",
        "gpkit.api.runs": "Archive Elite Evolved Front FrontMember Run",
        "gpkit.api.rivals": "rivals",
        "gpkit.api.rosters": "roster",
        "gpkit.api.searches": "Search search",
        "gpkit.api.studies": "study",
        "gpkit.core.compiled": "kernel",
        "gpkit.core.errors": "GpkitError",
        "gpkit.core.layout": "Table",
        "gpkit.core.wording": "__version__",
        "gpkit.show.traced": "Traced",
        "gpkit.evolution.executors": "Workers",
        "gpkit.evolution.parts": "Operator register registered unregister",
        "gpkit.evolution.problem": "Evaluation Individual",
        "gpkit.evolution.schemes": "Scheme Selector",
        "gpkit.evolution.search": "SearchState Summary",
        "gpkit.gamekit.facts": "fact",
        "gpkit.gamekit.game": "Builtin Game Metric Plans",
        "gpkit.gamekit.options": "option",
        "gpkit.gamekit.sensors": "sensor",
        "gpkit.gamekit.state": "CHANCE NOBODY State",
        "gpkit.genomes.program_operators": "Child",
        "gpkit.playing.contest": "Result Series",
        "gpkit.playing.disagreements": "Disagreement Disagreements",
        "gpkit.playing.evaluation": "HeldOutTable",
        "gpkit.playing.results": "Comparison ExactResult",
        "gpkit.user_games.arena": "Kernel",
        "gpkit.user_games.contract.examine": "Examined",
        "gpkit.user_games.declare": "game",
        "gpkit.user_languages.declare": "language",
    }.items()
    for name in names.split()
}
"""The module that defines each public name."""

_NAMES_THERE = {"__version__": "VERSION", "kernel": "inlined"}
"""The public names that differ from the names in their modules."""

__all__ = [
    "CHANCE",
    "NOBODY",
    "Archive",
    "Balance",
    "Builtin",
    "Child",
    "Compared",
    "ComparedRows",
    "Comparison",
    "Disagreement",
    "Disagreements",
    "Drawing",
    "Elite",
    "Evaluation",
    "Evaluator",
    "Evolved",
    "ExactResult",
    "Examined",
    "Figure",
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
    "Level",
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
    "Roster",
    "Run",
    "Scheme",
    "Search",
    "SearchState",
    "Selector",
    "Series",
    "State",
    "Studied",
    "Summary",
    "Table",
    "Traced",
    "Workers",
    "actions",
    "add_sensors",
    "balance",
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
    "language",
    "load",
    "new",
    "option",
    "parse",
    "play",
    "predict",
    "primitive",
    "problem",
    "progress",
    "register",
    "registered",
    "report",
    "rivals",
    "roster",
    "run",
    "search",
    "sensor",
    "series",
    "study",
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
    "mcp": "it talks with assistants over its standard input: run `gpkit mcp`",
    "paper": "it prints what was measured: run `gpkit paper`",
    "serve": "it opens pages in a browser: run `gpkit serve`",
}
"""For each command that has no Python function, the reason or the name to use instead."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "types":
            return import_module("gpkit.types")
        if (of_game := import_module("gpkit.api.games").command_of_game(name)) is not None:
            return of_game
        if name in _INSTEAD:
            raise AttributeError(f"gpkit.{name} is a command, not a Python function: {_INSTEAD[name]}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOMES[name]), _NAMES_THERE.get(name, name))
    return found


def __dir__() -> Any:
    return [*__all__, "list", "__version__"]
