"""The oracle against the definition, the printed rules of the source, and the edges that a position has."""

import pytest
from by_definition import Drawn, acting_embeddings, strands
from by_definition import embeddings as embeddings_by_definition
from by_definition import images as images_by_definition
from coin_strategies import guarded_pairs, pairs, positions
from hypothesis import given

from gpkit.genomes.graph import GROUND, Action, Graph, Link, Node, Rule
from gpkit.languages.rulegraph.text import parse
from gpkit.matching.plan import chain_ends, edge, edges_left
from gpkit.matching.reference import embeddings, images, is_matched, rule_embeddings
from gpkit_experiments.bench.matcher import edges

X, T = Node("x"), Node("t")


def chain(length: int) -> Node:
    return Node("l", length)


OPENED = Graph((X, chain(3), T), (Link(0, 1, 1), Link(1, 2, 1)), (0, 0, 2))
"""A box that can be taken, at the end of a chain of three that leads to a joint at the border."""

LOOP = Graph((chain(4),), (Link(0, 0, 1),), (0,))

EARRING = Graph((T, chain(3)), (Link(0, 1, 2),), (1, 0))
"""A chain whose two ends meet in one joint."""


def as_value(position: Graph, drawn: Drawn) -> Action:
    if drawn.strand >= 0:
        one, other = strands(position)[drawn.strand]
        return edge(position, one.node, other.node)
    sides = {end.side: strand for strand in strands(position) for end in strand if end.node == drawn.chain}
    first = next(end.node for end in sides[0] if end != (drawn.chain, 0))
    return edge(position, drawn.chain, first, drawn.place)


def every_drawn(position: Graph) -> list[Drawn]:
    inner = [Drawn(-1, n, k) for n, node in enumerate(position.nodes) for k in range(1, node.length)]
    return [Drawn(number) for number in range(len(strands(position)))] + inner


@given(positions())
def test_edges_are_all_edges_once(position: Graph) -> None:
    drawn = every_drawn(position)
    values = edges(position)
    assert len(set(values)) == len(values)
    assert {as_value(position, one) for one in drawn} == set(values)
    assert len(drawn) == edges_left(position)
    for node, other, offset in values:
        assert edge(position, node, other, offset) == (node, other, offset)


@given(pairs())
def test_the_oracle_is_the_definition(pair: tuple[Rule, Graph]) -> None:
    rule, position = pair
    found = list(embeddings(rule.graph, position))
    assert len(set(found)) == len(found)
    assert set(found) == set(embeddings_by_definition(rule.graph, position))
    assert is_matched(rule.graph, position) == bool(found)


@given(pairs(max_nodes=3))
def test_images_are_whole_edges_of_the_definition(pair: tuple[Rule, Graph]) -> None:
    rule, position = pair
    drawn = images_by_definition(rule, position)
    values = images(rule, position)
    assert values == {as_value(position, one) for one in drawn}
    loops = {link.low for link in position.links if link.low == link.high}
    whole = {one for one in every_drawn(position) if as_value(position, one) in values}
    assert {one for one in whole - drawn if as_value(position, one).node not in loops} == set()


@given(guarded_pairs())
def test_comparisons_and_what_must_be_absent_are_as_defined(pair: tuple[Rule, Graph, int]) -> None:
    rule, position, score = pair
    expected = set(acting_embeddings(rule, position, score))
    assert set(rule_embeddings(rule, position, score)) == expected
    assert (
        any(rule_embeddings(rule, position, score)) == bool(expected) == bool(images(rule, position, score))
    )
    assert expected <= set(embeddings(rule.graph, position))


@given(positions())
def test_a_position_matches_itself_and_no_edge_is_left_over(position: Graph) -> None:
    for node, other, offset in edges(position):
        rule = Rule(position, Action(node, other, offset))
        assert edge(position, node, other, offset) in images(rule, position)
    assert sum(position.wildcards(number) for number in range(len(position.nodes))) == 0


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        pytest.param("x_0 w => x_0 - w", OPENED, {(1, 0, 0)}, id="take"),
        pytest.param("x_0 n => x_0 - n", OPENED, set(), id="no ground"),
        pytest.param(
            "x_0 l_1(2+) => l_1[1] - x_0", OPENED, {(1, 0, 1)}, id="inside, from the end that is taken"
        ),
        pytest.param("l_0(2+) w => l_0[1] - w", OPENED, {(1, 0, 1), (1, 2, 1)}, id="inside, from either end"),
        pytest.param(
            "l_0(3+) t_1 => l_0[2] - t_1", OPENED, {(1, 0, 1)}, id="two from the joint, one from the box"
        ),
        pytest.param("t_0 n w w => t_0 - w", OPENED, {(2, GROUND, 0), (1, 2, 0)}, id="left over"),
        pytest.param("t_0 n n w => t_0 - w", OPENED, {(1, 2, 0)}, id="two grounds are taken"),
        pytest.param("l_0(4) l_0 l_0 => l_0[2] - l_0", LOOP, {(0, 0, 0)}, id="a loop has one kind of edge"),
        pytest.param("l_0(4) w w => l_0[1] - w", LOOP, {(0, 0, 0)}, id="wild ends of one edge"),
        pytest.param("t_0 l_1(3) => l_1[1] - w", EARRING, {(1, 0, 1)}, id="both ends meet in one joint"),
        pytest.param("q_0 w => q_0 - w", OPENED, set(), id="no such box"),
    ],
)
def test_what_a_rule_proposes(text: str, position: Graph, expected: set[tuple[int, int, int]]) -> None:
    assert images(parse(text).program.rules[0].rule, position) == expected


def test_the_ends_of_chains() -> None:
    assert chain_ends(OPENED, 1) == (0, 2)
    assert chain_ends(LOOP, 0) == (0, 0)
    assert chain_ends(EARRING, 1) == (0, 0)
    assert chain_ends(Graph((chain(2),), (), (2,)), 0) == (GROUND, GROUND)
