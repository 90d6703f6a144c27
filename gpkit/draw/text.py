"""Programs, and what a child changed of its parent, as trees of text for terminals and files."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gpkit.draw.alignment import GUTTERS, Merged, NodeStyle
from gpkit.draw.diff import FORMULAS, AnyProgram, diff_dot, merged_sections
from gpkit.draw.graph import Picture
from gpkit.draw.symbols import NO_ANNOTATIONS, Annotations, full_name, operand_label
from gpkit.genomes.tree import LONE_SECTION, Tree, TreeProgram, is_constant

LEVELS = 30
"""Deeper subtrees are continued below under a number, so that no line grows with the depth of the tree."""

Node = TypeVar("Node")


def program_text(program: TreeProgram, annotations: Sequence[Annotations] = ()) -> str:
    """A program as a tree of text, one node a line, with names and constants in full.

    A subtree more than ``LEVELS`` levels down is continued below under its number. The text ends with a line break.
    """
    annotations = annotations or [NO_ANNOTATIONS] * len(program.trees)
    blocks = []
    for name, tree, known in zip(program.names, program.trees, annotations, strict=True):
        lines = [branch + text for branch, text in _tree_lines(tree, known)]
        blocks.append("\n".join([name, *lines] if program.names != (LONE_SECTION,) else lines))
    return "\n\n".join(blocks) + "\n"


def diff_text(parent: AnyProgram, child: AnyProgram, style: NodeStyle = FORMULAS) -> str:
    """Diff of ``parent`` and ``child`` as a tree of text: removed lines begin with -, added +, changed ~.

    Where a kept subtree was taken away from, there is a line that says so, without the subtree.
    """
    blocks = []
    for name, merged in merged_sections(parent, child, style):
        lines = [gutter + branch + text for gutter, branch, text in _merged_lines(merged, style)]
        blocks.append("\n".join([name, *lines] if name != LONE_SECTION else lines))
    return "\n\n".join(blocks) + "\n"


def change_picture(
    parent: AnyProgram, child: AnyProgram, title: str, text: str, style: NodeStyle = FORMULAS
) -> Picture:
    """Both programs laid over each other, as a graph and as text; ``text`` is the listing of the child."""
    nodes = sum(len(merged.nodes) for _, merged in merged_sections(parent, child, style))
    dot = diff_dot(parent, child, caption=title, style=style)
    return Picture(title, dot, diff_text(parent, child, style), nodes, text)


@dataclass(frozen=True, slots=True)
class _Place:
    """A node of a formula, what its operator calls it, and what was already said of the subtree it is in."""

    position: int
    operand: str = ""
    said: str = ""


def _tree_lines(tree: Tree, annotations: Annotations) -> Iterator[tuple[str, str]]:
    """The branches and the text of every line of a formula."""

    def operands(place: _Place) -> list[_Place]:
        said = _remark(tree, place.position, annotations)
        return [
            _Place(child, operand_label(tree, place.position, k), said)
            for k, child in enumerate(tree.children(place.position))
        ]

    for branch, place in outline([_Place(0)], operands):
        if isinstance(place, str):
            yield branch, place
            continue
        text = f"{place.operand}: " if place.operand else ""
        text += full_name(tree, place.position)
        if place.position in annotations.values and not is_constant(tree.symbols[place.position]):
            text += f" = {annotations.values[place.position]!r}"
        remark = _remark(tree, place.position, annotations)
        yield branch, f"{text}  ({remark})" if remark and remark != place.said else text


def _remark(tree: Tree, position: int, annotations: Annotations) -> str:
    if annotations.executed is not None and position not in annotations.executed:
        return "not executed"
    if position in annotations.redundant:
        return "cannot change the result"
    return "always the same value" if position in annotations.constant else ""


@dataclass(frozen=True, slots=True)
class _Visit:
    """A node of two merged formulas, reached by an edge; ``leaving`` says that it is kept, but elsewhere."""

    name: str
    leaving: bool = False


def _merged_lines(merged: Merged, style: NodeStyle) -> Iterator[tuple[str, str, str]]:
    """The gutter, the branches and the text of every line of two merged formulas."""

    def operands(visit: _Visit) -> list[_Visit]:
        if visit.leaving:
            return []
        return [
            _Visit(name, state == "removed" and merged.nodes[name].state != "removed")
            for name, state in merged.nodes[visit.name].operands
        ]

    for branch, visit in outline([_Visit(name) for name in merged.roots], operands):
        if isinstance(visit, str):
            yield "  ", branch, visit
            continue
        node = merged.nodes[visit.name]
        text = style.name(node.tree, node.position)
        if node.before is not None:
            text = f"{style.name(merged.parent, node.before)} \N{RIGHTWARDS ARROW} {text}"
        if visit.leaving:
            yield "- ", branch, f"{text}  (kept elsewhere)"
        else:
            yield GUTTERS[node.state], branch, text


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
