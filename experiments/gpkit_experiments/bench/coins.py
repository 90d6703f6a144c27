"""Positions of Dots and Boxes as graphs, and rules made from them, drawn at random: what matching is measured with."""

from collections.abc import Callable

from gpkit.games.dots_and_boxes.arrays import mask_of, state_of
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.state_graph import state_graph
from gpkit.genomes.graph import Graph, Node, Rule, actions, graph_of, impossible

Choose = Callable[[int], int]
"""A number below the one given: from a random stream, or from a test that looks for small examples."""


def random_position(choose: Choose, rules: Rules) -> Graph:
    """The graph of a board on which a random number of edges, all but one at most, have been drawn."""
    left = list(range(rules.edges))
    drawn = mask_of(left.pop(choose(len(left))) for _ in range(choose(rules.edges)))
    return state_graph(state_of(drawn, rules)).graph


def derived_rule(choose: Choose, position: Graph) -> Rule:
    """A rule that matches the position: some of its nodes and edges, lengths opened, and any of its edges drawn.

    Args:
        choose: draws.
        position: with at least one node.
    """
    left = list(range(len(position.nodes)))
    kept = sorted(left.pop(choose(len(left))) for _ in range(1 + choose(len(position.nodes))))
    place = {number: k for k, number in enumerate(kept)}
    eager = choose(4)  # the quarters of the edges that are kept, at least one

    def some(edges: int) -> int:
        return sum(choose(4) <= eager for _ in range(edges))

    graph = graph_of(
        (_opened(choose, position.nodes[number]) for number in kept),
        {
            (place[low], place[high]): some(edges)
            for low, high, edges in position.links
            if low in place and high in place
        },
        {k: some(position.grounds[number]) for number, k in place.items()},
    )
    return _with_action(choose, graph)


def _with_action(choose: Choose, graph: Graph) -> Rule:
    possible = actions(graph)
    return Rule(graph, possible[choose(len(possible))])


def whole_rule(choose: Choose, position: Graph) -> Rule:
    """The rule that is the position, with any of its edges drawn."""
    return _with_action(choose, position)


def _opened(choose: Choose, node: Node) -> Node:
    """The node, and of a chain often one that longer ones match, too."""
    if node.symbol != "l" or choose(2):
        return node
    return Node("l", node.length - choose(min(node.length, 3)), at_least=True)


def mutated_rule(choose: Choose, rule: Rule) -> Rule:
    """The rule with at most one thing changed, which often does not match any more where it did."""
    graph = rule.graph
    number, other = choose(len(graph.nodes)), choose(len(graph.nodes))
    nodes, grounds = list(graph.nodes), dict(enumerate(graph.grounds))
    edges = {(low, high): count for low, high, count in graph.links}
    node = nodes[number]
    change = choose(3)
    if change == 0 and node.symbol == "l":
        nodes[number] = Node("l", max(1, node.length + 1 - 2 * choose(2)), at_least=bool(choose(2)))
    elif change == 1 and graph.wildcards(number):
        grounds[number] += 1
    elif change == 2 and min(graph.wildcards(number) - (number == other), graph.wildcards(other)) > 0:
        count = graph.multiplicity(number, other) + 1
        if not impossible(node, nodes[other], count, loop=number == other):
            edges[min(number, other), max(number, other)] = count
    return _with_action(choose, graph_of(nodes, edges, grounds))
