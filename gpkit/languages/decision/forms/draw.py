"""Decision trees as pictures: tests as diamonds, chances as circles, leaves as boxes; dead branches are grey."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gpkit.core.primitives import PrimitiveSet
from gpkit.draw.diff import diff_dot, merged_sections
from gpkit.draw.flow_chart import SIGNS, Language, flow_chart
from gpkit.draw.node_style import NodeStyle
from gpkit.draw.palette import (
    BLUE,
    BLUE_TINT,
    GREEN,
    GREEN_TINT,
    PURPLE,
    PURPLE_TINT,
)
from gpkit.draw.picture import Picture
from gpkit.draw.symbols import short_number
from gpkit.draw.text import diff_text, outline
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import Chance, DecisionProgram, DecisionTree, Leaf, Switch
from gpkit.genomes.tree import Sections
from gpkit.languages.decision.printer import head, labels
from gpkit.languages.decision.reachability import unreached
from gpkit.playing.trace import Evaluation, Step, coverage

_LOOKS: Mapping[str, dict[str, str]] = {
    "test": {"shape": "diamond", "margin": "0.02,0.02", "fillcolor": BLUE_TINT, "color": BLUE},
    "switch": {"shape": "diamond", "margin": "0.02,0.02", "fillcolor": BLUE_TINT, "color": BLUE},
    "chance": {"shape": "circle", "margin": "0.02", "fillcolor": PURPLE_TINT, "color": PURPLE},
    "leaf": {"shape": "box", "fillcolor": GREEN_TINT, "color": GREEN},
}


@dataclass(frozen=True, slots=True)
class Annotations:
    """Nodes of a tree by position.

    Attributes:
        dead: those that no inputs lead to.
        visited: those that counted in a traced game; None without one.
        values: what nodes saw for the candidate that won last.
    """

    dead: frozenset[int] = frozenset()
    visited: frozenset[int] | None = None
    values: Mapping[int, float] | None = None

    def is_grey(self, position: int) -> bool:
        """Whether a node is drawn as one that does not matter."""
        return position in self.dead or (self.visited is not None and position not in self.visited)

    def remark(self, position: int) -> str:
        """Remark on a node, or nothing."""
        if position in self.dead:
            return "never reached"
        return "not visited" if self.is_grey(position) else ""


def picture(
    program: DecisionProgram,
    header: Mapping[str, str],
    primitives: PrimitiveSet | None,
    title: str,
    text: str,
) -> Picture:
    """All trees, with branches that no inputs reach in grey."""
    return _marked(
        program, [Annotations(_dead(tree, primitives)) for tree in program.trees], title, text, primitives
    )


def change(parent: DecisionProgram, child: DecisionProgram, title: str, text: str) -> Picture:
    """Both programs laid over each other."""
    nodes = sum(len(merged.nodes) for _, merged in merged_sections(parent, child, FACE))
    dot = diff_dot(parent, child, caption=title, style=FACE)
    return Picture(title, dot, diff_text(parent, child, FACE), nodes, text)


def traced(
    source: Any, primitives: PrimitiveSet | None, steps: Sequence[Step], name: str, place: str, until: str
) -> Picture:
    """All trees with what the game visited, for any candidate; what it never came to is grey."""
    program, found = source.program, coverage(steps)
    annotations = []
    for section, tree in zip(program.names, program.trees, strict=True):
        seen = found.get(section)
        visited, values = (seen.executed, seen.values) if seen else (frozenset[int](), {})
        annotations.append(Annotations(_dead(tree, primitives), visited, values))
    title = f"{name}, {place}: what the game visited" + (f" as far as {until}" if until else "")
    return _marked(program, annotations, title, source.text, primitives)


def valued_text(evaluation: Evaluation) -> str:
    """The tree as text with what its nodes saw in an evaluation."""
    values = evaluation.node_values()
    annotations = Annotations(visited=frozenset(values), values=values)
    return "\n".join([evaluation.section, *_lines(evaluation.tree, annotations)])


def _dead(tree: DecisionTree, primitives: PrimitiveSet | None) -> frozenset[int]:
    return unreached(tree, primitives.sensors if primitives else ())


def _marked(
    program: DecisionProgram,
    annotations: Sequence[Annotations],
    title: str,
    text: str,
    primitives: PrimitiveSet | None,
) -> Picture:
    language = Language(
        look=lambda tree, position: _LOOKS[_look(tree, position)],
        label=_label,
        words=partial(_words, primitives=primitives),
        branch=_branch,
        lines=_lines,
        arrows={},
    )
    return flow_chart(Sections(program.names, program.trees), annotations, language, title, text)


def _words(tree: DecisionTree, position: int, primitives: PrimitiveSet | None) -> list[str]:
    """A node as it is written, and the meaning of its feature where the game is known."""
    node = tree.symbols[position]
    sensor = primitives.sensor(node.feature) if primitives and isinstance(node, Comparison | Switch) else None
    return [head(node), *([sensor.meaning] if sensor else [])]


def _lines(tree: DecisionTree, annotations: Annotations) -> list[str]:
    """A tree as lines of text, a node each."""

    def below(place: tuple[int, str]) -> list[tuple[int, str]]:
        position = place[0]
        return [(child, _branch(tree, position, k)) for k, child in enumerate(tree.children(position))]

    lines = []
    for branches, place in outline([(0, "")], below):
        if isinstance(place, str):
            lines.append(branches + place)
            continue
        position, label = place
        text = f"{label}: {_name(tree, position)}" if label else _name(tree, position)
        if (
            annotations.values
            and position in annotations.values
            and not isinstance(tree.symbols[position], Leaf)
        ):
            text += f" = {annotations.values[position]!r}"
        remark = annotations.remark(position)
        lines.append(f"{branches}{text}  ({remark})" if remark else branches + text)
    return lines


def _look(tree: DecisionTree, position: int) -> str:
    node = tree.symbols[position]
    return "leaf" if isinstance(node, Leaf) else type(node).__name__.lower()


def _kind(tree: DecisionTree, position: int) -> str:
    """Kind of a node: a switch of another number of intervals is of another kind."""
    return f"{_look(tree, position)} {tree.arity(position)}"


def _label(tree: DecisionTree, position: int) -> str:
    match node := tree.symbols[position]:
        case Comparison():
            feature = node.feature.removeprefix("env.")
            return f"{feature} {SIGNS[node.sign]} {short_number(node.threshold)}"
        case Switch():
            return node.feature.removeprefix("env.")
        case Chance():
            return short_number(node.probability)
        case str():
            return node
        case _:
            return short_number(node)


def _name(tree: DecisionTree, position: int) -> str:
    return head(tree.symbols[position])


def _branch(tree: DecisionTree, position: int, branch: int) -> str:
    return labels(tree.symbols[position])[branch].removesuffix(".0")


def _shape(tree: DecisionTree, position: int) -> dict[str, str]:
    return {key: value for key, value in _LOOKS[_look(tree, position)].items() if key in ("shape", "margin")}


FACE = NodeStyle(_kind, _label, _name, _branch, _shape, _name)
"""Face of decision trees in pictures of changes."""
