"""Graphs of positions: what they hold, the way back to the board, and forms that do not depend on numbers.

Positions in the arrays of the matcher: the compiled way gives what the graphs give, edge by edge.
"""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from board_strategies import states
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.rng import stream
from gpkit.games.dots_and_boxes.board import state_of_text
from gpkit.games.dots_and_boxes.classes import classes, mask_of, state_of
from gpkit.games.dots_and_boxes.kernel.boxes import Graphs
from gpkit.games.dots_and_boxes.rule_lists import StateGraph, class_graphs, graphs_of, state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState, symmetries
from gpkit.genomes.graph import GROUND, Action, Graph, Link, Node, canonical_graph
from gpkit_experiments.bench.matcher import edges, flatten


def graph_of(text: str) -> StateGraph:
    return state_graph(state_of_text(text.strip("\n")))


def test_a_chain_ends_at_a_joint_or_the_ground() -> None:
    found = graph_of("+---+---+---+\n  l   l   l |\n+---+---+   +\n| A | x   t |\n+---+---+   +")
    assert found.graph.nodes == (Node("l", 3), Node("x"), Node("t"))
    assert found.graph.links == (Link(0, 2, 1), Link(1, 2, 1))
    assert found.graph.grounds == (1, 0, 1)
    assert found.boxes == ((0, 1, 2), (4,), (5,))
    assert found.ends == ((GROUND, 2), (), ())


def test_loop_is_one_node_with_an_edge_to_itself() -> None:
    found = graph_of("+---+---+\n| l   l |\n+   +   +\n| l   l |\n+---+---+")
    assert found.graph == Graph((Node("l", 4),), (Link(0, 0, 1),), (0,))
    assert found.edges_of(Action(0, 0)) == (2, 3, 7, 10)
    assert found.edges_of(Action(0, 0, 2)) == (2, 3, 7, 10)
    assert found.action_of(7) == Action(0, 0)


def test_both_ends_of_a_chain_at_one_joint() -> None:
    found = graph_of("+---+---+\n| l   l |\n+   +   +\n| l   t |\n+---+   +")
    assert found.graph.nodes == (Node("l", 3), Node("t"))
    assert found.graph.links == (Link(0, 1, 2),)
    assert found.graph.grounds == (0, 1)
    assert found.edges_of(Action(0, 1)) == (3, 10)
    assert found.edges_of(Action(0, 1, 1)) == (2, 7)
    assert found.edges_of(Action(0, 1, 3)) == ()
    assert found.edges_of(Action(0, GROUND)) == ()
    assert found.edges_of(Action(1, GROUND)) == (5,)


def test_inner_edges_are_counted_from_the_end_that_touches_the_other_term() -> None:
    found = graph_of("+---+---+---+\n  l   l   x |\n+---+---+---+")
    assert found.graph.nodes == (Node("l", 2), Node("x"))
    assert found.paths[0] == (6, 7, 8)
    assert found.ends[0] == (GROUND, 1)
    assert [found.edges_of(Action(0, 1, k)) for k in range(3)] == [(8,), (7,), ()]
    assert [found.edges_of(Action(0, GROUND, k)) for k in range(3)] == [(6,), (7,), ()]
    assert [found.action_of(edge) for edge in (6, 7, 8)] == [
        Action(0, GROUND, 0),
        Action(0, GROUND, 1),
        Action(0, 1, 0),
    ]


def test_empty_board_and_the_end() -> None:
    empty = state_graph(DotsAndBoxesState.begin(DotsAndBoxesRules(3, 3))).graph
    assert empty.nodes == (Node("q"),) * 9
    assert empty.grounds == (2, 1, 2, 1, 0, 1, 2, 1, 2)
    assert len(empty.links) == 12
    rules = DotsAndBoxesRules(2, 1)
    assert state_graph(state_of((1 << 7) - 1, rules)).graph == Graph((), (), ())


@given(states())
def test_edges_and_grounds_make_up_every_degree(state: DotsAndBoxesState) -> None:
    graph = state_graph(state).graph
    assert [graph.wildcards(node) for node in range(len(graph.nodes))] == [0] * len(graph.nodes)
    assert [link[:2] for link in graph.links] == sorted({link[:2] for link in graph.links})
    chains = [number for number, node in enumerate(graph.nodes) if node.symbol == "l"]
    assert all((node.length > 0) == (node.symbol == "l") for node in graph.nodes)
    assert not {(link.low, link.high) for link in graph.links} & set(combinations(chains, 2))


@given(states())
def test_every_undrawn_edge_is_some_action_and_the_reverse(state: DotsAndBoxesState) -> None:
    found = state_graph(state)
    assert sorted(box for boxes in found.boxes for box in boxes) == [
        box for box in range(state.rules.boxes) if state.undrawn_sides(box)
    ]
    for edge in state.legal_actions():
        action = found.action_of(edge)
        assert edge in found.edges_of(action)
        other = action.other if action.other != GROUND else action.node
        assert found.graph.nodes[action.node].symbol == "l" or found.graph.nodes[other].symbol != "l"
    graph = found.graph
    loops = {link.low for link in graph.links if link.low == link.high}
    edges = sum(link.multiplicity for link in graph.links)
    inner = sum(node.length - 1 for node in graph.nodes if node.symbol == "l")
    assert loops == {node for node, ends in enumerate(found.ends) if ends == (node, node)}
    assert edges + inner + sum(graph.grounds) == len(state.legal_actions())


