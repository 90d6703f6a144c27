"""A rule on its way to becoming another one: what operators do to it, step by step."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from gpkit.core.rng import below
from gpkit.genomes.graph import (
    GROUND,
    WILD,
    Action,
    Comparison,
    Graph,
    Node,
    Quantity,
    Rule,
    actions,
    graph_of,
    impossible,
    normal_action,
)

GONE = -3
"""Instead of a node: one that was dropped."""


class Draft:
    """The nodes, edges and action of a rule, to be changed; the rule itself stays as it is.

    Nodes keep their numbers until the draft is a rule again; new ones come last.
    """

    def __init__(self, rule: Rule) -> None:
        self.parent = rule
        self.nodes = list(rule.graph.nodes)
        self.grounds = list(rule.graph.grounds)
        self.edges = {(low, high): count for low, high, count in rule.graph.links}
        self.action = rule.action
        self.alive = list(range(len(self.nodes)))
        self.touched: set[int] = set()

    def neighbours(self, number: int) -> list[int]:
        """The nodes that it has edges to, each once."""
        return [sum(pair) - number for pair in sorted(self.edges) if number in pair]

    def count(self, one: int, other: int) -> int:
        """The edges between two nodes."""
        return self.edges.get((min(one, other), max(one, other)), 0)

    def free(self, number: int) -> int:
        """The open neighbours of a node."""
        ends = sum(count * pair.count(number) for pair, count in self.edges.items())
        return self.nodes[number].degree - ends - self.grounds[number]

    def chains(self) -> list[int]:
        """The nodes that are chains."""
        return [number for number in self.alive if self.nodes[number].symbol == "l"]

    def can_join(self, one: int, other: int) -> bool:
        """Whether two open neighbours, one of each node, can be one edge."""
        room = self.free(one) >= 2 if one == other else self.free(one) and self.free(other)
        edges = self.count(one, other) + 1
        return bool(room) and not impossible(self.nodes[one], self.nodes[other], edges, loop=one == other)

    def join(self, one: int, other: int) -> None:
        """Make two open neighbours one edge; if an action to anything has no other any more, it is that."""
        self._set(one, other, self.count(one, other) + 1)
        for here, there in ((one, other), (other, one)):
            if self.action.node == here and self.action.other == WILD and not self.free(here):
                self.action = self.action._replace(other=there)

    def cut(self, one: int, other: int) -> None:
        """Make all edges between two nodes open neighbours."""
        self._set(one, other, 0)
        if {self.action.node, self.action.other} == {one, other}:
            self.action = self.action._replace(other=WILD)

    def _set(self, one: int, other: int, count: int) -> None:
        pair = (min(one, other), max(one, other))
        self.edges[pair] = count
        if not count:
            del self.edges[pair]
        self.touched |= {one, other}

    def ground(self, number: int, more: int) -> None:
        """Lead so many more edges of a node to the ground, or fewer; the action stays with its edge."""
        self.grounds[number] += more
        self.touched.add(number)
        if self.action.node != number or self.action.other >= 0:
            return
        wild = self.action.other == WILD
        if not (self.free(number) if wild else self.grounds[number]):
            self.action = self.action._replace(other=GROUND if wild else WILD)

    def add(self, node: Node) -> int:
        """A new node, all of whose neighbours are open; gives its number."""
        self.nodes.append(node)
        self.grounds.append(0)
        self.alive.append(len(self.nodes) - 1)
        self.touched.add(self.alive[-1])
        return self.alive[-1]

    def isolate(self, number: int) -> None:
        """Make all neighbours of a node open ones."""
        action = self.action
        for other in self.neighbours(number):
            self.cut(number, other)
        self.grounds[number] = 0
        self.action = action

    def drop(self, numbers: Iterable[int]) -> None:
        """Take nodes out; what they were for others is open."""
        for number in numbers:
            self.isolate(number)
            self.alive.remove(number)
            self.touched.discard(number)
            if self.action.node == number:
                self.action = Action(self.action.other, WILD)
            elif self.action.other == number:
                self.action = self.action._replace(other=WILD)

    def replace(self, number: int, node: Node) -> None:
        """Make a node another one; it has room for its edges."""
        self.nodes[number] = node
        self.touched.add(number)

    def act(self, action: Action) -> None:
        """Draw another edge."""
        self.action = action
        self.touched |= {number for number in action[:2] if number >= 0}

    def rule_graph(self) -> Graph:
        """The graph of the nodes that are left."""
        place = self._places()
        return graph_of(
            [self.nodes[number] for number in self.alive],
            {(place[one], place[other]): count for (one, other), count in self.edges.items()},
            {place[number]: self.grounds[number] for number in self.alive},
        )

    def _places(self) -> dict[int, int]:
        return {number: k for k, number in enumerate(self.alive)}

    def finished(self, rng: np.random.Generator) -> tuple[Rule, tuple[int, ...]]:
        """The rule with its nodes renumbered and an action that it has an edge for, and the nodes that changed.

        Comparisons of removed chains are removed, too.
        """
        graph, place, kept = self.rule_graph(), self._places(), []
        for left, sign, right in self.parent.comparisons:
            moved = [self._moved(quantity, place) for quantity in (left, right)]
            if moved[0] is not None and moved[1] is not None:
                kept.append(Comparison(moved[0], sign, moved[1]))
        fitting = self._fitting_actions(graph, place)
        action = fitting[below(rng, len(fitting)) if len(fitting) > 1 else 0]
        rule = replace(self.parent, graph=graph, action=action, comparisons=tuple(kept))
        return rule, tuple(sorted(place[number] for number in self.touched))

    def _fitting_actions(self, graph: Graph, place: dict[int, int]) -> list[Action]:
        """The action if the graph has an edge for it, else what comes closest: of the same box, to anything."""
        node, other, offset = self.action
        node, other = place.get(node, GONE), other if other < 0 else place.get(other, GONE)
        found = list(actions(graph))
        if node >= 0:
            first = normal_action(graph, Action(node, other)) if other >= 0 else Action(node, other)
            offset = max(min(offset, graph.nodes[first.node].length - 1), 0)
            if first._replace(offset=offset) in found:
                return [first._replace(offset=offset)]
        same = [action for action in found if {node, other} & {n for n in action[:2] if n >= 0}]
        wild = [action for action in same if action.other == WILD and not action.offset]
        return wild or same or found

    def _moved(self, quantity: Quantity, place: dict[int, int]) -> Quantity | None:
        if quantity.kind != "length":
            return quantity
        if quantity.value not in place or self.nodes[quantity.value].symbol != "l":
            return None
        return quantity._replace(value=place[quantity.value])
