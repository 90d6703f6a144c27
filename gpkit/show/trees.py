"""Trees in DOT and in text: formulas, flow charts with words on their arrows, and differences between trees.

Operators are circles with a sign, sensors are rounded boxes, constants are boxes, and the random terminal is a hexagon.
Calls of functions are double boxes; each function has a frame. Operands keep their order from left to right. A
program's text appears only in labels and tooltips, and it is escaped there.

Two trees are aligned from the top by the kinds of their nodes, and then merged into one graph.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import graphviz

from gpkit.core.primitives import PrimitiveSet
from gpkit.core.wording import counted
from gpkit.genomes.tree import LONE_SECTION, FlatTree, Sections, Tree, TreeProgram, is_constant
from gpkit.langkit.formulas import print_formula
from gpkit.langkit.nodes import Texts
from gpkit.show.graph import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    MIST,
    NO_ANNOTATIONS,
    ORANGE,
    PALE,
    PAPER,
    PURPLE,
    TINTS,
    VERMILLION,
    Annotations,
    Kind,
    Picture,
    Sample,
    framed,
    full_name,
    headings,
    kind,
    label,
    new_graph,
    operand_label,
    plain,
    short_number,
    tinted,
    two_lines,
)

NO_MEANINGS: Mapping[str, str] = MappingProxyType({})


SHAPES: Mapping[Kind, dict[str, str]] = {
    "operator": {"shape": "ellipse", "margin": "0.01", "width": "0.44", "height": "0.44"},
    "sensor": {"shape": "box", "style": "rounded,filled"},
    "constant": {"shape": "box"},
    "random": {"shape": "hexagon", "margin": "0"},
    "function": {"shape": "box", "peripheries": "2"},
}
"""The shape for each kind of node; other attributes are the defaults of all pictures."""

_COLOURS: Mapping[Kind, str] = {
    "operator": INK,
    "sensor": BLUE,
    "constant": ORANGE,
    "random": PURPLE,
    "function": INK,
}
GREYED = {"fillcolor": MIST, "color": PALE, "fontcolor": FAINT}
_STRONG = "2"


def program_dot(
    program: TreeProgram,
    annotations: Sequence[Annotations] = (),
    *,
    caption: str = "",
    meanings: Mapping[str, str] = NO_MEANINGS,
) -> str:
    """A program's picture as DOT text: every section in its own frame, or a single formula without a frame.

    Args:
        annotations: one annotation for each formula of the program, or no annotations.
        caption: a line of plain text below the picture.
        meanings: the meanings of sensors and operators, by name; shown in tooltips.
    """
    annotations = annotations or [NO_ANNOTATIONS] * len(program.trees)
    graph = new_graph(caption, [*_legend(annotations)])
    for index, (heading, tree, known) in enumerate(_parts(program, annotations)):
        with framed(graph, index, heading) as frame:
            _add_tree(frame, f"t{index}n", tree, known, meanings)
    return str(graph.source)


def _parts(
    program: TreeProgram, annotations: Sequence[Annotations]
) -> Iterator[tuple[str, Tree, Annotations]]:
    """Yield the formulas of a program, and then its functions, with their headings."""
    yield from zip(headings(program.names), program.trees, annotations, strict=True)
    for head, body in program.bodies.items():
        yield head, body, NO_ANNOTATIONS


def shape_of(tree: Tree, position: int) -> dict[str, str]:
    """The DOT attributes that show the kind of a node by its shape; a sign of one character is larger."""
    what = kind(tree, position)
    large = {"fontsize": "16"} if what == "operator" and len(label(tree, position)) == 1 else {}
    return {**SHAPES[what], **large}


def tooltip(
    tree: Tree,
    position: int,
    annotations: Annotations = NO_ANNOTATIONS,
    meanings: Mapping[str, str] = NO_MEANINGS,
) -> str:
    """The details of a node that do not fit into its label: full names, all digits, size and marks."""
    symbol = tree.symbols[position]
    size = tree.sizes[position]
    words = (
        repr(symbol) if is_constant(symbol) else symbol,
        "" if is_constant(symbol) else meanings.get(symbol, ""),
        f"{size} nodes" if size > 1 else "",
        "cannot change the result"
        if position in annotations.redundant
        else "always the same value"
        if position in annotations.constant
        else "",
        f"= {annotations.values[position]!r}" if position in annotations.values else "",
    )
    return "; ".join(filter(None, words))


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


@dataclass(frozen=True, slots=True)
class NodeStyle:
    """The look of nodes in one language; every function takes a tree and a position.

    Attributes:
        kind: the kind of a node; only nodes of the same kind can count as one changed node.
        label: the short text of a node.
        name: the full text of a node.
        branch: the label of the edge to the child with this number; empty if the order of the children is clear enough.
        shape: the DOT attributes that show the kind of a node.
        tooltip: the details that do not fit into the label.
    """

    kind: Callable[[Any, int], str]
    label: Callable[[Any, int], str]
    name: Callable[[Any, int], str]
    branch: Callable[[Any, int, int], str]
    shape: Callable[[Any, int], dict[str, str]]
    tooltip: Callable[[Any, int], str]


AnyTree = FlatTree[Any]

State = Literal["kept", "changed", "removed", "added"]

GUTTERS: Mapping[State, str] = {"kept": "  ", "changed": "~ ", "removed": "- ", "added": "+ "}
"""The marker at the start of a line in a textual diff, by the state of the line's node."""

