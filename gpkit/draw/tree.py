"""Programs of formulas as DOT text: pure functions, nothing is rendered here.

Operators are round with their sign, sensors boxes with round corners, constants boxes, the random terminal a hexagon.
Operands keep their order from left to right. No text of a program reaches any attribute but labels and tooltips, and
those escaped.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import graphviz

from gpkit.draw.graph import Sample, new_frame, new_graph, plain, two_lines
from gpkit.draw.marks import NO_MARKS, Marks
from gpkit.draw.palette import (
    BLUE,
    BLUE_TINT,
    FAINT,
    GREEN,
    INK,
    MIST,
    ORANGE,
    ORANGE_TINT,
    PALE,
    PAPER,
    PURPLE,
    PURPLE_TINT,
)
from gpkit.draw.signs import Kind, kind, label, operand_label, short_number
from gpkit.genomes.tree import LONE_SECTION, Tree, TreeProgram

NO_MEANINGS: Mapping[str, str] = MappingProxyType({})


SHAPES: Mapping[Kind, dict[str, str]] = {
    "operator": {"shape": "ellipse", "margin": "0.01", "width": "0.44", "height": "0.44"},
    "sensor": {"shape": "box", "style": "rounded,filled"},
    "constant": {"shape": "box"},
    "random": {"shape": "hexagon", "margin": "0"},
}
"""The shape of every kind of node, beside the defaults of all pictures."""

_COLOURS: Mapping[Kind, dict[str, str]] = {
    "operator": {"fillcolor": PAPER, "color": INK},
    "sensor": {"fillcolor": BLUE_TINT, "color": BLUE},
    "constant": {"fillcolor": ORANGE_TINT, "color": ORANGE},
    "random": {"fillcolor": PURPLE_TINT, "color": PURPLE},
}
_GREYED = {"fillcolor": MIST, "color": PALE, "fontcolor": FAINT}
_STRONG = "2"


def program_dot(
    program: TreeProgram,
    marks: Sequence[Marks] = (),
    *,
    caption: str = "",
    meanings: Mapping[str, str] = NO_MEANINGS,
) -> str:
    """The picture of a program as DOT text: every section in a frame of its own, a lone formula without one.

    Args:
        marks: one for each formula of the program, or none at all.
        caption: a line of plain text below the picture.
        meanings: what sensors and operators mean, by name; shown in tooltips.
    """
    marks = marks or [NO_MARKS] * len(program.trees)
    graph = new_graph(caption, _legend(marks))
    for index, (name, tree, known) in enumerate(zip(program.names, program.trees, marks, strict=True)):
        frame = new_frame(index, name) if program.names != (LONE_SECTION,) else graph
        _add_tree(frame, f"t{index}n", tree, known, meanings)
        if frame is not graph:
            graph.subgraph(frame)
    source: str = graph.source
    return source


def shape_of(tree: Tree, position: int) -> dict[str, str]:
    """The DOT attributes that tell the kind of a node by its form; a sign of one letter is larger."""
    what = kind(tree, position)
    large = {"fontsize": "16"} if what == "operator" and len(label(tree, position)) == 1 else {}
    return {**SHAPES[what], **large}


def tooltip(
    tree: Tree, position: int, marks: Marks = NO_MARKS, meanings: Mapping[str, str] = NO_MEANINGS
) -> str:
    """Everything about a node that its label is too small for: full names, full digits, size and marks."""
    symbol = tree.symbols[position]
    words = [repr(symbol) if isinstance(symbol, float) else symbol]
    if isinstance(symbol, str) and symbol in meanings:
        words.append(meanings[symbol])
    if tree.sizes[position] > 1:
        words.append(f"{tree.sizes[position]} nodes")
    if position in marks.redundant:
        words.append("cannot change the result")
    elif position in marks.constant:
        words.append("always the same value")
    if position in marks.values:
        words.append(f"= {marks.values[position]!r}")
    return "; ".join(words)


def _add_tree(
    graph: graphviz.Digraph, prefix: str, tree: Tree, marks: Marks, meanings: Mapping[str, str]
) -> None:
    for position in range(len(tree)):
        attributes = _node_attributes(tree, position, marks)
        attributes["tooltip"] = plain(tooltip(tree, position, marks, meanings))
        graph.node(f"{prefix}{position}", _node_label(tree, position, marks), _attributes=attributes)
    for position in range(len(tree)):
        for operand, child in enumerate(tree.children(position)):
            attributes = _edge_attributes(position, child, marks)
            if name := operand_label(tree, position, operand):
                attributes["label"] = plain(name)
            graph.edge(f"{prefix}{position}", f"{prefix}{child}", _attributes=attributes)


def _node_label(tree: Tree, position: int, marks: Marks) -> str:
    shown = label(tree, position)
    if position not in marks.values or isinstance(tree.symbols[position], float):
        return plain(shown)
    return two_lines(shown, short_number(marks.values[position]), GREEN)


def _node_attributes(tree: Tree, position: int, marks: Marks) -> dict[str, str]:
    attributes = shape_of(tree, position) | _COLOURS[kind(tree, position)]
    if position in marks.redundant:
        attributes |= _GREYED | {"style": attributes.get("style", "filled") + ",dashed"}
    elif position in marks.constant:
        attributes |= _GREYED
    if marks.executed is not None:
        attributes |= {"penwidth": _STRONG} if position in marks.executed else _GREYED
    return attributes


def _edge_attributes(position: int, child: int, marks: Marks) -> dict[str, str]:
    if marks.executed is not None:
        both = position in marks.executed and child in marks.executed
        return {"penwidth": _STRONG, "color": INK} if both else {"color": PALE}
    return {"color": PALE} if child in marks.constant or child in marks.redundant else {}


def _legend(marks: Sequence[Marks]) -> list[Sample]:
    legend = []
    if any(m.constant for m in marks):
        legend.append(Sample(MIST, PALE, "always the same value"))
    if any(m.redundant for m in marks):
        legend.append(Sample(MIST, PALE, "cannot change the result", dashed=True))
    if any(m.executed is not None for m in marks):
        legend.append(Sample(PAPER, INK, "executed", weight=2))
        legend.append(Sample(MIST, PALE, "not executed"))
    return legend
