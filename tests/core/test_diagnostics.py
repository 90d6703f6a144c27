"""Findings as they are shown.

Words that messages share.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core import wording
from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.core.wording import install_command


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


def test_extras_are_installed_by_one_form_here_and_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert install_command("web") == "pip install -e '.[web]'"  # in a checkout
    monkeypatch.setattr(wording, "_PACKAGE", tmp_path / "site-packages" / "gpkit")
    assert install_command("web") == "pip install 'gpkit-games[web]'"


def test_no_message_names_another_form() -> None:
    package = Path(wording.__file__).resolve().parent.parent
    found = {
        path.relative_to(package).as_posix(): line.strip()
        for path in package.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "gpkit-games[" in line or "comes with the extra [" in line
    }
    assert found == {}


def test_what_there_is_is_listed_briefly() -> None:
    told = suggestion("x", [f"column {place}" for place in range(600)])
    assert told.startswith("there are: column 0, column 1,")
    assert told.endswith(" and 581 more")
    assert len(told) < 250
    assert suggestion("x", ["a" * 300, "b"]).endswith("a and 1 more")
