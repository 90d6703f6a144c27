"""A traced game as a page shows it: a board to step through, with what there was to choose from."""

from gpkit.draw.marks import traced
from gpkit.draw.page import Frame, Markup, folded, listing, table
from gpkit.draw.text import program_text
from gpkit.genomes.tree import TreeProgram
from gpkit.play.trace import Step


def frame_of(step: Step, *, formula: bool = False) -> Frame:
    """A step with its board, its candidates, and if asked for the formula with the value of every node."""
    more: list[Markup] = []
    found = step.view.table()
    if found is not None:
        rows = [
            ("\N{RIGHTWARDS ARROW}" if k == found.chosen else "", *map(_cell, row))
            for k, row in enumerate(found.rows)
        ]
        more.append(table(("", *found.columns), rows, caption=found.note))
    if formula and (text := formula_text(step)):
        title = "Every node of the formula" if step.winner else "Where the program was"
        more.append(folded(title, listing(text)))
    return Frame(step.view.picture(), f"Step {step.number}: {step.view.words()}", tuple(more))


def formula_text(step: Step) -> str:
    """The program at a step; empty if it was not asked.

    A formula as a tree, with every node's value for the candidate that won; lines and rules as a listing, with the line
    that was executed or the rule that acted.
    """
    winner = step.winner
    if winner is None:
        return step.listing
    marks = traced(winner.tree, winner.node_values())
    return program_text(TreeProgram((winner.section,), (winner.tree,)), [marks]).rstrip("\n")


def _cell(cell: str | float) -> str | int | float:
    """A cell for a page: whole numbers without a fraction."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return int(cell)
    return cell
