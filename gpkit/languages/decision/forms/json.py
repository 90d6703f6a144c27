"""Decision trees as JSON: nested objects, whose leaves are numbers and names."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export.json import document
from gpkit.export.request import Subject
from gpkit.genomes.decision import (
    COMPARISONS,
    INTERVALS,
    Chance,
    DecisionProgram,
    DecisionTree,
    Leaf,
    Node,
    Switch,
    Test,
    decision_tree,
)
from gpkit.languages.decision.parser import MAX_DEPTH, MAX_NODES

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
    match node:
        case Test():
            test = {"test": node.feature, "comparison": node.comparison, "threshold": node.threshold}
            return {**test, "yes": branches[0], "no": branches[1]}
        case Switch():
            return {"switch": node.feature, "bounds": list(node.bounds), "intervals": branches}
        case Chance():
            return {"chance": node.probability, "yes": branches[0], "no": branches[1]}


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[DecisionProgram, Mapping[str, str]]:
    """The program of the trees."""
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
    if isinstance(value, str) and value.strip():
        return value, ()
    if _is_number(value):
        return float(value) + 0.0, ()
    if isinstance(value, dict):
        answers = [value.get("yes"), value.get("no")]
        if _is_test(value):
            return Test(value["test"], value["comparison"], float(value["threshold"]) + 0.0), answers
        if _is_number(value.get("chance")) and 0.0 <= value["chance"] <= 1.0:
            return Chance(float(value["chance"]) + 0.0), answers
        if _is_name(value.get("switch")) and _are_bounds(value.get("bounds"), value.get("intervals")):
            bounds = tuple(float(bound) + 0.0 for bound in value["bounds"])
            return Switch(value["switch"], bounds), value["intervals"]
    raise UsageError(
        f"the tree `{name}` has a node that is no number or name, no object with `test`, `comparison`, `threshold`, "
        "`yes` and `no`, none with `chance`, `yes` and `no`, and none with `switch`, rising `bounds` and `intervals`"
    )


def _is_test(value: Mapping[str, Any]) -> bool:
    sign = value.get("comparison")
    compares = isinstance(sign, str) and sign in COMPARISONS
    return _is_name(value.get("test")) and compares and _is_number(value.get("threshold"))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and _is_finite(value)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no double holds
        return False


def _are_bounds(bounds: object, intervals: object) -> bool:
    """Whether these are rising numbers, one fewer than the intervals."""
    if not isinstance(bounds, list) or not isinstance(intervals, list) or not all(map(_is_number, bounds)):
        return False
    rises = all(low < high for low, high in pairwise(bounds))
    return rises and len(intervals) == len(bounds) + 1 and len(intervals) in INTERVALS
