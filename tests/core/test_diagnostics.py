"""Findings as they are shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.diagnostics import Diagnostic, Span


@given(st.text(), st.text(), st.data())
def test_nothing_of_a_file_moves_the_cursor_and_the_caret_stands_below_its_place(
    text: str, told: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = Span.at(text, start, data.draw(st.integers(start, len(text))))
    rows = Diagnostic("E000", "error", told, span, (told,), told).render(text, told).split("\n")
    assert all(row.isprintable() for row in rows)
    shown = rows[3][rows[4].index("^") :][:1]
    line = text.split("\n")[span.line - 1].rstrip("\r")
    there = line[span.column - 1 : span.column]
    assert shown == (there if there.isprintable() else " ")


@pytest.mark.parametrize(
    ("source", "shown"),
    [("\x1b[31mTarget", " [31mTarget"), ("a\rTarget", "a Target"), ("\tTarget", " Target")],
)
def test_unprintable_characters_are_blanks_of_the_same_width(source: str, shown: str) -> None:
    text = f"targeting:\n{source}"
    span = Span.at(text, text.index("Target"), len(text))
    rows = Diagnostic("E000", "error", "wrong", span).render(text, "a.sink").split("\n")
    assert rows[3:] == [f"2 | {shown}", f"  | {' ' * (len(shown) - 6)}^^^^^^"]


@pytest.mark.parametrize(("start", "end"), [(0, 300), (100, 400), (390, 400), (400, 400)])
def test_the_carets_end_with_the_part_of_a_long_line_that_is_shown(start: int, end: int) -> None:
    text = "a" * 400
    rows = Diagnostic("E000", "error", "long", Span.at(text, start, end)).render(text, "a.tree").split("\n")
    assert rows[4].count("^") == max(1, min(end - start, len(rows[3]) - rows[4].index("^")))
