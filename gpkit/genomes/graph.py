"""Graphs of strings and coins, and the rules of Dots and Boxes that are made of them.

A node is a box by the number of its undrawn sides: ``q`` 4, ``t`` 3, ``l`` 2, ``x`` 1; a maximal run of boxes with two
undrawn sides is one node ``l`` with its length. An edge is an undrawn side: it joins two nodes, or at the border of the
board a node and the ground. So a graph is a multigraph with loops (an isolated loop of k boxes is one ``l`` of length k
with an edge to itself); the edges between the same two nodes are one link. Positions and rules are made of the same
graphs (Knittel, Bossomaier and Snyder, "Concept accessibility as basis for evolutionary reinforcement learning of Dots
and Boxes", 2007).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from gpkit.core.registry import language_of_genome

Symbol = Literal["q", "t", "l", "x"]

DEGREES: Mapping[Symbol, int] = {"q": 4, "t": 3, "l": 2, "x": 1}
"""The undrawn sides of a box, or the ends of a chain."""

SYMBOLS: tuple[Symbol, ...] = tuple(DEGREES)
"""In the order of their numbers in arrays."""

GROUND = -1
"""Instead of a node: the border of the board, ``n``."""

WILD = -2
"""Instead of a node: anything, ``w``."""


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
        """The number of edges that it has."""
        return DEGREES[self.symbol]

    def allows(self, other: "Node") -> bool:
        """Whether another node is what this node of a rule asks for, edges aside.

        The other one may be of a rule, too: then all that it stands for has to be.
        """
        if self.symbol != other.symbol:
            return False
        return other.length >= self.length if self.at_least else other == self


class Link(NamedTuple):
    """Parallel edges between two nodes, ``low`` ≤ ``high``; of a loop ``low`` = ``high``, and each takes two ends."""

    low: int
    high: int
    multiplicity: int


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes by their numbers, links in order and each pair once, and by node the number of edges to the ground.

    In a position links and grounds make up the degree of every node; in a rule the rest are wildcards.
    """

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    grounds: tuple[int, ...]

    def wildcards(self, number: int) -> int:
        """Number of edges of a node of which a rule says nothing."""
        return self.nodes[number].degree - self.ends(number) - self.grounds[number]

    def ends(self, number: int) -> int:
        """Number of edges of a node that lead to nodes; a loop counts twice."""
        return sum(count * ((low == number) + (high == number)) for low, high, count in self.links)

    def multiplicity(self, one: int, other: int) -> int:
        """Number of edges between two nodes, or of a node to itself."""
        first, last = (one, other) if one <= other else (other, one)
        for low, high, count in self.links:
            if low == first and high == last:
                return count
        return 0

    def edges_to(self, number: int, other: int) -> int:
        """Number of edges of a node to what an action can name: a node, ``GROUND``, or ``WILD`` for its wildcards."""
        if other == GROUND:
            return self.grounds[number]
        return self.wildcards(number) if other == WILD else self.multiplicity(number, other)

    def neighbours(self, number: int) -> tuple[int, ...]:
        """The nodes that a node has edges to, each once and in order; with a loop it is one of them."""
        found = [high if low == number else low for low, high, _ in self.links if number in (low, high)]
        return tuple(sorted(found))

    def adjacency(self) -> tuple[dict[int, int], ...]:
        """By node the number of edges to each node that it has edges to; of a loop to itself."""
        near: tuple[dict[int, int], ...] = tuple({} for _ in self.nodes)
        for low, high, count in self.links:
            near[low][high] = near[high][low] = count
        return near

    def fragments(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the nodes that hang together, by their first; no edge leads from one fragment to another."""
        found: list[tuple[int, ...]] = []
        near = self.adjacency()
        seen: set[int] = set()
        for start in range(len(self.nodes)):
            if start in seen:
                continue
            fragment = [start]
            seen.add(start)
            for number in fragment:
                new = [other for other in near[number] if other not in seen]
                seen.update(new)
                fragment += new
            found.append(tuple(sorted(fragment)))
        return tuple(found)


def graph_of(
    nodes: Iterable[Node], edges: Mapping[tuple[int, int], int], grounds: Mapping[int, int]
) -> Graph:
    """The graph of nodes with so many edges between the two of each pair, in any order, and to the ground."""
    nodes = tuple(nodes)
    links: dict[tuple[int, int], int] = {}
    for (one, other), count in edges.items():
        pair = (min(one, other), max(one, other))
        links[pair] = links.get(pair, 0) + count
    return Graph(
        nodes,
        tuple(Link(*pair, count) for pair, count in sorted(links.items()) if count),
        tuple(grounds.get(number, 0) for number in range(len(nodes))),
    )


def renumbered(graph: Graph, order: Iterable[int]) -> Graph:
    """The graph with only the nodes of ``order``, in that order; edges to others become wildcards."""
    place = {number: k for k, number in enumerate(order)}
    return graph_of(
        (graph.nodes[number] for number in place),
        {
            (place[low], place[high]): count
            for low, high, count in graph.links
            if low in place and high in place
        },
        {k: graph.grounds[number] for number, k in place.items()},
    )


class Action(NamedTuple):
    """The edge to draw: one between ``node`` and ``other``, which is a node, ``GROUND`` or ``WILD``.

    If one of both is a chain it is ``node``; then ``offset`` counts the edges moved into it from the end that touches
    ``other``: 0 is that end, up to its length less one are inner edges. Of two boxes ``node`` is the one of the lower
    number.
    """

    node: int
    other: int
    offset: int = 0


Sign = Literal["<", "<=", "=", "!=", ">", ">="]


class Quantity(NamedTuple):
    """One side of a comparison.

    Attributes:
        kind: the ``length`` of a chain of the rule, a ``number``, the ``score`` (own boxes less the other player's) or
            the edges ``left`` to draw.
        value: the number of the chain's node, or the number; 0 for the rest.
    """

    kind: Literal["length", "number", "score", "left"]
    value: int = 0


class Comparison(NamedTuple):
    """A condition on numbers."""

    left: Quantity
    sign: Sign
    right: Quantity


@dataclass(frozen=True, slots=True)
class Rule:
    """A graph, of one or several fragments, and the edge of it that is to be drawn.

    Attributes:
        graph: what the position must hold.
        action: the edge to draw.
        absent: graphs none of which the position may hold, each by itself: its nodes are not those of ``graph``.
        comparisons: conditions that must all hold.
    """

    graph: Graph
    action: Action
    absent: tuple[Graph, ...] = ()
    comparisons: tuple[Comparison, ...] = ()

    @property
    def level(self) -> int:
        """0 for what the source has, 1 for what goes beyond it: graphs that must be absent, comparisons."""
        return int(bool(self.absent or self.comparisons))


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule in a list.

    Attributes:
        rule: what it does.
        name: how people call it; empty if it has none.
        q: the quality that was learned for it, in boxes: in the source the expected difference of scores at the end;
            None if none was.
        f: its accessibility, how often it was used lately; None if nobody counted.
        joined: whether it has the same precedence as the rule above it, which the first of a list has not.
    """

    rule: Rule
    name: str = ""
    q: float | None = None
    f: float | None = None
    joined: bool = False

    @property
    def level(self) -> int:
        """1 for a rule of level 1, and for one that is joined to another."""
        return max(self.rule.level, int(self.joined))


@dataclass(frozen=True, slots=True)
class RuleList:
    """Rules in the order of their precedence: the first that matches acts.

    Rules that are joined have the same precedence, and all of them that match act: they propose what any of them does.
    ``language`` is the name of the language that they are written in.
    """

    language: ClassVar[str] = language_of_genome("graph")
    rules: tuple[NamedRule, ...]

    def __len__(self) -> int:
        """The number of rules."""
        return len(self.rules)

    @property
    def level(self) -> int:
        """The highest level of its rules."""
        return max((named.level for named in self.rules), default=0)

    def groups(self) -> tuple[range, ...]:
        """The numbers of the rules, those of equal precedence together, in order; most groups have one rule."""
        starts = [number for number, named in enumerate(self.rules) if number == 0 or not named.joined]
        return tuple(map(range, starts, [*starts[1:], len(self.rules)]))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its sections, as other programs have them: a rule list has none."""
        return ()


def actions(graph: Graph) -> tuple[Action, ...]:
    """Every action that a rule with this graph can have; the inner edges of a chain count from both ends."""
    near: list[list[int]] = [[] for _ in graph.nodes]
    left = [node.degree - grounds for node, grounds in zip(graph.nodes, graph.grounds, strict=True)]
    for low, high, count in graph.links:
        left[low] -= count
        left[high] -= count
        near[high].append(low)
        if low != high:
            near[low].append(high)
    found = []
    for number, node in enumerate(graph.nodes):
        first = (node.symbol != "l", number)
        others = [other for other in near[number] if first <= (graph.nodes[other].symbol != "l", other)]
        others.sort()
        others += [GROUND] * bool(graph.grounds[number]) + [WILD] * bool(left[number])
        found += [Action(number, other, k) for other in others for k in range(max(node.length, 1))]
    return tuple(found)


def normal_action(graph: Graph, action: Action) -> Action:
    """The same edge, with the chain or the box of the lower number first."""
    node, other, offset = action
    if other < 0:
        return action
    first = (graph.nodes[node].symbol != "l", node)
    return Action(other, node, offset) if (graph.nodes[other].symbol != "l", other) < first else action


def faults(rule: Rule) -> Iterator[str]:
    """Faults that keep a rule from being well-formed, in words; none for a good one."""
    if not rule.graph.nodes:
        yield "a rule has nodes"
        return
    for graph in (rule.graph, *rule.absent):
        yield from graph_faults(graph)
    yield from _action_faults(rule.graph, rule.action)
    for comparison in rule.comparisons:
        for kind, value in (comparison.left, comparison.right):
            if kind == "length" and not (
                0 <= value < len(rule.graph.nodes) and rule.graph.nodes[value].symbol == "l"
            ):
                yield f"node {value} is compared but is not a chain"


def graph_faults(graph: Graph) -> Iterator[str]:
    """Faults that keep a graph from being one of boxes and maximal chains, in words."""
    if not graph.nodes:
        yield "a graph has nodes"
    for number, node in enumerate(graph.nodes):
        if (node.symbol == "l") != (node.length >= 1) or (node.at_least and node.symbol != "l"):
            yield f"node {number} is {node}: only chains have a length, of at least 1"
        if graph.grounds[number] < 0 or graph.wildcards(number) < 0:
            yield f"node {number} has more edges than its degree {node.degree}"
    if list(graph.links) != sorted(set(graph.links)) or len({e[:2] for e in graph.links}) < len(graph.links):
        yield "links are out of order, or a pair is linked twice"
    for low, high, count in graph.links:
        if not (0 <= low <= high < len(graph.nodes) and count >= 1):
            yield f"there is no link from {low} to {high} of {count} edges"
        elif why := impossible(graph.nodes[low], graph.nodes[high], count, loop=low == high):
            yield f"nodes {low} and {high}: {why}"


def impossible(one: Node, other: Node, edges: int, *, loop: bool) -> str:
    """Reason that no position has so many edges between two such nodes, or from one to itself; empty if some has."""
    chains = (one.symbol == "l") + (other.symbol == "l")
    if loop:
        return "" if chains else "a box has no side in common with itself"
    if chains == 2:
        return "chains have maximal length, so two of them never touch: they would be one"
    if chains == 0 and edges > 1:
        return "two boxes have at most one side in common"
    return ""


def _action_faults(graph: Graph, action: Action) -> Iterator[str]:
    node, other, offset = action
    if not 0 <= node < len(graph.nodes) or not WILD <= other < len(graph.nodes):
        yield f"the action {action} names nodes that are not there"
        return
    if not graph.edges_to(node, other):
        yield f"there is no edge for the action {action}"
    elif action != normal_action(graph, action):
        yield f"in the action {action} the nodes are in the wrong order"
    if not 0 <= offset < max(graph.nodes[node].length, 1):
        yield f"the action {action} leads out of its chain"
