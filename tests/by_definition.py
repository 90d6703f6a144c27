"""Matching by its definition, for small graphs: every edge by itself, every injective map of nodes and of edges."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

from gpkit.genomes.graph import GROUND, WILD, Graph, Node, Quantity, Rule


class End(NamedTuple):
    """Where an edge ends: at a node of a graph, of a chain on its side 0 or 1; or at the ground."""

    node: int
    side: int = 0


Strand = tuple[End, ...]
"""An edge between nodes, or between a node and the ground: two ends."""


def embeddings(wanted: Graph, position: Graph) -> Iterator[tuple[int, ...]]:
    """Every embedding, as the node of the position for each node of the rule."""
    needed = {(low, high): count for low, high, count in wanted.links}
    there = {(low, high): count for low, high, count in position.links}
    candidates = [
        [k for k, node in enumerate(position.nodes) if fits(one, node) and position.grounds[k] >= grounds]
        for one, grounds in zip(wanted.nodes, wanted.grounds, strict=True)
    ]
    for embedding in product(*candidates):
        if len(set(embedding)) == len(embedding) and all(
            there.get((min(embedding[low], embedding[high]), max(embedding[low], embedding[high])), 0)
            >= count
            for (low, high), count in needed.items()
        ):
            yield embedding


def fits(wanted: Node, node: Node) -> bool:
    """Equal symbols, and equal lengths or, of a chain that may be longer, at least that length."""
    longer = wanted.at_least and node.length > wanted.length
    return wanted.symbol == node.symbol and (wanted.length == node.length or longer)


def strands(graph: Graph) -> list[Strand]:
    """Every edge outside chains, each end of a chain used once."""
    used: Counter[int] = Counter()

    def end(node: int) -> End:
        if graph.nodes[node].symbol != "l":
            return End(node)
        used[node] += 1
        return End(node, used[node] - 1)

    found = [(end(low), end(high)) for low, high, count in graph.links for _ in range(count)]
    found += [(end(number), End(GROUND)) for number, count in enumerate(graph.grounds) for _ in range(count)]
    return found


class Drawn(NamedTuple):
    """One edge of a position: a strand by its number, or in a chain the one before its box ``place``."""

    strand: int
    chain: int = -1
    place: int = 0


def acting_embeddings(rule: Rule, position: Graph, score: int = 0) -> Iterator[tuple[int, ...]]:
    """Every embedding under which the rule may act."""
    if any(list(embeddings(graph, position)) for graph in rule.absent):
        return
    left = len(strands(position)) + sum(max(0, node.length - 1) for node in position.nodes)
    for embedding in embeddings(rule.graph, position):
        known = {"score": score, "left": left}

        def side(
            quantity: Quantity, embedding: tuple[int, ...] = embedding, known: dict[str, int] = known
        ) -> int:
            if quantity.kind == "length":
                return position.nodes[embedding[quantity.value]].length
            return known.get(quantity.kind, quantity.value)

        orders = {"<": (-1,), "<=": (-1, 0), "=": (0,), "!=": (-1, 1), ">": (1,), ">=": (0, 1)}
        signs = [(side(one) > side(two)) - (side(one) < side(two)) for one, _, two in rule.comparisons]
        if all(found in orders[sign] for found, (_, sign, _) in zip(signs, rule.comparisons, strict=True)):
            yield embedding


def images(rule: Rule, position: Graph, score: int = 0) -> set[Drawn]:
    """The edges drawn under some embedding, whichever edges of their own those of the rule are given."""
    found: set[Drawn] = set()
    for embedding in acting_embeddings(rule, position, score):
        found |= _images_under(rule, embedding, position)
    return found


def _images_under(rule: Rule, embedding: tuple[int, ...], position: Graph) -> set[Drawn]:
    node, other, offset = rule.action
    here = strands(position)
    own = [s for s in strands(rule.graph) if node in (s[0].node, s[1].node)]
    found: set[Drawn] = set()
    for chosen in permutations(range(len(here)), len(own)):
        if not all(
            _nodes(here[number]) == _nodes(tuple(_moved(end, embedding) for end in strand))
            for number, strand in zip(chosen, own, strict=True)
        ):
            continue
        if other == WILD:
            at = [
                n for n, s in enumerate(here) if embedding[node] in (s[0].node, s[1].node) and n not in chosen
            ]
        else:
            at = [n for n, s in zip(chosen, own, strict=True) if _nodes(s) == sorted((node, other))]
        for number in at:
            for end in here[number]:
                if end.node == embedding[node]:
                    found.add(_into(position, number, end, offset))
    return found


def _moved(end: End, embedding: tuple[int, ...]) -> End:
    return End(GROUND if end.node == GROUND else embedding[end.node])


def _nodes(strand: Strand) -> list[int]:
    return sorted(end.node for end in strand)


def _into(position: Graph, number: int, end: End, offset: int) -> Drawn:
    """The edge that lies so many edges further into the chain of an end."""
    if offset == 0:
        return Drawn(number)
    length = position.nodes[end.node].length
    return Drawn(-1, end.node, offset if end.side == 0 else length - offset)
