"""Positions flattened into arrays, and many rules matched in them at once by the compiled search.

Games match rules as they need them (``gpkit.games.dots_and_boxes.rule_lists``); this is for measurements and tests.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpkit.core.compiled import kernel
from gpkit.core.errors import LimitError
from gpkit.genomes.graph import GROUND, SYMBOLS, Action, Graph
from gpkit.matching.kernel import search as at
from gpkit.matching.kernel.search import Positions, fill_domains, images, may_act, may_match
from gpkit.matching.plan import Plan, chain_ends, edge, edges_left, search_scratch, signature


class Searches(NamedTuple):
    """The searches of many rules.

    Attributes:
        rules, absent: int16 (rows, PLACES + PLACE · places + CONDITION · conditions).
        signatures: uint64 (WORDS, rules).
    """

    rules: NDArray[np.int16]
    absent: NDArray[np.int16]
    signatures: NDArray[np.uint64]


def flatten(graphs: Sequence[Graph]) -> Positions:
    """These positions in arrays, which are read-only.

    Raises:
        LimitError: a position has more than ``MAX_NODES`` nodes, values of edges, or boxes in one chain.
    """
    starts = np.zeros(len(graphs) + 1, dtype=np.int64)
    np.cumsum([len(graph.nodes) for graph in graphs], out=starts[1:])
    nodes = np.zeros((starts[-1], at.NODE), dtype=np.int16)
    neighbours = np.zeros((starts[-1], at.EDGES), dtype=np.uint64)
    ends = np.zeros((starts[-1], at.END_SLOTS), dtype=np.int16)
    ends[:, at.TARGETS : at.TARGETS + at.EDGES] = at.NO_END
    signatures = np.zeros((len(graphs), at.WORDS), dtype=np.uint64)
    for number, graph in enumerate(graphs):
        rows = slice(starts[number], starts[number + 1])
        _fill(graph, nodes[rows], neighbours[rows], ends[rows])
        signatures[number] = signature(graph)
    left = np.array([edges_left(graph) for graph in graphs], dtype=np.int16)
    positions = Positions(starts, nodes, neighbours, ends, signatures, left)
    for array in positions:
        array.setflags(write=False)
    return positions


def _fill(
    graph: Graph, nodes: NDArray[np.int16], neighbours: NDArray[np.uint64], ends: NDArray[np.int16]
) -> None:
    """Write one position."""
    values = edges(graph)
    if max(len(graph.nodes), len(values), *(node.length for node in graph.nodes), 0) > at.MAX_NODES:
        raise LimitError(
            f"positions have at most {at.MAX_NODES} nodes, edges that differ, and boxes in a chain"
        )
    numbers = {value: number for number, value in enumerate(values)}
    for row, (node, grounds) in enumerate(zip(graph.nodes, graph.grounds, strict=True)):
        around = [(other, graph.multiplicity(row, other)) for other in graph.neighbours(row)]
        nodes[row] = (SYMBOLS.index(node.symbol), node.length, grounds, graph.multiplicity(row, row))
        neighbours[row] = [sum(1 << other for other, count in around if count > m) for m in range(at.EDGES)]
        touched = ([(GROUND, grounds)] if grounds else []) + around
        for slot, (other, count) in enumerate(touched):
            ends[row, at.TARGETS + slot] = other
            ends[row, at.COUNTS + slot] = count
            ends[row, at.NUMBERS + slot] = numbers[edge(graph, row, other)]
        if node.length > 1:
            ends[row, at.INNER] = numbers[edge(graph, row, touched[0][0], 1)]


def edges(position: Graph) -> tuple[Action, ...]:
    """Every edge of a position once: those between nodes, those to the ground, the inner ones of chains."""
    outer = [edge(position, link.low, link.high) for link in position.links]
    ground = [Action(number, GROUND) for number, count in enumerate(position.grounds) if count]
    return (*outer, *ground, *_inner_edges(position))


def _inner_edges(position: Graph) -> Iterator[Action]:
    """By chain, from the end that ``chain_ends`` names first; nothing for a loop, whose edges are one value."""
    for number, node in enumerate(position.nodes):
        if node.length > 1:
            first, last = chain_ends(position, number)
            if first != number:
                places = node.length // 2 if first == last else node.length - 1
                yield from (edge(position, number, first, place) for place in range(1, places + 1))


def edges_of(mask: int, values: Sequence[Action]) -> frozenset[Action]:
    """The values of edges whose bits are set.

    Args:
        mask: as the kernel writes them.
        values: of the position, as ``edges`` gives them.
    """
    return frozenset(value for number, value in enumerate(values) if mask >> number & 1)


def match(
    plan: Plan, positions: Positions, scores: ArrayLike = 0, *, with_signatures: bool = True
) -> NDArray[np.uint8]:
    """Match rules in positions: uint8 (positions, rules), 1 for the rules that may act.

    The same as for each pair that ``gpkit.matching.reference.rule_embeddings`` gives any, unless a search is given up:
    see ``layout.CHOICES``.

    Args:
        plan: the rules.
        positions: the positions.
        scores: of all positions or of each, boxes of whoever is to draw less those of the other; only comparisons ask.
        with_signatures: look at signatures before a search, which is faster; the result is the same.
    """
    matched = np.ones((len(positions.left), len(plan)), dtype=np.uint8)
    searches = Searches(plan.matching, plan.absent, plan.signatures)
    scratch = search_scratch(plan.longest, plan.places)
    _match(searches, positions, _numbers(positions, scores), scratch, with_signatures, matched)
    return matched


def find_images(plan: Plan, positions: Positions, scores: ArrayLike = 0) -> NDArray[np.uint64]:
    """The images of the actions of rules in positions: uint64 (positions, rules).

    A bit for each edge of the position in the order of ``edges``, 0 if the rule may not act.
    The same as ``gpkit.matching.reference.images`` for each pair; arguments as of ``match``.
    """
    found = np.zeros((len(positions.left), len(plan)), dtype=np.uint64)
    searches = Searches(plan.imaging, plan.absent, plan.signatures)
    scratch = search_scratch(plan.longest, plan.places)
    _find_images(searches, positions, _numbers(positions, scores), scratch, found)
    return found


def _numbers(positions: Positions, scores: ArrayLike) -> NDArray[np.int16]:
    """Numbers of positions that comparisons ask for: int16 (positions, NUMBERS_OF_POSITION)."""
    about = np.empty((len(positions.left), at.NUMBERS_OF_POSITION), dtype=np.int16)
    about[:, at.OF_SCORE] = scores
    about[:, at.OF_LEFT] = positions.left
    return about


@kernel
def _match(searches, positions, numbers, scratch, with_signatures, matched):  # type: ignore[no-untyped-def]
    """Write 0 to ``matched``, uint8 (positions, rules), for the rules that may not act; ``numbers`` as ``_numbers``."""
    nodes, neighbours = positions.nodes, positions.neighbours
    for position in range(matched.shape[0]):
        first = positions.starts[position]
        row, about = matched[position], numbers[position]
        if with_signatures:
            for rule in range(row.shape[0]):
                one, two = searches.signatures[0, rule], searches.signatures[1, rule]
                row[rule] = may_match(positions.signatures[position], one, two)
        fill_domains(nodes, first, positions.starts[position + 1], scratch.domains)
        for rule in range(row.shape[0]):
            if row[rule]:
                row[rule] = may_act(
                    searches.rules[rule], searches.absent, nodes, neighbours, first, about, scratch
                )


@kernel
def _find_images(searches, positions, numbers, scratch, found):  # type: ignore[no-untyped-def]
    """Write to ``found``, uint64 (positions, rules), a bit for each value of the edges of the position."""
    nodes, neighbours, ends = positions.nodes, positions.neighbours, positions.ends
    for position in range(found.shape[0]):
        first = positions.starts[position]
        about = numbers[position]
        fill_domains(nodes, first, positions.starts[position + 1], scratch.domains)
        for rule in range(found.shape[1]):
            one, two = searches.signatures[0, rule], searches.signatures[1, rule]
            if may_match(positions.signatures[position], one, two):
                found[position, rule] = images(
                    searches.rules[rule], searches.absent, nodes, neighbours, ends, first, about, scratch
                )