ABSENT = -1

Item = TypeVar("Item")


def compared(
    before: Sequence[Item], after: Sequence[Item], key: Callable[[Item], object] = lambda item: item
) -> Iterator[tuple[State, Item]]:
    """Yield the items that a list kept, lost and gained, in the later list's order; ``key`` identifies the items."""
    old, new = [*map(key, before)], [*map(key, after)]
    for change, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for item in before[a:b] if change != "equal" else ():
            yield "removed", item
        for item in after[c:d]:
            yield "kept" if change == "equal" else "added", item


class Alignment:
    """The nodes that two trees share, paired in O(n log n) time.

    Equal subtrees are paired as a whole. Where the trees differ, the alignment recognises a subtree that was wrapped in
    new nodes or freed of old ones, then a change of a single symbol, then swapped operands of + and *; everything else
    counts as removed or added. Finally, a removed subtree of two nodes or more that was added elsewhere is paired as
    moved. The symbols of a pair may differ: a constant with another value, or another operator or sensor.

    Attributes:
        parent, child: the trees.
        in_child: for each node of the parent its position in the child, or ABSENT if it was removed.
        in_parent: for each node of the child its position in the parent, or ABSENT if it was added.
    """

    def __init__(self, parent: AnyTree, child: AnyTree, kind: Callable[[Any, int], str] = kind) -> None:
        """Align two trees; only nodes of the same ``kind`` can count as one changed node."""
        self.kind, self.parent, self.child = kind, parent, child
        self.parent_ids, self.child_ids = _identities((parent, child))
        self.parent_places, self.child_places = _places(self.parent_ids), _places(self.child_ids)
        self.in_child, self.in_parent = [ABSENT] * len(parent), [ABSENT] * len(child)
        todo = [(0, 0)] if len(parent) and len(child) else []
        while todo:
            p, c = todo.pop()
            if self.parent_ids[p] == self.child_ids[c]:
                self._pair_whole(p, c)
            elif (inner := _inside(self.child_places, self.parent_ids[p], child, c)) is not None:
                self._pair_whole(p, inner)
            elif (inner := _inside(self.parent_places, self.child_ids[c], parent, p)) is not None:
                self._pair_whole(inner, c)
            elif self._corresponds(p, c):
                self.in_child[p], self.in_parent[c] = c, p
                todo.extend(self._operand_pairs(p, c))
        for position in range(len(child)):
            if (origin := self._origin(position)) is not None:
                self._pair_whole(origin, position)

    def _pair_whole(self, p: int, c: int) -> None:
        for offset in range(self.parent.sizes[p]):
            self.in_child[p + offset], self.in_parent[c + offset] = c + offset, p + offset

    def _corresponds(self, p: int, c: int) -> bool:
        """Whether two nodes with different subtrees count as one node that stayed the same or changed its symbol."""
        if self.kind(self.parent, p) != self.kind(self.child, c):
            return False
        if self.parent.sizes[p] == 1 or self.parent.symbols[p] == self.child.symbols[c]:
            return True
        operands = [self.parent_ids[k] for k in self.parent.children(p)]
        others = [self.child_ids[k] for k in self.child.children(c)]
        return len(operands) == len(others) and any(a == b for a, b in zip(operands, others, strict=True))

    def _operand_pairs(self, p: int, c: int) -> list[tuple[int, int]]:
        ours, theirs = list(self.parent.children(p)), list(self.child.children(c))
        if self.parent.symbols[p] in ("+", "*"):
            before = [self.parent_ids[k] for k in ours]
            after = [self.child_ids[k] for k in theirs]
            straight = before[0] == after[0] or before[1] == after[1]
            if not straight and (before[0] == after[1] or before[1] == after[0]):
                theirs.reverse()
        return list(zip(ours, theirs, strict=True))

    def _origin(self, c: int) -> int | None:
        """The position in the parent from which an added subtree was moved; None if it was not moved."""
        size = self.child.sizes[c]
        places = self.parent_places.get(self.child_ids[c], []) if size > 1 else []
        if not places or any(k != ABSENT for k in self.in_parent[c : c + size]):
            return None
        return next((p for p in places if all(k == ABSENT for k in self.in_child[p : p + size])), None)


