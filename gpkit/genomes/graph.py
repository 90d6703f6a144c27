"""Graphs of the game Strings and Coins, and rules for Dots and Boxes that consist of such graphs.

The symbol of a node represents the number of undrawn sides of its box: ``q`` for 4, ``t`` for 3, ``l`` for 2, and ``x``
for 1. A maximal run of boxes with two undrawn sides is a single node ``l`` with a length. An edge is an undrawn side:
it joins two nodes or, at the border of the board, a node and the ground. Therefore, a graph is a multigraph with loops
(an isolated loop of k boxes is one ``l`` of length k with an edge to itself). All edges between the same two nodes are
one link. Positions and rules use the same graphs (Knittel, Bossomaier and Snyder, "Concept accessibility as basis for
evolutionary reinforcement learning of Dots and Boxes", 2007).

Rules that differ only in the numbers of their nodes have the same canonical numbering.

The algorithm distinguishes nodes by their labels, and then repeatedly by their neighbours. If several nodes still look
alike, it tries each of them as the first, and chooses the numbering with the smallest description. The algorithm skips
numberings that a symmetry of the graph maps to an earlier numbering (B. D. McKay, "Practical graph isomorphism", 1981).
It numbers each fragment separately, so it need not search for the order of equal fragments.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, NamedTuple

from gpkit.core.registry import language_of_genome

Symbol = Literal["q", "t", "l", "x"]

DEGREES: Mapping[Symbol, int] = {"q": 4, "t": 3, "l": 2, "x": 1}
"""The number of undrawn sides of a box or of ends of a chain, by symbol."""

SYMBOLS: tuple[Symbol, ...] = tuple(DEGREES)
"""The symbols of nodes, in the order of the numbers that represent them in arrays."""

GROUND = -1
"""The number that means the border of the board (``n``), in place of a node."""

WILD = -2
"""The number that means anything (``w``), in place of a node."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node: a box, or a chain of boxes.

    Attributes:
        symbol: the symbol for the degree of the node.
        length: the number of boxes in a chain, at least 1; 0 for other symbols.
        at_least: whether longer chains also match this node of a rule, which is written ``(k+)``.
    """

    symbol: Symbol
    length: int = 0
    at_least: bool = False

    @property
    def degree(self) -> int:
        """The number of edges of the node."""
        return DEGREES[self.symbol]

    def allows(self, other: "Node") -> bool:
        """Whether another node matches this node of a rule, apart from edges.

        If the other node also belongs to a rule, all nodes that it represents must match.
        """
        if self.symbol != other.symbol:
            return False
        return other.length >= self.length if self.at_least else other == self


class Link(NamedTuple):
    """Parallel edges between two nodes, ``low`` ≤ ``high``; in a loop (``low`` = ``high``), each edge uses two ends."""

    low: int
    high: int
    multiplicity: int


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph: its nodes, its sorted links, and the number of edges from each node to the ground.

    In a position, links and grounds together account for the degree of every node. In a rule, the remaining edges are
    wildcards.
    """

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    grounds: tuple[int, ...]

    def wildcards(self, number: int) -> int:
        """The number of edges of a node that a rule leaves open."""
        return self.nodes[number].degree - self.ends(number) - self.grounds[number]

    def ends(self, number: int) -> int:
        """The number of edges from a node to nodes; each loop counts twice."""
        return sum(count * ((low == number) + (high == number)) for low, high, count in self.links)

    def multiplicity(self, one: int, other: int) -> int:
        """The number of edges between two nodes, or from a node to itself."""
        first, last = (one, other) if one <= other else (other, one)
        for low, high, count in self.links:
            if low == first and high == last:
                return count
        return 0

    def edges_to(self, number: int, other: int) -> int:
        """The number of edges from a node to the target of an action: a node, ``GROUND``, or ``WILD`` for wildcards."""
        if other == GROUND:
            return self.grounds[number]
        return self.wildcards(number) if other == WILD else self.multiplicity(number, other)

    def neighbours(self, number: int) -> tuple[int, ...]:
        """The neighbours of a node in order, without repetitions; a node with a loop is its own neighbour."""
        found = [high if low == number else low for low, high, _ in self.links if number in (low, high)]
        return tuple(sorted(found))

    def adjacency(self) -> tuple[dict[int, int], ...]:
        """For each node, the number of edges to each of its neighbours; a node with a loop is its own neighbour."""
        near: tuple[dict[int, int], ...] = tuple({} for _ in self.nodes)
        for low, high, count in self.links:
            near[low][high] = near[high][low] = count
        return near

    def fragments(self) -> tuple[tuple[int, ...], ...]:
        """The connected fragments of the graph, each as the numbers of its nodes, in order of their first nodes."""
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
    """The graph with these nodes, and these numbers of edges between nodes (pairs in any order) and to the ground."""
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
    """The graph with only the nodes in ``order``, in that order; edges to other nodes become wildcards."""
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
    """The edge to draw, between ``node`` and ``other``; ``other`` is a node, ``GROUND`` or ``WILD``.

    If one of the two ends is a chain, ``node`` is the chain, and ``offset`` counts edges into the chain from the end
    that touches ``other``: 0 is that end; larger offsets, below the length, are inner edges. For two boxes, ``node`` is
    the one with the lower number.
    """

    node: int
    other: int
    offset: int = 0


