"""Decision trees as JSON: nested objects, whose leaves are numbers and names."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export import json as document
from gpkit.export.json import is_name, is_number
from gpkit.export.registry import Subject
from gpkit.genomes.comparisons import HOLDS
from gpkit.genomes.decision import (
    INTERVALS,
    DecisionProgram,
    DecisionTree,
    Inner,
    Leaf,
    Node,
    Switch,
    decision_tree,
)
from gpkit.languages.decision.parser import MAX_DEPTH, MAX_NODES
from gpkit.languages.decision.printer import NODES

MODES = ("program",)
MEMBER = "decision_trees"
documents, check = document.documents, document.check


def members(subject: Subject) -> dict[str, Any]:
    """The trees by section."""
    program = subject.program
    trees = zip(program.names, program.trees, strict=True)
    return {MEMBER: {name: _value(tree, 0) for name, tree in trees}}


def _value(tree: DecisionTree, position: int) -> Any:
    """A subtree."""
    node = tree.symbols[position]
    if isinstance(node, Leaf):
        return node
    branches = [_value(tree, child) for child in tree.children(position)]
    return NODES.kind(node).json(
        node, lambda value: list(value) if isinstance(value, tuple) else value, branches
    )


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[DecisionProgram, Mapping[str, str]]:
    """The program of the trees.

    Raises:
        UsageError: it is not a program of decision trees.
        LimitError: it has too many nodes.
    """
    trees = value.get(MEMBER)
    if not isinstance(trees, dict) or not trees:
        raise UsageError(f"a program has `{MEMBER}`, an object of at least one")
    program = DecisionProgram(tuple(trees), tuple(_tree(name, tree) for name, tree in trees.items()))
    if len(program) > MAX_NODES:
        raise LimitError(f"the program has more than {MAX_NODES} nodes")
    return program, {}


def _tree(name: str, value: Any) -> DecisionTree:
    nodes: list[Node] = []
    pending = [(value, 1)]
    while pending:
        value, depth = pending.pop()
        if depth > MAX_DEPTH:
            raise LimitError(f"the tree `{name}` is deeper than {MAX_DEPTH} nodes")
        node, branches = _node(name, value)
        nodes.append(node)
        pending.extend((branch, depth + 1) for branch in reversed(branches))
    return decision_tree(nodes)


def _node(name: str, value: Any) -> tuple[Node, Sequence[Any]]:
    """A node and the values of its branches."""
    if is_name(value):
        return value, ()
    if is_number(value):
        return float(value) + 0.0, ()
    for kind in NODES if isinstance(value, dict) else ():
        fields = [_field(name, value.get(key)) for key, name in kind.fields.items()]
        branches = (
            value.get("intervals") if kind.make is Switch else [value.get(key) for key in kind.branches]
        )
        if None not in fields and (kind.make is not Switch or _has_intervals(fields[1], branches)):
            inner: Inner = kind.make(*fields)
            return inner, branches
    raise UsageError(
        f"the tree `{name}` has a node that is neither a number or name nor an object with `test`, "
        "`comparison`, `threshold`, `yes` and `no`, with `chance`, `yes` and `no`, or with `switch`, rising "
        "`bounds` and `intervals`"
    )


def _field(name: str, value: Any) -> Any:
    """The value of a field, or None if it cannot be one."""
    match name:
        case "feature":
            return value if is_name(value) else None
        case "sign":
            return value if isinstance(value, str) and value in HOLDS else None
        case "bounds":
            if not isinstance(value, list) or not all(map(is_number, value)):
                return None
            bounds = tuple(float(bound) + 0.0 for bound in value)
            return bounds if all(low < high for low, high in pairwise(bounds)) else None
        case _:
            fits = is_number(value) and (name == "threshold" or 0.0 <= value <= 1.0)
            return float(value) + 0.0 if fits else None


def _has_intervals(bounds: Sequence[float], intervals: object) -> bool:
    """Whether there is one interval more than bounds, and not too many."""
    return isinstance(intervals, list) and len(intervals) == len(bounds) + 1 and len(intervals) in INTERVALS