def _identities(trees: Sequence[AnyTree]) -> list[list[int]]:
    """A number for every node of every tree; equal subtrees have equal numbers, and different ones do not."""
    known: dict[tuple[Any, tuple[int, ...]], int] = {}
    result = []
    for tree in trees:
        ids = [0] * len(tree)
        for position in range(len(tree) - 1, -1, -1):
            ids[position] = known.setdefault(
                (tree.symbols[position], tuple(ids[child] for child in tree.children(position))), len(known)
            )
        result.append(ids)
    return result


def _places(ids: Sequence[int]) -> dict[int, list[int]]:
    """The positions of each identity, in ascending order."""
    places: dict[int, list[int]] = {}
    for position, identity in enumerate(ids):
        places.setdefault(identity, []).append(position)
    return places


def _inside(places: dict[int, list[int]], identity: int, tree: AnyTree, position: int) -> int | None:
    """The first position of an identity below ``position`` in the tree; None if there is none."""
    candidates = places.get(identity, [])
    index = bisect_right(candidates, position)
    if index < len(candidates) and candidates[index] < position + tree.sizes[position]:
        return candidates[index]
    return None


@dataclass(frozen=True, slots=True)
class MergedNode:
    """One node of two overlaid trees: its ``tree``, its ``position`` there, and its ``state`` in the comparison.

    For a node with a changed symbol, ``before`` is the parent and its position there. ``operands`` are names of nodes
    in order, with the states of the edges to them; a removed node comes before its replacement.
    """

    tree: AnyTree
    position: int
    state: State
    before: tuple[AnyTree, int] | None
    operands: tuple[tuple[str, State], ...]

    @property
    def is_root(self) -> bool:
        """Whether it is the root of its tree; there are two roots if the old one was removed."""
        return self.position == 0


Merged = dict[str, MergedNode]
"""Two overlaid trees as a graph of named nodes."""


def merge(alignment: Alignment) -> Merged:
    """The union of both trees: each shared node once, and removed and added nodes with their edges."""
    parent, child = alignment.parent, alignment.child
    names = [f"p{p}" if c == ABSENT else f"c{c}" for p, c in enumerate(alignment.in_child)]
    nodes: Merged = {}
    for p in range(len(parent)):
        if alignment.in_child[p] == ABSENT:
            nodes[f"p{p}"] = MergedNode(
                parent, p, "removed", None, tuple(_operands([names[k] for k in parent.children(p)], ()))
            )
    for c in range(len(child)):
        p = alignment.in_parent[c]
        before = [] if p == ABSENT else [names[k] for k in parent.children(p)]
        is_same = p != ABSENT and parent.symbols[p] == child.symbols[c]
        state: State = "added" if p == ABSENT else "kept" if is_same else "changed"
        operands = tuple(_operands(before, [f"c{k}" for k in child.children(c)]))
        nodes[f"c{c}"] = MergedNode(child, c, state, (parent, p) if state == "changed" else None, operands)
    return nodes


