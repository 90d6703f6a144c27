"""Rules in positions: what is drawn is an embedding, whatever the rule and the position."""

from hypothesis import given, settings
from hypothesis import strategies as st
from rule_strategies import conditional_rules

from gpkit.games.dots_and_boxes.board import board_text
from gpkit.games.dots_and_boxes.forms.embedding import embedding_picture, find, position_dot, state_picture
from gpkit.games.dots_and_boxes.rule_lists import edges_of_rule, state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState, boxes_of_edges
from gpkit.genomes.graph import WILD, NamedRule, Rule, RuleList, canonical
from gpkit.languages.rulegraph.text import parse


def positions() -> st.SearchStrategy[DotsAndBoxesState]:
    return st.builds(reached, st.permutations(range(24)), st.integers(0, 23))


def reached(order: list[int], drawn: int) -> DotsAndBoxesState:
    state = DotsAndBoxesState.begin(DotsAndBoxesRules(3, 3))
    for edge in order[:drawn]:
        state = state.apply(edge)
    return state


@settings(max_examples=60, deadline=None)
@given(conditional_rules(max_nodes=3), positions())
def test_what_is_shown_is_a_match(wanted: Rule, state: DotsAndBoxesState) -> None:
    rule, position, lead = canonical(wanted), state_graph(state), state.lead(state.current_player)
    hit = find(rule, position, lead)
    proposed = edges_of_rule(rule, position, lead)
    assert (hit is None) == (proposed == ())
    if hit is None:
        return
    embedding, found = hit
    assert found.proposed == proposed
    assert found.chosen in proposed
    for box, node in found.numbers.items():
        assert position.graph.nodes[embedding[node]].symbol == rule.graph.nodes[node].symbol
        assert box in position.boxes[embedding[node]]
    assert set(found.edges) <= set(state.legal_actions())
    more = int(rule.action.other == WILD)  # the edge to draw may lie beside those of the rule
    for low, high, count in rule.graph.links:
        pair = sorted((embedding[low], embedding[high]))
        at = [list(link[:2]) for link in position.graph.links].index(pair)
        expected = count if low != high else len(position.edges[at])
        assert 0 <= len(set(found.edges) & set(position.edges[at])) - expected <= more
    for node, there in enumerate(embedding):
        assert 0 <= len(set(found.edges) & set(position.grounds[there])) - rule.graph.grounds[node] <= more
        assert set(position.paths[there][1:-1]) <= set(found.edges)


@given(positions())
def test_every_box_and_edge_is_drawn(state: DotsAndBoxesState) -> None:
    dot = position_dot(state)
    for box in range(9):
        assert f"\tb{box} [" in dot
    for edge in state.legal_actions():
        one, *other = boxes_of_edges(state.rules)[edge]
        assert f"\tb{one} -> {f'b{other[0]}' if other else f'g{edge}'} [" in dot
    assert dot.count("penwidth=3.5") >= len(state.drawn)


def test_a_rule_with_conditions_tells_what_fails() -> None:
    program = parse("# level: 1\nq_0 w ; left < 5 => q_0 - w").program
    picture = embedding_picture(program, 1, DotsAndBoxesState.begin(DotsAndBoxesRules(2, 2)), title="a.rules")
    assert "a.rules, rule 1\n" in picture.text
    assert "cannot act: the number of edges left (12) is not < 5" in picture.text
    assert "cannot act" in picture.dot


def test_the_text_of_a_position_is_its_board() -> None:
    state = reached(list(range(24)), 10)
    assert state_picture(state, title="b").text == board_text(state)


def test_a_name_reaches_labels_only() -> None:
    named = NamedRule(parse("q_0 w => q_0 - w").program.rules[0].rule, "early")
    dot = embedding_picture(
        RuleList((named,)), 1, DotsAndBoxesState.begin(DotsAndBoxesRules(1, 1)), title="<&>"
    ).dot
    assert "&lt;&amp;&gt;, rule 1 early" in dot
