"""Reference matcher: embeddings of a rule in a position, and its proposals, by networkx; the compiled one's oracle.

An embedding is an injective map of the nodes of a rule, over all its fragments jointly, to nodes of a position with the
same symbol, a chain as long as the rule asks for, at least as many edges between each two (loops included) and to
the ground. Degrees agree, so what is left over at a node is exactly what a rule leaves open as wildcards: each may be
an edge to the ground, lead to a node that is matched, or be one edge with another wildcard. So wildcards need no
search. (A monomorphism, not an induced embedding. Positions and rules are undirected, as networkx gives wrong
monomorphisms for directed multigraphs.)
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import networkx as nx
from networkx.algorithms.isomorphism import MultiGraphMatcher

from gpkit.genomes.graph import GROUND, WILD, Action, Graph, Node, Rule
from gpkit.matching.edges import edge, holds

Embedding = tuple[int, ...]
"""For every node of a rule, the node of the position."""


def embeddings(wanted: Graph, position: Graph) -> Iterator[Embedding]:
    """Every embedding of the graph of a rule in a position, in no particular order."""
    for there in search(as_networkx(wanted), as_networkx(position)).subgraph_monomorphisms_iter():
        back = {rule_node: node for node, rule_node in there.items()}
        yield tuple(back[number] for number in range(len(wanted.nodes)))


def is_matched(wanted: Graph, position: Graph) -> bool:
    """Whether the graph of a rule has any embedding in a position."""
    return next(embeddings(wanted, position), None) is not None


def rule_embeddings(rule: Rule, position: Graph, score: int = 0) -> Iterator[Embedding]:
    """Every embedding under which a rule may act: all its comparisons hold, and no graph that must be absent is there.

    Args:
        rule: of any level.
        position: the graph of the position.
        score: boxes of whoever is to draw less those of the other.
    """
    if any(is_matched(graph, position) for graph in rule.absent):
        return
    for embedding in embeddings(rule.graph, position):
        if all(holds(comparison, embedding, position, score) for comparison in rule.comparisons):
            yield embedding


def images(rule: Rule, position: Graph, score: int = 0) -> frozenset[Action]:
    """The edges that a rule proposes to draw: the images of its action over all embeddings under which it may act."""
    return frozenset(
        found
        for embedding in rule_embeddings(rule, position, score)
        for found in images_under(rule, embedding, position)
    )


def images_under(rule: Rule, embedding: Embedding, position: Graph) -> Iterator[Action]:
    """The images of the action under one embedding: one, or with ``WILD`` as many as are left over at its node."""
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


def search(wanted: Any, position: Any) -> Any:
    """The search of networkx for the graph of a rule in a position, both as ``as_networkx`` gives them."""

    def suits(there: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
        node: Node = wanted["node"]
        return there["grounds"] >= wanted["grounds"] and node.allows(there["node"])

    # of edges networkx hands over one entry for each between two nodes
    return MultiGraphMatcher(position, wanted, suits, lambda there, wanted: len(there) >= len(wanted))


@lru_cache(maxsize=1_024)
def as_networkx(graph: Graph) -> Any:
    """The graph as networkx has it, not to be changed."""
    drawn = nx.MultiGraph()
    for number, (node, grounds) in enumerate(zip(graph.nodes, graph.grounds, strict=True)):
        drawn.add_node(number, node=node, grounds=grounds)
    for link in graph.links:
        drawn.add_edges_from([(link.low, link.high)] * link.multiplicity)
    return drawn
