"""Programs, and what a child changed of its parent, as trees of text for terminals and files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from gpkit.draw.alignment import GUTTERS, Merged, NodeStyle
from gpkit.draw.diff import FORMULAS, AnyProgram, diff_dot, merged_sections
from gpkit.draw.graph import Picture, headings
from gpkit.draw.symbols import NO_ANNOTATIONS, Annotations, full_name, operand_label
from gpkit.genomes.tree import Tree, TreeProgram, is_constant

LEVELS = 30
"""Deeper subtrees are continued below under a number, so that no line grows with the depth of the tree."""

Node = TypeVar("Node")


def program_text(program: TreeProgram, annotations: Sequence[Annotations] = ()) -> str:
    """A program as a tree of text, one node a line, with names and constants in full.

    A subtree more than ``LEVELS`` levels down is continued below under its number. The text ends with a line break.
    """
    annotations = annotations or [NO_ANNOTATIONS] * len(program.trees)
    parts = zip(headings(program.names), program.trees, annotations, strict=True)
    return in_blocks((heading, _tree_lines(tree, known)) for heading, tree, known in parts)


def in_blocks(parts: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Headings, which may be empty, and the lines below each as a text, with an empty line between two parts."""
    blocks = ("\n".join([heading, *lines] if heading else lines) for heading, lines in parts)
    return "\n\n".join(blocks) + "\n"


def diff_text(parent: AnyProgram, child: AnyProgram, style: NodeStyle = FORMULAS) -> str:
    """Diff of ``parent`` and ``child`` as a tree of text: removed lines begin with -, added +, changed ~.

    Where a kept subtree was taken away from, there is a line that says so, without the subtree.
    """
    sections = merged_sections(parent, child, style)
    return in_blocks((heading, _merged_lines(merged, style)) for heading, merged in sections)


def change_picture(
    parent: AnyProgram, child: AnyProgram, title: str, text: str, style: NodeStyle = FORMULAS
) -> Picture:
    """Both programs laid over each other, as a graph and as text; ``text`` is the listing of the child."""
    nodes = sum(len(merged.nodes) for _, merged in merged_sections(parent, child, style))
    dot = diff_dot(parent, child, caption=title, style=style)
    return Picture(title, dot, diff_text(parent, child, style), nodes, text)


def _tree_lines(tree: Tree, annotations: Annotations) -> Iterator[str]:
    """Every line of a formula; a node does not repeat the remark of the node directly above it."""
    operands = [[*tree.children(position)] for position in range(len(tree))]
    remarks = [_remark(position, annotations) for position in range(len(tree))]
    labels, above = [""] * len(tree), [""] * len(tree)
    for node, children in enumerate(operands):
        for place, child in enumerate(children):
            labels[child], above[child] = operand_label(tree, node, place), remarks[node]
    for branch, position in outline([0], operands.__getitem__):
        if isinstance(position, str):
            yield branch + position
            continue
        text = f"{labels[position]}: " * bool(labels[position]) + full_name(tree, position)
        if position in annotations.values and not is_constant(tree.symbols[position]):
            text += f" = {annotations.values[position]!r}"
        remark = remarks[position]
        yield branch + text + (f"  ({remark})" if remark and remark != above[position] else "")


def _remark(position: int, annotations: Annotations) -> str:
    if annotations.executed is not None and position not in annotations.executed:
        return "not executed"
    if position in annotations.redundant:
        return "cannot change the result"
    return "always the same value" if position in annotations.constant else ""


_Visit = tuple[str, bool]
"""The name of a node of two merged formulas, reached by an edge, and whether it is kept, but elsewhere."""


def _merged_lines(merged: Merged, style: NodeStyle) -> Iterator[str]:
    """Every line of two merged formulas."""

    def operands(visit: _Visit) -> list[_Visit]:
        name, leaves = visit
        return [
            (below, state == "removed" and merged.nodes[below].state != "removed")
            for below, state in merged.nodes[name].operands
            if not leaves
        ]

    for branch, visit in outline([(name, False) for name in merged.roots], operands):
        if isinstance(visit, str):
            yield f"  {branch}{visit}"
            continue
        name, leaves = visit
        node = merged.nodes[name]
        text = style.name(node.tree, node.position)
        if node.before is not None:
            text = f"{style.name(merged.parent, node.before)} \N{RIGHTWARDS ARROW} {text}"
        yield f"- {branch}{text}  (kept elsewhere)" if leaves else f"{GUTTERS[node.state]}{branch}{text}"


def outline(
    roots: Sequence[Node], operands: Callable[[Node], Sequence[Node]]
) -> Iterator[tuple[str, Node | str]]:
    """Every line of some trees: the box-drawing branches before a node, and the node; a text stands for a cut subtree.

    Args:
        roots: of the trees.
        operands: what stands below a node.
    """
    heads: list[tuple[str, Node]] = [("", root) for root in roots]
    number = 0
    index = 0
    while index < len(heads):
        title, root = heads[index]
        index += 1
        if title:
            yield "", ""
            yield "", title
        todo: list[tuple[str, str, int, Node]] = [("", "", 0, root)]
        while todo:
            branch, below, level, node = todo.pop()
            children = operands(node)
            if level == LEVELS and children:
                number += 1
                heads.append((f"[{number}]", node))
                yield branch, f"\N{HORIZONTAL ELLIPSIS} [{number}]"
                continue
            yield branch, node
            for k in range(len(children) - 1, -1, -1):
                last = k == len(children) - 1
                corner, space = ("└─ ", "   ") if last else ("├─ ", "│  ")
                todo.append((below + corner, below + space, level + 1, children[k]))
