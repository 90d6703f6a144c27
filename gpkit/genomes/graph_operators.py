"""Vary rules by one small change at a time; each change is a function of a random generator and a draft.

The changes come from A. Knittel, T. Bossomaier and A. Snyder, "Concept accessibility as basis for evolutionary
reinforcement learning of Dots and Boxes", section II.C: "adding nodes, removing nodes, changing the properties of chain
nodes, joining and separating graph fragments, and replacing symbols with wildcards". Some additional changes make every
rule reachable. If a change removes the side to draw, the rule draws another side of the same box, preferably an open
edge.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple, TypeVar

import numpy as np

from gpkit.core.rng import below, by_share
from gpkit.genomes.graph import (
    GROUND,
    SYMBOLS,
    WILD,
    Action,
    Graph,
    Node,
    NumberComparison,
    Quantity,
    Rule,
    Symbol,
    actions,
    graph_of,
    impossible,
    normal_action,
)

GONE = -3
"""The value that replaces the number of a removed node."""


class Draft:
    """A modifiable copy of the nodes, edges and action of a rule; the rule itself stays unchanged.

    Nodes keep their numbers until the draft is turned into a rule again; new nodes come last.
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
        """The neighbours of a node, without repetitions."""
        return [sum(pair) - number for pair in sorted(self.edges) if number in pair]

    def count(self, one: int, other: int) -> int:
        """The number of edges between two nodes."""
        return self.edges.get((min(one, other), max(one, other)), 0)

    def free(self, number: int) -> int:
        """The number of a node's open edges."""
        ends = sum(count * pair.count(number) for pair, count in self.edges.items())
        return self.nodes[number].degree - ends - self.grounds[number]

    def chains(self) -> list[int]:
        """The numbers of the nodes that are chains."""
        return [number for number in self.alive if self.nodes[number].symbol == "l"]

    def can_join(self, one: int, other: int) -> bool:
        """Whether an open edge of one node can be joined with an open edge of the other."""
        room = self.free(one) >= 2 if one == other else self.free(one) and self.free(other)
        edges = self.count(one, other) + 1
        return bool(room) and not impossible(self.nodes[one], self.nodes[other], edges, loop=one == other)

    def join(self, one: int, other: int) -> None:
        """Join two open edges into one; an action that draws the last open edge of a node moves to the new edge."""
        self._set(one, other, self.count(one, other) + 1)
        for here, there in ((one, other), (other, one)):
            if self.action.node == here and self.action.other == WILD and not self.free(here):
                self.action = self.action._replace(other=there)

    def cut(self, one: int, other: int) -> None:
        """Replace all edges between two nodes by open edges."""
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
        """Lead ``more`` open edges of a node to the ground, or reopen them if negative; the action keeps its edge."""
        self.grounds[number] += more
        self.touched.add(number)
        if self.action.node != number or self.action.other >= 0:
            return
        wild = self.action.other == WILD
        if not (self.free(number) if wild else self.grounds[number]):
            self.action = self.action._replace(other=GROUND if wild else WILD)

    def add(self, node: Node) -> int:
        """Add a node with only open edges, and return its number."""
        self.nodes.append(node)
        self.grounds.append(0)
        self.alive.append(len(self.nodes) - 1)
        self.touched.add(self.alive[-1])
        return self.alive[-1]

    def isolate(self, number: int) -> None:
        """Replace all edges of a node by open edges."""
        action = self.action
        for other in self.neighbours(number):
            self.cut(number, other)
        self.grounds[number] = 0
        self.action = action

    def drop(self, numbers: Iterable[int]) -> None:
        """Remove nodes; the edges of their neighbours become open."""
        for number in numbers:
            self.isolate(number)
            self.alive.remove(number)
            self.touched.discard(number)
            if self.action.node == number:
                self.action = Action(self.action.other, WILD)
            elif self.action.other == number:
                self.action = self.action._replace(other=WILD)

    def replace(self, number: int, node: Node) -> None:
        """Replace a node by another node that has room for its edges."""
        self.nodes[number] = node
        self.touched.add(number)

    def act(self, action: Action) -> None:
        """Set the edge that the action draws."""
        self.action = action
        self.touched |= {number for number in action[:2] if number >= 0}

    def rule_graph(self) -> Graph:
        """The graph of the remaining nodes."""
        place = self._places()
        return graph_of(
            [self.nodes[number] for number in self.alive],
            {(place[one], place[other]): count for (one, other), count in self.edges.items()},
            {place[number]: self.grounds[number] for number in self.alive},
        )

    def _places(self) -> dict[int, int]:
        return {number: k for k, number in enumerate(self.alive)}

    def finished(self, rng: np.random.Generator) -> tuple[Rule, tuple[int, ...]]:
        """The finished rule, and the numbers of the nodes that changed.

        The nodes of the rule get new numbers, and its action draws an existing edge. Comparisons that refer to a
        removed chain are dropped.
        """
        graph, place, kept = self.rule_graph(), self._places(), []
        for left, sign, right in self.parent.comparisons:
            moved = [self._moved(quantity, place) for quantity in (left, right)]
            if moved[0] is not None and moved[1] is not None:
                kept.append(NumberComparison(moved[0], sign, moved[1]))
        fitting = self._fitting_actions(graph, place)
        rule = replace(
            self.parent,
            graph=graph,
            action=fitting[below(rng, len(fitting)) if len(fitting) > 1 else 0],
            comparisons=tuple(kept),
        )
        return rule, tuple(sorted(place[number] for number in self.touched))

    def _fitting_actions(self, graph: Graph, place: dict[int, int]) -> list[Action]:
        """The action, if its edge still exists; otherwise, the nearest actions: open edges of the same box, if any."""
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


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """The size limits of rules: the number of nodes, and the length of a chain."""

    nodes: int = 25
    length: int = 25


