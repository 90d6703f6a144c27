"""Plans as flow charts: decisions as diamonds, instructions as boxes, chances as circles; dead branches are grey."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from gpkit.core.primitives import PrimitiveSet
from gpkit.core.wording import counted
from gpkit.draw.diff import diff_dot, merged_sections
from gpkit.draw.flow_chart import SIGNS, Language, flow_chart
from gpkit.draw.node_style import NodeStyle
from gpkit.draw.palette import (
    BLUE,
    BLUE_TINT,
    GREEN,
    GREEN_TINT,
    LINE,
    ORANGE,
    ORANGE_TINT,
    PAPER,
    PURPLE,
    PURPLE_TINT,
)
from gpkit.draw.picture import Picture
from gpkit.draw.symbols import short_number
from gpkit.draw.text import diff_text, outline
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.plan import (
    NOTHING,
    Chance,
    Decide,
    Do,
    Merge,
    PlanProgram,
    Repeat,
    Step,
    Test,
    Use,
    Wait,
    While,
    test_of,
)
from gpkit.genomes.plan import Sequence as Steps
from gpkit.genomes.tree import LONE_SECTION, FlatTree, Sections
from gpkit.languages.execution.interpreter import size_of
from gpkit.languages.execution.printer import head_text
from gpkit.languages.execution.reachability import bounds_of, unreached
from gpkit.playing.trace import Step as Played
from gpkit.playing.trace import executions

MAIN_NAME = "main"
"""The title of the plan that is executed, where there are others."""

_LOOKS: Mapping[type, dict[str, str]] = {
    Do: {"shape": "box", "fillcolor": GREEN_TINT, "color": GREEN},
    Use: {"shape": "box", "peripheries": "2", "fillcolor": GREEN_TINT, "color": GREEN},
    Wait: {"shape": "box", "style": "filled,rounded", "fillcolor": ORANGE_TINT, "color": ORANGE},
    Repeat: {"shape": "hexagon", "margin": "0.02", "fillcolor": PAPER, "color": LINE},
    While: {"shape": "hexagon", "margin": "0.02", "fillcolor": BLUE_TINT, "color": BLUE},
    Decide: {"shape": "diamond", "margin": "0.02,0.02", "fillcolor": BLUE_TINT, "color": BLUE},
    Merge: {"shape": "ellipse", "margin": "0.02", "fillcolor": PAPER, "color": LINE},
    Chance: {"shape": "circle", "margin": "0.02", "fillcolor": PURPLE_TINT, "color": PURPLE},
}
BODY, THEN = "each time", "then"
"""Words on the arrows from a loop into its body, and to what follows it."""


class Node(NamedTuple):
    """A step as a node: without what it holds, and the words on the arrows to its children."""

    step: Step
    branches: tuple[str, ...]


Tree = FlatTree[Node]


def tree_of(sequence: Steps) -> Tree:
    """The execution tree of a plan: children of a step are what it holds and what follows it; positions are numbers."""
    nodes = list(_nodes(sequence, size_of(sequence)))
    return FlatTree(tuple(node for node, _ in nodes), tuple(size for _, size in nodes))


def _nodes(sequence: Steps, left: int) -> Iterator[tuple[Node, int]]:
    """The nodes of a sequence of so many steps, with the sizes of their subtrees, which end with the sequence."""
    for number, step in enumerate(sequence, start=1):
        inner = step.held
        words = _words(step)
        held = [word for word, part in zip(words, inner, strict=True) if part]
        follows = [THEN if inner else ""] if number < len(sequence) else []
        yield Node(step.holding(*(NOTHING for _ in inner)), (*held, *follows)), left
        left -= 1
        for part in inner:
            size = size_of(part)
            yield from _nodes(part, size)
            left -= size


def _words(step: Step) -> tuple[str, ...]:
    """Words on the arrows to what a step holds."""
    match step:
        case Merge():
            return step.names
        case Decide() | Chance():
            return "yes", "no"
        case _:
            return (BODY,) * len(step.held)


def sections_of(program: PlanProgram) -> Sections[Tree]:
    """The trees of all plans that have steps."""
    lone = len(program.names) == 1
    found = [
        (name or (LONE_SECTION if lone else MAIN_NAME), tree_of(plan))
        for name, plan in zip(program.names, program.plans, strict=True)
    ]
    return Sections(tuple(name for name, _ in found), tuple(tree for _, tree in found))


@dataclass(frozen=True, slots=True)
class Annotations:
    """Steps of a plan by their numbers.

    Attributes:
        dead: those that no game comes to.
        visited: how often each was executed in traced games; None without them.
    """

    dead: frozenset[int] = frozenset()
    visited: Mapping[int, int] | None = None

    def is_grey(self, position: int) -> bool:
        """Whether a step is drawn as one that does not matter."""
        return position in self.dead or (self.visited is not None and position not in self.visited)

    def remark(self, position: int) -> str:
        """Remark on a step, or nothing."""
        if position in self.dead:
            return "never reached"
        if self.visited is None:
            return ""
        count = self.visited.get(position, 0)
        return f"{count} times" if count > 1 else "" if count else "not visited"


def picture(
    program: PlanProgram,
    header: Mapping[str, str],
    primitives: PrimitiveSet | None,
    title: str,
    text: str,
) -> Picture:
    """All plans, with branches that no game takes in grey."""
    return _marked(
        program, [Annotations(dead) for dead in _dead(program, primitives)], title, text, primitives
    )


def change(parent: PlanProgram, child: PlanProgram, title: str, text: str) -> Picture:
    """Both programs laid over each other."""
    before, after = sections_of(parent), sections_of(child)
    if before.names != after.names:  # a lone plan has a name where the other program has several
        before, after = (_named(each) for each in (before, after))
    nodes = sum(len(merged.nodes) for _, merged in merged_sections(before, after, FACE))
    dot = diff_dot(before, after, caption=title, style=FACE)
    return Picture(title, dot, diff_text(before, after, FACE), nodes, text)


def traced(
    source: Any, primitives: PrimitiveSet | None, steps: Sequence[Played], name: str, place: str, until: str
) -> Picture:
    """All plans with how often each step was executed; what the games never came to is grey."""
    program, counts = source.program, executions(steps)
    annotations = [
        Annotations(dead, {number: count for (plan, number), count in counts.items() if plan == index})
        for index, dead in enumerate(_dead(program, primitives))
    ]
    title = f"{name}, {place}: what was executed" + (f" as far as {until}" if until else "")
    return _marked(program, annotations, title, source.text, primitives)


def _named(sections: Sections[Tree]) -> Sections[Tree]:
    return Sections((MAIN_NAME, *sections.names[1:]), sections.trees)


def _dead(program: PlanProgram, primitives: PrimitiveSet | None) -> list[frozenset[int]]:
    return [unreached(plan, bounds_of(primitives)) for plan in program.plans]


def _marked(
    program: PlanProgram,
    annotations: Sequence[Annotations],
    title: str,
    text: str,
    primitives: PrimitiveSet | None,
) -> Picture:
    way = "back" if program.goes_up else "forward"
    language = Language(
        look=lambda tree, position: _LOOKS[type(tree.symbols[position].step)],
        label=_label,
        words=partial(_words_of, primitives=primitives),
        branch=_branch,
        lines=_lines,
        arrows={"arrowtail": "normal", "dir": way},
    )
    return flow_chart(sections_of(program), annotations, language, title, text)


def _words_of(tree: Tree, position: int, primitives: PrimitiveSet | None) -> list[str]:
    """A step as it is written, and meanings of its action or its features where the game is known."""
    step = tree.symbols[position].step
    words = [head_text(step)]
    if primitives is None:
        return words
    if isinstance(step, Do):
        return words + [each.meaning for each in primitives.instructions if each.name == step.action]
    test = test_of(step)
    names = [each.feature for each in test.comparisons] if test else []
    return words + [sensor.meaning for name in names if (sensor := primitives.sensor(name))]


def _lines(tree: Tree, annotations: Annotations) -> list[str]:
    """A plan as lines of text, a step each; what a step holds is below it, and what follows it beside it."""
    if not len(tree):
        return []

    def held(place: tuple[int, str]) -> list[tuple[int, str]]:
        position = place[0]
        found: list[tuple[int, str]] = []
        for number, child in enumerate(tree.children(position)):
            word = _branch(tree, position, number)
            if word not in ("", THEN):
                found += [(each, word) for each in _chain(tree, child)]
        return found

    lines = []
    for branches, place in outline([(each, "") for each in _chain(tree, 0)], held):
        if isinstance(place, str):
            lines.append(branches + place)
            continue
        position, word = place
        text = f"{word}: {_name(tree, position)}" if word else _name(tree, position)
        remark = annotations.remark(position)
        lines.append(f"{branches}{text}  ({remark})" if remark else branches + text)
    return lines


def _chain(tree: Tree, position: int) -> list[int]:
    """A step and all that follow it in its sequence."""
    found = [position]
    while tree.symbols[found[-1]].branches[-1:] in (("",), (THEN,)):
        *_, last = tree.children(found[-1])
        found.append(last)
    return found


def _kind(tree: Tree, position: int) -> str:
    """Kind of a node: of another kind with other branches."""
    node = tree.symbols[position]
    return " ".join([type(node.step).__name__, *node.branches])


def _label(tree: Tree, position: int) -> str:
    match step := tree.symbols[position].step:
        case Do():
            return step.action
        case Use():
            return step.plan
        case Wait():
            return f"wait: {_test(step.test)}, at most {step.most}"
        case Repeat():
            return counted(step.times, "time")
        case While():
            return f"while {_test(step.test)}, at most {counted(step.most, 'time')}"
        case Decide():
            return _test(step.test)
        case Chance():
            return short_number(step.probability)
        case Merge():
            return "merge"


def _test(test: Test) -> str:
    return f" {test.join} ".join(map(_comparison, test.comparisons))


def _comparison(comparison: Comparison) -> str:
    feature = comparison.feature.removeprefix("env.")
    return f"{feature} {SIGNS[comparison.sign]} {short_number(comparison.threshold)}"


def _name(tree: Tree, position: int) -> str:
    return head_text(tree.symbols[position].step)


def _branch(tree: Tree, position: int, branch: int) -> str:
    return tree.symbols[position].branches[branch]


def _shape(tree: Tree, position: int) -> dict[str, str]:
    look = _LOOKS[type(tree.symbols[position].step)]
    return {key: value for key, value in look.items() if key in ("shape", "margin", "peripheries")}


FACE = NodeStyle(_kind, _label, _name, _branch, _shape, _name)
"""Face of plans in pictures of changes."""
