"""Any text is read, or refused in words for people; what is too large is refused early."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import EXIT_LIMIT, EXIT_USAGE, LimitError
from gpkit.genomes.graph import GROUND, WILD, Action, Graph, Link, NamedRule, Node, Rule, RuleList, faults
from gpkit.langkit.findings import explanations_in
from gpkit.langkit.reading import MAX_TEXT
from gpkit.languages.rulegraph.checks import check
from gpkit.languages.rulegraph.formatter import format_source
from gpkit.languages.rulegraph.parser import parse
from gpkit.languages.rulegraph.printer import print_program
from gpkit.languages.rulegraph.syntax import MAX_MENTIONS, MAX_NODES, READING

EXPLANATIONS = explanations_in("gpkit.languages.rulegraph")

WORDS = (
    *(
        "q_0",
        "t_1",
        "l_2(1+)",
        "l_2",
        "l_3(2)",
        "x_4",
        "x_5",
        "t_{6}",
        "n",
        "w",
        "x_0",
        "q_9",
        "l_",
        "_0",
        "(2+)",
    ),
    *(
        ":",
        ":",
        ":",
        "=>",
        "=>",
        "⇒",
        "\\Rightarrow",
        "-",
        "-",
        "[0]",
        "[1]",
        "$",
        "$$",
        "q",
        "x_4 - n",
        "x_4 - w",
    ),
    *(
        "take:",
        "give:",
        "w:",
        "n :",
        "@q=1",
        "@f=-2.5e3",
        "@p=0",
        "@q",
        "# c",
        "# board: 3x3",
        "# game: sevens",
    ),
    *(
        "&a",
        "&a =",
        "\n&b = t_8 n\n",
        "&b",
        ";",
        ";",
        "!",
        "!&b",
        "; !t_9 n",
        "; l_2 < l_3",
        "<",
        "!=",
        ">=",
        "score",
        "left",
    ),
    *("; left < 4", "; -2 <= score", "; l_3 = 2", "edges"),
    *("\n", "\n", "\n", "\r\n", "\t", "\ufeff", "\x00", "é", "+", "!", "&a", ";", "<", "=", "5"),
)


def texts() -> SearchStrategy[str]:
    """Arbitrary characters, and arbitrary sequences of words that look like rules."""
    words = st.lists(st.sampled_from(WORDS))
    return st.one_of(st.text(), words.map(" ".join), words.map("".join), words.map(" ".join).map(_ended))


def _ended(pattern: str) -> str:
    return f"{pattern} => x_4 - w"


def fuzz(text: str) -> None:
    """Read a text and do everything with it; only errors for people may come out."""
    for lenient in (False, True):
        try:
            source = parse(text, "fuzz.rules", lenient=lenient)
        except SourceError as error:
            found = error.diagnostic
            assert found.code in EXPLANATIONS
            assert 0 <= found.span.start <= found.span.end <= len(text)
            assert "fuzz.rules:" in str(error)
            assert not any(words.isupper() for words in found.expected), (
                "names of terminals are not for people"
            )
            continue
        assert all(list(faults(named.rule)) == [] for named in source.program.rules)
        parse(print_program(source.program))
        assert len(source.spans) == len(source.names) == len(source.program.rules)
        check(source, None)
        if not lenient:
            assert parse(format_source(parse(text))).program == source.program


@given(texts())
def test_no_text_is_a_surprise(text: str) -> None:
    fuzz(text)


@pytest.mark.slow
@given(texts())
@settings(max_examples=20_000)
def test_no_text_is_a_surprise_at_length(text: str) -> None:
    fuzz(text)


def test_no_two_terminals_collide() -> None:
    assert READING.grammar(strict=True).parse("x_0 w => x_0 - w").data == "program"


def test_exit_codes() -> None:
    with pytest.raises(SourceError) as refused:
        parse("x_0")
    assert refused.value.exit_code == EXIT_USAGE
    with pytest.raises(LimitError) as exceeded:
        parse("#" + "x" * MAX_TEXT)
    assert exceeded.value.exit_code == EXIT_LIMIT


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("x_0 w => x_0 - w\n#" + " " * MAX_TEXT, "E163", "1:1"),
        pytest.param(
            "x_0" + " x_0" * MAX_MENTIONS, "E164", f"1:{4 * MAX_MENTIONS + 1}", marks=pytest.mark.slow
        ),
        (" : ".join(f"x_{k} w" for k in range(100, 102 + MAX_NODES)) + " => x_100 - w", "E164", "1:1001"),
        ("x_0 w => x_0 - w @q=" + "1" * 40, "E165", "1:18"),
    ],
    ids=["text", "mentions", "nodes", "number"],
)
def test_limits(text: str, code: str, place: str) -> None:
    with pytest.raises(LimitError, match=rf"\[{code}\]") as caught:
        parse(text, "big.rules")
    assert f"big.rules:{place}" in str(caught.value)
    assert len(str(caught.value)) < 1_000


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
