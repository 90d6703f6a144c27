"""Draws formulas as trees; parts that have no effect are grey."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.langkit.formulas import executed_nodes
from gpkit.languages.arithmetic.checks import nodes_without_effect
from gpkit.languages.arithmetic.text import FormulaSource
from gpkit.playing.decisions import Evaluation
from gpkit.playing.trace import Step
from gpkit.show.graph import NO_ANNOTATIONS, Annotations, Picture, game_caption
from gpkit.show.pictures import Drawing
from gpkit.show.trees import NO_MEANINGS, change_picture, program_dot, program_text


def picture(
    program: TreeProgram, header: Mapping[str, str], primitives: PrimitiveSet | None, title: str, text: str
) -> Picture:
    """A picture of all formulas; if the game is known, it shows the meanings of the sensors."""
    annotations = [analysed(tree) for tree in program.trees]
    return marked(program, annotations, title=title, text=text, meanings=_meanings(primitives))


def change(parent: TreeProgram, child: TreeProgram, title: str, text: str) -> Picture:
    """A picture that shows what changed between two programs."""
    return change_picture(parent, child, title, text)


def traced(
    source: FormulaSource,
    primitives: PrimitiveSet | None,
    steps: Sequence[Step],
    name: str,
    place: str,
    until: str,
) -> Picture:
    """A picture of the formulas; each shows its values for the candidate that it chose in its last step."""
    decisions = {step.winner.section: step for step in steps if step.winner is not None}
    annotations = []
    for section, tree in source.program.parts.items():
        winner = decisions[section].winner if section in decisions else None
        found = analysed(tree)
        annotations.append(found if winner is None else with_values(tree, winner.node_values(), found))
    message = [f"{section} in step {step.number} ({step.words()})" for section, step in decisions.items()]
    title = game_caption(name, place, ", ".join(message))
    return marked(source.program, annotations, title=title, text=source.text, meanings=_meanings(primitives))


def valued_text(evaluation: Evaluation) -> str:
    """An evaluation as text: the formula with the value of every node."""
    annotations = with_values(evaluation.tree, evaluation.node_values())
    program = TreeProgram((evaluation.section,), (evaluation.tree,))
    return program_text(program, [annotations]).rstrip("\n")


def marked(
    program: TreeProgram,
    annotations: Sequence[Annotations],
    *,
    title: str,
    text: str = "",
    meanings: Mapping[str, str] = NO_MEANINGS,
) -> Picture:
    """A picture of formulas with annotations; ``program_dot`` explains the arguments."""
    dot = partial(program_dot, program, annotations, caption=title, meanings=meanings)
    return Picture(title, dot, program_text(program, annotations), len(program), text)


def _meanings(primitives: PrimitiveSet | None) -> dict[str, str]:
    return {sensor.name: sensor.meaning for sensor in primitives.sensors} if primitives else {}


def analysed(tree: Tree) -> Annotations:
    """Annotations from a static analysis of a formula, which mark its constant parts and its redundant parts."""
    return Annotations(*nodes_without_effect(tree))


def with_values(
    tree: Tree, values: Mapping[int, float], annotations: Annotations = NO_ANNOTATIONS
) -> Annotations:
    """The annotations with every node's value added; an outcome that an ``ifle`` did not take counts as not executed.

    If every node was executed, only the values are added.
    """
    executed = executed_nodes(tree, values)
    return replace(annotations, executed=executed if len(executed) < len(tree) else None, values=values)


DRAWING = Drawing(picture, change, traced, valued_text)
