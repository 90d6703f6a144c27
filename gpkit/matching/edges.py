"""The edges of a position as values, so that what different embeddings propose can be compared; and comparisons.

An edge is written as an action that draws it. Edges that nothing in the graph tells apart are one value: several
between the same two nodes, several from one node to the ground, the inner edges of a chain that lie equally far from
two like ends, all edges of a loop. The comparisons of a rule are between lengths of matched chains, the score, the
edges left, and numbers.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence

from gpkit.genomes.graph import GROUND, Action, Comparison, Graph, Quantity, Sign, normal_action


def edge(position: Graph, node: int, other: int, offset: int = 0) -> Action:
    """The one value of an edge: with the chain or the lower number first, an inner edge from the nearer end.

    Args:
        position: in which ``node`` and ``other`` (a node or ``GROUND``) are joined by an edge.
        node: a chain if ``offset`` is not 0.
        other: at the other end of the edge with offset 0.
        offset: counted into the chain from the end that touches ``other``; less than its length.
    """
    if offset == 0:
        return normal_action(position, Action(node, other))
    first, last = chain_ends(position, node)
    if first == node:
        return Action(node, node)
    length = position.nodes[node].length
    place = offset if other == first else length - offset
    return Action(node, first, place) if 2 * place <= length else Action(node, last, length - place)


def chain_ends(position: Graph, chain: int) -> tuple[int, int]:
    """Neighbours of the two ends of a chain, ``GROUND`` before nodes; a loop touches itself twice."""
    touched = [GROUND] * position.grounds[chain]
    for other in position.neighbours(chain):
        touched += [other] * (position.multiplicity(chain, other) * (1 + (other == chain)))
    first, last = touched
    return first, last


def edges_left(position: Graph) -> int:
    """Number of edges left to draw: a chain of k boxes has k − 1 inside, and a loop its edge to itself besides."""
    inner = sum(max(node.length - 1, 0) for node in position.nodes)
    return inner + sum(link.multiplicity for link in position.links) + sum(position.grounds)


MEANING: Mapping[Sign, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
"""Relation of two numbers for each sign."""


def holds(comparison: Comparison, embedding: Sequence[int], position: Graph, score: int) -> bool:
    """Whether a comparison holds under an embedding.

    Args:
        comparison: of the rule.
        embedding: by node of the rule the node of the position.
        position: in which it matches.
        score: boxes of whoever is to draw less those of the other.
    """
    left = value(comparison.left, embedding, position, score)
    return MEANING[comparison.sign](left, value(comparison.right, embedding, position, score))


def value(quantity: Quantity, embedding: Sequence[int], position: Graph, score: int) -> int:
    """Value of a side of a comparison; arguments as of ``holds``."""
    if quantity.kind == "length":
        return position.nodes[embedding[quantity.value]].length
    if quantity.kind == "left":
        return edges_left(position)
    return score if quantity.kind == "score" else quantity.value


def kinds_of(comparison: Comparison) -> Iterable[str]:
    """The kinds of both sides."""
    return (comparison.left.kind, comparison.right.kind)
