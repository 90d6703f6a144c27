"""One numbering for all rules that differ in the numbers of their nodes alone.

Nodes are told apart by what they are and, again and again, by their neighbours; where that leaves several alike, each
is tried as the first, and the numbering with the least description wins. Numberings that a symmetry of the graph makes
equal to one already seen are left out (B. D. McKay, "Practical graph isomorphism", 1981). Each fragment is numbered by
itself, so many equal fragments cost no more than one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gpkit.genomes.graph import Comparison, Graph, Quantity, Rule, normal_action, renumbered

Mark = tuple[int, ...]
"""Further label of a node: its part in the action and in comparisons."""

Kind = tuple[Mark, str, int, bool, int, int]
"""Label of a node by itself: mark, symbol, length, at least, grounds, wildcards."""

Code = tuple[tuple[Kind, tuple[tuple[int, int], ...]], ...]
"""A numbered fragment in full: by node what it is, and its neighbours with their edges."""


def canonical(rule: Rule) -> Rule:
    """The rule with its nodes in search order, from the action outwards: equal for rules that differ in numbers alone.

    Of the graphs that must be absent none comes twice.
    """
    order = rule_order(rule)
    place = {number: k for k, number in enumerate(order)}
    graph = renumbered(rule.graph, order)
    node, other, offset = rule.action
    action = rule.action._replace(node=place[node], other=place.get(other, other), offset=offset)
    absent = {canonical_graph(one) for one in rule.absent}
    return replace(
        rule,
        graph=graph,
        action=normal_action(graph, action),
        absent=tuple(sorted(absent, key=_description)),
        comparisons=tuple(
            Comparison(_moved(left, place), sign, _moved(right, place))
            for left, sign, right in rule.comparisons
        ),
    )


def canonical_graph(graph: Graph) -> Graph:
    """The graph with its nodes in search order: equal for graphs that differ in numbers alone."""
    return renumbered(graph, _order(graph, {}, ()))


def rule_order(rule: Rule) -> tuple[int, ...]:
    """The numbers of the nodes in search order."""
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
    """Fragments with ``first`` in them before others, then by their description; each breadth first."""
    fragments = []
    adjacency = graph.adjacency()
    for members in graph.fragments():
        labelling = _Labelling(graph, members, marks, adjacency)
        labelling.explore(labelling.kinds(), ())
        rank = {number: k for k, number in enumerate(labelling.order)}
        starts = [number for number in first if number in rank] or members
        start = min(starts, key=rank.__getitem__)
        walk = [start]
        for number in walk:
            near = sorted(adjacency[number], key=rank.__getitem__)
            walk += [other for other in near if other not in walk]
        fragments.append((start not in first, labelling.code, walk))
    fragments.sort(key=lambda fragment: fragment[:2])
    return tuple(number for _, _, walk in fragments for number in walk)


@dataclass(slots=True)
class _Labelling:
    """The search for the least description of one fragment; ``code`` and ``order`` are the least so far."""

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
        """The class of every node by what it is alone."""
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
        """Try every node of the first class with several as its first; gives the length of the path to go on from."""
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
        """Classes split by the classes of neighbours until nothing splits any more."""
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
        """Orbits of the nodes tried, under the symmetries that leave the path alone."""
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


def _classes(values: Mapping[int, tuple[Any, ...]]) -> dict[int, int]:
    """The rank of the value of every node among the different ones."""
    ranks = {value: rank for rank, value in enumerate(sorted(set(values.values())))}
    return {number: ranks[value] for number, value in values.items()}
