"""Reading rules: their graphs, actions and spellings.

The language as the registry knows it.

The cases of ``tests/cases/rulegraph``, with these parts:

---- program            canonical text
---- format             the text after formatting
---- findings           the findings as they are shown, for no game in particular
---- error              the whole message of the error

Rules as text: each reads back alone, and what cannot be written is refused.

Findings about rules: which shadow others, and which conditions are decided.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from language_cases import Shown, cases, findings, held
from rule_strategies import conditional_rules, rules

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.graph import (
    Action,
    Graph,
    Link,
    NamedRule,
    Node,
    NumberComparison,
    Quantity,
    Rule,
    RuleList,
    canonical,
    faults,
)
from gpkit.langkit.nodes import Texts
from gpkit.languages.rulegraph.checks import check
from gpkit.languages.rulegraph.conditions import decided
from gpkit.languages.rulegraph.language import LANGUAGE
from gpkit.languages.rulegraph.syntax import CONDITIONS, GUARDS, MAX_NODES, comparing
from gpkit.languages.rulegraph.text import parse, print_program, print_rule
from gpkit.matching.kernel import search as at
from gpkit.matching.plan import MEANING, Plan


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


DOTS = PrimitiveSet("dots", (), (), (), LANGUAGE.name)


def test_rules_are_compiled_to_searches_in_their_order() -> None:
    source = LANGUAGE.parse("t_0 t_1 => t_0 - t_1\nx_0 w => x_0 - w")
    (compiled,) = LANGUAGE.compile(source.program, source.header, DOTS)
    assert isinstance(compiled, Plan)
    assert compiled.imaging[:, at.SIZE].tolist() == [2, 1]
    assert source.program.names == DOTS.sections


@cases("rulegraph")
def test_case(path: Path) -> None:
    parts: dict[str, Shown] = {
        "findings": lambda source, _: findings(LANGUAGE, source, None),
    }
    if source := held(path, LANGUAGE, parts):
        rules = [named.rule for named in source.program.rules]
        assert [list(faults(rule)) for rule in rules] == [[]] * len(rules)
        printed = parse(print_program(source.program)).program
        assert [named.rule for named in printed.rules] == [canonical(rule) for rule in rules]


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
        with pytest.raises(ValueError, match="names of its rules must differ"):
            print_program(RuleList(faulty))


def test_loops_and_double_edges_are_written_out() -> None:
    loop = Rule(Graph((Node("l", 4),), (Link(0, 0, 1),), (0,)), Action(0, 0, 2))
    assert print_rule(loop) == "l_0(4) l_0 l_0 => l_0[2] - l_0"
    handle = Rule(Graph((Node("t"), Node("l", 2, True)), (Link(0, 1, 2),), (1, 0)), Action(1, 0, 1))
    assert print_rule(handle) == "l_0(2+) t_1 t_1 : t_1 l_0 l_0 n => l_0[1] - t_1"


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
    assert ("W195" in codes_of(f"{earlier}\n{later}")) == shadow
    assert "W195" not in codes_of(f"{earlier}  @q=1\n{later}  @q=2"), "learned rules compete by their values"


def test_equal_rules_are_told_whatever_was_learned() -> None:
    (found,) = check(parse("a: t_0 t_1 => t_0 - t_1 @q=1\nb: t_9 t_4 => t_4 - t_9 @q=2"), None)
    assert (found.code, found.span.line) == ("W195", 2)
    assert "repeats `a` on line 1" in found.message


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
        assert decided(rule.graph, NumberComparison(one, sign, other)) in (None, answer)


def test_rules_with_conditions_shadow_nothing_but_their_equals() -> None:
    first = "# level: 1\nx_0 w ; left < 9 => x_0 - w\n"
    assert codes_of(first + "x_4 n => x_4 - n") == set()
    assert codes_of(first + "x_4 w ; left < 9 => x_4 - w") == {"W195"}
    assert codes_of("# level: 1\nx_0 w => x_0 - w\nx_4 n ; left < 9 => x_4 - n") == {"W195"}


def test_a_question_that_takes_too_long_stays_open() -> None:
    many = " : ".join(f"t_{k} w" for k in range(60))
    ring = " : ".join(f"t_{k} t_{(k + 1) % 60}" for k in range(60))
    assert codes_of(f"{many} : x_99 n => x_99 - n\n{ring} : x_99 w => x_99 - w") == set()


def test_comparisons_are_written_by_one_table_in_the_words_of_any_form() -> None:
    sides = [CONDITIONS.named[word].make() for word in GUARDS] + [
        Quantity("length", 1),
        Quantity("number", -2),
    ]
    assert {side.kind for side in sides} < {*CONDITIONS.named}, "and comparisons themselves"
    names: Texts = {"chain": ["x_0", "l_1"].__getitem__, "word": str.upper}
    text = comparing(names, "({sign} {left} {right})")
    assert [text(NumberComparison(side, "<=", sides[-1])) for side in sides] == [
        "(<= SCORE -2)",
        "(<= LEFT -2)",
        "(<= l_1 -2)",
        "(<= -2 -2)",
    ]
    assert comparing({})(NumberComparison(sides[0], "!=", sides[1])) == "score != left"
