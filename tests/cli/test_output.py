"""What commands print, on a terminal and elsewhere."""

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from gpkit.api.progress import Shell, shown_by, watching
from gpkit.cli import output
from gpkit.core.diagnostics import Span


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_json_object_is_strict_json(capsys: pytest.CaptureFixture[str]) -> None:
    output.json_object(
        "gpkit/test/1",
        nothing=float("nan"),
        endless=[float("inf"), 1.5],
        array=np.arange(3.0),
        scalar=np.int64(7),
        path=Path("a/b"),
        span=Span(0, 1, 1, 1),
        suit="♥",
    )
    assert json.loads(capsys.readouterr().out) == {
        "schema": "gpkit/test/1",
        "nothing": None,
        "endless": [None, 1.5],
        "array": [0.0, 1.0, 2.0],
        "scalar": 7,
        "path": "a/b",
        "span": {"start": 0, "end": 1, "line": 1, "column": 1},
        "suit": "♥",
    }


def test_json_line_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    output.json_line({"a": 1, "b": "x\ny"})
    assert capsys.readouterr().out == '{"a": 1, "b": "x\\ny"}\n'


def test_plain_table_is_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("name", "games"), [("simple", "100"), ("hold", "9")], right=("games",))
    assert capsys.readouterr().out == "name    games\nsimple    100\nhold        9\n"


def test_table_on_a_terminal_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    output.table(("name", "games"), [("[bold]simple", "100")])
    assert "[bold]simple" in stream.getvalue()  # text of programs is never taken for markup
    assert "─" in stream.getvalue()


def test_no_color_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert output.colour("error", "red", Terminal()) != "error"
    assert output.colour("error", "red", io.StringIO()) == "error"
    monkeypatch.setenv("NO_COLOR", "1")
    assert output.colour("error", "red", Terminal()) == "error"


def test_progress_elsewhere_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    with shown_by(Shell(output.note, lambda: now, {}, (), 0.0)), watching() as show:
        for now in (1.0, 4.0, 5.0, 6.0, 9.9, 11.0):
            show(f"at {now}")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "at 5.0\nat 11.0\n"


def test_progress_on_a_terminal_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with shown_by(Shell(output.note, lambda: 0.0, {}, (), 0.0)), watching() as show:
        show("generation 3 [of 111]")
    assert "generation 3 [of 111]" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[J")  # the line is erased
