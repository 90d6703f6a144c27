"""Layout of edges: the order and direction in which a graph's edges are drawn, from the left to the right.

Each fragment is laid out breadth first from one node. A chain has its first end at its left and its second at its
right; the edge to draw stands at the left end of its chain, so that edges inside it count from there.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gpkit.genomes.graph import GROUND, WILD, Action, Graph

NO_ACTION = Action(-1, -1)
"""Of graphs in which nothing is to be drawn."""


class Strand(NamedTuple):
    """An edge as it is drawn.

    Attributes:
        tail, head: what is at its left and at its right: a node, ``GROUND`` or ``WILD``. A chain is left at its right
            end, and entered at its left one.
        acts: whether it is the one that a rule says to draw.
        turns: whether it enters the chain ``head`` at the right end, as the left one hangs at ``tail``, too.
    """

    tail: int
    head: int
    acts: bool = False
    turns: bool = False


def strands(graph: Graph, action: Action = NO_ACTION) -> tuple[tuple[Strand, ...], ...]:
    """The edges of every fragment, those of the fragment with the action first.

    Args:
        graph: of a rule or of a position.
        action: the edge that a rule says to draw. One inside a chain is no strand: the chain shows it.
    """
    fragments = sorted(graph.fragments(), key=lambda fragment: action.node not in fragment)
    return tuple(tuple(_strands(graph, fragment, action)) for fragment in fragments)


def start_of(graph: Graph, fragment: tuple[int, ...], action: Action = NO_ACTION) -> int:
    """The node of a fragment that is drawn first: at the action, or else at the rim."""
    if action.node not in fragment:
        return min(fragment, key=lambda number: len(graph.neighbours(number)))
    node, other, _ = action
    if other < 0:
        return node
    ends = [other] if graph.nodes[node].symbol == "l" else [other, node]
    return min(ends, key=lambda number: len(graph.neighbours(number)))


def stubs(graph: Graph, number: int, action: Action = NO_ACTION) -> tuple[Strand, ...]:
    """The edges of a node to the ground and to anything, the one to draw first; all of them lead to the right."""
    kinds = [GROUND] * graph.grounds[number] + [WILD] * graph.wildcards(number)
    acting = action.other if action.node == number and action.other < 0 else None
    kinds.sort(key=lambda kind: kind != acting)
    return tuple(
        Strand(number, kind, k == 0 and kind == acting and action.offset == 0) for k, kind in enumerate(kinds)
    )


def _strands(graph: Graph, fragment: tuple[int, ...], action: Action) -> Iterator[Strand]:
    start = start_of(graph, fragment, action)
    order = [start]
    entered: set[int] = set()
    is_chain = graph.nodes[start].symbol == "l"
    if is_chain:
        yield from _of_chain(graph, start, action, entered)
    for number in order:
        for other in sorted(graph.neighbours(number), key=lambda other: other not in action[:2]):
            if other not in order:
                order.append(other)
            if order.index(other) >= order.index(number):
                yield from _between(graph, number, other, action, entered)
        if number != start:
            yield from stubs(graph, number, action)
        elif not is_chain:
            yield from _around(graph, number, action)


def _of_chain(graph: Graph, number: int, action: Action, entered: set[int]) -> Iterator[Strand]:
    """The edges of the first node, a chain, that lead to the ground or anywhere."""
    for _, kind, acts, _ in stubs(graph, number, action):
        yield Strand(number, kind, acts) if number in entered else Strand(kind, number, acts)
        entered.add(number)


def _around(graph: Graph, number: int, action: Action) -> Iterator[Strand]:
    """The edges of the first node, a box, that lead to the ground or anywhere: to the left if it goes on."""
    around = stubs(graph, number, action)
    goes_on = bool(graph.neighbours(number)) or any(strand.acts for strand in around)
    left = len(around) if goes_on else len(around) // 2
    for k, (_, kind, acts, _) in enumerate(reversed(around)):
        yield Strand(number, kind, acts) if acts or k >= left else Strand(kind, number)


def _between(graph: Graph, one: int, other: int, action: Action, entered: set[int]) -> Iterator[Strand]:
    """The edges between two nodes, or of a chain to itself."""
    acts = {one, other} == set(action[:2]) and action.offset == 0
    if one == other:
        yield Strand(one, one, acts)
        return
    for k in range(graph.multiplicity(one, other)):
        first = acts and k == 0
        chain = next((number for number in (one, other) if graph.nodes[number].symbol == "l"), None)
        if chain is None:
            yield Strand(one, other, first)
            continue
        box = one if chain == other else other
        if chain not in entered:
            entered.add(chain)
            yield Strand(box, chain, first)
        elif k:
            yield Strand(box, chain, first, turns=True)
        else:
            yield Strand(chain, box, first)
