"""Positions in the arrays of the matcher: the compiled way gives what the graphs give, edge by edge."""

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit.games.dots_and_boxes.arrays import state_of
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.kernel.positions import Graphs
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_lists import class_graphs, graphs_of, some_graphs
from gpkit.games.dots_and_boxes.state_graph import state_graph
from gpkit.matching.edges import edges
from gpkit_experiments.bench.matcher import flatten


def check(found: Graphs, positions: list[int], rules: Rules) -> None:
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
    rules = Rules(*size)
    rng = stream(1, "positions", *size)
    drawn = rng.random((150, rules.edges)) < rng.random((150, 1))
    positions = (drawn << np.arange(rules.edges)).sum(axis=1)
    positions = positions[positions < (1 << rules.edges) - 1]
    check(graphs_of(positions, rules), positions.tolist(), rules)


def test_all_classes_of_a_small_board() -> None:
    rules = Rules(2, 2)
    positions = classes(rules).positions[:-1]
    check(class_graphs(rules), positions.tolist(), rules)
    numbers = stream(1, "numbers").permutation(len(positions))[:20]
    check(some_graphs(class_graphs(rules), numbers), positions[numbers].tolist(), rules)
