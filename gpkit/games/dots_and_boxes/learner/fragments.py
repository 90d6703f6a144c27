"""Rules for an edge of a position that ask for a part of the position alone: covering with generalisation."""

from collections.abc import Sequence

import numpy as np

from gpkit.core.rng import below
from gpkit.genomes.graph import GROUND, WILD, Action, Graph, Node, Rule, normal_action, renumbered

NEAR = 0.7
"""Probability that the next node of a part is one that hangs together with it, where there is one."""

AT_LEAST = 0.4
"""Probability that a chain matches longer ones, too; half of these chains also match some that are shorter."""

LOOSEST = 0.6
"""The greatest share of edges to the ground that a rule leaves open; each rule has its own, from 0 to this."""


def fragment_rule(rng: np.random.Generator, position: Graph, action: Action, more: float) -> Rule:
    """A rule that draws an edge of a position and matches there, by a random part of it around that edge.

    Args:
        rng: the source of chance.
        position: a graph.
        action: of it.
        more: the probability of each further node.
    """
    kept = [action.node] + [action.other] * (action.other not in (GROUND, action.node))
    reached = {other for number in kept for other in position.neighbours(number)}
    while len(kept) < len(position.nodes) and rng.random() < more:
        rest = [number for number in range(len(position.nodes)) if number not in kept]
        near = [number for number in rest if number in reached]
        pool = near if near and rng.random() < NEAR else rest
        kept.append(pool[below(rng, len(pool))])
        reached.update(position.neighbours(kept[-1]))
    part = renumbered(position, kept)
    nodes = tuple(_loosened(rng, position.nodes[number], number, action) for number in kept)
    open_share = LOOSEST * rng.random()
    grounds = tuple(sum(rng.random() >= open_share for _ in range(count)) for count in part.grounds)
    graph = Graph(nodes, part.links, grounds)
    return Rule(graph, _moved(action, graph, kept))


def _loosened(rng: np.random.Generator, node: Node, number: int, action: Action) -> Node:
    """A node of the position, or a chain that matches others, too; it still has the edge that is to be drawn."""
    if node.symbol != "l" or rng.random() >= AT_LEAST:
        return node
    length = node.length if rng.random() < 0.5 else 1 + below(rng, node.length)
    return Node("l", max(length, action.offset + 1) if number == action.node else length, at_least=True)


def _moved(action: Action, graph: Graph, kept: Sequence[int]) -> Action:
    """The action with the numbers of the nodes kept; to anything where its edge to the ground is left open."""
    node = kept.index(action.node)
    if action.other == GROUND:
        return Action(node, GROUND if graph.grounds[node] else WILD, action.offset)
    return normal_action(graph, Action(node, kept.index(action.other), action.offset))
