"""Graphs of rules, and the one numbering for those that differ in numbers alone."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_strategies import conditional_rules, graphs, rules

from gpkit.genomes.graph import (
    GROUND,
    WILD,
    Action,
    Graph,
    Link,
    Node,
    NumberComparison,
    Quantity,
    Rule,
    Sign,
    actions,
    canonical,
    canonical_graph,
    faults,
    graph_of,
    normal_action,
    renumbered,
)

FEWER: tuple[Quantity, Sign, Quantity] = (Quantity("length", 0), "<", Quantity("left"))


def shuffled(rule: Rule, order: list[int]) -> Rule:
    """The rule with other numbers: node ``order[k]`` is now k."""
    place = {number: k for k, number in enumerate(order)}
    graph = renumbered(rule.graph, order)
    action = Action(
        place[rule.action.node], place.get(rule.action.other, rule.action.other), rule.action.offset
    )
    return replace(
        rule,
        graph=graph,
        action=normal_action(graph, action),
        absent=tuple(renumbered(one, reversed(range(len(one.nodes)))) for one in reversed(rule.absent)),
        comparisons=tuple(
            NumberComparison(_moved(left, place), sign, _moved(right, place))
            for left, sign, right in rule.comparisons
        ),
    )


def _moved(quantity: Quantity, place: dict[int, int]) -> Quantity:
    return quantity._replace(value=place[quantity.value]) if quantity.kind == "length" else quantity


@given(st.data(), rules() | conditional_rules())
def test_numbers_mean_nothing(data: st.DataObject, rule: Rule) -> None:
    other = shuffled(rule, data.draw(st.permutations(range(len(rule.graph.nodes)))))
    assert list(faults(rule)) == list(faults(other)) == []
    assert canonical(rule) == canonical(other)
    assert canonical(canonical(rule)) == canonical(rule)
    assert list(faults(canonical(rule))) == []
    assert canonical_graph(rule.graph) == canonical_graph(other.graph)


@given(graphs())
def test_every_edge_is_told_once_and_every_action_can_be_taken(graph: Graph) -> None:
    for number, node in enumerate(graph.nodes):
        joined = sum(
            graph.multiplicity(number, other) * (1 + (other == number)) for other in graph.neighbours(number)
        )
        assert graph.ends(number) == joined
        assert joined + graph.grounds[number] + graph.wildcards(number) == node.degree
    assert sorted(number for fragment in graph.fragments() for number in fragment) == list(
        range(len(graph.nodes))
    )
    found = actions(graph)
    assert len(set(found)) == len(found)
    assert found, "every graph of boxes has an edge to draw"
    for action in found:
        assert list(faults(Rule(graph, action))) == []


def test_different_rules_stay_apart() -> None:
    """A ring of six chains and two rings of three: every node has the same neighbours, so numbers decide."""
    ring = [(k, (k + 1) % 6) for k in range(6)]
    rings = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    nodes = [Node("t")] * 6
    one, two = (graph_of(nodes, dict.fromkeys(pairs, 1), {}) for pairs in (ring, rings))
    assert canonical_graph(one) != canonical_graph(two)
    assert canonical_graph(two).fragments() == ((0, 1, 2), (3, 4, 5))


@pytest.mark.parametrize("size", [3, 5, 8])
def test_symmetric_graphs_take_no_time(size: int) -> None:
    squares = [(row, column) for row in range(size) for column in range(size)]
    number = {square: k for k, square in enumerate(squares)}
    beside = {
        (number[row, column], number[row + down, column + right]): 1
        for row, column in squares
        for down, right in ((0, 1), (1, 0))
        if (row + down, column + right) in number
    }
    grounds = {number[r, c]: (r in (0, size - 1)) + (c in (0, size - 1)) for r, c in squares}
    board = graph_of([Node("q")] * size**2, beside, grounds)
    turned = renumbered(board, [number[c, size - 1 - r] for r, c in squares])
    assert canonical_graph(board) == canonical_graph(turned)
    loose = graph_of([Node("x")] * size**2, {}, {})
    assert canonical_graph(loose) == loose
    star = [Node("t")] + [Node("t")] * 3 + [Node("x")] * 6
    arms = {(0, 1): 1, (0, 2): 1, (0, 3): 1} | {(1 + k // 2, 4 + k): 1 for k in range(6)}
    assert canonical_graph(graph_of(star * size, arms, {})).nodes[0] in star


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (Rule(Graph((), (), ()), Action(0, WILD)), "has nodes"),
        (Rule(Graph((Node("l"),), (), (0,)), Action(0, WILD)), "only chains have a length"),
        (Rule(Graph((Node("x", 1),), (), (0,)), Action(0, WILD)), "only chains have a length"),
        (Rule(Graph((Node("x"),), (), (2,)), Action(0, GROUND)), "more edges than its degree 1"),
        (Rule(Graph((Node("x"),), (), (0,)), Action(0, GROUND)), "no edge for the action"),
        (Rule(Graph((Node("x"),), (), (0,)), Action(1, GROUND)), "not there"),
        (Rule(Graph((Node("l", 2),), (), (0,)), Action(0, WILD, 2)), "out of its chain"),
        (Rule(Graph((Node("l", 1),) * 2, (Link(0, 1, 1),), (0, 0)), Action(0, 1)), "maximal length"),
        (Rule(Graph((Node("t"),) * 2, (Link(0, 1, 2),), (0, 0)), Action(0, 1)), "one side in common"),
        (Rule(Graph((Node("t"),), (Link(0, 0, 1),), (0,)), Action(0, 0)), "with itself"),
        (Rule(Graph((Node("t"),) * 2, (Link(0, 1, 1),), (0, 0)), Action(1, 0)), "wrong order"),
        (
            Rule(Graph((Node("x"),), (), (1,)), Action(0, GROUND), (), (NumberComparison(*FEWER),)),
            "is not a chain",
        ),
        (Rule(Graph((Node("x"),), (), (1,)), Action(0, GROUND), (Graph((), (), ()),)), "a graph has nodes"),
        (Rule(Graph((Node("t"),) * 2, (Link(0, 1, 1), Link(0, 1, 1)), (0, 0)), Action(0, 1)), "twice"),
    ],
)
def test_faults_are_found(rule: Rule, fault: str) -> None:
    assert any(fault in words for words in faults(rule)), list(faults(rule))