@given(states())
def test_actions_are_the_edges_of_the_matcher(state: DotsAndBoxesState) -> None:
    found = state_graph(state)
    by_action: dict[Action, list[int]] = {}
    for edge in state.legal_actions():
        by_action.setdefault(found.action_of(edge), []).append(edge)
    assert set(by_action) == set(edges(found.graph))
    for action, same in by_action.items():
        assert found.edges_of(action) == tuple(same)


def with_networkx(graph: Graph) -> nx.Graph:
    """The graph for ``networkx.is_isomorphic``: labels on nodes and edges say everything."""
    made = nx.Graph()
    for number, (node, ground) in enumerate(zip(graph.nodes, graph.grounds, strict=True)):
        made.add_node(number, label=(node, ground))
    for link in graph.links:
        made.add_edge(link.low, link.high, label=link.multiplicity)
    return made


def isomorphic(one: Graph, other: Graph) -> bool:
    def same(a: dict[str, object], b: dict[str, object]) -> bool:
        return a["label"] == b["label"]

    return bool(nx.is_isomorphic(with_networkx(one), with_networkx(other), node_match=same, edge_match=same))


@given(states(), st.randoms(use_true_random=False))
def test_canonical_graph_does_not_depend_on_numbers(state: DotsAndBoxesState, random: object) -> None:
    graph = state_graph(state).graph
    order = list(range(len(graph.nodes)))
    random.shuffle(order)  # type: ignore[attr-defined]
    nodes, grounds = list(graph.nodes), list(graph.grounds)
    for old, new in enumerate(order):
        nodes[new], grounds[new] = graph.nodes[old], graph.grounds[old]
    edges = sorted(
        Link(min(order[low], order[high]), max(order[low], order[high]), edges)
        for low, high, edges in graph.links
    )
    shuffled = Graph(tuple(nodes), tuple(edges), tuple(grounds))
    form = canonical_graph(graph)
    assert canonical_graph(shuffled) == form == canonical_graph(form)
    assert isomorphic(form, graph)


@settings(max_examples=20)
@given(states(), st.data())
def test_positions_that_are_images_of_each_other_have_one_form(
    state: DotsAndBoxesState, data: st.DataObject
) -> None:
    moved = data.draw(st.sampled_from(symmetries(state.rules)))
    image = state_of(mask_of(moved[edge] for edge in state.drawn), state.rules)
    assert canonical_graph(state_graph(image).graph) == canonical_graph(state_graph(state).graph)


@pytest.mark.parametrize(
    "rules",
    [
        DotsAndBoxesRules(2, 1),
        DotsAndBoxesRules(1, 3),
        pytest.param(DotsAndBoxesRules(2, 2), marks=pytest.mark.release),
    ],
)
def test_forms_are_equal_exactly_where_networkx_finds_an_isomorphism(rules: DotsAndBoxesRules) -> None:
    graphs = {state_graph(state_of(mask, rules)).graph for mask in range(1 << rules.edges)}
    by_form: dict[Graph, list[Graph]] = {}
    for graph in graphs:
        by_form.setdefault(canonical_graph(graph), []).append(graph)
    for form, same in by_form.items():
        assert all(isomorphic(form, graph) for graph in same[:5])
    for one, other in combinations(by_form, 2):
        if len(one.nodes) == len(other.nodes) and len(one.links) == len(other.links):
            assert not isomorphic(one, other)


def check(found: Graphs, positions: list[int], rules: DotsAndBoxesRules) -> None:
    states = [state_of(mask, rules) for mask in positions]
    graphs = [state_graph(state) for state in states]
    expected = flatten([graph.graph for graph in graphs])
    for name, array in expected._asdict().items():
        assert np.array_equal(getattr(found.positions, name), array), name
    for row, state, graph in zip(found.values, states, graphs, strict=True):
        numbers = np.full(rules.edges, -1)
        for number, value in enumerate(edges(graph.graph)):
            numbers[list(graph.edges_of(value))] = number
        assert row.tolist() == numbers.tolist(), state


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (2, 2), (3, 3), (4, 4), (5, 5), (3, 8)])
def test_compiled_graphs_are_those_of_the_states(size: tuple[int, int]) -> None:
    rules = DotsAndBoxesRules(*size)
    rng = stream(1, "positions", *size)
    drawn = rng.random((150, rules.edges)) < rng.random((150, 1))
    positions = (drawn << np.arange(rules.edges)).sum(axis=1)
    positions = positions[positions < (1 << rules.edges) - 1]
    check(graphs_of(positions, rules), positions.tolist(), rules)


def test_all_classes_of_a_small_board() -> None:
    rules = DotsAndBoxesRules(2, 2)
    positions = classes(rules).positions[:-1]
    check(class_graphs(rules), positions.tolist(), rules)
