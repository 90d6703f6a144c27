"""Every text is read or refused with a place and a word of help; limits hold; depth does not matter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import EXIT_LIMIT, EXIT_USAGE, LimitError
from gpkit.core.primitives import PrimitiveSet, Sensor
from gpkit.genomes.tree import from_prefix
from gpkit.langkit.findings import explanations_in
from gpkit.langkit.reading import MAX_NUMBER, MAX_TEXT
from gpkit.languages.arithmetic.checks import check
from gpkit.languages.arithmetic.formatter import format_source
from gpkit.languages.arithmetic.parser import parse
from gpkit.languages.arithmetic.printer import print_article, print_formula, print_program
from gpkit.languages.arithmetic.syntax import MAX_DEPTH, MAX_NODES, MAX_PARENTHESES, READING

EXPLANATIONS = explanations_in("gpkit.languages.arithmetic")

GAME = PrimitiveSet("any", ("play", "send"), (Sensor("a", "", 0.0, 1.0), Sensor("env.b", "", 0.0, 1.0)), ())

WORDS = (
    *("a", "env.b", "min", "ifle", "math.random", "nan", "1", ".5", "2e3", "1e999", "7."),
    *("+", "-", "*", "/", "(", ")", ",", "play:", "send :", ":", "="),
    *("// c", "// game: sevens", "\n", "\r\n", "\t", "\ufeff", "\x00", "é", "🂱", "'"),
)


def texts() -> SearchStrategy[str]:
    """Arbitrary characters, and arbitrary sequences of words that look like a program."""
    words = st.lists(st.sampled_from(WORDS))
    return st.one_of(st.text(), words.map(" ".join), words.map("".join))


def fuzz(text: str) -> None:
    """Read a text and do everything with it; only errors for people may come out."""
    try:
        source = parse(text, "fuzz.tree")
    except SourceError as error:
        found = error.diagnostic
        assert found.code in EXPLANATIONS
        assert 0 <= found.span.start <= found.span.end <= len(text)
        assert "fuzz.tree:" in str(error)
        assert not any(words.isupper() for words in found.expected), "names of terminals are not for people"
        return
    except LimitError:
        return
    assert parse(print_program(source.program)).program == source.program
    assert parse(format_source(parse(text))).program == source.program
    assert "".join(READING.tokens(text)) == text
    check(source, {"arithmetic": GAME})


@given(texts())
def test_no_text_is_a_surprise(text: str) -> None:
    fuzz(text)


@pytest.mark.slow
@given(texts())
@settings(max_examples=20_000)
def test_no_text_is_a_surprise_at_length(text: str) -> None:
    fuzz(text)


def test_no_two_terminals_collide() -> None:
    assert READING.grammar(strict=True).parse("a + 1").data == "program"


def test_exit_codes() -> None:
    with pytest.raises(SourceError) as refused:
        parse("a +")
    assert refused.value.exit_code == EXIT_USAGE
    with pytest.raises(LimitError) as exceeded:
        parse("9" * 31)
    assert exceeded.value.exit_code == EXIT_LIMIT


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("a +\n" + "9" * (MAX_NUMBER + 1), "E021", "2:1"),
        ("a" + " " * MAX_TEXT, "E020", "1:1"),
        ("a // " + "é" * (MAX_TEXT // 2), "E020", "1:1"),
        ("+".join(["a"] * (MAX_NODES // 2 + 1)), "E022", ""),
        ("a" + "+a" * (2 * MAX_NODES), "E022", f"1:{2 * MAX_NODES + 1}"),
        ("min(" + ",".join(["(" + " * ".join(["a"] * 9_000) + ")"] * 6) + ")", "E007", ""),
        ("+".join(["a"] * (MAX_DEPTH + 1)), "E023", "1:1"),
        ("abs(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH, "E023", f"1:{4 * MAX_DEPTH + 1}"),
        ("(" * (MAX_PARENTHESES + 1) + "a", "E023", f"1:{MAX_PARENTHESES + 1}"),
        ("-" * 2 * MAX_NODES + "a", "E022", f"1:{2 * MAX_NODES + 1}"),
    ],
    ids=[
        "number",
        "text",
        "bytes",
        "nodes",
        "many nodes",
        "operands",
        "depth",
        "calls",
        "parentheses",
        "signs",
    ],
)
def test_limits(text: str, code: str, place: str) -> None:
    with pytest.raises((LimitError, SourceError), match=rf"\[{code}\]") as caught:
        parse(text, "big.tree")
    assert f"big.tree:{place}" in str(caught.value)
    assert len(str(caught.value)) < 1_000


def test_what_the_limits_allow() -> None:
    assert parse("1" * MAX_NUMBER).program.trees[0].symbols == (float("1" * MAX_NUMBER),)
    assert parse("(" * MAX_PARENTHESES + "a" + ")" * MAX_PARENTHESES).program.trees[0].symbols == ("a",)
    sections = "\n".join(f"s{k}: " + " * ".join(["-1"] * 5_000) for k in range(10))
    assert len(parse(sections).program) == 10 * 9_999


@pytest.mark.parametrize(
    ("symbols", "arities"),
    [
        (["-"] * 9_999 + ["a"] * 10_000, [2] * 9_999 + [0] * 10_000),
        (["-", "a"] * 9_999 + ["a"], [2, 0] * 9_999 + [0]),
        (["max", 1.5] * 9_999 + ["a"], [2, 0] * 9_999 + [0]),
        (["neg"] * 9_999 + ["a"], [1] * 9_999 + [0]),
    ],
    ids=["left", "right", "calls", "signs"],
)
def test_depth_ten_thousand(symbols: list[str | float], arities: list[int]) -> None:
    tree = from_prefix(symbols, arities)
    assert tree.depth == MAX_DEPTH
    assert parse(print_article(tree)).program.trees == (tree,)
    source = parse(print_formula(tree))
    assert source.program.trees == (tree,)
    assert parse(format_source(source)).program == source.program
    check(source, {"arithmetic": GAME})
