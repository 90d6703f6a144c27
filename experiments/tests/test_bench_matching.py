"""Both sides of the matching benchmark find the same matches, of rules that match and of rules that do not."""

from gpkit.genomes.graph import faults
from gpkit.matching.plan import plan
from gpkit_experiments.bench import matcher
from gpkit_experiments.bench.matcher import flatten
from gpkit_experiments.bench.matching import draw_positions, draw_rules, in_kernel, in_networkx


def test_both_sides_find_the_same_matches() -> None:
    rules, graphs = draw_rules(40), draw_positions(30)
    matched = matcher.match(plan(rules), flatten(graphs))
    pairs = [(rule, position) for rule in range(40) for position in range(30)]
    found = in_networkx(rules, graphs, pairs)
    assert found == in_kernel(matched, pairs)
    assert 0.02 < sum(found) / len(found) < 0.5


def test_nothing_is_left_open_in_a_position_and_rules_are_well_formed() -> None:
    for graph in draw_positions(200):
        assert not any(graph.wildcards(number) for number in range(len(graph.nodes)))
    for rule in draw_rules(200):
        assert list(faults(rule)) == []