Sign = Literal["<", "<=", "=", "!=", ">", ">="]

MEANING: Mapping[Sign, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The comparison function of each operator."""


class Quantity(NamedTuple):
    """One side of a comparison.

    Attributes:
        kind: the ``length`` of a chain of the rule, a ``number``, the ``score`` (the player's boxes minus the
            opponent's) or the number of edges ``left`` to draw.
        value: the number of the chain's node, or the number itself; 0 for other kinds.
    """

    kind: Literal["length", "number", "score", "left"]
    value: int = 0


class NumberComparison(NamedTuple):
    """A condition of a rule, which compares two numbers."""

    left: Quantity
    sign: Sign
    right: Quantity


@dataclass(frozen=True, slots=True)
class Rule:
    """A graph with one or more fragments, and the edge to draw in it.

    Attributes:
        graph: the graph that the position must contain.
        action: the edge to draw.
        absent: graphs that the position must not contain; they share no nodes with ``graph``.
        comparisons: conditions that must all hold.
    """

    graph: Graph
    action: Action
    absent: tuple[Graph, ...] = ()
    comparisons: tuple[NumberComparison, ...] = ()

    @property
    def level(self) -> int:
        """The level: 0 for rules as in the paper, 1 for rules with absent graphs or comparisons."""
        return int(bool(self.absent or self.comparisons))


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule in a rule list.

    Attributes:
        rule: the rule.
        name: the name of the rule; empty if it has none.
        q: the learned quality of the rule, in boxes (in the paper, the expected final score difference); None if it has
            none.
        f: the accessibility of the rule, which measures how often it acted recently; None if this is not counted.
        joined: whether the rule has the same precedence as the rule above it; the first rule of a list is not joined.
    """

    rule: Rule
    name: str = ""
    q: float | None = None
    f: float | None = None
    joined: bool = False

    @property
    def level(self) -> int:
        """The level: 1 for rules of level 1 and for joined rules; otherwise 0."""
        return max(self.rule.level, int(self.joined))


@dataclass(frozen=True, slots=True)
class RuleList:
    """A list of rules in order of precedence, in which the first rule that matches acts.

    Joined rules have the same precedence: all joined rules that match act, and their proposals are combined.
    ``language`` is the name of the language of rule lists.
    """

    language: ClassVar[str] = language_of_genome("graph")
    rules: tuple[NamedRule, ...]

    def __len__(self) -> int:
        """The number of rules."""
        return len(self.rules)

    @property
    def level(self) -> int:
        """The highest level among the rules."""
        return max((named.level for named in self.rules), default=0)

    def groups(self) -> tuple[range, ...]:
        """The numbers of the rules, grouped by precedence, in order; most groups have one rule."""
        starts = [number for number, named in enumerate(self.rules) if number == 0 or not named.joined]
        return tuple(map(range, starts, [*starts[1:], len(self.rules)]))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sections; unlike other programs, a rule list has none."""
        return ()

    @property
    def features(self) -> frozenset[str]:
        """The names of rules, each of which stands for all rules of the same precedence."""
        return frozenset(self.rules[group[0]].name for group in self.groups()) - {""}

    @property
    def decisions(self) -> int:
        """The number of groups of rules with the same precedence."""
        return len(self.groups())

    def without(self, name: str, value: float = 0.0) -> "RuleList":
        """The list without the rule of this name, and without the rules that are joined to it."""
        return self.only(group for group in self.groups() if self.rules[group[0]].name != name)

    def only(self, groups: Iterable[range]) -> "RuleList":
        """The list of the rules in these groups."""
        return RuleList(tuple(self.rules[number] for group in groups for number in group))


def actions(graph: Graph) -> tuple[Action, ...]:
    """All possible actions of a rule with this graph; the inner edges of a chain are counted from both ends."""
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
    """The same edge, with a chain before a box, and the lower number first for two boxes."""
    node, other, offset = action
    if other < 0:
        return action
    first = (graph.nodes[node].symbol != "l", node)
    return Action(other, node, offset) if (graph.nodes[other].symbol != "l", other) < first else action


def faults(rule: Rule) -> Iterator[str]:
    """Yield descriptions of the faults of a rule; a well-formed rule has none."""
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
    """Yield descriptions of the faults of a graph; a graph of boxes and maximal chains has none."""
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
    """The reason why no position can have this many edges between two such nodes; empty if a position can."""
    chains = (one.symbol == "l") + (other.symbol == "l")
    if loop:
        return "" if chains else "a box has no side in common with itself"
    if chains == 2:
        return "chains have maximal length, so two of them never touch: they would be one"
    return "two boxes have at most one side in common" if chains == 0 and edges > 1 else ""


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


Mark = tuple[int, ...]
"""An additional label of a node: the role of the node in the action and in comparisons."""

Kind = tuple[Mark, str, int, bool, int, int]
"""The label of a single node: mark, symbol, length, ``at_least``, number of grounds, number of wildcards."""

Code = tuple[tuple[Kind, tuple[tuple[int, int], ...]], ...]
"""The complete description of a numbered fragment: for each node, its label, and its neighbours with edge counts."""


def canonical(rule: Rule) -> Rule:
    """The rule with its nodes in search order, from the action; rules that differ only in numbering become equal.

    Duplicate absent graphs are removed.
    """
    order = rule_order(rule)
    place = {number: k for k, number in enumerate(order)}
    graph = renumbered(rule.graph, order)
    node, other, offset = rule.action
    action = rule.action._replace(node=place[node], other=place.get(other, other), offset=offset)
    return replace(
        rule,
        graph=graph,
        action=normal_action(graph, action),
        absent=tuple(sorted({canonical_graph(one) for one in rule.absent}, key=_description)),
        comparisons=tuple(
            NumberComparison(_moved(left, place), sign, _moved(right, place))
            for left, sign, right in rule.comparisons
        ),
    )


def canonical_graph(graph: Graph) -> Graph:
    """The graph with its nodes in search order; graphs that differ only in numbering become equal."""
    return renumbered(graph, _order(graph, {}, ()))


def rule_order(rule: Rule) -> tuple[int, ...]:
    """The numbers of the nodes of a rule, in search order."""
    ends = [number for number in rule.action[:2] if number >= 0]
    marks = {number: [0] for number in ends}
    for k, comparison in enumerate(rule.comparisons, start=1):
        for side, (kind, number) in enumerate((comparison.left, comparison.right)):
            if kind == "length":
                marks.setdefault(number, []).append(2 * k + side)
    first = ends if rule.graph.nodes[ends[0]].symbol != "l" else ends[:1]
    return _order(rule.graph, {number: tuple(mark) for number, mark in marks.items()}, first)


def _description(graph: Graph) -> tuple[object, ...]:
    nodes = tuple((node.symbol, node.length, node.at_least) for node in graph.nodes)
    return (len(graph.nodes), nodes, graph.links, graph.grounds)


def _moved(quantity: Quantity, place: Mapping[int, int]) -> Quantity:
    return quantity._replace(value=place[quantity.value]) if quantity.kind == "length" else quantity


def _order(graph: Graph, marks: Mapping[int, Mark], first: Sequence[int]) -> tuple[int, ...]:
    """The search order of a graph: fragments with ``first`` nodes, then others by description, each breadth-first."""
    fragments = []
    adjacency = graph.adjacency()
    for members in graph.fragments():
        labelling = _Labelling(graph, members, marks, adjacency)
        labelling.explore(labelling.kinds(), ())
        rank = {number: k for k, number in enumerate(labelling.order)}
        start = min([number for number in first if number in rank] or members, key=rank.__getitem__)
        walk = [start]
        for number in walk:
            near = sorted(adjacency[number], key=rank.__getitem__)
            walk += [other for other in near if other not in walk]
        fragments.append((start not in first, labelling.code, walk))
    fragments.sort(key=lambda fragment: fragment[:2])
    return tuple(number for _, _, walk in fragments for number in walk)


@dataclass(slots=True)
class _Labelling:
    """The search for the smallest description of a fragment; ``code`` and ``order`` are the best results so far."""

    graph: Graph
    members: tuple[int, ...]
    marks: Mapping[int, Mark]
    adjacency: Sequence[Mapping[int, int]]
    code: Code = ()
    order: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    symmetries: list[dict[int, int]] = field(default_factory=list)
    near: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    kind: dict[int, Kind] = field(default_factory=dict)

    def kinds(self) -> dict[int, int]:
        """The initial class of every node, based on the label of the node alone."""
        for number in self.members:
            node, near = self.graph.nodes[number], self.adjacency[number]
            self.near[number] = sorted(near.items())
            grounds = self.graph.grounds[number]
            self.kind[number] = (
                self.marks.get(number, ()),
                node.symbol,
                node.length,
                node.at_least,
                grounds,
                node.degree - sum(near.values()) - near.get(number, 0) - grounds,
            )
        return _classes(self.kind)

    def explore(self, classes: Mapping[int, int], path: tuple[int, ...]) -> int:
        """In the first class with several nodes, try each node first; return the path length at which to resume."""
        classes = self._refined(classes)
        alike: dict[int, list[int]] = {}
        for number in self.members:
            alike.setdefault(classes[number], []).append(number)
        several = [c for c, members in alike.items() if len(members) > 1]
        if not several:
            return self._finish(classes, path)
        tried: set[int] = set()
        for number in alike[min(several)]:
            if number in self._images(tried, path):
                continue
            tried.add(number)
            chosen = {other: 2 * c + (other != number) for other, c in classes.items()}
            back = self.explore(chosen, (*path, number))
            if back < len(path):
                return back
        return len(path)

    def _refined(self, classes: Mapping[int, int]) -> Mapping[int, int]:
        """The classes after splitting them by the classes of neighbours until nothing changes."""
        while True:
            signs = {
                number: (
                    classes[number],
                    tuple(sorted((classes[other], n) for other, n in self.near[number])),
                )
                for number in self.members
            }
            finer = _classes(signs)
            if len(set(finer.values())) == len(set(classes.values())):
                return finer
            classes = finer

    def _finish(self, classes: Mapping[int, int], path: tuple[int, ...]) -> int:
        order = tuple(sorted(self.members, key=classes.__getitem__))
        code = tuple(
            (self.kind[number], tuple(sorted((classes[other], n) for other, n in self.near[number])))
            for number in order
        )
        if not self.order or code < self.code:
            self.code, self.order, self.path = code, order, path
        elif code == self.code:
            self.symmetries.append(dict(zip(self.order, order, strict=True)))
            return next(k for k, (a, b) in enumerate(zip(self.path, path, strict=False)) if a != b)
        return len(path)

    def _images(self, tried: set[int], path: tuple[int, ...]) -> set[int]:
        """The orbits of the nodes tried so far under the symmetries that fix the path."""
        fixing = [s for s in self.symmetries if all(s[number] == number for number in path)]
        fixing += [{image: number for number, image in s.items()} for s in fixing]
        found = set(tried)
        new = list(tried)
        while new:
            number = new.pop()
            for symmetry in fixing:
                if symmetry[number] not in found:
                    found.add(symmetry[number])
                    new.append(symmetry[number])
        return found


def _classes(values: Mapping[int, tuple[object, ...]]) -> dict[int, int]:
    """The rank of the value of each node among the distinct values."""
    ranks = {value: rank for rank, value in enumerate(sorted(set(values.values())))}
    return {number: ranks[value] for number, value in values.items()}
