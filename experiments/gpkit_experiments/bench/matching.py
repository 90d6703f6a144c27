"""Rules tested in positions of Dots and Boxes a second on one core: the compiled matcher, and networkx."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import below, stream
from gpkit.games.dots_and_boxes.classes import mask_of, state_of
from gpkit.games.dots_and_boxes.rule_lists import state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit.genomes.graph import Graph, Node, Rule, actions, graph_of, impossible
from gpkit.matching import reference
from gpkit.matching.plan import plan
from gpkit_experiments.bench import matcher
from gpkit_experiments.bench.matcher import flatten
from gpkit_experiments.bench.measure import Outcome, Session, Target, Work, interleaved, rate, times

BOARD = DotsAndBoxesRules(3, 3)

Choose = Callable[[int], int]
"""A number below the one given: from a random stream, or from a test that looks for small examples."""

RULES = 1000
"""As many as the population of the learner."""

WITH_SIGNATURES = Target("at least", required=50e6, aim=200e6)
BY_SEARCH = Target("at least", required=20e6, aim=40e6)


def measure(session: Session) -> Outcome:
    """Time tests of a thousand rules, half of them parts of positions, half whole positions changed a little."""
    rounds, many, few = (3, 200, 200) if session.quick else (9, 3_000, 2_000)
    tests = RULES * many
    session.watch(f"matching: {rounds} times 3 x {tests:,} tests in the kernels, and {few:,} by networkx")
    rules, graphs = draw_rules(RULES), draw_positions(many)
    planned, flat = plan(rules), flatten(graphs)
    pairs = [(k % RULES, k * 7 % many) for k in range(rounds * few)]
    matched = matcher.match(planned, flat)
    assert np.array_equal(matched, matcher.match(planned, flat, with_signatures=False)), "same matches"
    assert np.array_equal(matched, matcher.find_images(planned, flat) != 0), "same matches"
    assert in_networkx(rules, graphs, pairs[:few]) == in_kernel(matched, pairs[:few]), "same matches"
    wanted, there = (
        [reference.as_networkx(r.graph) for r in rules],
        [reference.as_networkx(g) for g in graphs],
    )

    def networkx(number: int) -> float:
        part = pairs[number * few : (number + 1) * few]
        return float(len([reference.search(wanted[r], there[p]).subgraph_is_monomorphic() for r, p in part]))

    works: list[Work] = [
        lambda _: float(matcher.match(planned, flat).size),
        lambda _: float(matcher.match(planned, flat, with_signatures=False).size),
        lambda _: float(matcher.find_images(planned, flat).size),
        networkx,
    ]
    fast, searched, imaged, slow = interleaved(works, rounds, session.clock)
    return Outcome(
        f"{RULES:,} rules in {many:,} random positions of {BOARD.width}x{BOARD.height} boxes, "
        f"{100 * matched.mean():.0f}% of the pairs match; graphs are made beforehand; {rounds} rounds",
        (
            rate("signatures", "the kernel, signatures first", fast, WITH_SIGNATURES, unit="tests/s"),
            rate("search", "the kernel, searches alone", searched, BY_SEARCH, unit="tests/s"),
            rate("images", "the kernel, all images of actions", imaged, unit="tests/s"),
            rate("networkx", "networkx", slow, unit="tests/s"),
            times("kernel_over_networkx", "the kernel / networkx", slow, fast),
        ),
    )


def draw_positions(count: int) -> list[Graph]:
    """Random positions with at least one node."""
    rng = stream(0, "bench positions")
    drawn: list[Graph] = []
    while len(drawn) < count:
        position = random_position(lambda n: below(rng, n), BOARD)
        drawn += [position] if position.nodes else []
    return drawn


def draw_rules(count: int) -> list[Rule]:
    """Rules: in turn some part of a position, and a whole one with up to three changes."""
    rng = stream(0, "bench rules")

    def choose(n: int) -> int:
        return below(rng, n)

    drawn = []
    for number, position in enumerate(draw_positions(count)):
        rule = derived_rule(choose, position)
        if number % 2:
            rule = whole_rule(choose, position)
            for _ in range(choose(4)):
                rule = mutated_rule(choose, rule)
        drawn.append(rule)
    return drawn


def in_networkx(rules: list[Rule], graphs: list[Graph], pairs: list[tuple[int, int]]) -> list[bool]:
    """Whether each pair of a rule and a position matches, by networkx."""
    return [reference.is_matched(rules[rule].graph, graphs[position]) for rule, position in pairs]


def in_kernel(matched: NDArray[np.uint8], pairs: list[tuple[int, int]]) -> list[bool]:
    """The same, read from what the kernel found for all."""
    return [bool(matched[position, rule]) for rule, position in pairs]


def random_position(choose: Choose, rules: DotsAndBoxesRules) -> Graph:
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
