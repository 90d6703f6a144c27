"""Programs of formulas as DOT text: pure functions, nothing is rendered here.

Operators are round with their sign, sensors boxes with round corners, constants boxes, the random terminal a hexagon.
Operands keep their order from left to right. No text of a program reaches any attribute but labels and tooltips, and
those escaped.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import graphviz

from gpkit.draw.graph import Sample, framed, headings, new_graph, plain, two_lines
from gpkit.draw.palette import BLUE, FAINT, GREEN, INK, MIST, ORANGE, PALE, PAPER, PURPLE, tinted
from gpkit.draw.symbols import NO_ANNOTATIONS, Annotations, Kind, kind, label, operand_label, short_number
from gpkit.genomes.tree import Tree, TreeProgram, is_constant

NO_MEANINGS: Mapping[str, str] = MappingProxyType({})


SHAPES: Mapping[Kind, dict[str, str]] = {
    "operator": {"shape": "ellipse", "margin": "0.01", "width": "0.44", "height": "0.44"},
    "sensor": {"shape": "box", "style": "rounded,filled"},
    "constant": {"shape": "box"},
    "random": {"shape": "hexagon", "margin": "0"},
}
"""The shape of every kind of node, beside the defaults of all pictures."""

_COLOURS: Mapping[Kind, str] = {"operator": INK, "sensor": BLUE, "constant": ORANGE, "random": PURPLE}
GREYED = {"fillcolor": MIST, "color": PALE, "fontcolor": FAINT}
_STRONG = "2"


def program_dot(
    program: TreeProgram,
    annotations: Sequence[Annotations] = (),
    *,
    caption: str = "",
    meanings: Mapping[str, str] = NO_MEANINGS,
) -> str:
    """The picture of a program as DOT text: every section in a frame of its own, a lone formula without one.

    Args:
        annotations: one for each formula of the program, or none at all.
        caption: a line of plain text below the picture.
        meanings: what sensors and operators mean, by name; shown in tooltips.
    """
    annotations = annotations or [NO_ANNOTATIONS] * len(program.trees)
    graph = new_graph(caption, [*_legend(annotations)])
    parts = zip(headings(program.names), program.trees, annotations, strict=True)
    for index, (heading, tree, known) in enumerate(parts):
        with framed(graph, index, heading) as frame:
            _add_tree(frame, f"t{index}n", tree, known, meanings)
    return str(graph.source)


def shape_of(tree: Tree, position: int) -> dict[str, str]:
    """The DOT attributes that tell the kind of a node by its form; a sign of one letter is larger."""
    what = kind(tree, position)
    large = {"fontsize": "16"} if what == "operator" and len(label(tree, position)) == 1 else {}
    return {**SHAPES[what], **large}


def tooltip(
    tree: Tree,
    position: int,
    annotations: Annotations = NO_ANNOTATIONS,
    meanings: Mapping[str, str] = NO_MEANINGS,
) -> str:
    """Everything about a node that its label is too small for: full names, full digits, size and marks."""
    symbol = tree.symbols[position]
    words = [repr(symbol) if is_constant(symbol) else symbol]
    if not is_constant(symbol) and symbol in meanings:
        words.append(meanings[symbol])
    if tree.sizes[position] > 1:
        words.append(f"{tree.sizes[position]} nodes")
    if position in annotations.redundant:
        words.append("cannot change the result")
    elif position in annotations.constant:
        words.append("always the same value")
    if position in annotations.values:
        words.append(f"= {annotations.values[position]!r}")
    return "; ".join(words)


def _add_tree(
    graph: graphviz.Digraph, prefix: str, tree: Tree, annotations: Annotations, meanings: Mapping[str, str]
) -> None:
    for position in range(len(tree)):
        attributes = _node_attributes(tree, position, annotations)
        attributes["tooltip"] = plain(tooltip(tree, position, annotations, meanings))
        shown = plain(label(tree, position))
        if position in annotations.values and not is_constant(tree.symbols[position]):
            shown = two_lines(label(tree, position), short_number(annotations.values[position]), GREEN)
        graph.node(f"{prefix}{position}", shown, _attributes=attributes)
    for position in range(len(tree)):
        for operand, child in enumerate(tree.children(position)):
            attributes = _edge_attributes(position, child, annotations)
            if name := operand_label(tree, position, operand):
                attributes["label"] = plain(name)
            graph.edge(f"{prefix}{position}", f"{prefix}{child}", _attributes=attributes)


def _node_attributes(tree: Tree, position: int, annotations: Annotations) -> dict[str, str]:
    attributes = shape_of(tree, position) | tinted(_COLOURS[kind(tree, position)])
    if position in annotations.redundant:
        attributes |= GREYED | {"style": attributes.get("style", "filled") + ",dashed"}
    elif position in annotations.constant:
        attributes |= GREYED
    if annotations.executed is not None:
        attributes |= {"penwidth": _STRONG} if position in annotations.executed else GREYED
    return attributes


def _edge_attributes(position: int, child: int, annotations: Annotations) -> dict[str, str]:
    if annotations.executed is not None:
        both = position in annotations.executed and child in annotations.executed
        return {"penwidth": _STRONG, "color": INK} if both else {"color": PALE}
    return {"color": PALE} if child in annotations.constant or child in annotations.redundant else {}


def _legend(annotations: Sequence[Annotations]) -> Iterator[Sample]:
    if any(m.constant for m in annotations):
        yield Sample(MIST, PALE, "always the same value")
    if any(m.redundant for m in annotations):
        yield Sample(MIST, PALE, "cannot change the result", dashed=True)
    if any(m.executed is not None for m in annotations):
        yield Sample(PAPER, INK, "executed", weight=2)
        yield Sample(MIST, PALE, "not executed")
