"""Operators on rules: well-formed children, parents untouched, same seed same child, shares as they should be."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_strategies import rules

from gpkit.core.rng import stream
from gpkit.genomes.graph import (
    GROUND,
    WILD,
    Action,
    Node,
    NumberComparison,
    Quantity,
    Rule,
    actions,
    canonical,
    faults,
    graph_of,
    renumbered,
)
from gpkit.genomes.graph_operators import EDITS, Limits, edited, mutate

LIMITS = Limits(nodes=8, length=6)
DRAWS = 2000


def rule_of(nodes: str, edges: dict[tuple[int, int], int], grounds: dict[int, int], action: Action) -> Rule:
    """A rule of nodes by their symbols; chains have two boxes."""
    made = [Node("l", 2) if symbol == "l" else Node(symbol) for symbol in nodes]
    rule = Rule(graph_of(made, edges, grounds), action)
    assert list(faults(rule)) == []
    return rule


PAPER = rule_of("qlxxx", {(0, 1): 1, (0, 2): 1, (0, 3): 1}, {1: 1}, Action(0, 2))
"""The rule of the paper's Figure 3."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.release] * (name not in ("add", "remove", "symbol", "length")))
        for name in EDITS
    ],
)
@settings(max_examples=30)
@given(rules(max_nodes=9), st.integers(0, 10**6))
def test_children_are_well_formed_and_depend_on_the_seed_alone(name: str, rule: Rule, seed: int) -> None:
    chain = next((k for k, node in enumerate(rule.graph.nodes) if node.symbol == "l"), None)
    if chain is not None:
        compared = NumberComparison(Quantity("length", chain), "<", Quantity("left"))
        rule = replace(rule, comparisons=(compared,), absent=(rule.graph,))
    before = replace(rule)
    edit = EDITS[name][1]
    child, nodes = edited(stream(seed, "test"), rule, edit, LIMITS)
    assert list(faults(child)) == []
    assert edited(stream(seed, "test"), rule, edit, LIMITS) == (child, nodes)
    assert rule == before
    assert child.absent == rule.absent
    assert set(nodes) <= set(range(len(child.graph.nodes)))
    assert len(child.graph.nodes) <= max(LIMITS.nodes, len(rule.graph.nodes))
    longest = max(LIMITS.length, *(node.length for node in rule.graph.nodes))
    assert all(node.length <= longest for node in child.graph.nodes)


@settings(max_examples=60)
@given(rules(), st.integers(0, 10**6))
def test_long_lines_of_descent_stay_well_formed(rule: Rule, seed: int) -> None:
    rng = stream(seed, "descent")
    for _ in range(30):
        (child, nodes), name = mutate(rng, rule, LIMITS)
        assert list(faults(child)) == []
        assert name in EDITS
        assert child == rule or nodes or name in ("wildcard", "remove", "drop")
        rule = child


def children(name: str, rule: Rule, *, limits: Limits = LIMITS, draws: int = 400) -> list[Rule]:
    return [edited(stream(k, name), rule, EDITS[name][1], limits).rule for k in range(draws)]


def test_added_nodes_stand_where_something_was_open() -> None:
    for child in children("add", PAPER):
        assert renumbered(child.graph, range(5)) == PAPER.graph
        (host,) = child.graph.neighbours(5)
        assert host in (0, 4)
        assert child.action == PAPER.action
    lone = rule_of("x", {}, {0: 1}, Action(0, GROUND))
    assert {child.graph.fragments() for child in children("add", lone)} == {((0,), (1,))}
    full = children("add", PAPER, limits=Limits(nodes=5))
    assert set(full) == {PAPER}


def test_an_action_to_anything_becomes_one_to_what_stands_there() -> None:
    taking = rule_of("x", {}, {}, Action(0, WILD))
    for child in children("add", taking):
        assert {child.action.node, child.action.other} == {0, 1}


def test_removed_nodes_are_bridged_and_wildcards_are_not() -> None:
    row = rule_of("tlt", {(0, 1): 1, (1, 2): 1}, {0: 1}, Action(0, GROUND))
    bridged = rule_of("tt", {(0, 1): 1}, {0: 1}, Action(0, GROUND))
    loose = rule_of("tt", {}, {0: 1}, Action(0, GROUND))
    assert bridged in children("remove", row)
    assert bridged not in children("wildcard", row)
    assert loose in children("wildcard", row)


