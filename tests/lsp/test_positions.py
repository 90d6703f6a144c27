"""Positions in UTF-8, UTF-16 and characters, there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, PositionEncodingKind

from gpkit.core.diagnostics import Span
from gpkit.lsp.server import Positions

TEXT = "// \N{PARTY POPPER}é\r\nplay: 1\n"


@pytest.mark.parametrize(
    ("encoding", "column"),
    [
        (None, 5),
        (PositionEncodingKind.Utf16, 5),
        (PositionEncodingKind.Utf8, 7),
        (PositionEncodingKind.Utf32, 4),
    ],
)
def test_an_emoji_takes_the_units_of_the_encoding(encoding: PositionEncodingKind | None, column: int) -> None:
    positions = Positions(TEXT, encoding)
    assert positions.position(4) == Position(0, column)
    assert positions.place(Position(0, column)) == 4
    assert positions.range(Span.at(TEXT, 7, 11)).start == Position(1, 0)
    assert positions.place(Position(0, 99)) == TEXT.index("\r")
    assert positions.place(Position(99, 0)) == len(TEXT)


@given(st.text("aé\N{PARTY POPPER}\n\r\x0b\u2028", max_size=30), st.sampled_from(list(PositionEncodingKind)))
def test_there_and_back(text: str, encoding: PositionEncodingKind) -> None:
    positions = Positions(text, encoding)
    for place in range(len(text) + 1):
        if text[place : place + 1] not in ("\r", "\n"):
            assert positions.place(positions.position(place)) == place
