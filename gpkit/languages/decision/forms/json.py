"""Decision trees as JSON: nested objects, whose leaves are numbers and names."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export import json as document
from gpkit.export.json import is_name, is_number, number, share, sign
from gpkit.export.registry import Subject
from gpkit.genomes.decision import INTERVALS, DecisionProgram, Leaf, decision_tree
from gpkit.langkit.nodes import NodeReader
from gpkit.languages.decision.parser import MAX_DEPTH, MAX_NODES
from gpkit.languages.decision.printer import NODES

MODES = ("program",)
MEMBER = "decision_trees"
documents, check = document.documents, document.check


def members(subject: Subject) -> dict[str, Any]:
    """The trees by section."""
    program = subject.program
    trees = zip(program.names, program.trees, strict=True)
    return {MEMBER: {name: NODES.json(tree.symbols, {tuple: list})[0] for name, tree in trees}}


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
    read_trees = (decision_tree(_READER.nodes(name, tree, 1)) for name, tree in trees.items())
    program = DecisionProgram(tuple(trees), tuple(read_trees))
    if len(program) > MAX_NODES:
        raise LimitError(f"the program has more than {MAX_NODES} nodes")
    return program, {}


def _leaf(value: Any) -> Leaf | None:
    return value if is_name(value) else number(value)


def _bounds(value: Any) -> tuple[float, ...] | None:
    """The bounds of a switch, or None if they do not rise or are too many."""
    if not isinstance(value, list) or not all(map(is_number, value)):
        return None
    bounds = tuple(float(bound) + 0.0 for bound in value)
    rises = all(low < high for low, high in pairwise(bounds))
    return bounds if rises and len(bounds) + 1 in INTERVALS else None


_READER = NodeReader(
    NODES,
    "tree",
    "has a node that is neither a number or name nor an object with `test`, `comparison`, `threshold`, `yes` and "
    "`no`, with `chance`, `yes` and `no`, or with `switch`, rising `bounds` and `intervals`",
    MAX_DEPTH,
    f"is deeper than {MAX_DEPTH} nodes",
    {
        "feature": lambda value: value if is_name(value) else None,
        "sign": sign,
        "threshold": number,
        "probability": share,
        "bounds": _bounds,
    },
    leaf=_leaf,
)
