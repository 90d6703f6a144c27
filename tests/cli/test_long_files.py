"""Work on long files grows with their length: counted in steps of Python, not in seconds."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from gpkit.core.diagnostics import Diagnostic, Span
from gpkit.core.registry import GAMES, LANGUAGES
from gpkit.languages.rulegraph.checks import MAX_STEPS_OF_LIST


def equal_rules(count: int) -> str:
    """Rules of which nearly every one is an earlier one again, so that every line has a finding."""
    lines = (f"x_{k % 100} w => x_{k % 100} - w\n" for k in range(count))
    return "# game: dots_and_boxes\n" + "".join(lines)


def unlike_rules(count: int) -> str:
    """Rules of which none is like another and most hide none, so that each is compared with many."""
    lines = (
        f"l_0({k % 24 + 1}) x_1 n : l_2({k // 24 % 24 + 1}) n : l_3({k // 576 + 1}) n => l_2 - n\n"
        for k in range(count)
    )
    return "# game: dots_and_boxes\n" + "".join(lines)


def notes(count: int) -> str:
    """A header of notes that all look like a line with a meaning."""
    return "".join(f"# tittle{k}: x\n" for k in range(count)) + "x_0 w => x_0 - w\n"


def wrong_names(count: int) -> str:
    """A formula of sensors that are not there."""
    return "// game: sevens\nplay: " + "\n + ".join(["env.depht"] * count) + "\nsend: env.dist\n"


def unreached(count: int) -> str:
    """Blocks of conditions and jumps behind a jump."""
    lines = "  Jump\n" * (count // 2) + "  IfHit\n" * (count // 2)
    return f"// game: battleship\ntargeting:\n  Shoot\n{lines}locking:\n  Shoot\nsinking:\n  Shoot\n"


FILES: dict[str, tuple[Callable[[int], str], int]] = {
    "equal.rules": (equal_rules, 150),
    "unlike.rules": (unlike_rules, 100),
    "notes.rules": (notes, 300),
    "names.tree": (wrong_names, 200),
    "unreached.sink": (unreached, 1200),
}
"""By name how a file of some length is made, and the shorter length that is looked at."""


def steps(work: Callable[[], object]) -> int:
    """The calls and the lines that are executed in Python."""
    count = 0

    def trace(_frame: FrameType, _event: str, _argument: object) -> Callable[..., object]:
        nonlocal count
        count += 1
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.release] * (name != "notes.rules")) for name in FILES],
)
def test_check_and_layout_take_twice_the_steps_for_twice_the_length(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpkit.languages.rulegraph.checks.MAX_STEPS_OF_LIST", MAX_STEPS_OF_LIST // 1000)
    make, length = FILES[name]
    known = next(entry for entry in LANGUAGES if entry.suffix == Path(name).suffix).load()
    offers = next(offers for e in GAMES if known.name in (offers := e.load().offers))
    if known.name == "arithmetic":
        offers = GAMES[0].load().offers

    def work(length: int) -> None:
        text = make(length)
        source = known.parse(text, name)
        for finding in known.check(source, offers):
            finding.render(text, name)
        known.format_source(source)

    work(length)  # what is made once, such as grammars
    assert steps(lambda: work(2 * length)) < 2.4 * steps(lambda: work(length))


class LongText(str):
    """A text of which no part is looked at but what is sliced."""

    __slots__ = ()

    def split(self, *_arguments: object) -> list[str]:
        raise AssertionError("the whole text is split for one finding")

    splitlines = count = split


def test_a_finding_is_shown_without_reading_the_text_around_it() -> None:
    lines = "".join(f"x_{k} w => x_{k} - w\n" for k in range(1000))
    start = lines.index("x_700")
    shown = Diagnostic("E000", "error", "wrong", Span.at(lines, start, start + 5)).render(
        LongText(lines), "a"
    )
    assert "701 | x_700 w => x_700 - w" in shown.split("\n")
