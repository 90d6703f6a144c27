"""Rules prepared for the compiled matcher: in which order to place their nodes, flattened into arrays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.genomes.graph import DEGREES, GROUND, WILD, Graph, Node, Rule
from gpkit.matching.kernel import layout as at
from gpkit.matching.signature import signature

_SYMBOLS = tuple(DEGREES)

_USUAL = {"q": 3.0, "t": 4.0, "l": 2.0, "x": 1.0}
"""About how many there are in a position."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The searches of many rules.

    Attributes:
        matching: int16 (rules, PLACES + PLACE · places): searches for any match, the rarest nodes first.
        imaging: int16, of the same shape: searches for all images of the action, its nodes first.
        signatures: uint64 (WORDS, rules).
        longest: up to this length chains are told apart.
    """

    matching: NDArray[np.int16]
    imaging: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    longest: int

    def __post_init__(self) -> None:
        for array in (self.matching, self.imaging, self.signatures):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.matching)


def plan(rules: Sequence[Rule]) -> Plan:
    """The plan of these rules; one that is larger than any position that can be flattened gets an empty search."""
    possible = [rule.graph for rule in rules if _is_possible(rule.graph)]
    places = max((len(graph.nodes) for graph in possible), default=1)
    longest = max((node.length for graph in possible for node in graph.nodes), default=0)
    shape = (len(rules), at.PLACES + at.PLACE * places)
    matching, imaging = np.zeros(shape, dtype=np.int16), np.zeros(shape, dtype=np.int16)
    signatures = np.zeros((at.WORDS, len(rules)), dtype=np.uint64)
    for number, rule in enumerate(rules):
        signatures[:, number] = signature(rule.graph)
        if not _is_possible(rule.graph):
            continue
        _fill(matching[number], rule.graph, search_order(rule.graph, ()))
        first = action_nodes(rule)
        _fill(imaging[number], rule.graph, search_order(rule.graph, first))
        _fill_action(imaging[number], rule, first)
    return Plan(matching, imaging, signatures, longest)


def _is_possible(graph: Graph) -> bool:
    return max(len(graph.nodes), *(node.length for node in graph.nodes)) <= at.MAX_NODES


def action_nodes(rule: Rule) -> tuple[int, ...]:
    """The nodes whose images decide what the action is an image of, its own first.

    Of a wildcard, these are all to which its node has strings: what is left over is where their images are not.
    """
    node, other, _ = rule.action
    around = rule.graph.neighbours(node) if other == WILD else (other,)
    return (node, *(number for number in around if number not in (node, GROUND)))


def search_order(graph: Graph, first: Sequence[int]) -> tuple[int, ...]:
    """An order of the nodes: after ``first`` whatever has most strings to earlier nodes, of these the rarest."""
    order = list(first)
    left = [number for number in range(len(graph.nodes)) if number not in order]
    while left:
        best = max(left, key=lambda number: (_strings_to(graph, number, order), -_frequency(graph, number)))
        left.remove(best)
        order.append(best)
    return tuple(order)


def _strings_to(graph: Graph, number: int, others: Sequence[int]) -> int:
    return sum(graph.strings(number, other) for other in others)


def _frequency(graph: Graph, number: int) -> float:
    """About how many nodes of a position can stand for a node of a rule."""
    node, grounds = graph.nodes[number], graph.grounds[number]
    chain = 1.0 if node.symbol != "l" else 0.7**node.length if node.at_least else 0.5 * 0.8**node.length
    known = node.degree - graph.wildcards(number)
    return float(_USUAL[node.symbol] * chain * 0.5**grounds * 0.9**known)


def _fill(row: NDArray[np.int16], graph: Graph, order: Sequence[int]) -> None:
    """Write a search in this order."""
    row[at.SIZE] = len(order)
    for place, number in enumerate(order):
        start = at.PLACES + at.PLACE * place
        row[start + at.KIND] = kind(graph.nodes[number], graph.grounds[number], graph.strings(number, number))
        links = [
            1 + at.STRINGS * k + graph.strings(number, earlier) - 1
            for k, earlier in enumerate(order[:place])
            if graph.strings(number, earlier)
        ]
        row[start + at.LINKS : start + at.LINKS + len(links)] = links


def _fill_action(row: NDArray[np.int16], rule: Rule, first: Sequence[int]) -> None:
    """Write what the action is, in a search whose order begins with ``first``."""
    node, other, offset = rule.action
    row[at.PREFIX] = len(first)
    row[at.OTHER] = other if other < 0 else first.index(other)
    row[at.OFFSET] = offset
    row[at.GROUNDS] = rule.graph.grounds[node]
    row[at.LOOPS] = rule.graph.strings(node, node)


def kind(node: Node, grounds: int, loops: int) -> int:
    """The number of what a rule asks of a node: as ``layout`` counts them."""
    if node.symbol != "l":
        return (_SYMBOLS.index(node.symbol) * at.GROUND_KINDS + grounds) * at.LOOP_KINDS + loops
    at_end = at.CHAIN_KINDS - 1 if loops else grounds
    return at.KINDS + at.LENGTH_KINDS * (node.length - 1) + at.CHAIN_KINDS * node.at_least + at_end


def kinds(longest: int) -> int:
    """How many kinds there are if chains are told apart up to a length."""
    return at.KINDS + at.LENGTH_KINDS * longest


def described(row: NDArray[np.int16]) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    """A search for people and tests: by place the kind, and (earlier place, strings) for each link."""
    for place in range(row[at.SIZE]):
        start = at.PLACES + at.PLACE * place
        links = [int(link) - 1 for link in row[start + at.LINKS : start + at.PLACE] if link != at.NO_LINK]
        yield (
            int(row[start + at.KIND]),
            tuple((link // at.STRINGS, link % at.STRINGS + 1) for link in links),
        )
