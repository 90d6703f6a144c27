"""One small mistake of a writer in a shipped program has one finding, where it was made, that says what to write."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from case_files import case_tables
from language_cases import language
from writers import LANGUAGES, Mistake, Writer, mistake

from gpkit.core.diagnostics import Diagnostic
from gpkit.editing.document import Document, Findings, all_findings, first_findings
from gpkit.langkit.checking import check_text

DRAWN = 100
CASES = case_tables("writers.toml")


@cache
def before(name: str, text: str) -> Counter[tuple[str, str]]:
    """The findings in a program without the mistake."""
    return Counter((each.code, each.message) for each in check_text(text, "text", language(name), None))


def told(name: str, text: str, whole: str) -> list[Diagnostic]:
    """The findings in a text that are not in the program from which it was made."""
    old, new = Counter(before(name, whole)), []
    for found in check_text(text, "text", language(name), None):
        old[found.code, found.message] -= 1
        if old[found.code, found.message] < 0:
            new.append(found)
    return new


def complaint(made: Mistake, found: Sequence[Diagnostic]) -> str:
    """What is wrong with what a writer is told; empty where it is right, or the text has no mistake after all."""
    if not found:
        return ""
    first = found[0]
    if len(found) > 1 or first.span.line not in made.lines:
        return f"told {[each.span.line for each in found]}, made in {sorted(made.lines)}"
    if not (first.expected or first.help):
        return "nothing is expected"
    return "" if made.word in first.help else f"`{made.word}` was meant"


def syntax_in(name: str, found: Sequence[Diagnostic]) -> list[tuple[object, ...]]:
    """The errors of syntax, which editors know at once; of a line end the place where it begins."""
    recovery = language(name).recovery
    assert recovery is not None
    codes = {recovery.reading.broken, recovery.reading.stray}
    return [
        (each.code, each.message, each.span.start, each.expected, each.help)
        for each in found
        if each.code in codes
    ]


def hold(name: str, number: int) -> str:
    """The kind of a mistake, of which the check and the editor tell what they should; empty where there is none."""
    made = mistake(name, number)
    if made is None:
        return ""
    found = told(name, made.text, Writer(name, number).text)
    wrong = complaint(made, found)
    assert not wrong, "\n".join((wrong, *(each.render(made.text, made.kind) for each in found), made.text))
    now = first_findings(Document(made.text, language(name)), Findings("", ())).found
    assert syntax_in(name, now) == syntax_in(name, found)
    return made.kind if found else ""


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_mistake_is_told_once_where_it_was_made_with_what_was_expected(name: str) -> None:
    kinds = {hold(name, number) for number in range(DRAWN)}
    assert kinds >= {"misspelt", "left out", "foreign", "doubled"}


@pytest.mark.slow
@pytest.mark.parametrize("name", LANGUAGES)
def test_two_thousand_mistakes_are_told_once_where_they_were_made(name: str) -> None:
    for number in range(DRAWN, 4_000):
        hold(name, number)


@pytest.mark.parametrize("case", CASES)
def test_case(case: str) -> None:
    name, text = CASES[case]["language"], CASES[case]["text"]
    found = [each for each in all_findings(Document(text, language(name))).found if each.severity == "error"]
    assert [each.span.line for each in found] == [CASES[case]["line"]]
    for said in CASES[case]["said"]:
        assert said in found[0].render(text, "text")
