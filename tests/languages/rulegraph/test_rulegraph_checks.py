"""Findings about rules: which shadow others, and which conditions are decided."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_strategies import conditional_rules

from gpkit.genomes.graph import Comparison, Quantity, Rule, RuleList
from gpkit.languages.rulegraph.checks import check
from gpkit.languages.rulegraph.conditions import decided
from gpkit.languages.rulegraph.parser import parse
from gpkit.languages.rulegraph.precedence import covers
from gpkit.matching.edges import MEANING


def codes_of(text: str) -> set[str]:
    return {found.code for found in check(parse(text), None)}


def rules_of(text: str) -> RuleList:
    return parse(text).program


@pytest.mark.parametrize(
    ("earlier", "later", "shadow"),
    [
        ("x_0 w => x_0 - w", "x_0 n => x_0 - n", True),
        ("x_0 n => x_0 - n", "x_0 w => x_0 - w", False),
        ("x_0 w : x_1 w => x_0 - w", "x_0 t_2 : x_1 t_2 => x_0 - t_2", True),
        ("x_0 w : x_1 w => x_0 - w", "x_0 t_2 => x_0 - t_2", False),
        ("l_0(2+) n => l_0 - n", "l_0(3) n x_1 => l_0 - n", True),
        ("l_0(2+) n => l_0 - n", "l_0(3+) n x_1 => l_0 - n", True),
        ("l_0(2) n => l_0 - n", "l_0(2+) n x_1 => l_0 - n", False),
        ("l_0(2+) n => l_0 - n", "l_0(1+) n x_1 => l_0 - n", False),
        ("l_0(2+) w => l_0 - w", "l_0(4) l_0 => l_0 - l_0", True),
        ("l_0(2+) l_0 => l_0 - l_0", "l_0(4) t_1 t_1 => l_0 - t_1", False),
        ("t_0 l_1(1+) => t_0 - l_1", "t_0 l_1(1+) l_1 => t_0 - l_1", True),
        ("t_0 l_1(1+) l_1 => t_0 - l_1", "t_0 l_1(1+) l_2(1+) => t_0 - l_1", False),
        ("t_0 t_1 : t_1 t_2 : t_2 t_0 => t_0 - t_1", "t_0 t_1 : t_1 t_2 : t_2 t_3 => t_0 - t_1", False),
    ],
)
def test_a_rule_shadows_those_in_whose_pattern_it_lies(earlier: str, later: str, shadow: bool) -> None:
    one, two = (rules_of(text).rules[0].rule for text in (earlier, later))
    assert covers(one, two) == shadow
    assert ("W195" in codes_of(f"{earlier}\n{later}")) == shadow
    assert "W195" not in codes_of(f"{earlier}  @q=1\n{later}  @q=2"), "learned rules compete by their values"


def test_equal_rules_are_told_whatever_was_learned() -> None:
    (found,) = check(parse("a: t_0 t_1 => t_0 - t_1 @q=1\nb: t_9 t_4 => t_4 - t_9 @q=2"), None)
    assert (found.code, found.span.line) == ("W195", 2)
    assert "`a` on line 1 again" in found.message


@given(
    conditional_rules(),
    st.lists(st.integers(0, 6), min_size=7, max_size=7),
    st.integers(-9, 9),
    st.integers(1, 24),
)
def test_what_is_decided_is_so(rule: Rule, longer: list[int], score: int, left: int) -> None:
    """Whatever lengths the chains have that the rule matches."""
    pairs = zip(rule.graph.nodes, longer, strict=False)
    lengths = [node.length + more * node.at_least for node, more in pairs]

    def value(quantity: Quantity) -> int:
        if quantity.kind == "length":
            return lengths[quantity.value]
        return {"score": score, "left": left}.get(quantity.kind, quantity.value)

    for one, sign, other in rule.comparisons:
        answer = MEANING[sign](value(one), value(other))
        assert decided(rule.graph, Comparison(one, sign, other)) in (None, answer)


def test_rules_with_conditions_shadow_nothing_but_their_equals() -> None:
    first = "# level: 1\nx_0 w ; left < 9 => x_0 - w\n"
    assert codes_of(first + "x_4 n => x_4 - n") == set()
    assert codes_of(first + "x_4 w ; left < 9 => x_4 - w") == {"W195"}
    assert codes_of("# level: 1\nx_0 w => x_0 - w\nx_4 n ; left < 9 => x_4 - n") == {"W195"}


def test_a_question_that_takes_too_long_stays_open() -> None:
    many = " : ".join(f"t_{k} w" for k in range(60))
    ring = " : ".join(f"t_{k} t_{(k + 1) % 60}" for k in range(60))
    assert not covers(
        rules_of(f"{many} : x_99 n => x_99 - n").rules[0].rule,
        rules_of(f"{ring} : x_99 w => x_99 - w").rules[0].rule,
    )
