"""Ten scripts for researchers, as their pages have them, with smaller budgets: at most 20 lines each, and solved."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sessions import blocks, write_files

import gpkit

PAGES = sorted((Path(__file__).parents[2] / "docs" / "researchers").glob("*.md"))
BLOCKS = [block for page in PAGES for block in blocks(page.read_text(encoding="utf-8"))]
NAMES = (
    "quartic",
    "multiplexer",
    "ant",
    "stopped",
    "sine_front",
    "curves",
    "judge",
    "asked",
    "pendulum",
    "leduc",
)
FILES = {block.value: block.text for block in BLOCKS if block.key == "file"}
SCRIPTS = {f"{name}.py": FILES[f"{name}.py"] for name in NAMES}
HELD = "judge.py"
"""The one that another process runs."""


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder with the files of the pages."""
    monkeypatch.chdir(tmp_path)
    write_files(BLOCKS, tmp_path)


def done(name: str, **less: int) -> Any:
    """The names of a script that ran, with smaller numbers where these keywords are given a value."""
    text = SCRIPTS[name]
    for key, value in less.items():
        text, count = re.subn(rf"\b{key}(=|\": )\d+", rf"{key}\g<1>{value}", text)
        assert count, f"{name} has no {key}"
    values: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, name, "exec"), values)  # noqa: S102
    return SimpleNamespace(**values)


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_has_at_most_20_formatted_lines(name: str) -> None:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "88", "-"]
    formatted = subprocess.run(
        command, input=SCRIPTS[name], capture_output=True, text=True, check=True
    ).stdout
    assert formatted == SCRIPTS[name]
    lines = SCRIPTS[name] + (SCRIPTS[HELD] if name == "asked.py" else "")
    assert sum(1 for line in lines.splitlines() if line) <= 20  # empty ones do not count


@pytest.mark.release
def test_regression_finds_the_quartic_by_the_operator() -> None:
    task = done("quartic.py")
    assert task.run.score > -1e-9
    assert task.best(x=2.0) == pytest.approx(30.0)
    assert task.run.config.operators["compose"] == 0.2


@pytest.mark.release
def test_the_multiplexer_gets_better_than_its_first_generation() -> None:
    task = done("multiplexer.py", generations=6, size=200)
    assert task.run.score >= task.run.generations[0].best + 0.05
    assert task.multiplexer(task.best).score == task.run.score
    assert task.OUT[:4].tolist() == [0, 0, 0, 0]
    assert task.OUT.mean() == 0.5


@pytest.mark.release
def test_ants_eat_along_the_trail() -> None:
    task = done("ant.py", generations=1)
    assert len(task.TRAIL) == 89
    assert task.eaten(task.best) == task.run.score > 3
    known = """decide food > 0
  yes:
    do forward
  no:
    do left
    decide food > 0
      yes:
        do forward
      no:
        do right
        do right
        decide food > 0
          yes:
            do forward
          no:
            do left
            do forward
"""
    assert task.eaten(gpkit.parse(known, language="execution")) == 89


@pytest.mark.release
def test_a_stopped_run_ends_with_the_same_bytes() -> None:
    task = done("stopped.py")
    assert task.run.digest == task.whole.digest
    assert gpkit.load("stopped").print() == gpkit.load("whole").print()


def test_no_member_of_the_front_dominates_another() -> None:
    task = done("sine_front.py", generations=8)
    points = [np.array(member.objectives) for member in task.run.front.members]
    assert len(points) >= 3
    for one in points:
        assert not any((other >= one).all() and (other > one).any() for other in points)


def test_the_map_is_filled_with_what_belongs_there() -> None:
    task = done("curves.py", generations=5)
    assert task.run.archive.coverage > 0.3
    for elite in task.run.archive.elites:
        found = task.mean_of_half(elite.program)
        assert found.score == pytest.approx(elite.score)


def test_another_process_scores() -> None:
    task = done("asked.py", generations=2)
    assert task.judge.returncode == 0
    assert task.run.score == -sum(abs(float(task.best(t=t)) - t * t) for t in range(8))


@pytest.mark.release
def test_the_textbook_is_improved() -> None:
    task = done("pendulum.py", generations=4)
    assert task.run.score > task.closeness(task.textbook) > -0.3


def test_the_least_exploitable_is_what_it_says() -> None:
    pytest.importorskip("pyspiel")
    task = done("leduc.py", generations=1, size=10)
    assert task.run.score == pytest.approx(-task.result.expected.details["exploitability"])
    assert task.run.score >= -1.0 - 1e-9  # what always folding loses
