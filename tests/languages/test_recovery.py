"""Reading on after an error: every error of a text is told, at its place, and nothing that is not an error."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from language_cases import language
from recovery_texts import MISTAKES, VALID, with_mistakes

from gpkit.core.diagnostics import Diagnostic, SourceError
from gpkit.core.registry import data_folder
from gpkit.langkit.checking import check_text
from gpkit.langkit.recovery import MOST_ERRORS, Recogniser

EXAMPLES = 10


def errors(name: str, text: str) -> list[Diagnostic]:
    return [found for found in check_text(text, "text", language(name), None) if found.severity == "error"]


def places(found: Sequence[Diagnostic]) -> list[tuple[int, str]]:
    return sorted((each.span.line, each.code) for each in found)


@pytest.mark.parametrize("name", VALID)
def test_the_texts_are_without_error_and_every_mistake_is_told_alone(name: str) -> None:
    assert errors(name, VALID[name]) == []
    for mistake in MISTAKES[name]:
        assert places(errors(name, with_mistakes(VALID[name], [mistake]))) == [(mistake[0], mistake[2])]


@pytest.mark.parametrize("name", VALID)
@given(data=st.data())
@settings(max_examples=EXAMPLES)
def test_so_many_mistakes_so_many_errors_each_at_its_place(name: str, data: st.DataObject) -> None:
    mistakes = data.draw(st.lists(st.sampled_from(MISTAKES[name]), min_size=2, max_size=4, unique=True))
    text = with_mistakes(VALID[name], mistakes)
    found = errors(name, text)
    assert places(found) == sorted((line, code) for line, _, code in mistakes)
    assert_first_is_why_it_is_refused(name, text, found)


@pytest.mark.parametrize("name", VALID)
@given(data=st.data())
@settings(max_examples=EXAMPLES)
def test_characters_without_meaning_are_told_where_they_stand_and_nothing_else(
    name: str, data: st.DataObject
) -> None:
    lines = VALID[name].splitlines()
    code = [k for k, line in enumerate(lines) if line.strip() and not line.startswith(("//", "#"))]
    hit = data.draw(st.sets(st.sampled_from(code), min_size=1, max_size=4))
    for number in hit:
        place = data.draw(st.integers(0, len(lines[number])))
        lines[number] = f"{lines[number][:place]} ? {lines[number][place:]}"
    found = errors(name, "\n".join(lines))
    assert {each.span.line - 1 for each in found} == hit
    assert len(found) == len(hit)


@pytest.mark.parametrize("name", VALID)
def test_programs_that_can_be_read_have_no_fault(name: str) -> None:
    known = language(name)
    assert known.recovery is not None
    recovery = known.recovery
    recogniser = Recogniser(recovery.reading.grammar(), recovery.headings, recovery.heading)
    paths = sorted(Path(str(data_folder("programs"))).rglob(f"*{known.suffix}"))
    texts = [path.read_text() for path in paths if path.stat().st_size < 5_000]
    assert texts
    for text in texts:
        read = list(recogniser.lines(text.splitlines(keepends=True)))
        assert not any(line.faults for line in read)
        assert recogniser.at_end(read[-1].state) is None


def test_a_text_of_nothing_but_errors_is_told_in_a_few() -> None:
    for name in VALID:
        assert 1 <= len(errors(name, "? ?\n" * 5_000)) <= MOST_ERRORS


@pytest.mark.parametrize("text", ["", "\n", "  ", "\n\n  \n"])
def test_a_text_without_words_is_told_in_one_error_at_most(text: str) -> None:
    for name in VALID:
        assert len(errors(name, text)) <= 1


def test_what_is_never_closed_is_told_at_its_beginning_once() -> None:
    found = errors("arithmetic", "// game: sevens\nplay: max(env.rank,\n  2\n  + 3\nsend: ) env.rank\n")
    assert [(each.span.line, each.span.column, each.code) for each in found] == [
        (2, 10, "E003"),
        (5, 7, "E003"),
    ]


def test_columns_count_characters_behind_an_emoji() -> None:
    found = errors("arithmetic", "// \N{PARTY POPPER}\n1 + $\n * 2 3 // \N{PARTY POPPER}\n")
    assert [(each.span.line, each.span.column) for each in found] == [(2, 5), (3, 6)]


def assert_first_is_why_it_is_refused(name: str, text: str, found: Sequence[Diagnostic]) -> None:
    try:
        language(name).parse(text, "text")
    except SourceError as error:
        assert found[0] == error.diagnostic
