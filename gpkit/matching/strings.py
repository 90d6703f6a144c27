"""The strings of a position as values, so that moves of different matches can be compared.

Strings between which nothing tells apart are one value: several between the same two nodes, several from one node to
the ground, the inner strings that lie equally far from two like ends of a chain, all strings of an isolated loop.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gpkit.genomes.graph import GROUND, Graph


class String(NamedTuple):
    """A string of a position, or several that nothing tells apart, in the one way that ``string`` writes it.

    Attributes:
        node: a number in the position; the chain if it is a string at the end of a chain, or inside one.
        other: the node at the other end, or ``GROUND``; of an inner string, what the nearer end of the chain touches.
        offset: of an inner string, how many strings it lies from the end that touches ``other``; else 0.
    """

    node: int
    other: int
    offset: int = 0


def string(position: Graph, node: int, other: int, offset: int = 0) -> String:
    """The value of the string between ``node`` and ``other``, or of the one so many strings inside the chain ``node``.

    Args:
        position: in which ``node`` and ``other`` (a node or ``GROUND``) are joined by a string.
        node: a chain if ``offset`` is not 0.
        other: at one end of the string with offset 0.
        offset: counted into the chain from the end that touches ``other``; less than its length.
    """
    if offset == 0:
        if other == GROUND:
            return String(node, GROUND)
        low, high = sorted((node, other))
        chain_second = position.nodes[high].symbol == "l" and position.nodes[low].symbol != "l"
        return String(high, low) if chain_second else String(low, high)
    first, last = ends(position, node)
    if first == node:
        return String(node, node)
    length = position.nodes[node].length
    place = offset if other == first else length - offset
    return String(node, first, place) if 2 * place <= length else String(node, last, length - place)


def ends(position: Graph, chain: int) -> tuple[int, int]:
    """What the two ends of a chain touch, ``GROUND`` before nodes; a loop touches itself twice."""
    touched = [GROUND] * position.grounds[chain]
    for edge in position.edges:
        if chain in (edge.low, edge.high):
            other = edge.high if edge.low == chain else edge.low
            touched += [other] * (edge.strings * (1 + (edge.low == edge.high)))
    first, last = touched
    return first, last


def strings(position: Graph) -> tuple[String, ...]:
    """Every string of a position once: the edges, the strings to the ground, the inner strings of chains."""
    outer = [string(position, edge.low, edge.high) for edge in position.edges]
    ground = [String(number, GROUND) for number, count in enumerate(position.grounds) if count]
    return (*outer, *ground, *_inner_strings(position))


def _inner_strings(position: Graph) -> Iterator[String]:
    """By chain, from the end that ``ends`` names first; nothing for a loop, whose strings are all its edge."""
    for number, node in enumerate(position.nodes):
        if node.length > 1:
            first, last = ends(position, number)
            if first != number:
                places = node.length // 2 if first == last else node.length - 1
                yield from (string(position, number, first, place) for place in range(1, places + 1))


def count(position: Graph, value: String) -> int:
    """How many strings of a position have this value, so that one of all strings can be drawn uniformly."""
    node, other, offset = value
    first_last = ends(position, node) if position.nodes[node].symbol == "l" else None
    if offset:
        assert first_last is not None
        alike = first_last[0] == first_last[1] and 2 * offset != position.nodes[node].length
        return 2 if alike else 1
    if other == GROUND:
        return position.grounds[node]
    if node == other and first_last is not None:
        return position.nodes[node].length
    low, high = sorted((node, other))
    return next(edge.strings for edge in position.edges if (edge.low, edge.high) == (low, high))
