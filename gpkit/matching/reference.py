"""The reference matcher, which uses networkx to find the embeddings and proposals of a rule.

Tests compare the compiled matcher with it.

An embedding maps all nodes of a rule injectively to nodes of a position. The nodes have the same symbols, chains have
the required lengths, and the position has at least as many edges between nodes (including loops) and to the ground.
The degrees also agree, so the free edges at a node of the position are exactly the wildcards of the rule. A wildcard
can be an edge to the ground, lead to a matched node, or share an edge with another wildcard. Therefore, wildcards need
no search. An embedding is a monomorphism, not an induced subgraph isomorphism. Positions and rules are undirected
graphs, because networkx returns wrong monomorphisms for directed multigraphs.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import networkx as nx
from networkx.algorithms.isomorphism import MultiGraphMatcher

from gpkit.genomes.graph import GROUND, WILD, Action, Graph, Node, Rule
from gpkit.matching.plan import edge, holds

Embedding = tuple[int, ...]
"""An embedding: for each node of a rule, the matching node of the position."""


def embeddings(wanted: Graph, position: Graph) -> Iterator[Embedding]:
    """Yield all embeddings of a rule's graph in a position, in no particular order."""
    for there in search(as_networkx(wanted), as_networkx(position)).subgraph_monomorphisms_iter():
        back = {rule_node: node for node, rule_node in there.items()}
        yield tuple(back[number] for number in range(len(wanted.nodes)))


def is_matched(wanted: Graph, position: Graph) -> bool:
    """Whether a rule's graph has an embedding in a position."""
    return next(embeddings(wanted, position), None) is not None


def rule_embeddings(rule: Rule, position: Graph, score: int = 0) -> Iterator[Embedding]:
    """Yield all embeddings in which a rule may act: its comparisons hold, and its absent graphs do not occur.

    Args:
        rule: a rule of any level.
        position: the graph of the position.
        score: the boxes of the player to move minus the other player's boxes.
    """
    if any(is_matched(graph, position) for graph in rule.absent):
        return
    for embedding in embeddings(rule.graph, position):
        if all(holds(comparison, embedding, position, score) for comparison in rule.comparisons):
            yield embedding


def images(rule: Rule, position: Graph, score: int = 0) -> frozenset[Action]:
    """The edges that a rule proposes to draw: the images of its action under all embeddings in which it may act."""
    return frozenset(
        found
        for embedding in rule_embeddings(rule, position, score)
        for found in images_under(rule, embedding, position)
    )


def images_under(rule: Rule, embedding: Embedding, position: Graph) -> Iterator[Action]:
    """Yield the images of the action under an embedding: one edge, or for ``WILD``, all free edges at its node."""
    node, other, offset = rule.action
    here = embedding[node]
    if other == WILD:
        taken = {embedding[k]: rule.graph.multiplicity(node, k) for k in rule.graph.neighbours(node)}
        targets = [k for k in position.neighbours(here) if position.multiplicity(here, k) > taken.get(k, 0)]
        targets += [GROUND] * (position.grounds[here] > rule.graph.grounds[node])
    else:
        targets = [GROUND if other == GROUND else embedding[other]]
    for target in targets:
        yield edge(position, here, target, offset)


def search(wanted: nx.MultiGraph, position: nx.MultiGraph) -> Any:
    """The networkx search for a rule's graph in a position; both graphs come from ``as_networkx``."""

    def suits(there: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
        node: Node = wanted["node"]
        return there["grounds"] >= wanted["grounds"] and node.allows(there["node"])

    # networkx passes one entry for each edge between two nodes
    return MultiGraphMatcher(position, wanted, suits, lambda there, wanted: len(there) >= len(wanted))


@lru_cache(maxsize=1_024)
def as_networkx(graph: Graph) -> Any:
    """The graph as a networkx graph; callers must not change it."""
    drawn = nx.MultiGraph()
    for number, (node, grounds) in enumerate(zip(graph.nodes, graph.grounds, strict=True)):
        drawn.add_node(number, node=node, grounds=grounds)
    for link in graph.links:
        drawn.add_edges_from([(link.low, link.high)] * link.multiplicity)
    return drawn
