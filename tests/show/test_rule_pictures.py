"""Rules as pictures: every edge is drawn once and in the right place, whatever the rule."""

import re
from collections import Counter

import pytest
from hypothesis import given
from rule_strategies import conditional_rules, rule_lists

from gpkit.genomes.graph import GROUND, WILD, Rule, RuleList
from gpkit.languages.rulegraph.forms.draw import (
    Shown,
    columns_for,
    rule_picture,
    rules_diff,
    rules_dot,
    strands,
)
from gpkit.languages.rulegraph.text import parse, print_rule
from gpkit.show.pictures import picture_of
from gpkit.show.render import render


@given(conditional_rules())
def test_every_edge_is_drawn_once(rule: Rule) -> None:
    graph = rule.graph
    drawn = Counter(
        tuple(sorted((tail, head))) for each in strands(graph, rule.action) for tail, head, _, _ in each
    )
    expected = Counter({(low, high): count for low, high, count in graph.links})
    for number in range(len(graph.nodes)):
        expected[GROUND, number] += graph.grounds[number]
        expected[WILD, number] += graph.wildcards(number)
    assert drawn == +expected


@given(conditional_rules())
def test_a_chain_has_one_edge_at_each_end(rule: Rule) -> None:
    ends = Counter(
        end
        for fragment in strands(rule.graph, rule.action)
        for tail, head, _, turns in fragment
        for end in ((tail, "right"), (head, "right" if turns else "left"))
    )
    for number, node in enumerate(rule.graph.nodes):
        if node.symbol == "l":
            assert (ends[number, "left"], ends[number, "right"]) == (1, 1)


@given(conditional_rules())
def test_the_edge_to_draw_is_marked_or_counted_from_the_left(rule: Rule) -> None:
    node, other, offset = rule.action
    fragment = strands(rule.graph, rule.action)[0]
    marked = [strand for strand in fragment if strand.acts]
    if offset == 0:
        assert [{strand.tail, strand.head} for strand in marked] == [{node, other}]
    else:
        assert marked == []
        assert node == other or any(strand[:2] == (other, node) and not strand.turns for strand in fragment)


@pytest.mark.release
@given(rule_lists())
def test_text_and_dot_hold_every_rule(program: RuleList) -> None:
    picture = picture_of(program, {}, None, title="rules")
    for number, named in enumerate(program.rules, 1):
        heading = f"{'| ' * named.joined}{number} {named.name}".rstrip()
        assert any(line.startswith(heading) for line in picture.text.splitlines())
        assert f'tooltip="{print_rule(named.rule)}"' in picture.dot
    assert "draw this" in picture.text


@pytest.mark.release
@given(rule_lists(), rule_lists())
def test_a_difference_holds_both_lists(parent: RuleList, child: RuleList) -> None:
    changes = rules_diff(parent, child)
    assert [shown.named for shown in changes if shown.state != "removed"] == list(child.rules)
    assert sum(shown.state != "added" for shown in changes) == len(parent.rules)
    assert {shown.state for shown in rules_diff(child, child)} == {"kept"}


def test_one_rule_keeps_its_number() -> None:
    program = parse("take: x_0 w => x_0 - w\nl_0(1) w => l_0 - w").program
    picture = rule_picture(program, 2, title="second")
    assert picture.text == "2\nl_0(1)\n├─ w  ← draw this\n└─ w\n"


def test_rules_of_equal_precedence_have_a_bar() -> None:
    alone = parse("take: x_0 w => x_0 - w\nl_0(1) w => l_0 - w").program
    joined = parse("take: x_0 w => x_0 - w\n| l_0(1) w => l_0 - w").program
    assert "\n| 2\n" in picture_of(joined, {}, None, title="").text
    assert ">| 2<" in picture_of(joined, {}, None, title="").dot
    legend = "with the precedence of the rule before"
    assert legend in picture_of(joined, {}, None, title="").dot
    assert legend not in picture_of(alone, {}, None, title="").dot
    states = [(shown.number, shown.state) for shown in rules_diff(alone, joined)]
    assert states == [(1, "kept"), (2, "removed"), (2, "added")]


def test_names_cannot_reach_the_markup() -> None:
    (named,) = parse("x_0 w => x_0 - w").program.rules
    dot = rules_dot([Shown(1, named)], caption="<b>&\\N")
    assert "&lt;b&gt;&amp;" in dot
    assert "\\N" not in dot


def test_rules_render() -> None:
    program = parse("l_0(2) w => l_0[1] - w\nx_0 n => x_0 - n").program
    svg = render(picture_of(program, {}, None, title="rules"), "svg").decode()
    assert svg.count('class="cluster"') == 2
    assert "draw this side" in svg


@pytest.mark.parametrize("count", [3, 8, 13])
def test_rules_are_read_row_by_row(count: int) -> None:
    program = parse("x_0 n => x_0 - n\n" * count).program
    svg = render(picture_of(program, {}, None, title="rules"), "svg").decode()
    corners = {}
    for place, d in re.findall(r"<title>cluster_(\d+)</title>.*?<path[^>]*? d=\"([^\"]*)\"", svg, re.DOTALL):
        points = [tuple(map(float, point)) for point in re.findall(r"(-?[\d.]+),(-?[\d.]+)", d)]
        corners[int(place)] = (min(y for _, y in points), min(x for x, _ in points))
    assert sorted(corners, key=corners.__getitem__) == list(range(count))
    assert len({y for y, _ in corners.values()}) == -(-count // columns_for(count))
