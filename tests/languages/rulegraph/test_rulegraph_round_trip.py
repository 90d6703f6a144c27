"""Text and rules are a pair, and layout changes nothing but layout."""

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from rule_strategies import conditional_rules, rule_lists, rules

from gpkit.core.characters import undeceptive
from gpkit.core.diagnostics import SourceError
from gpkit.genomes.graph import Action, Graph, Link, NamedRule, Node, Rule, RuleList
from gpkit.genomes.graph_order import canonical
from gpkit.languages.rulegraph.formatter import format_source
from gpkit.languages.rulegraph.parser import parse
from gpkit.languages.rulegraph.printer import print_program, print_rule

GAPS = (
    "\n",
    "\n",
    "\n\n",
    "\n\n\n",
    "\r\n",
    " # why\n",
    "\n# whole line\n",
    "#\n\n  #two\t\n\n",
    "\n$$\n\t\n",
)

HEADERS = st.dictionaries(
    st.from_regex(r"[a-z][a-z_-]{0,8}", fullmatch=True), st.text(max_size=20), max_size=3
)


def comments(text: str) -> list[str]:
    """The comments of a text, without the blanks at their ends."""
    return [found.rstrip() for found in re.findall(r"#[^\n]*", text)]


def canonical_list(program: RuleList) -> RuleList:
    return RuleList(tuple(replace(named, rule=canonical(named.rule)) for named in program.rules))


@st.composite
def messy(draw: st.DrawFn, program: RuleList) -> str:
    """The text of rules as people and articles write them, with arbitrary empty lines and comments."""
    pieces = []
    for line in print_program(program).splitlines():
        rule = line
        if draw(st.booleans()):
            rule = re.sub(r"(?<=_)(\d+)", r"{\1}", rule)
        if draw(st.booleans()):
            rule = re.sub(r"(?<!:) (?![@])", "", rule)
        if draw(st.booleans()):
            rule = rule.replace("=>", draw(st.sampled_from([" ⇒", "\\Rightarrow", "\t=>  "])))
        pieces.append((draw(st.sampled_from(["", "$$", " ", "$"])) if line[:1] not in "#" else "") + rule)
    gaps: SearchStrategy[str] = st.sampled_from(GAPS)
    start = draw(st.sampled_from(["", "\n", "# board: 3x3\n", "\n# a\n\n# b: c\n\n"]))
    return start + "".join(piece + draw(gaps) for piece in pieces)


@given(rules() | conditional_rules())
def test_a_rule_reads_back(rule: Rule) -> None:
    (named,) = parse(print_rule(rule)).program.rules
    assert named == NamedRule(canonical(rule))


@given(rule_lists(), HEADERS)
@example(RuleList((NamedRule(Rule(Graph((Node("x"),), (), (1,)), Action(0, -1))),)), {"a": "$"})
def test_canonical_text_reads_back(program: RuleList, header: dict[str, str]) -> None:
    text = print_program(program, header)
    source = parse(text)
    assert source.program == canonical_list(program)
    level = {"level": "1"} if program.level else {}
    assert (
        source.header == {key: " ".join(undeceptive(value).split()) for key, value in header.items()} | level
    )
    assert format_source(parse(text)) == text
    assert print_program(source.program, source.header) == text


@given(st.data(), rule_lists())
def test_same_rules_same_comments_and_idempotent(data: st.DataObject, program: RuleList) -> None:
    text = data.draw(messy(program))
    formatted = format_source(parse(text))
    assert parse(formatted).program == parse(text).program == canonical_list(program)
    assert comments(formatted) == comments(text)
    assert parse(formatted).header == parse(text).header
    assert format_source(parse(formatted)) == formatted
    assert not set("${") & set(re.sub(r"#.*", "", formatted))


@given(st.text("\n\n\n #$:x\r\t@q=1 ", max_size=60))
@example("#\n#\n\n\n#\n  #")
def test_layout_is_idempotent_wherever_lines_end(tail: str) -> None:
    text = f"x_0 w => x_0 - w{tail}"
    try:
        formatted = format_source(parse(text))
    except SourceError:
        return
    assert format_source(parse(formatted)) == formatted
    assert comments(formatted) == comments(text)


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
