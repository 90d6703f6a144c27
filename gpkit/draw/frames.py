"""A traced game as a page shows it: a board to step through, with what there was to choose from."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from gpkit.core.registry import form
from gpkit.draw.page import Markup, folded, listing, table
from gpkit.draw.replay import Frame
from gpkit.playing.decisions import Evaluation
from gpkit.playing.trace import Step

STOP = "shot"
"""The value of a step that says whether a replay halts there: of games in which a turn is many lines of a program."""


@runtime_checkable
class ValuedDrawing(Protocol):
    """Texts of evaluated parts with every node's value: ``forms.draw`` of languages whose programs value candidates."""

    def valued_text(self, evaluation: Evaluation) -> str: ...


def skip_of(frames: Sequence[Frame]) -> str:
    """The label of the button that goes on to where a replay halts; empty if it halts nowhere."""
    return f"next {STOP}" if any(frame.stop for frame in frames) else ""


def frame_of(step: Step, *, formula: bool = False) -> Frame:
    """A step with its board, its candidates, and if asked for the formula with the value of every node.

    Programs of lines are shown at every step, with the line that was executed.
    """
    more: list[Markup] = []
    found = step.table()
    if found is not None:
        rows = [tuple(map(_cell, row)) for row in found.rows]
        heads = found.columns
        if found.chosen >= 0:
            symbols = ("\N{RIGHTWARDS ARROW}" if k == found.chosen else "" for k in range(len(rows)))
            heads, rows = ("", *heads), [(sign, *row) for sign, row in zip(symbols, rows, strict=True)]
        more.append(table(heads, rows, caption=found.note))
    lines = step.listing if step.line is not None else ""
    if formula and not lines and (text := formula_text(step)):
        title = "Every node of the formula" if step.winner else "Where the program was"
        more.append(folded(title, listing(text)))
    words = f"Step {step.number}: {step.words()}"
    return Frame(step.picture(), words, tuple(more), lines, bool(step.values.get(STOP)))


def formula_text(step: Step) -> str:
    """The program at a step; empty if it was not asked.

    A formula as a tree, with every node's value for the candidate that won; lines and rules as a listing, with the line
    that was executed or the rule that acted.
    """
    return step.listing if step.winner is None else valued_text(step.winner)


def valued_text(evaluation: Evaluation) -> str:
    """The part of a program that was evaluated, with every node's value."""
    language = evaluation.tree.language
    drawing = form(ValuedDrawing, "draw", language, "show node values in {}")
    return drawing.valued_text(evaluation)


def _cell(cell: str | float) -> str | int | float:
    """A cell for a page: whole numbers without a fraction."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return int(cell)
    return cell
