"""Flow charts: a tree for each section with words on its arrows; what is never reached or was not visited is grey."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import graphviz

from gpkit.core.primitives import PrimitiveSet
from gpkit.core.wording import counted
from gpkit.draw.alignment import NodeStyle
from gpkit.draw.graph import Picture, Sample, framed, headings, new_graph, plain
from gpkit.draw.palette import FAINT, INK, MIST, PALE, PAPER
from gpkit.draw.symbols import short_number
from gpkit.draw.text import in_blocks, outline
from gpkit.draw.tree import GREYED
from gpkit.genomes.tree import FlatTree, Sections
from gpkit.langkit.nodes import Texts

SIGNS: Mapping[str, str] = {
    "<=": "\N{LESS-THAN OR EQUAL TO}",
    ">=": "\N{GREATER-THAN OR EQUAL TO}",
    "!=": "\N{NOT EQUAL TO}",
    "==": "=",
    "<": "<",
    ">": ">",
}

_LOST = {"color": PALE, "fontcolor": FAINT}


@dataclass(frozen=True, slots=True)
class FlowAnnotations:
    """Nodes of a tree by position.

    Attributes:
        dead: those that nothing leads to.
        visited: how often each counted in traced games; None without them.
        values: what nodes saw for the candidate that won last.
    """

    dead: frozenset[int] = frozenset()
    visited: Mapping[int, int] | None = None
    values: Mapping[int, float] = field(default_factory=dict)

    def is_grey(self, position: int) -> bool:
        """Whether a node is drawn as one that does not matter."""
        return position in self.dead or (self.visited is not None and position not in self.visited)

    def remark(self, position: int) -> str:
        """Remark on a node, or nothing."""
        if position in self.dead:
            return "never reached"
        count = 1 if self.visited is None else self.visited.get(position, 0)
        return f"{count} times" if count > 1 else "" if count else "not visited"


Place = tuple[int, str]
"""A node of a text, and the word on the arrow to it."""


@dataclass(frozen=True, slots=True)
class FlowStyle:
    """Nodes of a language in flow charts; each function takes a tree, and most the position of a node in it.

    Attributes:
        looks: DOT attributes of nodes by their kind.
        kind: of a node.
        same: only nodes of which this is equal can be one node that changed.
        label: text in a node.
        name: the same in full.
        branch: word on the arrow to one of its children, or nothing.
        meanings: of what a node reads and asks for, where the game is known.
        first, held: the nodes at the left of a text, and those below one.
        arrows: DOT attributes of all arrows.
    """

    looks: Mapping[str, dict[str, str]]
    kind: Callable[[Any, int], str]
    same: Callable[[Any, int], str]
    label: Callable[[Any, int], str]
    name: Callable[[Any, int], str]
    branch: Callable[[Any, int, int], str]
    meanings: Callable[[Any, int, PrimitiveSet], Sequence[str]]
    first: Callable[[Any], Sequence[Place]]
    held: Callable[[Any, int], Sequence[Place]]
    arrows: Mapping[str, str] = field(default_factory=dict)

    @property
    def node_style(self) -> NodeStyle:
        """Face of the language in pictures of changes."""
        return NodeStyle(self.same, self.label, self.name, self.branch, self._shape, self.name)

    def _shape(self, tree: Any, position: int) -> dict[str, str]:
        look = self.looks[self.kind(tree, position)]
        return {key: look[key] for key in ("shape", "margin", "peripheries") if key in look}

    def lines(self, tree: Any, annotations: FlowAnnotations) -> Iterator[str]:
        """A tree as lines of text, a node each, with values and remarks."""
        for branches, place in outline(self.first(tree), lambda place: self.held(tree, place[0])):
            if isinstance(place, str):
                yield branches + place
                continue
            position, word = place
            text = f"{word}: " * bool(word) + self.name(tree, position)
            if position in annotations.values and tree.sizes[position] > 1:
                text += f" = {annotations.values[position]!r}"
            remark = annotations.remark(position)
            yield f"{branches}{text}" + f"  ({remark})" * bool(remark)


LABELS: Texts = {
    "feature": lambda name: name.removeprefix("env."),
    "sign": SIGNS.__getitem__,
    float: short_number,
    int: lambda count, unit="": counted(count, unit) if unit else str(count),
}
"""Texts of the fields of nodes in their labels."""


def flow_chart(
    sections: Sections[Any],
    annotations: Sequence[FlowAnnotations],
    style: FlowStyle,
    primitives: PrimitiveSet | None,
    title: str,
    source: str,
) -> Picture:
    """All trees of a program, in frames where there are several, with what is known of their nodes.

    Args:
        sections: the trees by the names of their sections.
        annotations: what is known of the nodes of each tree.
        style: how nodes are drawn.
        primitives: what the game offers; None when no game is known.
        title: below the chart.
        source: text of the program.
    """
    graph = new_graph(title, [*_legend(annotations)])
    graph.attr("edge", arrowhead="normal", arrowsize="0.7", _attributes=dict(style.arrows))
    parts = [*zip(headings(sections.names), sections.trees, annotations, strict=True)]
    for index, (heading, tree, known) in enumerate(parts):
        with framed(graph, index, heading) as frame:
            _add_tree(frame, f"t{index}n", tree, known, style, primitives)
    text = in_blocks((heading, style.lines(tree, known)) for heading, tree, known in parts)
    return Picture(title, graph.source, text, sum(map(len, sections.trees)), source)


def _add_tree(
    graph: graphviz.Digraph,
    prefix: str,
    tree: FlatTree[Any],
    annotations: FlowAnnotations,
    style: FlowStyle,
    primitives: PrimitiveSet | None,
) -> None:
    for position in range(len(tree)):
        look = style.looks[style.kind(tree, position)]
        attributes = dict(look) | (GREYED if annotations.is_grey(position) else {})
        if position in annotations.dead:
            attributes["style"] = attributes.get("style", "filled") + ",dashed"
        meanings = style.meanings(tree, position, primitives) if primitives else ()
        words = [style.name(tree, position), *meanings, annotations.remark(position)]
        attributes["tooltip"] = plain("; ".join(filter(None, words)))
        graph.node(f"{prefix}{position}", plain(style.label(tree, position)), _attributes=attributes)
    for position in range(len(tree)):
        for branch, child in enumerate(tree.children(position)):
            attributes = dict(_LOST) if annotations.is_grey(child) else {"color": INK, "fontcolor": INK}
            if word := style.branch(tree, position, branch):
                attributes["label"] = plain(f" {word} ")
            graph.edge(f"{prefix}{position}", f"{prefix}{child}", _attributes=attributes)


def _legend(annotations: Sequence[FlowAnnotations]) -> Iterator[Sample]:
    if any(known.dead for known in annotations):
        yield Sample(MIST, PALE, "never reached", dashed=True)
    if any(known.visited is not None for known in annotations):
        yield Sample(PAPER, INK, "visited")
        yield Sample(MIST, PALE, "not visited")
