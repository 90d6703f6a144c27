"""Rules as text: each reads back alone, and what cannot be written is refused."""

import pytest
from hypothesis import given
from rule_strategies import conditional_rules, rules

from gpkit.genomes.graph import Action, Graph, Link, NamedRule, Node, Rule, RuleList
from gpkit.genomes.graph_order import canonical
from gpkit.languages.rulegraph.parser import parse
from gpkit.languages.rulegraph.printer import print_program, print_rule


@given(rules() | conditional_rules())
def test_a_rule_reads_back(rule: Rule) -> None:
    (named,) = parse(print_rule(rule)).program.rules
    assert named == NamedRule(canonical(rule))


LONE = Rule(Graph((Node("x"),), (), (1,)), Action(0, -1))


@pytest.mark.parametrize(
    "named",
    [
        NamedRule(LONE, "two words"),
        NamedRule(LONE, "x_0"),
        NamedRule(LONE, "nw"),
        NamedRule(LONE, q=float("nan")),
        NamedRule(LONE, f=float("inf")),
    ],
    ids=["words", "box", "neighbours", "nan", "infinite"],
)
def test_what_cannot_be_written_is_an_error(named: NamedRule) -> None:
    with pytest.raises(ValueError, match=r"cannot be called|finite"):
        print_program(RuleList((named,)))


def test_a_list_has_rules_with_names_that_differ() -> None:
    for faulty in ((), (NamedRule(LONE, "a"), NamedRule(LONE, "a"))):
        with pytest.raises(ValueError, match="names that differ"):
            print_program(RuleList(faulty))


def test_loops_and_double_edges_are_written_out() -> None:
    loop = Rule(Graph((Node("l", 4),), (Link(0, 0, 1),), (0,)), Action(0, 0, 2))
    assert print_rule(loop) == "l_0(4) l_0 l_0 => l_0[2] - l_0"
    handle = Rule(Graph((Node("t"), Node("l", 2, True)), (Link(0, 1, 2),), (1, 0)), Action(1, 0, 1))
    assert print_rule(handle) == "l_0(2+) t_1 t_1 : t_1 l_0 l_0 n => l_0[1] - t_1"
