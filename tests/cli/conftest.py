"""Running commands in the process of the tests, as a person would from a shell."""

import io
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.interrupts import REQUESTS
from gpkit.gamekit.forms import Trial
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def gpkit(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """``gpkit("check", "-", stdin=b"...")`` runs that command line; what others named is not there."""
    monkeypatch.setattr(plugins, "here", plugins.Discovery(installed=plugins.here.installed))

    def run(*arguments: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """The current folder, which is empty but for ``FILES`` of the module, texts by their names."""
    monkeypatch.chdir(tmp_path)
    for name, text in getattr(request.module, "FILES", {}).items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exports carry games of 100 nodes in all: two or more of a program of up to 50."""
    monkeypatch.setattr("gpkit.export.conformance._MOST_RECORDED", 100)


@pytest.fixture
def heard_requests() -> Iterator[None]:
    """Requests to end are not ignored, as they are where the tests were started with ``nohup``."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in REQUESTS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="module")
def small_boards() -> Iterator[None]:
    """Rules are learned on 2x2 boxes, and measured there at the end of a run: their classes take no time."""
    board = DotsAndBoxesRules(2, 2)
    trials = [Trial(name, board.to_options(), exact=True, quick=True) for name in ("chain", "optimal")]
    with pytest.MonkeyPatch.context() as patch:
        for module in ("learner.learner", "learner.folder", "forms.work"):
            patch.setattr(f"gpkit.games.dots_and_boxes.{module}.RULES", board)
        patch.setattr("gpkit.games.dots_and_boxes.game.SUITES", tuple(trials))
        yield
