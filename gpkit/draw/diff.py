"""Diff of a parent and its child as DOT text: both trees laid over each other, shared nodes drawn once."""

from collections.abc import Mapping
from typing import Any

import graphviz

from gpkit.draw.alignment import ABSENT, Alignment, Merged, MergedNode, NodeStyle, State, align, merge
from gpkit.draw.graph import Sample, new_frame, new_graph, plain
from gpkit.draw.palette import (
    BLUE,
    BLUE_TINT,
    FAINT,
    ORANGE,
    ORANGE_TINT,
    PAPER,
    VERMILLION,
    VERMILLION_TINT,
)
from gpkit.draw.symbols import full_name, kind, label, operand_label
from gpkit.draw.tree import shape_of, tooltip
from gpkit.genomes.tree import LONE_SECTION, FlatTree, Sections

_NODES: Mapping[State, dict[str, str]] = {
    "kept": {"fillcolor": PAPER, "color": FAINT},
    "changed": {"fillcolor": ORANGE_TINT, "color": ORANGE, "penwidth": "2"},
    "removed": {"fillcolor": VERMILLION_TINT, "color": VERMILLION},
    "added": {"fillcolor": BLUE_TINT, "color": BLUE, "penwidth": "2.4"},
}
_EDGES: Mapping[State, dict[str, str]] = {
    "kept": {},
    "removed": {"color": VERMILLION, "style": "dashed"},
    "added": {"color": BLUE, "penwidth": "2"},
}
_LEGEND: Mapping[State, Sample] = {
    "kept": Sample(PAPER, FAINT, "kept"),
    "removed": Sample(VERMILLION_TINT, VERMILLION, "removed", dashed=True),
    "added": Sample(BLUE_TINT, BLUE, "added", weight=2),
    "changed": Sample(ORANGE_TINT, ORANGE, "changed", weight=2),
}


FORMULAS = NodeStyle(kind, label, full_name, operand_label, shape_of, tooltip)
"""Face of formulas."""

AnyProgram = Sections[Any]
"""Trees by section."""


def diff_dot(parent: AnyProgram, child: AnyProgram, *, caption: str = "", style: NodeStyle = FORMULAS) -> str:
    """Diff of ``parent`` and ``child``, section by section, as DOT text.

    Removed nodes and edges are dashed, added ones heavy, and each has its colour. A subtree that was moved is drawn
    once, its old edge removed and its new one added. A section that only one of the programs has is removed or added.
    """
    sections = merged_sections(parent, child, style)
    states = {node.state for _, merged in sections for node in merged.nodes.values()}
    graph = new_graph(caption, [sample for state, sample in _LEGEND.items() if state in states])
    for index, (name, merged) in enumerate(sections):
        frame = new_frame(index, name) if name != LONE_SECTION else graph
        _add_merged(frame, f"t{index}", merged, style)
        if frame is not graph:
            graph.subgraph(frame)
    source: str = graph.source
    return source


def merged_sections(
    parent: AnyProgram, child: AnyProgram, style: NodeStyle = FORMULAS
) -> list[tuple[str, Merged]]:
    """The sections of both programs laid over each other: the child's in its order, then those that it lost."""
    sections = []
    for name, tree in zip(child.names, child.trees, strict=True):
        before = parent.tree(name) if name in parent.names else _EMPTY
        sections.append((name, merge(_align(before, tree, style))))
    for name, tree in zip(parent.names, parent.trees, strict=True):
        if name not in child.names:
            sections.append((name, merge(_align(tree, _EMPTY, style))))
    return sections


_EMPTY: FlatTree[Any] = FlatTree((), ())


def _align(parent: FlatTree[Any], child: FlatTree[Any], style: NodeStyle) -> Alignment:
    if len(parent) and len(child):
        return align(parent, child, style.kind)
    return Alignment(parent, child, (ABSENT,) * len(parent), (ABSENT,) * len(child))


def _label(merged: Merged, node: MergedNode, style: NodeStyle) -> str:
    shown = style.label(node.tree, node.position)
    if node.before is None:
        return shown
    return f"{style.label(merged.parent, node.before)} \N{RIGHTWARDS ARROW} {shown}"


def _add_merged(graph: graphviz.Digraph, prefix: str, merged: Merged, style: NodeStyle) -> None:
    for node in merged.nodes.values():
        attributes = style.shape(node.tree, node.position) | _NODES[node.state]
        details = style.tooltip(node.tree, node.position)
        if node.before is not None:
            details = f"{style.tooltip(merged.parent, node.before)} \N{RIGHTWARDS ARROW} {details}"
        if node.state == "removed":
            attributes["style"] = attributes.get("style", "filled") + ",dashed"
        attributes["tooltip"] = plain(f"{node.state}: {details}")
        graph.node(prefix + node.name, plain(_label(merged, node, style)), _attributes=attributes)
    for node in merged.nodes.values():
        operand = 0
        for name, state in node.operands:
            attributes = dict(_EDGES[state])
            if state != "removed":
                if word := style.branch(node.tree, node.position, operand):
                    attributes["label"] = plain(word)
                operand += 1
            graph.edge(prefix + node.name, prefix + name, _attributes=attributes)
