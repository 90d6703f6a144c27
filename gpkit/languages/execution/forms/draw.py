"""Draws plans as flow charts: decisions as diamonds, actions as boxes, chances as circles, dead branches in grey."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.plan import NOTHING, PlanProgram, Step, Test, compared
from gpkit.genomes.plan import Sequence as Steps
from gpkit.genomes.tree import LONE_SECTION, FlatTree, Sections, sensors_of
from gpkit.langkit.nodes import Texts
from gpkit.languages.execution.interpreter import size_of
from gpkit.languages.execution.simplify import bounds_of, unreached
from gpkit.languages.execution.text import MAIN_NAME, STEPS, PlanSource, testing
from gpkit.playing.trace import Step as Played
from gpkit.playing.trace import executions
from gpkit.show.graph import BLUE, GREEN, LINE, ORANGE, PURPLE, Picture, game_caption, tinted
from gpkit.show.pictures import Drawing
from gpkit.show.trees import LABELS, FlowAnnotations, FlowStyle, change_picture, flow_chart

_LOOKS: Mapping[str, dict[str, str]] = {
    "do": {"shape": "box"} | tinted(GREEN),
    "use": {"shape": "box", "peripheries": "2"} | tinted(GREEN),
    "wait": {"shape": "box", "style": "filled,rounded"} | tinted(ORANGE),
    "repeat": {"shape": "hexagon", "margin": "0.02"} | tinted(LINE),
    "while": {"shape": "hexagon", "margin": "0.02"} | tinted(BLUE),
    "decide": {"shape": "diamond", "margin": "0.02,0.02"} | tinted(BLUE),
    "merge": {"shape": "ellipse", "margin": "0.02"} | tinted(LINE),
    "chance": {"shape": "circle", "margin": "0.02"} | tinted(PURPLE),
}
BODY, THEN = "each time", "then"
"""The words on the arrow from a loop into its body, and on the arrow from the loop to the step after it."""


class StepNode(NamedTuple):
    """A step as a node: the step without its inner sequences, and the words on the arrows to its children."""

    step: Step
    branches: tuple[str, ...]


Tree = FlatTree[StepNode]


def tree_of(sequence: Steps) -> Tree:
    """The execution tree of a plan; the children of a step are its inner sequences and the step after it."""
    nodes = list(_nodes(sequence, size_of(sequence)))
    return FlatTree(tuple(node for node, _ in nodes), tuple(size for _, size in nodes))


def _nodes(sequence: Steps, left: int) -> Iterator[tuple[StepNode, int]]:
    """Yield the nodes of a sequence with ``left`` steps, and the sizes of their subtrees, which extend to its end."""
    for number, step in enumerate(sequence, start=1):
        inner = step.held
        words = [name or BODY for name in STEPS.words(step)]
        held = [word for word, part in zip(words, inner, strict=True) if part]
        follows = [THEN if inner else ""] if number < len(sequence) else []
        yield StepNode(step.holding(*(NOTHING for _ in inner)), (*held, *follows)), left
        left -= 1
        for part in inner:
            size = size_of(part)
            yield from _nodes(part, size)
            left -= size


def sections_of(program: PlanProgram) -> Sections[Tree]:
    """The execution trees of all plans, by name."""
    lone = len(program.names) == 1
    found = [
        (name or (LONE_SECTION if lone else MAIN_NAME), tree_of(plan))
        for name, plan in zip(program.names, program.plans, strict=True)
    ]
    return Sections(tuple(name for name, _ in found), tuple(tree for _, tree in found), program.functions)


def picture(
    program: PlanProgram,
    header: Mapping[str, str],
    primitives: PrimitiveSet | None,
    title: str,
    text: str,
) -> Picture:
    """A picture of all plans; branches that are never taken are grey."""
    annotations = [FlowAnnotations(dead) for dead in _dead(program, primitives)]
    return flow_chart(sections_of(program), annotations, _style(program), primitives, title, text)


def change(parent: PlanProgram, child: PlanProgram, title: str, text: str) -> Picture:
    """A picture that shows what changed between two programs."""
    before, after = sections_of(parent), sections_of(child)
    if before.names != after.names:  # a lone plan has a name where the other program has several
        before, after = (Sections((MAIN_NAME, *each.names[1:]), each.trees) for each in (before, after))
    return change_picture(before, after, title, text, STYLE.node_style)


def traced(
    source: PlanSource,
    primitives: PrimitiveSet | None,
    steps: Sequence[Played],
    name: str,
    place: str,
    until: str,
) -> Picture:
    """A picture of all plans that shows how often each step ran; steps that never ran are grey."""
    program, counts = source.program, executions(steps)
    annotations = [
        FlowAnnotations(dead, {number: count for (plan, number), count in counts.items() if plan == index})
        for index, dead in enumerate(_dead(program, primitives))
    ]
    title = game_caption(name, place, "what was executed", until)
    return flow_chart(sections_of(program), annotations, _style(program), primitives, title, source.text)


def _dead(program: PlanProgram, primitives: PrimitiveSet | None) -> list[frozenset[int]]:
    return [unreached(plan, bounds_of(primitives)) for plan in program.plans]


def _style(program: PlanProgram) -> FlowStyle:
    """The style for a program; its arrows point up if the program runs upwards."""
    return replace(STYLE, arrows={"arrowtail": "normal", "dir": "back" if program.goes_up else "forward"})


def _kind(tree: Tree, position: int) -> str:
    return STEPS.kind(tree.symbols[position].step).word


def _meanings(tree: Tree, position: int, primitives: PrimitiveSet) -> list[str]:
    """The meaning of a step's action, or the meanings of its features."""
    step = tree.symbols[position].step
    if step.asks:
        return [each.meaning for each in primitives.instructions if each.name == step.asks]
    names = (name for each in compared(step) for name in sensors_of(each.feature))
    sensors = map(primitives.sensor, names)
    return [sensor.meaning for sensor in sensors if sensor]


def _held(tree: Tree, position: int) -> list[tuple[int, str]]:
    """The steps inside a step, each with the word that names its branch."""
    words = zip(tree.children(position), tree.symbols[position].branches, strict=True)
    return [(each, word) for child, word in words if word not in ("", THEN) for each in _chain(tree, child)]


def _chain(tree: Tree, position: int) -> list[int]:
    """A step and all steps after it in its sequence."""
    found = [position]
    while tree.symbols[found[-1]].branches[-1:] in (("",), (THEN,)):
        *_, last = tree.children(found[-1])
        found.append(last)
    return found


_LABELS: Texts = {**LABELS, Test: testing(LABELS)}

STYLE = FlowStyle(
    looks=_LOOKS,
    kind=_kind,
    same=lambda tree, position: " ".join([_kind(tree, position), *tree.symbols[position].branches]),
    label=lambda tree, position: STEPS.label(tree.symbols[position].step, _LABELS),
    name=lambda tree, position: STEPS.head(tree.symbols[position].step),
    branch=lambda tree, position, branch: tree.symbols[position].branches[branch],
    meanings=_meanings,
    first=lambda tree: [(each, "") for each in _chain(tree, 0)] if len(tree) else [],
    held=_held,
)
"""The style of plans in flow charts; steps with different branches are different kinds."""


DRAWING = Drawing(picture, change, traced)
