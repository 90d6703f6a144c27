"""Texts of any length and shape are checked and laid out, or refused, in time that grows with their length alone."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from language_cases import language
from odd_texts import PROGRAMS

from gpkit.core.errors import GpkitError
from gpkit.editing.document import Document, Findings, all_findings, first_findings, quick_fix
from gpkit.editing.reading_aids import parts
from gpkit.genomes.plan import Do, PlanProgram, Use, cycle, expanded
from gpkit.genomes.tree import FlatTree
from gpkit.langkit.checking import check_text
from gpkit.langkit.findings import MOST_SHOWN, NOT_SHOWN
from gpkit.langkit.language import laid_out
from gpkit.langkit.naming import names_in
from gpkit.langkit.recovery import MOST_ERRORS, Lexeme, Line, Recogniser, lines_of
from gpkit.languages.arithmetic.text import READING

CASES = Path(__file__).parents[1] / "cases"


@dataclass(frozen=True, slots=True)
class Shape:
    """A text that repeats something; in what is repeated ``@`` stands for a number from 0 on, ``&`` for the next one.

    Attributes:
        line: what is repeated.
        head, tail: what stands before and behind it.
        closing: what is repeated as often behind the middle.
        middle: between the two.
    """

    line: str
    head: str = ""
    tail: str = ""
    closing: str = ""
    middle: str = ""

    def text(self, size: int) -> str:
        """A text of nearly so many bytes."""
        left = size - len((self.head + self.middle + self.tail).encode())
        each = len((self.line + self.closing).encode())
        if "@" not in self.line and "&" not in self.line:
            times = max(1, left // each)
            return f"{self.head}{self.line * times}{self.middle}{self.closing * times}{self.tail}"
        lines: list[str] = []
        for number in count():
            lines.append(self.line.replace("@", str(number)).replace("&", str(number + 1)))
            left -= len(lines[-1]) + len(self.closing)
            if left < each + 2 * len(str(number)):
                return f"{self.head}{''.join(lines)}{self.middle}{self.closing * len(lines)}{self.tail}"
        raise AssertionError


HEADERS = {
    "arithmetic": "// game: sevens\n",
    "sinking": "// game: battleship\n",
    "rulegraph": "# game: dots_and_boxes\n# level: 1\n",
    "decision": "// game: sevens\n",
    "execution": "// game: build_order\n",
}


def _common(language: str) -> dict[str, Shape]:
    """Shapes that every language has to bear."""
    head, program = HEADERS[language], PROGRAMS[language][0]
    mark = head.split(" ", 1)[0]
    lines = {
        "errors": "? ?\n",
        "quotation marks": '"',
        "errors in a line": "? ",
        "line ends": "\n",
        "control characters": "\0",
        "invisible characters": "\u200b\n",
        "emoji": f"{mark} \N{PARTY POPPER}\n? \N{PARTY POPPER}\n",
        "letters": "a",
        "digits": "1",
        "words": "w@\n",
        "words in a line": "w@ ",
        "headings": "s@:\n",
        "one heading": "play:\n",
        "headings with errors": "s@: ?\n",
        "opened": "(",
        "opened by line": "(\n",
        "closed by line": ")\n",
        "signs": "-\n",
        "programs": program,
        "programs with errors": f"{program}?\n",
    }
    before = {"blanks": " ", "comments": f"{mark} why\n", "header": f"{mark} k@: v\n"}
    return (
        {name: Shape(line, head) for name, line in lines.items()}
        | {f"{name} before": Shape(line, "", "\n" + program) for name, line in before.items()}
        | {f"{name} behind": Shape(line, program) for name, line in before.items()}
        | {"a comment": Shape("x", f"{head}{mark} ", "\n" + program)}
    )


SHAPES: Mapping[str, Mapping[str, Shape]] = {
    language: _common(language)
    | {
        name: Shape(**{key: value for key, value in group.items() if key != "lines"}, line=line)
        for group in groups
        for name, line in group["lines"].items()
    }
    for language, groups in tomllib.loads((CASES / "long_texts.toml").read_text()).items()
}
"""Shapes by language and name."""


SECONDS = 30.0
"""CPU-seconds that anything done with a text of 1,000,000 bytes may take; with shorter ones in proportion."""

SIZES = (250_000, 500_000, 1_000_000)

SHORT = 400
"""Bytes of a text on which every shape is tried at once."""

ALL = [(language, name) for language, shapes in SHAPES.items() for name in shapes]


def services(name: str, text: str) -> Iterator[Callable[[], object]]:
    """What commands and editors do with a text, one after another."""
    known, found = language(name), [Findings("", ())]
    document = Document(text, known)

    def check() -> None:
        found[0] = all_findings(document)
        for each in found[0].found:
            each.render(text, "text")

    yield check
    yield lambda: laid_out(known, text, "text")
    yield lambda: first_findings(
        Document(f"{text[: len(text) // 2]} {text[len(text) // 2 :]}", known), found[0]
    )
    yield lambda: [quick_fix(document, each) for each in found[0].found]
    yield lambda: parts(document)


def seconds(work: Callable[[], object]) -> float:
    """The CPU-seconds of some work, which may refuse a text."""
    start = process_time()
    with suppress(GpkitError):
        work()
    return process_time() - start


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.release] * (name not in ("decision", "rulegraph")))
        for name in SHAPES
    ],
)
def test_texts_of_all_shapes_are_read_or_refused(name: str) -> None:
    for made in SHAPES[name].values():
        for work in services(name, made.text(SHORT)):
            seconds(work)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "shape"), ALL)
def test_a_long_text_takes_time_in_proportion_to_its_length(name: str, shape: str, size: int) -> None:
    text = SHAPES[name][shape].text(size)
    taken = [seconds(work) for work in services(name, text)]
    assert max(taken) < SECONDS * size / 1_000_000, taken


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("arithmetic", "play: 1\n"),
        ("decision", "play: 1\n"),
        ("sinking", "targeting:\n  Shoot\n"),
        ("execution", "plan p:\n  do drone\n"),
        ("rulegraph", "take: x_0 w => x_0 - w\n"),
    ],
)
def test_reading_on_after_an_error_looks_at_a_bounded_number_of_lines(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, effort, read, looked = 1_000, 20_000, 0, 0
    monkeypatch.setattr("gpkit.langkit.recovery.EFFORT", effort, raising=False)
    whole = Recogniser.lines

    def counting(recogniser: Recogniser, given: Sequence[str]) -> Iterator[Line]:
        nonlocal read, looked
        looked += 1
        for line in whole(recogniser, given):
            read += 1
            yield line

    monkeypatch.setattr(Recogniser, "lines", counting)
    found = check_text(text * lines, "text", language(name), None)
    assert 1 <= len(found) <= MOST_ERRORS + 1
    assert read <= effort + 2 * lines * text.count("\n")
    assert looked <= effort // lines + 2


class Copied(list[Lexeme]):
    """The tokens of a line, and how many of them were copied from it."""

    count = 0

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        self.count += len(found) if isinstance(place, slice) else 0
        return found


@pytest.mark.parametrize(("name", "shape"), ALL)
def test_names_in_a_line_copy_few_of_its_tokens(name: str, shape: str) -> None:
    known = language(name)
    assert known.recovery is not None and known.naming is not None
    for _, line in lines_of(SHAPES[name][shape].text(SHORT), known.recovery):
        tokens = Copied(line.tokens)
        assert list(known.naming.names(tokens)) == list(names_in(known.naming, line))
        assert tokens.count <= 4 * len(tokens)


def test_of_many_findings_some_are_told_and_how_many_more_there_are() -> None:
    told = all_findings(
        Document("// game: sevens\nplay: 1\n" + " + env.rnk\n" * 300 + "send: 1\n", language("arithmetic"))
    )
    errors = [each for each in told.found if each.severity == "error"]
    (more,) = [each for each in told.found if each.code == NOT_SHOWN]
    assert len(errors) == MOST_SHOWN
    assert (more.message, more.span.line) == ("200 more errors are not shown", MOST_SHOWN + 3)
    assert NOT_SHOWN not in {
        each.code for each in first_findings(Document("play: 1\n", language("arithmetic")), told).found
    }


@pytest.mark.parametrize("name", SHAPES)
def test_of_many_errors_of_syntax_some_are_told_and_how_many_more_there_are(name: str) -> None:
    text = "? ?\n" * 100
    for found in (
        all_findings(Document(text, language(name))),
        first_findings(Document(text, language(name)), Findings("", ())),
    ):
        assert [each.code == NOT_SHOWN for each in found.found] == [False] * MOST_ERRORS + [True]
        assert found.found[-1].message == f"{100 - MOST_ERRORS} more errors are not shown"


def test_sections_are_counted_as_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sections, counted = 200, 0
    length = FlatTree.__len__

    def counting(tree: FlatTree[object]) -> int:
        nonlocal counted
        counted += 1
        return length(tree)

    monkeypatch.setattr(FlatTree, "__len__", counting)
    language("arithmetic").parse("".join(f"s{k}: 1\n" for k in range(sections)), "text")
    assert counted <= 10 * sections


def test_plans_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("", *(f"p{k}" for k in range(200)))
    chain = PlanProgram(names, (*((Use(name),) for name in names[1:]), (Do("drone"),)))
    monkeypatch.setattr(PlanProgram, "plan", None)
    assert cycle(chain) == ()
    assert expanded(chain) == len(names)


def test_layout_counts_the_lines_of_a_text_once() -> None:
    class Counting(str):
        __slots__ = ()
        counted = 0

        def count(self, *arguments: object) -> int:
            Counting.counted += 1
            return super().count(*arguments)  # type: ignore[arg-type]

    text = Counting("".join(f"s{k}: 1\n" for k in range(200)))
    assert "".join(READING.tokens(text)) == text
    assert Counting.counted <= 2
