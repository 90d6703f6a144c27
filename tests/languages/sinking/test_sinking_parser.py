"""Any text is read, or refused in words for people; what is too large is refused early."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from gpkit.core.diagnostics import SourceError, Span
from gpkit.core.errors import EXIT_LIMIT, EXIT_USAGE, LimitError
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.langkit.findings import explanations_in
from gpkit.langkit.reading import MAX_TEXT
from gpkit.languages.sinking.checks import check
from gpkit.languages.sinking.formatter import format_source
from gpkit.languages.sinking.parser import Heading, parse
from gpkit.languages.sinking.printer import print_program
from gpkit.languages.sinking.syntax import MAX_LINES, READING
from gpkit.languages.sinking.words import BLOCKS

EXPLANATIONS = explanations_in("gpkit.languages.sinking")

WORDS = (
    *("Target", "Shoot", "IfHit", "Jump", "Nop", "shoot", "state", "(2/10)", "1.", "12.", "-", "3", ".", "/"),
    *("targeting:", "Targeting state (5/10)", "locking :", "SINKING state", "seeking:", ":", "targeting"),
    *(
        "// c",
        "// game: battleship",
        "// if: one-line",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\t",
        "\ufeff",
        "\x00",
        "é",
        "\v",
    ),
)


def texts() -> SearchStrategy[str]:
    """Arbitrary characters, and arbitrary sequences of words that look like a program."""
    words = st.lists(st.sampled_from(WORDS))
    return st.one_of(st.text(), words.map(" ".join), words.map("\n".join), words.map("".join))


def fuzz(text: str) -> None:
    """Read a text and do everything with it; only errors for people may come out."""
    try:
        source = parse(text, "fuzz.sink")
    except SourceError as error:
        found = error.diagnostic
        assert found.code in EXPLANATIONS
        assert 0 <= found.span.start <= found.span.end <= len(text)
        assert "fuzz.sink:" in str(error)
        assert not any(words.isupper() for words in found.expected), "names of terminals are not for people"
        return
    assert parse(print_program(source.program)).program == source.program
    assert parse(format_source(parse(text))).program == source.program
    check(source, {"sinking": PRIMITIVES})
    check(source, None)


@given(texts())
def test_no_text_is_a_surprise(text: str) -> None:
    fuzz(text)


@pytest.mark.slow
@given(texts())
@settings(max_examples=20_000)
def test_no_text_is_a_surprise_at_length(text: str) -> None:
    fuzz(text)


def test_no_two_terminals_collide() -> None:
    assert READING.grammar(strict=True).parse("targeting:\nShoot").data == "program"


def test_exit_codes() -> None:
    with pytest.raises(SourceError) as refused:
        parse("Shoot")
    assert refused.value.exit_code == EXIT_USAGE
    with pytest.raises(LimitError) as exceeded:
        parse("//" + "x" * MAX_TEXT)
    assert exceeded.value.exit_code == EXIT_LIMIT


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("targeting:\n//" + " " * MAX_TEXT, "E127", "1:1"),
        ("targeting:\n//" + "é" * (MAX_TEXT // 2), "E127", "1:1"),
        ("targeting:\n" + "Nop\n" * (MAX_LINES + 1), "E128", f"{MAX_LINES + 2}:1"),
        ("targeting:\n" + "Nop\n" * (MAX_LINES + 9), "E128", f"{MAX_LINES + 4}:1"),
    ],
    ids=["text", "bytes", "lines", "many lines"],
)
def test_limits(text: str, code: str, place: str) -> None:
    with pytest.raises(LimitError, match=rf"\[{code}\]") as caught:
        parse(text, "big.sink")
    assert f"big.sink:{place}" in str(caught.value)
    assert len(str(caught.value)) < 1_000


def test_what_the_limits_allow() -> None:
    assert len(parse("locking:\n" + "Nop\n" * MAX_LINES).program) == MAX_LINES


def test_every_line_and_heading_knows_its_place() -> None:
    text = "// title: x\nTargeting state (1/10)\n - 1.\tTarget // why\n\nsinking:\nShoot -\n"
    source = parse(text, "a.sink")
    assert source.program.names == BLOCKS
    assert source.program.blocks == (("Target",), (), ("Shoot",))
    assert source.headings == (
        Heading(Span.at(text, 12, 21), (1, 10)),
        None,
        Heading(Span.at(text, text.index("sinking"), text.index("sinking") + 7)),
    )
    assert [[text[s.start : s.end] for s in block] for block in source.spans] == [["Target"], [], ["Shoot"]]
    assert (source.spans[0][0].line, source.spans[0][0].column) == (3, 7)
    assert source.header == {"title": "x"}
    assert (source.text, source.filename) == (text, "a.sink")


@pytest.mark.parametrize(
    "text",
    [
        "targeting:\nTarget\nShoot",
        "Targeting state (2/10)\n1. Target\n2. Shoot",
        "TARGETING STATE ( 2 / 10 ):\n- 1. Target\n- 2. Shoot\n",
        "targeting :\r\n\tTarget\t-\r\n\r\n2.\r\n- Shoot // there\r\n",
        "\ufeff// a\nsinking:\nlocking:\ntargeting:\n//\nTarget\n\n\nShoot //",
    ],
    ids=["plain", "printed", "dashes", "scattered", "order"],
)
def test_spellings_of_one_program(text: str) -> None:
    assert parse(text).program.blocks == (("Target", "Shoot"), (), ())
