"""Plans as flow charts: decisions as diamonds, instructions as boxes, chances as circles; dead branches are grey."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from gpkit.core.primitives import PrimitiveSet
from gpkit.draw.flow_chart import LABELS, FlowAnnotations, FlowStyle, flow_chart
from gpkit.draw.graph import Picture, game_caption
from gpkit.draw.palette import BLUE, GREEN, LINE, ORANGE, PURPLE, tinted
from gpkit.draw.text import change_picture
from gpkit.genomes.plan import NOTHING, PlanProgram, Step, Test, compared
from gpkit.genomes.plan import Sequence as Steps
from gpkit.genomes.tree import LONE_SECTION, FlatTree, Sections
from gpkit.langkit.nodes import Texts, filled
from gpkit.languages.execution.interpreter import size_of
from gpkit.languages.execution.printer import STEPS
from gpkit.languages.execution.reachability import bounds_of, unreached
from gpkit.playing.trace import Step as Played
from gpkit.playing.trace import executions

MAIN_NAME = "main"
"""The title of the plan that is executed, where there are others."""

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
"""Words on the arrows from a loop into its body, and to what follows it."""


class StepNode(NamedTuple):
    """A step as a node: without what it holds, and the words on the arrows to its children."""

    step: Step
    branches: tuple[str, ...]


Tree = FlatTree[StepNode]


def tree_of(sequence: Steps) -> Tree:
    """The execution tree of a plan: children of a step are what it holds and what follows it; positions are numbers."""
    nodes = list(_nodes(sequence, size_of(sequence)))
    return FlatTree(tuple(node for node, _ in nodes), tuple(size for _, size in nodes))


def _nodes(sequence: Steps, left: int) -> Iterator[tuple[StepNode, int]]:
    """The nodes of a sequence of so many steps, with the sizes of their subtrees, which end with the sequence."""
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
    """The trees of all plans that have steps."""
    lone = len(program.names) == 1
    found = [
        (name or (LONE_SECTION if lone else MAIN_NAME), tree_of(plan))
        for name, plan in zip(program.names, program.plans, strict=True)
    ]
    return Sections(tuple(name for name, _ in found), tuple(tree for _, tree in found))


def picture(
    program: PlanProgram,
    header: Mapping[str, str],
    primitives: PrimitiveSet | None,
    title: str,
    text: str,
) -> Picture:
    """All plans, with branches that no game takes in grey."""
    annotations = [FlowAnnotations(dead) for dead in _dead(program, primitives)]
    return flow_chart(sections_of(program), annotations, _style(program), primitives, title, text)


def change(parent: PlanProgram, child: PlanProgram, title: str, text: str) -> Picture:
    """Both programs laid over each other."""
    before, after = sections_of(parent), sections_of(child)
    if before.names != after.names:  # a lone plan has a name where the other program has several
        before, after = (Sections((MAIN_NAME, *each.names[1:]), each.trees) for each in (before, after))
    return change_picture(before, after, title, text, STYLE.node_style)


def traced(
    source: Any, primitives: PrimitiveSet | None, steps: Sequence[Played], name: str, place: str, until: str
) -> Picture:
    """All plans with how often each step was executed; what the games never came to is grey."""
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
    """The style of a plan; the arrows of one that is executed upwards point up."""
    return replace(STYLE, arrows={"arrowtail": "normal", "dir": "back" if program.goes_up else "forward"})


def _kind(tree: Tree, position: int) -> str:
    return STEPS.kind(tree.symbols[position].step).word


def _meanings(tree: Tree, position: int, primitives: PrimitiveSet) -> list[str]:
    """The meanings of the action of a step, or of its features."""
    step = tree.symbols[position].step
    if step.asks:
        return [each.meaning for each in primitives.instructions if each.name == step.asks]
    sensors = (primitives.sensor(each.feature) for each in compared(step))
    return [sensor.meaning for sensor in sensors if sensor]


def _held(tree: Tree, position: int) -> list[tuple[int, str]]:
    """The steps that a step holds; those that follow it stand beside it."""
    words = zip(tree.children(position), tree.symbols[position].branches, strict=True)
    return [(each, word) for child, word in words if word not in ("", THEN) for each in _chain(tree, child)]


def _chain(tree: Tree, position: int) -> list[int]:
    """A step and all that follow it in its sequence."""
    found = [position]
    while tree.symbols[found[-1]].branches[-1:] in (("",), (THEN,)):
        *_, last = tree.children(found[-1])
        found.append(last)
    return found


def _test(test: Test) -> str:
    return f" {test.join} ".join(filled("{feature} {sign} {threshold}", c, LABELS) for c in test.comparisons)


_LABELS: Texts = {**LABELS, Test: _test}

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
"""Plans in flow charts; a step with other branches is of another kind."""