def _operands(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, State]]:
    for index in range(max(len(before), len(after))):
        if index < len(before) and before[index] not in after:
            yield before[index], "removed"
        if index < len(after):
            yield after[index], "kept" if after[index] in before else "added"


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
    """The diff of ``parent`` and ``child`` as DOT text, section by section.

    Removed nodes and edges are dashed, added ones heavy, and each state has its colour. A moved subtree is drawn once,
    with its old edge removed and its new edge added. A section that only one of the programs has is shown as removed or
    added.
    """
    sections = merged_sections(parent, child, style)
    states = {node.state for _, merged, _ in sections for node in merged.values()}
    graph = new_graph(caption, [sample for state, sample in _LEGEND.items() if state in states])
    for index, (heading, merged, known) in enumerate(sections):
        with framed(graph, index, heading) as frame:
            _add_merged(frame, f"t{index}", merged, known)
    return str(graph.source)


def merged_sections(
    parent: AnyProgram, child: AnyProgram, style: NodeStyle = FORMULAS
) -> list[tuple[str, Merged, NodeStyle]]:
    """The merged sections of both programs with headings and styles: first the child's sections, then the removed ones.

    A program with a single tree has an empty heading.
    """
    before, after = parent.parts | parent.bodies, child.parts | child.bodies
    found = list[tuple[str, Merged, NodeStyle]]()
    for name in after | before:
        known = FORMULAS if name in parent.bodies | child.bodies else style
        merged = merge(Alignment(before.get(name, _EMPTY), after.get(name, _EMPTY), known.kind))
        found.append(("" if name == LONE_SECTION else name, merged, known))
    return found


_EMPTY: FlatTree[Any] = FlatTree((), ())


def _add_merged(graph: graphviz.Digraph, prefix: str, merged: Merged, style: NodeStyle) -> None:
    for name, node in merged.items():
        attributes = style.shape(node.tree, node.position) | _NODES[node.state]
        details, label = style.tooltip(node.tree, node.position), style.label(node.tree, node.position)
        if node.before is not None:
            details = f"{style.tooltip(*node.before)} \N{RIGHTWARDS ARROW} {details}"
            label = f"{style.label(*node.before)} \N{RIGHTWARDS ARROW} {label}"
        if node.state == "removed":
            attributes["style"] = attributes.get("style", "filled") + ",dashed"
        attributes["tooltip"] = plain(f"{node.state}: {details}")
        graph.node(prefix + name, plain(label), _attributes=attributes)
    for above, node in merged.items():
        operand = 0
        for name, state in node.operands:
            attributes = dict(_EDGES[state])
            if state != "removed":
                if word := style.branch(node.tree, node.position, operand):
                    attributes["label"] = plain(word)
                operand += 1
            graph.edge(prefix + above, prefix + name, _attributes=attributes)


LEVELS = 30
"""The maximum depth of a text tree; deeper subtrees continue below under a number, so lines stay short."""

Node = TypeVar("Node")


def program_text(program: TreeProgram, annotations: Sequence[Annotations] = ()) -> str:
    """A program as a text tree, one node per line, with full names and constants.

    A subtree more than ``LEVELS`` levels down continues below under its number. The text ends with a line break.
    """
    annotations = annotations or [NO_ANNOTATIONS] * len(program.trees)
    parts = _parts(program, annotations)
    return in_blocks((heading, _tree_lines(tree, known)) for heading, tree, known in parts)


