"""Rule lists as players: compiled and readable ones are the same, position by position."""

import numpy as np
import pytest
from board_strategies import states
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_strategies import rule_lists

from gpkit.core.compiled import kernel
from gpkit.core.errors import LimitError
from gpkit.games.dots_and_boxes.classes import board_of, mask_of
from gpkit.games.dots_and_boxes.facts import decide
from gpkit.games.dots_and_boxes.kernel import boxes
from gpkit.games.dots_and_boxes.kernel.boxes import NO_RULE
from gpkit.games.dots_and_boxes.rule_lists import choose, edges_of_rule, propose, scratch_for, state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.genomes.graph import WILD, Action, Graph, Node, Rule, RuleList
from gpkit.matching.kernel import search as at
from gpkit.matching.plan import plan, plan_of, together
from gpkit_experiments.bench.matcher import edges, flatten

fill_position = kernel(boxes.fill_position)


@settings(max_examples=100)
@given(states())
def test_positions_are_flattened_as_their_graphs_are(state: DotsAndBoxesState) -> None:
    position = state_graph(state)
    flat = flatten([position.graph])
    scratch = scratch_for(plan([]), state.rules)
    count = fill_position(mask_of(state.drawn), board_of(state.rules), scratch)
    assert count == len(position.graph.nodes)
    assert scratch.nodes[:count].tolist() == flat.nodes.tolist()
    assert scratch.neighbours[:count].tolist() == flat.neighbours.tolist()
    assert scratch.ends[:count].tolist() == flat.ends.tolist()
    assert scratch.signature.tolist() == flat.signatures[0].tolist()
    assert scratch.numbers[at.OF_LEFT] == flat.left[0]
    values = edges(position.graph)
    masks = [mask_of(position.edges_of(value)) for value in values]
    assert scratch.masks[: len(values)].tolist() == masks


@settings(max_examples=60)
@given(states(), rule_lists(max_rules=5, max_nodes=3))
def test_rules_propose_what_they_mean(state: DotsAndBoxesState, found: RuleList) -> None:
    if state.is_terminal:
        return
    readable = decide(found, state)
    drawn, lead = np.array([mask_of(state.drawn)]), state.lead(state.current_player)
    masks, chosen = choose(plan_of(found), drawn, (lead,), state.rules)
    assert (int(chosen[0, 0]), int(masks[0, 0])) == (readable.rule, mask_of(readable.edges))
    rules = [named.rule for named in found.rules]
    each = [mask_of(edges_of_rule(rule, state_graph(state), lead)) for rule in rules]
    assert propose(plan(rules), drawn, state.rules, lead)[0].tolist() == each


@pytest.mark.release
@settings(max_examples=60)
@given(states(), rule_lists(max_rules=5, max_nodes=2))
def test_rules_of_equal_precedence_propose_all_that_one_of_them_does(
    state: DotsAndBoxesState, found: RuleList
) -> None:
    if state.is_terminal:
        return
    acting = decide(found, state)
    each = [
        edges_of_rule(named.rule, state_graph(state), state.lead(state.current_player))
        for named in found.rules
    ]
    if acting.rule == NO_RULE:
        assert not any(each)
        return
    end = acting.rule + 1
    while end < len(each) and found.rules[end].joined:
        end += 1
    assert not any(each[: acting.rule])
    assert each[acting.rule]
    assert set(acting.edges) == set().union(*each[acting.rule : end])


@pytest.mark.release
@settings(max_examples=40)
@given(states(), st.lists(rule_lists(max_rules=3, max_nodes=2), min_size=2, max_size=3))
def test_plans_together_do_what_they_did_alone(state: DotsAndBoxesState, lists: list[RuleList]) -> None:
    drawn = np.array([mask_of(state.drawn)])
    alone = [propose(plan_of(each), drawn, state.rules, 1)[0].tolist() for each in lists]
    plans = together([plan_of(each) for each in lists])
    joined = propose(plans, drawn, state.rules, 1)[0].tolist()
    assert joined == [mask for masks in alone for mask in masks]
    assert plans.joined.tolist() == [named.joined for each in lists for named in each.rules]
    whole = plan_of(RuleList(tuple(named for each in lists for named in each.rules)))
    assert propose(whole[1:], drawn, state.rules, 1)[0].tolist() == joined[1:]
    assert whole[1:].joined.tolist() == plans.joined[1:].tolist()


def test_lists_together_ask_for_no_more_absent_graphs_than_one_list_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gpkit.matching.plan.MAX_ABSENT", 3)
    box = Graph((Node("x"),), (), (0,))
    lists = [plan([Rule(box, Action(0, WILD), (box,) * count)]) for count in (1, 2, 3)]
    assert len(together(lists[:2]).absent) == 3
    with pytest.raises(LimitError, match="matched together have at most 3 graphs that must be absent"):
        together(lists[1:])


def test_nothing_matches_on_a_full_board() -> None:
    rules = DotsAndBoxesRules(2, 1)
    take = Rule(Graph((Node("x"),), (), (0,)), Action(0, WILD))
    full = np.array([(1 << rules.edges) - 1, 0])
    masks, chosen = choose(plan([take]), full, (0,), rules)
    assert masks[:, 0].tolist() == [0, full[0]]
    assert chosen[:, 0].tolist() == [NO_RULE, NO_RULE]
