"""Faces of trees: how the nodes of a language show in pictures and texts of what a child changed of its parent."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


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