def in_blocks(parts: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Parts as one text, with empty lines between them; each part has lines below a heading, which may be empty."""
    blocks = ("\n".join([heading, *lines] if heading else lines) for heading, lines in parts)
    return "\n\n".join(blocks) + "\n"


def diff_text(parent: AnyProgram, child: AnyProgram, style: NodeStyle = FORMULAS) -> str:
    """The diff of ``parent`` and ``child`` as a text tree: removed lines begin with -, added lines with +, and changed
    lines with ~.

    If a kept subtree was moved away, a line says so, without the subtree.
    """
    sections = merged_sections(parent, child, style)
    return in_blocks((heading, _merged_lines(merged, known)) for heading, merged, known in sections)


def change_picture(
    parent: AnyProgram, child: AnyProgram, title: str, text: str, style: NodeStyle = FORMULAS
) -> Picture:
    """Two overlaid programs as a graph and as text; ``text`` is the listing of the child."""
    nodes = sum(len(merged) for _, merged, _ in merged_sections(parent, child, style))
    dot = diff_dot(parent, child, caption=title, style=style)
    return Picture(title, dot, diff_text(parent, child, style), nodes, text)


def _tree_lines(tree: Tree, annotations: Annotations) -> Iterator[str]:
    """The lines of a formula; a node does not repeat the remark of the node directly above it."""
    operands = [[*tree.children(position)] for position in range(len(tree))]
    remarks = [_remark(position, annotations) for position in range(len(tree))]
    labels, above = [""] * len(tree), [""] * len(tree)
    for node, children in enumerate(operands):
        for place, child in enumerate(children):
            labels[child], above[child] = operand_label(tree, node, place), remarks[node]

    def line(branch: str, position: int) -> str:
        remark, is_known = remarks[position], position in annotations.values
        return "".join(
            (
                branch,
                f"{labels[position]}: " * bool(labels[position]),
                full_name(tree, position),
                f" = {annotations.values.get(position)!r}"
                * (is_known and not is_constant(tree.symbols[position])),
                f"  ({remark})" * bool(remark and remark != above[position]),
            )
        )

    return outline([0], operands.__getitem__, line)


def _remark(position: int, annotations: Annotations) -> str:
    if annotations.executed is not None and position not in annotations.executed:
        return "not executed"
    if position in annotations.redundant:
        return "cannot change the result"
    return "always the same value" if position in annotations.constant else ""


_Visit = tuple[str, bool]
"""The name of a node in two merged formulas, and whether the node is kept elsewhere."""


def _merged_lines(merged: Merged, style: NodeStyle) -> Iterator[str]:
    """The lines of two merged formulas."""

    def operands(visit: _Visit) -> list[_Visit]:
        name, leaves = visit
        return [
            (below, state == "removed" and merged[below].state != "removed")
            for below, state in merged[name].operands
            if not leaves
        ]

    def line(branch: str, visit: _Visit) -> str:
        node = merged[visit[0]]
        was = f"{style.name(*node.before)} \N{RIGHTWARDS ARROW} " if node.before else ""
        text = was + style.name(node.tree, node.position)
        return f"- {branch}{text}  (kept elsewhere)" if visit[1] else f"{GUTTERS[node.state]}{branch}{text}"

    return outline([(name, False) for name, node in merged.items() if node.is_root], operands, line, "  ")


def outline(
    roots: Sequence[Node],
    operands: Callable[[Node], Sequence[Node]],
    line: Callable[[str, Node], str],
    margin: str = "",
) -> Iterator[str]:
    """The lines of some trees; a placeholder stands for a cut-off subtree.

    Args:
        roots: the roots of the trees.
        operands: a function that returns the nodes below a node.
        line: a function that returns the line of a node from the branches before it.
        margin: the start of the lines that show no node.
    """
    heads: list[tuple[str, Node]] = [("", root) for root in roots]
    for title, root in heads:  # which grow
        yield from (margin, margin + title) if title else ()
        todo: list[tuple[str, str, int, Node]] = [("", "", 0, root)]
        while todo:
            branch, below, level, node = todo.pop()
            children = operands(node)
            if level == LEVELS and children:
                heads.append((f"[{len(heads) - len(roots) + 1}]", node))
                yield f"{margin}{branch}\N{HORIZONTAL ELLIPSIS} {heads[-1][0]}"
                continue
            yield line(branch, node)
            marks = [("├─ ", "│  ")] * (len(children) - 1) + [("└─ ", "   ")]
            todo += [
                (below + corner, below + space, level + 1, child)
                for (corner, space), child in zip(marks, children, strict=False)
            ][::-1]


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
    """The nodes of a tree, by position.

    Attributes:
        dead: nodes that cannot be reached.
        visited: the number of visits to each node in traced games; None if there are no games.
        values: the values of nodes for the candidate that won last.
    """

    dead: frozenset[int] = frozenset()
    visited: Mapping[int, int] | None = None
    values: Mapping[int, float] = field(default_factory=dict)

    def is_grey(self, position: int) -> bool:
        """Whether a node is drawn in grey because it has no effect."""
        return position in self.dead or (self.visited is not None and position not in self.visited)

    def remark(self, position: int) -> str:
        """A remark about a node; empty if there is none."""
        if position in self.dead:
            return "never reached"
        count = 1 if self.visited is None else self.visited.get(position, 0)
        return f"{count} times" if count > 1 else "" if count else "not visited"


Place = tuple[int, str]
"""The position of a node in a tree, and the word on the arrow to the node."""


@dataclass(frozen=True, slots=True)
class FlowStyle:
    """The look of a language in flow charts; each function takes a tree, and most take the position of a node in it.

    Attributes:
        looks: the DOT attributes of nodes, by kind.
        kind: the kind of a node.
        same: a value for each node; only nodes with equal values can count as one changed node.
        label: the text in a node.
        name: the full text of a node.
        branch: the word on the arrow to one of the children; empty for none.
        meanings: the meanings of the names in a node, if the game is known.
        first, held: the nodes at the left margin of a text picture, and the nodes below a node.
        arrows: the DOT attributes of all arrows.
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
        """The look of the language in pictures of changes."""
        return NodeStyle(self.same, self.label, self.name, self.branch, self._shape, self.name)

    def _shape(self, tree: object, position: int) -> dict[str, str]:
        look = self.looks[self.kind(tree, position)]
        return {key: look[key] for key in ("shape", "margin", "peripheries") if key in look}

    def lines(self, tree: Any, annotations: FlowAnnotations) -> Iterator[str]:
        """A tree as lines of text, one node per line, with values and remarks."""

        def line(branch: str, place: Place) -> str:
            position, word = place
            value, remark = annotations.values.get(position), annotations.remark(position)
            return "".join(
                (
                    branch,
                    f"{word}: " * bool(word),
                    self.name(tree, position),
                    f" = {value!r}" * (value is not None and tree.sizes[position] > 1),
                    f"  ({remark})" * bool(remark),
                )
            )

        return outline(self.first(tree), lambda place: self.held(tree, place[0]), line)


LABELS: Texts = {
    "feature": lambda name: name.removeprefix("env."),
    "sign": SIGNS.__getitem__,
    float: short_number,
    int: lambda count, unit="": counted(count, unit) if unit else str(count),
}
"""The functions that print the fields of nodes in labels."""


def flow_chart(
    sections: Sections[Any],
    annotations: Sequence[FlowAnnotations],
    style: FlowStyle,
    primitives: PrimitiveSet | None,
    title: str,
    source: str,
) -> Picture:
    """All trees of a program, in frames if there are several, with annotations on their nodes.

    Args:
        sections: the trees by the names of their sections.
        annotations: the annotations for the nodes of each tree.
        style: the look of nodes.
        primitives: the primitives of the game; None if no game is known.
        title: the text below the chart.
        source: the text of the program.
    """
    graph = new_graph(title, [*_chart_legend(annotations)])
    graph.attr("edge", arrowhead="normal", arrowsize="0.7", _attributes=dict(style.arrows))
    parts = [*zip(headings(sections.names), sections.trees, annotations, strict=True)]
    for index, (heading, tree, known) in enumerate(parts):
        with framed(graph, index, heading) as frame:
            _add_chart(frame, f"t{index}n", tree, known, style, primitives)
    blocks = [(heading, style.lines(tree, known)) for heading, tree, known in parts]
    for index, function in enumerate(sections.functions, len(parts)):
        formula = print_formula(function.body)
        with framed(graph, index, function.head) as frame:
            frame.node(f"t{index}n0", plain(formula), _attributes=SHAPES["function"] | tinted(INK))
        blocks.append((function.head, iter([formula])))
    text = in_blocks(blocks)
    return Picture(title, graph.source, text, sum(map(len, sections.trees)), source)


def _add_chart(
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


def _chart_legend(annotations: Sequence[FlowAnnotations]) -> Iterator[Sample]:
    if any(known.dead for known in annotations):
        yield Sample(MIST, PALE, "never reached", dashed=True)
    if any(known.visited is not None for known in annotations):
        yield Sample(PAPER, INK, "visited")
        yield Sample(MIST, PALE, "not visited")
