"""Dressing texts for a stream, and conversations with whoever types."""

import io
import sys

import pytest

from gpkit.cli.terminal import Prompt, converse, number_text, table_text
from gpkit.core.streams import SIGNS, Headed, Style
from gpkit.langkit.operators import NOTATIONS
from gpkit.playing.trace import StepTable


class Screen(io.TextIOWrapper):
    """A stream of an encoding, a terminal or not."""

    def __init__(self, encoding: str, *, terminal: bool = True) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_red_suits_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    style = Style(Screen("utf-8"), plain=False)
    assert style.dress("♥7 ♠8") == "\x1b[31m♥\x1b[39m7 ♠8"
    assert style.dress(Headed("x\ny")) == "\x1b[1mx\x1b[0m\ny"
    assert Style(Screen("utf-8", terminal=False), plain=False).dress("♥7 ♠8") == "♥7 ♠8"
    monkeypatch.setenv("NO_COLOR", "1")
    style = Style(Screen("utf-8"), plain=False)
    assert (style.dress("♥7"), style.dress(Headed("x\ny"))) == ("♥7", "x\ny")


@pytest.mark.parametrize(("encoding", "plain"), [("ascii", False), ("latin-1", False), ("utf-8", True)])
def test_ascii_where_signs_are_lacking_or_unwanted(encoding: str, plain: bool) -> None:
    style = Style(Screen(encoding), plain=plain)
    assert style.dress("♥7 └─ é…") == "h7 `- ?..."
    assert style.dress(SIGNS).isascii()
    assert "?" not in style.dress(SIGNS + "".join(each.sign for each in NOTATIONS).replace("?", ""))


def test_prompts_are_for_those_who_type(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = ["one", Prompt("more? "), "two"]
    for terminal, expected in ((True, "more? "), (False, "")):
        monkeypatch.setattr(sys, "stdin", Screen("utf-8", terminal=terminal))
        converse(parts, Style(Screen("utf-8", terminal=False), plain=False))
        captured = capsys.readouterr()
        assert (captured.out, captured.err) == ("one\ntwo\n", expected)


def test_table_marks_the_chosen_row() -> None:
    table = StepTable(("card", "value"), (("♥7", 1.0), ("♠10", -0.25)), 1)
    assert table_text(table) == "   card  value\n   ♥7        1\n>  ♠10   -0.25"


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (7.0, "7"),
        (0.25, "0.25"),
        (-1 / 3, "-0.3333"),
        (12345.6, "12345.6"),
        (1e300, "1e+300"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        ("x", "x"),
    ],
)
def test_numbers_are_short(cell: str | float, text: str) -> None:
    assert number_text(cell) == text
