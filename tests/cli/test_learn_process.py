"""``gpkit learn`` as a process of its own, on the boards that people learn on."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpkit.games.dots_and_boxes.learner.folder import read_learner


@pytest.mark.release
def test_an_interrupted_process_says_how_to_go_on(tmp_path: Path) -> None:
    command = ["learn", "dots_and_boxes", "short", "--games", "20000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "gpkit", *command, "--out", "r"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and not (tmp_path / "r" / "state.json").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 4
    assert told.endswith("interrupted; continue with: gpkit learn --resume --out r\n")
    _, learner, course = read_learner(tmp_path / "r")
    assert 10 <= learner.games < 20_000
    assert course.points
