"""Formulas as pictures: trees, with what has no effect in grey."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gpkit.core.primitives import PrimitiveSet
from gpkit.draw.graph import Picture, game_caption
from gpkit.draw.symbols import NO_ANNOTATIONS, Annotations
from gpkit.draw.text import change_picture, program_text
from gpkit.draw.tree import NO_MEANINGS, program_dot
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.languages.arithmetic.checks import nodes_without_effect
from gpkit.languages.arithmetic.interpreter import executed_nodes
from gpkit.playing.decisions import Evaluation
from gpkit.playing.trace import Step


def picture(
    program: TreeProgram, header: Mapping[str, str], primitives: PrimitiveSet | None, title: str, text: str
) -> Picture:
    """All formulas, with the meanings of the sensors where the game is known."""
    annotations = [analysed(tree) for tree in program.trees]
    return marked(program, annotations, title=title, text=text, meanings=_meanings(primitives))


def change(parent: TreeProgram, child: TreeProgram, title: str, text: str) -> Picture:
    """Both programs laid over each other."""
    return change_picture(parent, child, title, text)


def traced(
    source: Any, primitives: PrimitiveSet | None, steps: Sequence[Step], name: str, place: str, until: str
) -> Picture:
    """Each formula in the last step in which it decided: the values of the candidate that won."""
    decisions = {step.winner.section: step for step in steps if step.winner is not None}
    annotations = []
    for section, tree in zip(source.program.names, source.program.trees, strict=True):
        winner = decisions[section].winner if section in decisions else None
        found = analysed(tree)
        annotations.append(found if winner is None else with_values(tree, winner.node_values(), found))
    message = [f"{section} in step {step.number} ({step.words()})" for section, step in decisions.items()]
    title = game_caption(name, place, ", ".join(message))
    return marked(source.program, annotations, title=title, text=source.text, meanings=_meanings(primitives))


def valued_text(evaluation: Evaluation) -> str:
    """The formula as text with the value of every node in an evaluation."""
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
    """Formulas with marks; see ``program_dot`` for the arguments."""
    dot = partial(program_dot, program, annotations, caption=title, meanings=meanings)
    return Picture(title, dot, program_text(program, annotations), len(program), text)


def _meanings(primitives: PrimitiveSet | None) -> dict[str, str]:
    return {sensor.name: sensor.meaning for sensor in primitives.sensors} if primitives else {}


def analysed(tree: Tree) -> Annotations:
    """Annotations by static analysis of the formula: its constant and its redundant parts."""
    return Annotations(*nodes_without_effect(tree))


def with_values(
    tree: Tree, values: Mapping[int, float], annotations: Annotations = NO_ANNOTATIONS
) -> Annotations:
    """``annotations`` with the value of every node, and as executed all but the outcomes that an ``ifle`` did not take.

    Where every node was executed there is nothing to tell apart, and only the values are added.
    """
    executed = executed_nodes(tree, values)
    return replace(annotations, executed=executed if len(executed) < len(tree) else None, values=values)
