"""Odd line ends and invisible characters, in all languages, their comments and their headers."""

import pytest
from hypothesis import example, given, settings
from language_cases import language
from odd_texts import PROGRAMS, REFUSED, any_odd_text

from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import GpkitError
from gpkit.langkit.findings import explanations_in

EXAMPLES = 100


def assert_laid_out_or_refused(name: str, text: str) -> None:
    """A text is refused as people's mistake, or laid out without loss, and laying it out again changes nothing."""
    known = language(name)
    try:
        before = known.parse(text, "odd")
    except GpkitError:
        return
    formatted = known.format_source(before)
    after = known.parse(formatted, "odd")
    assert (after.program, after.header) == (before.program, before.header)
    assert known.format_source(after) == formatted


@given(any_odd_text())
@example(("sinking", "\r// game: battleship\ntargeting:\n  Shoot\n"))
@example(("rulegraph", "# game: dots_and_boxes\n\r# level: 1\nx_0 w => x_0 - w\n"))
@example(("sinking", "// title: a\ufeff\ntargeting:\n  Shoot\n"))
@example(("rulegraph", "$ # game: dots_and_boxes\nx_0 w => x_0 - w\n"))
@example(("rulegraph", "$\n# game: dots_and_boxes\nx_0 w => x_0 - w\n"))
@settings(max_examples=EXAMPLES)
def test_odd_characters_are_laid_out_or_refused(odd: tuple[str, str]) -> None:
    assert_laid_out_or_refused(*odd)


@pytest.mark.slow
@given(any_odd_text())
@settings(max_examples=300 * EXAMPLES)
def test_many_odd_characters_are_laid_out_or_refused(odd: tuple[str, str]) -> None:
    assert_laid_out_or_refused(*odd)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("character", REFUSED, ids=lambda character: f"U+{ord(character):04X}")
def test_characters_that_show_nothing_are_refused_with_their_place(name: str, character: str) -> None:
    known, text = language(name), PROGRAMS[name][0]
    explained = explanations_in(f"gpkit.languages.{name}")
    place = text.index("game") + 2
    for where in (
        place,
        text.index("\n", place),
        len(text),
    ):  # in a header, at the end of a comment, of the file
        odd = text[:where] + character + "x" + text[where:]
        with pytest.raises(SourceError) as caught:
            known.parse(odd, "odd")
        diagnostic = caught.value.diagnostic
        assert (diagnostic.span.start, diagnostic.code in explained) == (where, True)
        assert diagnostic.message == f"the character U+{ord(character):04X} is not allowed here"
        assert diagnostic.help


@pytest.mark.parametrize("name", PROGRAMS)
def test_lines_may_end_as_on_windows_and_files_start_with_a_mark(name: str) -> None:
    known, text = language(name), PROGRAMS[name][0]
    plain = known.parse(text, "plain")
    marked = known.parse("\ufeff" + text.replace("\n", "\r\n"), "marked")
    assert (marked.program, marked.header) == (plain.program, plain.header)
