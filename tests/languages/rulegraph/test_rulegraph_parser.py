"""Reading rules: their graphs, actions and spellings."""

import pytest

from gpkit.genomes.graph import GROUND, WILD, Action, Graph, Link, NamedRule, Node, Rule, RuleList
from gpkit.languages.rulegraph.checks import check
from gpkit.languages.rulegraph.parser import parse
from gpkit.languages.rulegraph.printer import print_program
from gpkit.languages.rulegraph.syntax import MAX_NODES


def test_what_the_limits_allow() -> None:
    text = " : ".join(f"x_{k} w" for k in range(MAX_NODES)) + " => x_0 - w"
    source = parse(text)
    assert len(source.program.rules[0].rule.graph.nodes) == MAX_NODES
    assert print_program(source.program) == text + "\n"


def test_a_rule_is_its_graph() -> None:
    """The paper's rule with a chain at the ground, and what is filled in."""
    text = "# board: 3x3\n\n a : x_{45}l_{48}(2+) : l_{48}(2+)nx_{45} => x_{45} - l_{48}(2+)  @q = -.5@f=2\n"
    source = parse(text, "a.rules")
    graph = Graph((Node("x"), Node("l", 2, True)), (Link(0, 1, 1),), (0, 1))
    assert source.program == RuleList((NamedRule(Rule(graph, Action(1, 0)), "a", -0.5, 2.0),))
    assert source.names == (("x_45", "l_48"),)
    assert source.header == {"board": "3x3"}
    (span,) = source.spans
    assert (span.line, span.column, text[span.start : span.end]) == (3, 2, text.split("\n")[2].strip())


@pytest.mark.parametrize(
    "text",
    [
        "t_0 l_1(1+) x_2 n : l_1 w : x_2 t_0 => t_0 - l_1",
        "t_0 l_1(1+) x_2 n => l_1 - t_0",
        "t_0 n : x_2 t_0 : l_1(1+) t_0 => l_1[0] - t_0",
        "$$ t_{0} l_1 ( 1 + ) n x_2 \\Rightarrow t_0 - l_1 (1+)$$",
        "l_7t_5:t_5nx_6⇒t_5-l_7(1+)",
    ],
)
def test_spellings_of_one_rule(text: str) -> None:
    assert print_program(parse(text).program) == "l_0(1+) t_1 w : t_1 l_0 x_2 n : x_2 t_1 => l_0 - t_1\n"


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("l_0 - n", Action(0, GROUND)),
        ("n - l_0[2]", Action(0, GROUND, 2)),
        ("t_1 - l_0[1]", Action(0, 1, 1)),
        ("w - t_1", Action(1, WILD)),
        ("t_2 - t_1", Action(1, 2)),
    ],
)
def test_actions_are_normal(action: str, expected: Action) -> None:
    assert parse(f"l_0(3+) n t_1 : t_1 t_2 => {action}").program.rules[0].rule.action == expected


def test_lenient_reading_gives_every_length() -> None:
    source = parse("l_0 l_0 => l_0 - l_0\nt_0 l_7 n => t_0 - n", lenient=True)
    assert [found.code for found in source.warnings] == ["W194", "W194"]
    assert source.program.rules[0].rule.graph.nodes == (Node("l", 1, True),)
    assert [found.code for found in check(source, None)] == ["W194", "W194"]
