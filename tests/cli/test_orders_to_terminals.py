"""Names and texts of others cannot give orders to the terminal: no command prints their escapes as they are."""

import io
import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from case_files import case_tables

from gpkit.api.progress import Shell, shown_by, watching
from gpkit.cli import output
from gpkit.cli.commands import all_commands
from gpkit.core.wording import ORDERS, shown

EVIL = "\x1b]0;x\x07\x1b[31m\u202e\x9b"
"""Sets the title of the window, turns what follows red and around; and the control of one byte."""

FORMULAS = "// game: sevens\n// title: plain\nplay: env.depth\nsend: env.dist\n"
LINES = "// game: battleship\ntargeting:\n  Target\n  Shoot\n"
RULES = "# game: dots_and_boxes\ntake: x_0 w => x_0 - w\n"

EVIL_HEADER = f"// game: sevens{EVIL}\n// title: {EVIL}\nplay: env.depth\nsend: env.{EVIL}dist\n"

NAMES = {
    "tree": f"{EVIL}a.tree",
    "sink": f"{EVIL}a.sink",
    "list": f"{EVIL}a.rules",
    "other": f"b{EVIL}.tree",
    "broken": f"c{EVIL}.tree",
    "evil": EVIL,
}
"""Names of files, and of nothing, by what stands for them in the lines."""

COMMAND_LINES: dict[str, list[str]] = case_tables("orders_to_terminals.toml")
"""For every command some lines with names of files, or of other things, that are orders to a terminal."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs with such names, of which one has such a header."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "tree": FORMULAS,
        "sink": LINES,
        "list": RULES,
        "other": FORMULAS.replace("depth", "block"),
        "broken": EVIL_HEADER,
    }.items():
        Path(NAMES[name]).write_text(text)
    return tmp_path


def test_every_command_is_tried() -> None:
    assert set(COMMAND_LINES) == {line.name for line in all_commands()}


@pytest.mark.parametrize("line", [line for lines in COMMAND_LINES.values() for line in lines])
@pytest.mark.parametrize(
    "terminal",
    [
        pytest.param(False, marks=pytest.mark.release, id="redirected"),
        pytest.param(True, id="terminal"),
    ],
)
def test_no_command_prints_orders(
    line: str,
    terminal: bool,
    folder: Path,
    gpkit: Callable[..., object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    outcome = gpkit(*(word.format(**NAMES) for word in shlex.split(line)))
    said = outcome.out + outcome.err
    assert said
    assert not ORDERS.search(said.replace("\r\n", "\n"))
    assert outcome.code not in (70,)


def test_names_of_bytes_that_are_no_text_are_shown(folder: Path, gpkit) -> None:
    name = os.fsdecode(b"\x9b31m.tree")
    try:
        Path(name).write_text(FORMULAS)
    except OSError:
        pytest.skip("this file system wants names to be text")
    for arguments in (("run", name, "--games", "3"), ("check", name), ("check", name, "--json")):
        outcome = gpkit(*arguments)
        assert outcome.code == 0
        (outcome.out + outcome.err).encode()
    assert "\\udc9b31m.tree" in gpkit("run", name, "--games", "3").out


def test_orders_are_written_out_where_a_person_sees_them(folder: Path, gpkit) -> None:
    assert "\\x1b]0;x\\x07\\x1b[31m\\u202e\\x9ba.tree" in gpkit("run", NAMES["tree"], "--games", "3").out
    record = json.loads(gpkit("run", NAMES["tree"], "--games", "3", "--json").out)
    assert record["results"][0]["program"] == NAMES["tree"]


def test_own_colours_stay_and_those_of_others_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    coloured = output.colour("error" + EVIL, "red", sys.stdout)
    assert coloured == f"\x1b[31m\x1b[1merror{shown(EVIL)}\x1b[0m"
    assert isinstance(coloured, output.Styled)


def test_the_live_line_shows_no_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        """A stream that says it is a terminal."""

        def isatty(self) -> bool:
            return True

    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with shown_by(Shell(output.note, lambda: 0.0, {}, (), 0.0)), watching() as show:
        show(f"{EVIL} against random")
    assert not re.search("\x1b\\]|\x1b\\[31m|\u202e|\x9b", stream.getvalue())
