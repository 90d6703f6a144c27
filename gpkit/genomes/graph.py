"""Graphs of strings and coins, and the rules of Dots and Boxes that are made of them.

A node is a box by the number of its undrawn sides: ``q`` 4, ``t`` 3, ``l`` 2, ``x`` 1; a maximal run of boxes with two
undrawn sides is one node ``l`` with its length. An edge is an undrawn side between two nodes; a string to the ground is
an undrawn side at the border of the board. So a graph is a multigraph with loops (an isolated loop of k boxes is one
``l`` of length k with an edge to itself). Positions and rules are made of the same graphs (Knittel, Bossomaier and
Snyder, "Concept accessibility as basis for evolutionary reinforcement learning of Dots and Boxes", 2007).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Symbol = Literal["q", "t", "l", "x"]

DEGREES: Mapping[Symbol, int] = {"q": 4, "t": 3, "l": 2, "x": 1}
"""The undrawn sides of a box, or the ends of a chain."""

GROUND = -1
"""In place of a node: the border of the board, ``n``."""

WILD = -2
"""In place of a node: anything, ``w``."""


@dataclass(frozen=True, slots=True)
class Node:
    """A box, or a chain of boxes.

    Attributes:
        symbol: by its degree.
        length: boxes of a chain, at least 1; 0 for other symbols.
        at_least: in a rule, whether longer chains match, too: ``(k+)``.
    """

    symbol: Symbol
    length: int = 0
    at_least: bool = False

    @property
    def degree(self) -> int:
        """The number of strings that it has."""
        return DEGREES[self.symbol]


class Edge(NamedTuple):
    """So many strings between two nodes, ``low`` ≤ ``high``; a loop has ``low`` = ``high`` and takes two ends each."""

    low: int
    high: int
    strings: int


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes by their numbers, edges in order and each pair once, and by node the strings to the ground.

    In a position edges and grounds make up the degree of every node; in a rule the rest are wildcards.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    grounds: tuple[int, ...]

    def wildcards(self, number: int) -> int:
        """The strings of a node of which a rule says nothing."""
        ends = sum(edge.strings * ((edge.low == number) + (edge.high == number)) for edge in self.edges)
        return self.nodes[number].degree - ends - self.grounds[number]


class Action(NamedTuple):
    """The string to draw: one between ``node`` and ``other``, which is a node, ``GROUND`` or ``WILD``.

    If one of both is a chain it is ``node``; then ``offset`` counts the strings moved into it from the end that touches
    ``other``: 0 is that end, up to its length less one are inner strings.
    """

    node: int
    other: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """A graph, of one or several fragments, and the string of it that is to be drawn."""

    graph: Graph
    action: Action