class EditedRule(NamedTuple):
    """A child of a rule, and the numbers of those nodes of the child that changed or whose edges changed."""

    rule: Rule
    nodes: tuple[int, ...]


def add_node(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Add a random box or chain at an open edge, or as a new fragment if there is no open edge."""
    if len(draft.nodes) >= limits.nodes:
        return
    open_nodes = [number for number in draft.alive if draft.free(number)]
    if not open_nodes:
        draft.add(_random_node(rng, SYMBOLS, limits))
        return
    host = _one_of(rng, open_nodes)
    possible = [s for s in SYMBOLS if s != "l" or draft.nodes[host].symbol != "l"]
    draft.join(host, draft.add(_random_node(rng, possible, limits)))


def remove_node(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Remove a node; join its neighbours in pairs if possible, and leave the other edges open."""
    if len(draft.nodes) < 2:
        return
    number = below(rng, len(draft.nodes))
    near = [other for other in draft.neighbours(number) if other != number]
    ends = [other for other in near for _ in range(draft.count(number, other))]
    draft.drop([number])
    order = [ends[k] for k in rng.permutation(len(ends))]
    for one, other in zip(order[0::2], order[1::2], strict=False):
        if draft.can_join(one, other):
            draft.join(one, other)


def node_to_wildcard(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Turn a node into a wildcard, so that the rule no longer mentions the node."""
    if len(draft.nodes) > 1:
        draft.drop([below(rng, len(draft.nodes))])


def change_length(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Make a chain one box longer or shorter."""

    def changed(node: Node) -> Node:
        length = node.length + (1 if rng.random() < 0.5 else -1)
        return replace(node, length=min(max(length, 1), max(limits.length, node.length)))

    _with_chain(rng, draft, changed)


def toggle_at_least(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Make a chain also match longer chains, or no longer match them."""
    _with_chain(rng, draft, lambda node: replace(node, at_least=not node.at_least))


def _with_chain(rng: np.random.Generator, draft: Draft, changed: Callable[[Node], Node]) -> None:
    """Change a random chain, if the rule has one."""
    if chains := draft.chains():
        number = _one_of(rng, chains)
        draft.replace(number, changed(draft.nodes[number]))


def join_fragments(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Join two open edges, from different fragments if possible, into one edge."""
    fragment = {n: k for k, fragment in enumerate(draft.parent.graph.fragments()) for n in fragment}
    free = [number for number in draft.alive if draft.free(number)]
    pairs = [(a, b) for a in free for b in free if a <= b and draft.can_join(a, b)]
    apart = [(a, b) for a, b in pairs if fragment[a] != fragment[b]]
    if pairs:
        draft.join(*_one_of(rng, apart or pairs))


def separate_fragments(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Replace the edges between two nodes by open edges, preferably where this splits a fragment."""
    bridges = []
    for one, other in sorted(draft.edges):
        trial = Draft(draft.parent)
        trial.cut(one, other)
        if len(trial.rule_graph().fragments()) > len(draft.parent.graph.fragments()):
            bridges.append((one, other))
    if draft.edges:
        draft.cut(*_one_of(rng, bridges or sorted(draft.edges)))


def swap_ground(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Replace an edge to the ground by an open edge, or an open edge by an edge to the ground."""
    stubs = [(number, -1) for number in draft.alive for _ in range(draft.grounds[number])]
    stubs += [(number, 1) for number in draft.alive for _ in range(draft.free(number))]
    if stubs:
        draft.ground(*_one_of(rng, stubs))


def change_symbol(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Change the symbol of a node; surplus edges are removed, open edges first."""
    number = below(rng, len(draft.nodes))
    others = [s for s in SYMBOLS if s != draft.nodes[number].symbol]
    ends = [other for other in draft.neighbours(number) if other != number]
    edges = [(other, k) for other in ends for k in range(draft.count(number, other))]
    grounds = draft.grounds[number]
    draft.isolate(number)
    draft.replace(number, _random_node(rng, others, limits))
    wanted = [*(other for other, _ in edges), *[-1] * grounds]
    for k in rng.permutation(len(wanted)):
        if wanted[k] == -1 and draft.free(number):
            draft.ground(number, 1)
        elif wanted[k] >= 0 and draft.can_join(number, wanted[k]):
            draft.join(number, wanted[k])


def drop_fragment(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Remove a fragment that does not contain the action."""
    loose = [
        fragment for fragment in draft.parent.graph.fragments() if draft.parent.action.node not in fragment
    ]
    if loose:
        draft.drop(_one_of(rng, loose))


def change_action(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Choose another edge for the rule to draw."""
    others = [action for action in actions(draft.parent.graph) if action != draft.parent.action]
    if others:
        draft.act(_one_of(rng, others))


Edit = Callable[[np.random.Generator, Draft, Limits], None]
"""A function that changes the draft of a rule, if the rule has anything to change."""

EDITS: Mapping[str, tuple[float, Edit]] = {
    "add": (0.20, add_node),
    "remove": (0.08, remove_node),
    "wildcard": (0.10, node_to_wildcard),
    "length": (0.12, change_length),
    "at-least": (0.08, toggle_at_least),
    "join": (0.08, join_fragments),
    "separate": (0.08, separate_fragments),
    "ground": (0.08, swap_ground),
    "symbol": (0.06, change_symbol),
    "drop": (0.04, drop_fragment),
    "action": (0.08, change_action),
}
"""The edits, by name, with their default shares."""

TRIES = 20
"""The maximum number of edits that gpkit tries until one changes something."""


def edited(rng: np.random.Generator, rule: Rule, edit: Edit, limits: Limits) -> EditedRule:
    """The child of a rule after one edit; the child's nodes get new numbers, and its action draws one of its edges."""
    draft = Draft(rule)
    edit(rng, draft, limits)
    return EditedRule(*draft.finished(rng))


def mutate(
    rng: np.random.Generator, rule: Rule, limits: Limits, shares: Mapping[str, float] | None = None
) -> tuple[EditedRule, str]:
    """A child of a rule after one random edit that has an effect, and the name of the edit.

    Args:
        rng: the random generator.
        rule: the parent.
        limits: the size limits of rules.
        shares: the relative frequency of each edit, by name; edits without a share never occur. None selects the shares
            in ``EDITS``.
    """
    weights = {name: share for name, (share, _) in EDITS.items()} if shares is None else shares
    names = list(weights)
    sums = list(accumulate(weights.values()))
    name, variant = names[-1], EditedRule(rule, ())
    for _ in range(TRIES):
        name = names[by_share(rng, sums)]
        variant = edited(rng, rule, EDITS[name][1], limits)
        if variant.rule != rule:
            break
    return variant, name


def _random_node(rng: np.random.Generator, symbols: Sequence[Symbol], limits: Limits) -> Node:
    """A random node with one of these symbols; random chains are short, and half of them also match longer chains."""
    symbol = _one_of(rng, symbols)
    if symbol != "l":
        return Node(symbol)
    return Node("l", 1 + below(rng, min(3, limits.length)), rng.random() < 0.5)


def _one_of(rng: np.random.Generator, values: Sequence[T]) -> T:
    return values[below(rng, len(values))]