def test_lengths_change_by_one_and_offsets_stay_inside() -> None:
    chain = Rule(graph_of([Node("l", 2)], {}, {0: 1}), Action(0, GROUND, 1))
    found = {child.graph.nodes[0].length: child.action.offset for child in children("length", chain)}
    assert found == {1: 0, 3: 1}
    shortest = Rule(graph_of([Node("l", 1, True)], {}, {0: 1}), Action(0, GROUND))
    assert {c.graph.nodes[0] for c in children("length", shortest)} == {
        Node("l", 1, True),
        Node("l", 2, True),
    }
    assert {c.graph.nodes[0] for c in children("at-least", shortest)} == {Node("l", 1)}
    assert set(children("length", rule_of("x", {}, {}, Action(0, WILD)))) == {
        rule_of("x", {}, {}, Action(0, WILD))
    }


def test_fragments_are_joined_and_separated_again() -> None:
    apart = rule_of("tt", {}, {}, Action(0, WILD))
    together = rule_of("tt", {(0, 1): 1}, {}, Action(0, WILD))
    assert set(children("join", apart)) == {together}
    assert set(children("separate", together)) == {apart}
    drawn = rule_of("tt", {(0, 1): 1}, {}, Action(0, 1))
    assert set(children("separate", drawn)) == {apart}
    ring = rule_of("tlt", {(0, 1): 1, (1, 2): 1, (0, 2): 1}, {}, Action(0, WILD))
    assert all(len(child.graph.fragments()) == 1 for child in children("separate", ring))


def test_ground_and_anything_change_places_with_the_action() -> None:
    taking = rule_of("x", {}, {}, Action(0, WILD))
    grounded = rule_of("x", {}, {0: 1}, Action(0, GROUND))
    assert set(children("ground", taking)) == {grounded}
    assert set(children("ground", grounded)) == {taking}


def test_a_changed_symbol_keeps_what_it_has_room_for() -> None:
    pair = rule_of("tt", {(0, 1): 1}, {0: 1, 1: 2}, Action(0, 1))
    for child in children("symbol", pair):
        (changed,) = (k for k in (0, 1) if child.graph.nodes[k].symbol != "t")
        kept = child.graph.multiplicity(0, 1) + child.graph.grounds[changed]
        assert kept == min(child.graph.nodes[changed].degree, 1 + pair.graph.grounds[changed])
    assert {child.graph.nodes[0].symbol for child in children("symbol", pair)} == set("qtlx")


def test_fragments_without_the_action_are_dropped() -> None:
    assert {canonical(child) for child in children("drop", PAPER)} == {
        canonical(replace(PAPER, graph=renumbered(PAPER.graph, range(4))))
    }


def test_every_other_action_is_drawn() -> None:
    drawn = Counter(child.action for child in children("action", PAPER, draws=DRAWS))
    others = [action for action in actions(PAPER.graph) if action != PAPER.action]
    assert set(drawn) == set(others)
    expected = DRAWS / len(others)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in drawn.values())


def test_comparisons_go_with_their_chains() -> None:
    asked = (
        NumberComparison(Quantity("length", 1), "<", Quantity("number", 4)),
        NumberComparison(Quantity("left"), "<=", Quantity("number", 9)),
    )
    found = {child.comparisons for child in children("wildcard", replace(PAPER, comparisons=asked))}
    moved = (asked[0]._replace(left=Quantity("length", 0)), asked[1])
    assert found == {asked, asked[1:], moved}


def test_edits_come_in_their_shares() -> None:
    """Of a rule that every edit can change, so none is tried again."""
    parent = rule_of("qlxt", {(0, 1): 1, (0, 2): 1}, {1: 1}, Action(0, 2))
    rng = stream(7, "shares")
    names = Counter(mutate(rng, parent, LIMITS)[1] for _ in range(DRAWS))
    for name, (share, _) in EDITS.items():
        assert abs(names[name] - DRAWS * share) < 5 * (DRAWS * share) ** 0.5, name
    assert sum(share for share, _ in EDITS.values()) == pytest.approx(1)
    only = Counter(mutate(rng, parent, LIMITS, {"add": 3.0, "action": 1.0})[1] for _ in range(DRAWS))
    assert set(only) == {"add", "action"}
    assert abs(only["add"] - DRAWS * 0.75) < 5 * (DRAWS * 0.1875) ** 0.5


def test_a_rule_that_an_edit_cannot_change_meets_another_one() -> None:
    lone = rule_of("x", {}, {}, Action(0, WILD))
    rng = stream(8, "again")
    assert all(mutate(rng, lone, LIMITS)[0].rule != lone for _ in range(200))
    variant, _ = mutate(rng, lone, LIMITS, {"drop": 1.0})
    assert variant.rule == lone, "nothing can be dropped"
