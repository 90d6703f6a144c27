"""A mismatch is there exactly when nothing matches, and what it says is so."""

from dataclasses import replace

import pytest
from coin_strategies import guarded_pairs, pairs
from hypothesis import given

from gpkit.genomes.graph import WILD, Action, Graph, Link, Node, NumberComparison, Quantity, Rule
from gpkit.matching import reference
from gpkit.matching.explain import Mismatch, Present, Unmet, explain, explain_graph, sentence
from gpkit.matching.plan import holds

X, T = Node("x"), Node("t")

OPENED = Graph((X, Node("l", 3), T), (Link(0, 1, 1), Link(1, 2, 1)), (0, 0, 2))


def joined(wanted: Graph, position: Graph, nodes: dict[int, int]) -> bool:
    """Whether these nodes of the rule can be these of the position."""
    return len(set(nodes.values())) == len(nodes) and all(
        position.multiplicity(nodes[a], nodes[b]) >= wanted.multiplicity(a, b) for a in nodes for b in nodes
    )


@given(pairs(max_nodes=9))
def test_whatever_does_not_match_is_explained(pair: tuple[Rule, Graph]) -> None:
    rule, position = pair
    mismatch = explain_graph(rule.graph, position)
    assert explain(rule, position) == mismatch
    assert (mismatch is None) == reference.is_matched(rule.graph, position)
    if mismatch is None:
        return
    words = sentence(mismatch, rule, position)
    assert " has no counterpart: " in words
    node = rule.graph.nodes[mismatch.node]
    placed = {k: there for k, there in enumerate(mismatch.partial) if there is not None}
    if mismatch.reason in ("taken", "edges"):
        assert joined(rule.graph, position, placed)
        assert mismatch.node not in placed
        for there, each in enumerate(position.nodes):
            if node.allows(each) and position.grounds[there] >= rule.graph.grounds[mismatch.node]:
                assert not joined(rule.graph, position, placed | {mismatch.node: there})
        assert bool(mismatch.neighbours) == (mismatch.reason == "edges")
    else:
        alone = Graph(
            (node,),
            (),
            (0,) if mismatch.reason in ("symbol", "length") else (rule.graph.grounds[mismatch.node],),
        )
        assert reference.is_matched(alone, position) == (mismatch.reason == "loop")


@pytest.mark.parametrize(
    ("wanted", "expected", "words"),
    [
        (
            Graph((Node("q"),), (), (0,)),
            Mismatch(0, "symbol"),
            "q_0 has no counterpart: there is no box with 4 sides left",
        ),
        (
            Graph((Node("l", 2),), (), (0,)),
            Mismatch(0, "length"),
            "l_0(2) has no counterpart: no chain has 2 boxes, only 3",
        ),
        (
            Graph((X, T), (), (0, 3)),
            Mismatch(1, "grounds"),
            "t_1 has no counterpart: no such box with 3 sides left has 3 edges to the ground",
        ),
        (
            Graph((Node("l", 3),), (Link(0, 0, 1),), (0,)),
            Mismatch(0, "loop"),
            "l_0(3) has no counterpart: no such chain has an edge to itself",
        ),
        (
            Graph((X, X), (), (0, 0)),
            Mismatch(1, "taken", partial=(0, None)),
            "x_1 has no counterpart: the only node that it could be is taken, where x_0 is node 0",
        ),
        (
            Graph((X, T), (Link(0, 1, 1),), (0, 1)),
            Mismatch(1, "edges", (0,), (0, None)),
            "t_1 has no counterpart: no box with 3 sides left has an edge to x_0, where x_0 is node 0",
        ),
    ],
)
def test_a_mismatch_is_said_in_a_sentence(wanted: Graph, expected: Mismatch, words: str) -> None:
    rule = Rule(wanted, Action(0, WILD))
    assert explain(rule, OPENED) == expected
    assert sentence(expected, rule, OPENED) == words


@given(guarded_pairs())
def test_whatever_may_not_act_is_explained(pair: tuple[Rule, Graph, int]) -> None:
    rule, position, score = pair
    obstacle = explain(rule, position, score)
    assert (obstacle is None) == any(reference.rule_embeddings(rule, position, score))
    if obstacle is None:
        return
    assert sentence(obstacle, rule, position, score)
    if isinstance(obstacle, Present):
        assert obstacle.embedding in set(reference.embeddings(rule.absent[obstacle.number], position))
    elif isinstance(obstacle, Unmet):
        assert obstacle.embedding in set(reference.embeddings(rule.graph, position))
        held = [holds(each, obstacle.embedding, position, score) for each in rule.comparisons]
        assert held[: obstacle.comparison + 1] == [True] * obstacle.comparison + [False]


def test_other_obstacles_are_said_in_a_sentence() -> None:
    chain = Graph((Node("l", 1, at_least=True),), (), (0,))
    rule = Rule(
        chain,
        Action(0, WILD),
        absent=(Graph((T,), (), (2,)),),
        comparisons=(NumberComparison(Quantity("length", 0), ">", Quantity("left")),),
    )
    there = explain(rule, OPENED)
    assert there == Present(0, (2,))
    assert sentence(there, rule, OPENED) == "the pattern that must be absent is there, where t_0 is node 2"
    rule = replace(rule, absent=())
    unmet = explain(rule, OPENED)
    assert unmet == Unmet(0, (1,))
    assert sentence(unmet, rule, OPENED) == (
        "the length of l_0(1+) (3) is not > the number of edges left (6), where l_0(1+) is node 1"
    )
