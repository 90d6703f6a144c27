"""Findings as they are shown.

Words that messages share.
"""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lark import Token

from gpkit.core import wording
from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.core.layout import columns_of
from gpkit.core.wording import install_command
from gpkit.playing.trace import _fault as condition_fault


@given(st.text(), st.text(), st.data())
def test_nothing_of_a_file_moves_the_cursor_and_the_caret_stands_below_its_place(
    text: str, told: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = Span.at(text, start, data.draw(st.integers(start, len(text))))
    rows = Diagnostic("E000", "error", told, span, (told,), told).render(text, told).split("\n")
    assert all(row.isprintable() for row in rows)
    line = text.split("\n")[span.line - 1].rstrip("\r")
    there = line[span.column - 1 : span.column]
    if there and columns_of(there) == 0:  # a mark upon the character before it, if there is one
        before = rows[3].index("|") + 1 + span.column
        assert rows[4].index("^") == columns_of(rows[3][:before])
    else:
        assert place_below(rows[3], rows[4].index("^")) == (there if there.isprintable() else " ")


def place_below(line: str, column: int) -> str:
    """The character that begins in a column of a terminal, behind the marks upon the one before it."""
    place = 0
    while columns_of(line[:place]) < column or (line[place:] and columns_of(line[place]) == 0 < column):
        place += 1
    return line[place : place + 1]


WIDE = st.text(st.sampled_from("aß数字가なＡ\N{WINKING FACE}") | st.sampled_from("xyz"), max_size=12)


@given(WIDE, st.text(st.sampled_from("a数가e\u0301"), min_size=1, max_size=6), WIDE)
def test_carets_stand_below_wide_characters_and_marks(before: str, marked: str, after: str) -> None:
    cell_len = pytest.importorskip("rich.cells").cell_len
    span = Span.at(text := before + marked + after, len(before), len(before) + len(marked))
    line, marks = Diagnostic("E000", "error", "wrong", span).render(text, "a.tree").split("\n")[3:5]
    assert marks.index("^") == cell_len(line.removesuffix(marked + after))
    assert marks.count("^") == max(1, cell_len(marked))
    told = str(condition_fault(text, Token("NAME", marked, start_pos=len(before)), "wrong")).split("\n")
    assert told[2].index("^") - 2 == cell_len(before)


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co")), min_size=1, max_size=12
)


def disguised(name: str, how: int) -> str:
    """The name written in another way that looks the same."""
    if how < 2:
        return unicodedata.normalize("NFD" if how else "NFC", name)
    if how == 2:
        return name.replace(" ", "\u00a0").replace("a", "\u0430")
    return f"{name[:1]}\u200b{name[1:]}"


@example("?", 3, [])
@given(NAMES, st.integers(0, 3), st.lists(NAMES, max_size=3))
def test_names_that_look_alike_are_offered_with_their_escapes(name: str, how: int, others: list[str]) -> None:
    other = disguised(name, how)
    told = suggestion(name, [each for each in [*others, other] if each != name])
    assert other == name or "did you mean `" in told
    offered = f"did you mean `{other}`?"  # not parted at "`?", as a name may begin with a question mark
    if told.startswith(offered) and other != name:
        assert ascii(other)[1:-1] in told
        assert ascii(name)[1:-1] in told
        assert told.removeprefix(offered).isascii()


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
