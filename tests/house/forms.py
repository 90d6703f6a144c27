"""Every part and form of the shipped slices, assigned to the Protocol that the framework which asks for it states.

mypy reads this file and holds the modules against the Protocols; `tests/test_house.py` finds what is missing in it.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import gpkit.games.battleship.commands
import gpkit.games.battleship.encoding
import gpkit.games.battleship.forms.demo
import gpkit.games.battleship.forms.draw
import gpkit.games.battleship.forms.memory
import gpkit.games.battleship.forms.record
import gpkit.games.battleship.forms.suites
import gpkit.games.battleship.forms.talk
import gpkit.games.battleship.primitives
import gpkit.games.battleship.view
import gpkit.games.build_order.encoding
import gpkit.games.build_order.forms.demo
import gpkit.games.build_order.forms.suites
import gpkit.games.build_order.forms.talk
import gpkit.games.build_order.primitives
import gpkit.games.build_order.view
import gpkit.games.dots_and_boxes.commands
import gpkit.games.dots_and_boxes.encoding
import gpkit.games.dots_and_boxes.forms.demo
import gpkit.games.dots_and_boxes.forms.draw
import gpkit.games.dots_and_boxes.forms.record
import gpkit.games.dots_and_boxes.forms.suites
import gpkit.games.dots_and_boxes.forms.talk
import gpkit.games.dots_and_boxes.forms.work
import gpkit.games.dots_and_boxes.learning
import gpkit.games.dots_and_boxes.primitives
import gpkit.games.dots_and_boxes.view
import gpkit.games.mastermind.encoding
import gpkit.games.mastermind.forms.demo
import gpkit.games.mastermind.forms.record
import gpkit.games.mastermind.forms.suites
import gpkit.games.mastermind.forms.talk
import gpkit.games.mastermind.primitives
import gpkit.games.mastermind.view
import gpkit.games.sevens.encoding
import gpkit.games.sevens.forms.demo
import gpkit.games.sevens.forms.record
import gpkit.games.sevens.forms.suites
import gpkit.games.sevens.forms.talk
import gpkit.games.sevens.primitives
import gpkit.games.sevens.view
import gpkit.languages.arithmetic.forms.c
import gpkit.languages.arithmetic.forms.draw
import gpkit.languages.arithmetic.forms.evolution
import gpkit.languages.arithmetic.forms.fitting
import gpkit.languages.arithmetic.forms.json
import gpkit.languages.arithmetic.forms.latex
import gpkit.languages.arithmetic.forms.lua
import gpkit.languages.arithmetic.forms.python
import gpkit.languages.arithmetic.forms.sympy
import gpkit.languages.decision.forms.c
import gpkit.languages.decision.forms.draw
import gpkit.languages.decision.forms.evolution
import gpkit.languages.decision.forms.fitting
import gpkit.languages.decision.forms.json
import gpkit.languages.decision.forms.latex
import gpkit.languages.decision.forms.lua
import gpkit.languages.decision.forms.python
import gpkit.languages.decision.forms.sympy
import gpkit.languages.execution.forms.acting
import gpkit.languages.execution.forms.draw
import gpkit.languages.execution.forms.evolution
import gpkit.languages.execution.forms.json
import gpkit.languages.execution.forms.latex
import gpkit.languages.execution.forms.lua
import gpkit.languages.execution.forms.playing
import gpkit.languages.execution.forms.python
import gpkit.languages.rulegraph.forms.draw
import gpkit.languages.rulegraph.forms.json
import gpkit.languages.rulegraph.forms.latex
import gpkit.languages.rulegraph.forms.lua
import gpkit.languages.rulegraph.forms.playing
import gpkit.languages.sinking.forms.acting
import gpkit.languages.sinking.forms.draw
import gpkit.languages.sinking.forms.evolution
import gpkit.languages.sinking.forms.json
import gpkit.languages.sinking.forms.lua
import gpkit.languages.sinking.forms.playing
from gpkit.cli.demo import Demonstrating, DemoRun
from gpkit.core.primitives import Offers
from gpkit.core.tabular import Tabular
from gpkit.draw.frames import ValuedDrawing
from gpkit.draw.pictures import ChosenDrawing, FileDrawing
from gpkit.draw.programs import ChangeDrawing, Drawing, GameDrawing
from gpkit.draw.report import RunReport
from gpkit.evolution.config import Evolving
from gpkit.evolution.fitting import Fitting
from gpkit.evolution.problem_subject import ProblemEvolving
from gpkit.export.check import Checking
from gpkit.export.json import Membership
from gpkit.export.lua.functions import ArticleWriting
from gpkit.export.lua.functions import Writing as LuaWriting
from gpkit.export.registry import Exporting
from gpkit.export.statements import Writing as FunctionWriting
from gpkit.export.sympy import Writing as SympyWriting
from gpkit.export.transcripts import Recording
from gpkit.gamekit.encoding import Encoding
from gpkit.gamekit.players import Player
from gpkit.gamekit.view import View
from gpkit.games.dots_and_boxes.learner.folder import Learned
from gpkit.langkit.acting import Acting
from gpkit.languages.rulegraph.forms.lua import RulesRecorder
from gpkit.languages.sinking.forms.lua import SinkingRecording
from gpkit.playing.evaluation import Trying
from gpkit.playing.series import Series
from gpkit.playing.session import Talking
from gpkit.playing.trace import Stepping


class EveryDrawing(Drawing, ChangeDrawing, GameDrawing, Protocol):
    """Pictures of programs, of changes, and of games."""


class CheckedExport(Exporting, Checking, Protocol):
    """An export that can be checked."""


class Document(CheckedExport, Membership, Protocol):
    """A checked export in which programs are members of an object."""


# Parts of games

VIEWS: list[View] = [
    gpkit.games.battleship.view.VIEW,
    gpkit.games.build_order.view.VIEW,
    gpkit.games.dots_and_boxes.view.VIEW,
    gpkit.games.mastermind.view.VIEW,
    gpkit.games.sevens.view.VIEW,
]
ENCODINGS: list[Encoding] = [
    gpkit.games.battleship.encoding,
    gpkit.games.build_order.encoding,
    gpkit.games.dots_and_boxes.encoding,
    gpkit.games.mastermind.encoding,
    gpkit.games.sevens.encoding,
]

# Forms of games

TALKS: list[Talking] = [
    gpkit.games.battleship.forms.talk,
    gpkit.games.build_order.forms.talk,
    gpkit.games.dots_and_boxes.forms.talk,
    gpkit.games.mastermind.forms.talk,
    gpkit.games.sevens.forms.talk,
]
SUITES: list[Trying] = [
    gpkit.games.battleship.forms.suites,
    gpkit.games.build_order.forms.suites,
    gpkit.games.dots_and_boxes.forms.suites,
    gpkit.games.mastermind.forms.suites,
    gpkit.games.sevens.forms.suites,
]
DEMOS: list[Demonstrating] = [
    gpkit.games.battleship.forms.demo,
    gpkit.games.build_order.forms.demo,
    gpkit.games.dots_and_boxes.forms.demo,
    gpkit.games.mastermind.forms.demo,
    gpkit.games.sevens.forms.demo,
]
FILE_DRAWINGS: list[FileDrawing] = [gpkit.games.battleship.forms.draw, gpkit.games.dots_and_boxes.forms.draw]
CHOSEN_DRAWINGS: list[ChosenDrawing] = [gpkit.games.dots_and_boxes.forms.draw]
RECORDS: list[Recording] = [
    gpkit.games.battleship.forms.record,
    gpkit.games.mastermind.forms.record,
    gpkit.games.sevens.forms.record,
]
RECORDS_OF_SINKING: list[SinkingRecording] = [gpkit.games.battleship.forms.record]
RECORDS_OF_RULES: list[RulesRecorder] = [gpkit.games.dots_and_boxes.forms.record.RULES]

# Forms of languages

DRAWINGS: list[EveryDrawing] = [
    gpkit.languages.arithmetic.forms.draw,
    gpkit.languages.decision.forms.draw,
    gpkit.languages.execution.forms.draw,
    gpkit.languages.rulegraph.forms.draw,
    gpkit.languages.sinking.forms.draw,
]
VALUED_DRAWINGS: list[ValuedDrawing] = [
    gpkit.languages.arithmetic.forms.draw,
    gpkit.languages.decision.forms.draw,
]
DOCUMENTS: list[Document] = [
    gpkit.languages.arithmetic.forms.json,
    gpkit.languages.decision.forms.json,
    gpkit.languages.execution.forms.json,
    gpkit.languages.rulegraph.forms.json,
    gpkit.languages.sinking.forms.json,
]
CHECKED_EXPORTS: list[CheckedExport] = [
    gpkit.languages.arithmetic.forms.c,
    gpkit.languages.decision.forms.c,
    gpkit.languages.arithmetic.forms.lua,
    gpkit.languages.arithmetic.forms.python,
    gpkit.languages.decision.forms.lua,
    gpkit.languages.decision.forms.python,
    gpkit.languages.execution.forms.lua,
    gpkit.languages.execution.forms.python,
    gpkit.languages.rulegraph.forms.lua,
    gpkit.languages.sinking.forms.lua,
]
EXPORTS: list[Exporting] = [
    gpkit.languages.arithmetic.forms.latex,
    gpkit.languages.decision.forms.latex,
    gpkit.languages.execution.forms.latex,
    gpkit.languages.rulegraph.forms.latex,
]
LUA_WRITINGS: list[LuaWriting] = [gpkit.languages.arithmetic.forms.lua, gpkit.languages.decision.forms.lua]
C_WRITINGS: list[FunctionWriting] = [gpkit.languages.arithmetic.forms.c, gpkit.languages.decision.forms.c]
SYMPY_WRITINGS: list[SympyWriting] = [
    gpkit.languages.arithmetic.forms.sympy,
    gpkit.languages.decision.forms.sympy,
]
ARTICLES: list[ArticleWriting] = [gpkit.languages.arithmetic.forms.lua]
PYTHON_WRITINGS: list[FunctionWriting] = [
    gpkit.languages.arithmetic.forms.python,
    gpkit.languages.decision.forms.python,
]
EVOLUTIONS: list[Evolving] = [
    gpkit.languages.arithmetic.forms.evolution,
    gpkit.languages.decision.forms.evolution,
    gpkit.languages.execution.forms.evolution,
    gpkit.languages.sinking.forms.evolution,
]
PROBLEM_EVOLUTIONS: list[ProblemEvolving] = [
    gpkit.languages.arithmetic.forms.evolution,
    gpkit.languages.decision.forms.evolution,
    gpkit.languages.execution.forms.evolution,
    gpkit.languages.sinking.forms.evolution,
]

ACTING: list[Acting] = [gpkit.languages.execution.forms.acting, gpkit.languages.sinking.forms.acting]

FITTINGS: list[Fitting] = [
    gpkit.languages.arithmetic.forms.fitting,
    gpkit.languages.decision.forms.fitting,
]
STEPPINGS: list[Stepping] = [
    gpkit.languages.execution.forms.playing,
    gpkit.languages.rulegraph.forms.playing,
    gpkit.languages.sinking.forms.playing,
]

# Parts of which one value is used, by the type of that value

OFFERS: list[Offers] = [
    gpkit.games.battleship.primitives.OFFERS,
    gpkit.games.build_order.primitives.OFFERS,
    gpkit.games.dots_and_boxes.primitives.OFFERS,
    gpkit.games.mastermind.primitives.OFFERS,
    gpkit.games.sevens.primitives.OFFERS,
]
COMMANDS: list[Sequence[Callable[..., Tabular]]] = [
    gpkit.games.battleship.commands.COMMANDS,
    gpkit.games.dots_and_boxes.commands.COMMANDS,
]
LEARNING: list[tuple[Mapping[str, object], Mapping[str, str], str, str, str]] = [
    (each.PRESETS, each.notes(), each.BEST, each.USE, each.NOT_EVOLVED)
    for each in [gpkit.games.dots_and_boxes.learning]
]
WORKS: list[
    tuple[str, str, Callable[..., Learned], Callable[..., RunReport], Callable[[Path], Mapping[str, Any]]]
] = [
    (each.GAME, each.COMMAND, each.find_out, each.report, each.shown)
    for each in [gpkit.games.dots_and_boxes.forms.work]
]
MEMORIES: list[tuple[Callable[[Sequence[Player], int | None], None], Callable[..., Series]]] = [
    (each.check_series, each.remembered_series) for each in [gpkit.games.battleship.forms.memory]
]
SHORT_DEMO: list[DemoRun] = [gpkit.games.sevens.forms.demo.SHORT]
