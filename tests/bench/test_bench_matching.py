"""What the matching benchmark compares finds the same matches, of rules that match and of rules that do not."""

from gpkit.bench.coins import graph_of_board
from gpkit.bench.matching import BOARD, draw_positions, draw_rules, in_kernel, in_networkx
from gpkit.genomes.graph import Edge, Graph, Node
from gpkit.matching import matcher
from gpkit.matching.plan import plan
from gpkit.matching.positions import flatten


def test_both_sides_find_the_same_matches() -> None:
    rules, graphs = draw_rules(40), draw_positions(30)
    matched = matcher.match(plan(rules), flatten(graphs))
    pairs = [(rule, position) for rule in range(40) for position in range(30)]
    found = in_networkx(rules, graphs, pairs)
    assert found == in_kernel(matched, pairs)
    assert 0.02 < sum(found) / len(found) < 0.5


def test_nothing_is_left_open_in_a_position_and_no_rule_has_more_strings_than_its_nodes() -> None:
    for graph in draw_positions(200):
        assert not any(graph.wildcards(number) for number in range(len(graph.nodes)))
    for rule in draw_rules(200):
        assert all(rule.graph.wildcards(number) >= 0 for number in range(len(rule.graph.nodes)))


def test_a_board_becomes_its_strings_and_coins() -> None:
    new = graph_of_board((), BOARD)
    assert [node.symbol for node in new.nodes] == ["q"] * 9
    assert new.grounds == (2, 1, 2, 1, 0, 1, 2, 1, 2)
    assert len(new.edges) == 12
    ring = graph_of_board(set(range(24)) - RING, BOARD)
    assert ring == Graph((Node("l", 8),), (Edge(0, 0, 1),), (0,))


RING = {3, 5, 6, 8, 13, 14, 21, 22}
"""The strings between the eight boxes round the middle one, which is closed."""
