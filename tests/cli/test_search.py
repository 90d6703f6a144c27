"""``gpkit search``: a program in any language scores programs, over JSON lines."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import gpkit

CONFIG = """
import gpkit

problem = gpkit.problem(sensors={"x": (-5, 5)}, settings={"population": {"size": 12}})
"""


@contextmanager
def asking(*options: str, folder: Path) -> Iterator[Callable[[str], Any]]:
    """A search in a process of its own; the function gives its answer to a line."""
    command = [
        sys.executable,
        "-m",
        "gpkit",
        "search",
        "mine.py",
        "--generations",
        "2",
        "--seed",
        "1",
        *options,
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def answered(line: str) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(line)
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield answered
        process.stdin.close()


def scores(programs: list[str]) -> str:
    """The line that answers a question."""
    return json.dumps({"tell": [-abs(gpkit.parse(each)(x=2.0) - 5) for each in programs]}) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(CONFIG)
    return tmp_path


def test_the_result_is_that_of_python(folder: Path) -> None:
    with asking(folder=folder) as answered:
        said = answered("")
        while "ask" in said:
            said = answered(scores(said["ask"]))
    line = gpkit.problem(sensors={"x": (-5, 5)}, settings={"population": {"size": 12}})
    search = gpkit.search(line, seed=1, generations=2)
    while programs := search.ask():
        search.tell([-abs(program(x=2.0) - 5) for program in programs])
    assert said == {
        "schema": "gpkit/search/1",
        "champion": str(search.result[0]),
        "score": search.result[1].score,
    }


WRONG = {
    "not JSON": "expected a line",
    "[1, 2]": "expected a line",
    '{"told": []}': "expected a line",
    '{"tell": [1]}': "1 scores for",
    '{"tell": "all"}': "is not a list of scores",
    "[" * 100_000: "expected a line",
}
"""Lines that are no answers, with the error."""


def test_a_line_that_is_no_answer_changes_nothing(folder: Path) -> None:
    with asking(folder=folder) as answered:
        first = answered("")
        for line, why in WRONG.items():
            assert why in answered(line + "\n")["error"]
            assert answered("") == first


@pytest.mark.release
def test_a_run_with_a_folder_continues_after_the_end_of_standard_input(folder: Path) -> None:
    with asking("--out", "run", folder=folder) as answered:
        first = answered("")
        second = answered(scores(first["ask"]))
    with asking("--out", "run", folder=folder) as answered:
        assert answered("") == second != first
