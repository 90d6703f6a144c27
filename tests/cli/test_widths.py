"""Tables and sentences in a real pseudo-terminal: no line is wider than it, and no word is broken."""

import io
import os
import re
import shlex
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Thread

import pytest
from case_files import case_tables

from gpkit.cli.commands import all_commands
from gpkit.cli.main import main
from gpkit.core.layout import Sheet, columns_of, fitted

WIDTHS = (60, 80, 120)

SCREENS: dict[str, tuple[str, str]] = case_tables("screens.toml")

NARROW = "column columns left out, as the terminal is too narrow: --json has all"
"""What is said only where a terminal is narrow."""

LONGEST = 36
"""Longer words, such as paths, are cut at their start if the terminal is narrow."""


def terminal(width: int) -> tuple[int, int]:
    """The two ends of a pseudo-terminal of that width: what a person sees, and what a process writes to."""
    pty = pytest.importorskip("pty")
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    return master, slave


def received(master: int, seen: list[bytes]) -> None:
    """Gather what comes out of a terminal until its other end is closed."""
    try:
        while part := os.read(master, 65536):
            seen.append(part)
    except OSError:  # so Linux says that nobody writes any more
        pass


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """``screen(80, "run", ...)`` is what a person sees of that command in so many columns, without colours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")

    def show(width: int, *arguments: str, typed: bytes = b"", streams: Sequence[str] = ("stdout",)) -> str:
        master, slave = terminal(width)
        seen: list[bytes] = []
        reader = Thread(target=received, args=(master, seen))
        reader.start()
        with monkeypatch.context() as patch, os.fdopen(slave, "w", encoding="utf-8") as stream:
            for each in streams:
                patch.setattr(sys, each, stream)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
            main(list(arguments))
        reader.join()
        os.close(master)
        return b"".join(seen).decode().replace("\r\n", "\n")

    yield show


def words(text: str) -> set[str]:
    """The words of a text, but for numbers that differ from run to run, and lines under headings."""
    return {word for word in text.split() if not re.fullmatch("[─\\d,.]+|\x1b.*", word)}


@pytest.mark.parametrize("name", SCREENS)
def test_lines_fit_and_words_are_whole(name: str, screen, gpkit) -> None:
    line, typed = SCREENS[name][0], SCREENS[name][1].encode()
    arguments = shlex.split(line)
    full = gpkit(*arguments, stdin=typed)
    for width in WIDTHS:
        assert_fits(screen(width, *arguments, typed=typed), width, f"{full.out} {full.err} {NARROW}")


def assert_fits(seen: str, width: int, full: str) -> None:
    """What is seen in a terminal of that width is in its lines, and has the words of the full text."""
    shown = re.sub("\x1b\\[[0-9;?]*[A-Za-z]|[^\n]*\r(?!\n)", "", seen)
    too_wide = [line for line in shown.split("\n") if columns_of(line) > width]
    assert not too_wide
    whole = words(full)
    broken = {word.strip(",;") for word in words(shown)} - {word.strip(",;") for word in whole}
    assert not {word for word in broken if not word.startswith("…")}
    assert not {
        word for word in words(shown) if word.startswith("…") and len(word) < min(LONGEST, width // 2)
    }


@pytest.mark.parametrize("width", WIDTHS)
def test_errors_and_notes_fit(width: int, screen) -> None:
    arguments = ("run", "nothing/of/the/kind/in/this/folder.tree", "--game", "sevens")
    shown = screen(width, *arguments, streams=("stdout", "stderr"))
    assert max(map(len, shown.split("\n"))) <= width
    assert " ".join(shown.split()).endswith(": there is no folder nothing/of/the/kind/in/this")


@pytest.mark.parametrize("command", ["", *(line.name for line in all_commands())])
def test_help_fits_eighty_columns(command: str, gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = gpkit(*filter(None, [command]), "--help").out
    assert out
    assert [line for line in out.split("\n") if len(line) > 80] == []


COLUMNS = ("program", "mean", "moving first", "what it does")
ROWS = [
    ("double-dealer", "0.8541", "0.1234", "takes what can be taken and deals back"),
    ("safe", "1", "2", ""),
]
TABLE = Sheet(COLUMNS, ROWS, ("mean", "moving first"), ("what it does",), ("moving first",))


def test_headings_and_texts_take_several_lines_before_columns_go() -> None:
    lines, gone = fitted(TABLE, 55, rule="-")
    assert gone == ()
    assert lines == [
        "program          mean  moving  what it does",
        "                        first",
        "-------------  ------  ------  ------------------------",
        "double-dealer  0.8541  0.1234  takes what can be taken",
        "                               and deals back",
        "safe                1       2",
    ]


def test_the_least_important_column_goes_first() -> None:
    lines, gone = fitted(TABLE, 50, rule="-")
    assert gone == ("moving first",)
    assert max(map(len, lines)) <= 50
    assert "0.1234" not in "\n".join(lines)


def test_rows_stand_in_blocks_where_nothing_else_helps() -> None:
    lines, gone = fitted(TABLE, 40, rule="-")
    assert gone == ()
    assert lines == [
        "program       double-dealer",
        "mean          0.8541",
        "moving first  0.1234",
        "what it does  takes what can be taken",
        "              and deals back",
        "",
        "program       safe",
        "mean          1",
        "moving first  2",
    ]


def test_a_table_goes_on_below_with_its_first_columns() -> None:
    table = Sheet(
        ("", "of", "a", "b", "c"), [("1", "x", "0.11", "0.12", "0.13")], ("a", "b", "c"), repeated=2
    )
    lines, gone = fitted(table, 17, rule="-")
    assert gone == ()
    assert lines == [
        "   of     a     b",
        "-  --  ----  ----",
        "1  x   0.11  0.12",
        "",
        "   of     c",
        "-  --  ----",
        "1  x   0.13",
    ]


def test_a_path_keeps_its_end() -> None:
    table = Sheet(("path",), [("/a/very/long/path/to/programs/hunt.sink",)], texts=("path",))
    assert fitted(table, 24, rule="-")[0] == ["path  …rograms/hunt.sink"]
