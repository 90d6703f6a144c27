"""Diff of a parent and its child as DOT text: both trees laid over each other, shared nodes drawn once."""

from collections.abc import Mapping
from typing import Any

import graphviz

from gpkit.draw.alignment import Alignment, Merged, NodeStyle, State, merge
from gpkit.draw.graph import Sample, framed, new_graph, plain
from gpkit.draw.palette import BLUE, FAINT, ORANGE, PAPER, TINTS, VERMILLION, tinted
from gpkit.draw.symbols import full_name, kind, label, operand_label
from gpkit.draw.tree import shape_of, tooltip
from gpkit.genomes.tree import LONE_SECTION, FlatTree, Sections

_NODES: Mapping[State, dict[str, str]] = {
    "kept": tinted(FAINT),
    "changed": tinted(ORANGE) | {"penwidth": "2"},
    "removed": tinted(VERMILLION),
    "added": tinted(BLUE) | {"penwidth": "2.4"},
}
_EDGES: Mapping[State, dict[str, str]] = {
    "kept": {},
    "removed": {"color": VERMILLION, "style": "dashed"},
    "added": {"color": BLUE, "penwidth": "2"},
}
_LEGEND: Mapping[State, Sample] = {
    "kept": Sample(PAPER, FAINT, "kept"),
    "removed": Sample(TINTS[VERMILLION], VERMILLION, "removed", dashed=True),
    "added": Sample(TINTS[BLUE], BLUE, "added", weight=2),
    "changed": Sample(TINTS[ORANGE], ORANGE, "changed", weight=2),
}


FORMULAS = NodeStyle(kind, label, full_name, operand_label, shape_of, tooltip)

AnyProgram = Sections[Any]


def diff_dot(parent: AnyProgram, child: AnyProgram, *, caption: str = "", style: NodeStyle = FORMULAS) -> str:
    """Diff of ``parent`` and ``child``, section by section, as DOT text.

    Removed nodes and edges are dashed, added ones heavy, and each has its colour. A subtree that was moved is drawn
    once, its old edge removed and its new one added. A section that only one of the programs has is removed or added.
    """
    sections = merged_sections(parent, child, style)
    states = {node.state for _, merged in sections for node in merged.nodes.values()}
    graph = new_graph(caption, [sample for state, sample in _LEGEND.items() if state in states])
    for index, (heading, merged) in enumerate(sections):
        with framed(graph, index, heading) as frame:
            _add_merged(frame, f"t{index}", merged, style)
    return str(graph.source)


def merged_sections(
    parent: AnyProgram, child: AnyProgram, style: NodeStyle = FORMULAS
) -> list[tuple[str, Merged]]:
    """The sections of both programs laid over each other, by their headings: the child's, then those that it lost.

    The heading of a lone tree is empty.
    """
    before, after = (dict(zip(each.names, each.trees, strict=True)) for each in (parent, child))
    return [
        (
            "" if name == LONE_SECTION else name,
            merge(Alignment(before.get(name, _EMPTY), after.get(name, _EMPTY), style.kind)),
        )
        for name in after | before
    ]


_EMPTY: FlatTree[Any] = FlatTree((), ())


def _add_merged(graph: graphviz.Digraph, prefix: str, merged: Merged, style: NodeStyle) -> None:
    for name, node in merged.nodes.items():
        attributes = style.shape(node.tree, node.position) | _NODES[node.state]
        details, label = style.tooltip(node.tree, node.position), style.label(node.tree, node.position)
        if node.before is not None:
            details = f"{style.tooltip(merged.parent, node.before)} \N{RIGHTWARDS ARROW} {details}"
            label = f"{style.label(merged.parent, node.before)} \N{RIGHTWARDS ARROW} {label}"
        if node.state == "removed":
            attributes["style"] = attributes.get("style", "filled") + ",dashed"
        attributes["tooltip"] = plain(f"{node.state}: {details}")
        graph.node(prefix + name, plain(label), _attributes=attributes)
    for above, node in merged.nodes.items():
        operand = 0
        for name, state in node.operands:
            attributes = dict(_EDGES[state])
            if state != "removed":
                if word := style.branch(node.tree, node.position, operand):
                    attributes["label"] = plain(word)
                operand += 1
            graph.edge(prefix + above, prefix + name, _attributes=attributes)
