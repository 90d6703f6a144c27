"""Threads may call gpkit, also the first time in a process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "threads_at_once.py"

HOW = ("plain", "joblib")


def check(seed: int, how: str, *deeds: str) -> None:
    """Check that three threads of a new process do what the seed draws."""
    command = [sys.executable, SCRIPT, str(seed), how, *deeds]
    paths = os.pathsep.join(filter(None, [str(SCRIPT.parent.parent), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=200, env={**os.environ, "PYTHONPATH": paths}
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_threads_use_gpkit_for_the_first_time() -> None:
    check(1, "plain", "own_game")


@pytest.mark.release
@pytest.mark.parametrize("deed", ["fit", "evolve", "play", "parse", "own_game"])
@pytest.mark.parametrize("seed", range(10))
def test_threads_do_the_same_for_the_first_time(seed: int, deed: str) -> None:
    check(seed, HOW[seed % 2], deed)


@pytest.mark.release
@pytest.mark.parametrize("seed", range(10))
def test_threads_do_drawn_things_for_the_first_time(seed: int) -> None:
    check(seed, HOW[seed % 2])
