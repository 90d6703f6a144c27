"""Alignment of two trees from the top, by the kinds of their nodes, and both merged into one graph."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gpkit.draw.symbols import kind
from gpkit.genomes.tree import FlatTree


@dataclass(frozen=True, slots=True)
class NodeStyle:
    """Face of the nodes of one language; every function takes a tree and a position.

    Attributes:
        kind: only nodes of one kind can be one node that changed.
        label: the short text of a node.
        name: the same in full.
        branch: the label of the edge to the child of that number; empty where order says it.
        shape: the DOT attributes that tell the kind of a node.
        tooltip: everything that the label is too small for.
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
"""Gutter of a line of a textual diff, by the state of what the line shows."""

ABSENT = -1


class Alignment:
    """The nodes that two trees share, paired in time proportional to their sizes times a logarithm.

    Equal subtrees are paired whole. Where the trees differ, a subtree that was wrapped in new nodes or freed of
    old ones is recognised, then a change of a single symbol, then exchanged operands of + and *; what is left is
    removed and added. At last a removed subtree of two nodes or more that was added elsewhere is paired as moved.
    A pair may differ in its symbol: a constant with another value, an operator or a sensor instead of another.

    Attributes:
        parent, child: the trees.
        in_child: the position in the child of each node of the parent, or ABSENT when it was removed.
        in_parent: the position in the parent of each node of the child, or ABSENT when it was added.
    """

    def __init__(self, parent: AnyTree, child: AnyTree, kind: Callable[[Any, int], str] = kind) -> None:
        """Align two trees; two nodes count as one that changed only if they have the same ``kind``."""
        self.kind = kind
        self.parent = parent
        self.child = child
        self.parent_ids, self.child_ids = _identities((parent, child))
        self.parent_places = _places(self.parent_ids)
        self.child_places = _places(self.child_ids)
        self.in_child = [ABSENT] * len(parent)
        self.in_parent = [ABSENT] * len(child)
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
        """Whether the two nodes, whose subtrees differ, are one node that stayed or changed its symbol."""
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
        """Position in the parent that an added subtree was moved from, or None."""
        size = self.child.sizes[c]
        places = self.parent_places.get(self.child_ids[c], []) if size > 1 else []
        if not places or any(k != ABSENT for k in self.in_parent[c : c + size]):
            return None
        return next((p for p in places if all(k == ABSENT for k in self.in_child[p : p + size])), None)


def _identities(trees: Sequence[AnyTree]) -> list[list[int]]:
    """For every node of every tree a number that is the same exactly for equal subtrees."""
    known: dict[tuple[Any, tuple[int, ...]], int] = {}
    result = []
    for tree in trees:
        ids = [0] * len(tree)
        for position in range(len(tree) - 1, -1, -1):
            key = (tree.symbols[position], tuple(ids[child] for child in tree.children(position)))
            ids[position] = known.setdefault(key, len(known))
        result.append(ids)
    return result


def _places(ids: Sequence[int]) -> dict[int, list[int]]:
    """Positions of each identity, ascending."""
    places: dict[int, list[int]] = {}
    for position, identity in enumerate(ids):
        places.setdefault(identity, []).append(position)
    return places


def _inside(places: dict[int, list[int]], identity: int, tree: AnyTree, position: int) -> int | None:
    """The first place of an identity strictly below ``position``, or None."""
    candidates = places.get(identity, [])
    index = bisect_right(candidates, position)
    if index < len(candidates) and candidates[index] < position + tree.sizes[position]:
        return candidates[index]
    return None


@dataclass(frozen=True, slots=True)
class MergedNode:
    """One node of two trees laid over each other: as it is in ``tree`` at ``position``, and what became of it.

    ``before`` is the parent's position of a node that changed its symbol. ``operands`` are names of nodes with what
    became of the edge to them, in order, a removed one before what took its place.
    """

    tree: AnyTree
    position: int
    state: State
    before: int | None
    operands: tuple[tuple[str, State], ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """Two trees laid over each other: a graph of named nodes, and its roots (two if the old root was removed)."""

    parent: AnyTree
    nodes: dict[str, MergedNode]
    roots: tuple[str, ...]


def merge(alignment: Alignment) -> Merged:
    """The union of both trees: shared nodes once, removed and added ones with their edges."""
    parent, child = alignment.parent, alignment.child
    names = [f"p{p}" if c == ABSENT else f"c{c}" for p, c in enumerate(alignment.in_child)]
    nodes: dict[str, MergedNode] = {}
    for p in range(len(parent)):
        if alignment.in_child[p] == ABSENT:
            operands = tuple(_operands([names[k] for k in parent.children(p)], ()))
            nodes[f"p{p}"] = MergedNode(parent, p, "removed", None, operands)
    for c in range(len(child)):
        p = alignment.in_parent[c]
        before = [] if p == ABSENT else [names[k] for k in parent.children(p)]
        is_same = p != ABSENT and parent.symbols[p] == child.symbols[c]
        state: State = "added" if p == ABSENT else "kept" if is_same else "changed"
        operands = tuple(_operands(before, [f"c{k}" for k in child.children(c)]))
        nodes[f"c{c}"] = MergedNode(child, c, state, p if state == "changed" else None, operands)
    old_root = [names[0]] if len(parent) and alignment.in_child[0] == ABSENT else []
    new_root = ["c0"] if len(child) else []
    return Merged(parent, nodes, (*old_root, *new_root))


def _operands(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, State]]:
    for index in range(max(len(before), len(after))):
        if index < len(before) and before[index] not in after:
            yield before[index], "removed"
        if index < len(after):
            yield after[index], "kept" if after[index] in before else "added"
