"""Surroundings of a command: its folder, its standard output, the code that it runs, and what else is installed."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from gpkit.cli import output
from gpkit.core import plugins
from gpkit.core.files import same_folder

PROBLEM = """
import gpkit, os, sys, threading, time
{top}

def score(program):
    {body}
    return -sum((program(x=x) - x * x) ** 2 for x in (-1.0, 0.5, 2.0))

problem = gpkit.problem(score, name="mine", sensors={{"x": (-2, 2)}}, settings={{"population": {{"size": 12}}{more}}})
"""
THREAD = "threading.Thread(target=lambda: time.sleep(300)).start()"
SELECTOR = "gpkit.register('selector', 'own', lambda rng, population: int(rng.integers(len(population))))"
ISLANDS = ", 'selection': {'name': 'own'}, 'islands': {'count': 2, 'interval': 1}"

KINDS = {
    "chdir": ("", "os.chdir('/')", ""),
    "print": ("print('at first')", "print('each time')", ""),
    "thread": (THREAD, "", ""),
    "exit": ("", "sys.exit('enough')", ""),
    "lambda": (SELECTOR, "", ISLANDS),
}
BESIDE = ["random", "json", "numpy", "signal", "socket", "struct", "selectors", "lark", "logging"]


def evolved(folder: Path, kind: str, workers: int, beside: str = "") -> subprocess.CompletedProcess[str]:
    """An evolution that has ended, in a process of its own."""
    top, body, more = KINDS.get(kind, ("", "", ""))
    (folder / "mine.py").write_text(PROBLEM.format(top=top, body=body or "pass", more=more))
    if beside:
        (folder / f"{beside}.py").write_text("X = 1\n")
    command = "import sys; from gpkit.cli.main import main; sys.exit(main())"
    arguments = [
        "evolve",
        "mine.py",
        "--generations",
        "1",
        "--out",
        "run",
        "--json",
        "--workers",
        str(workers),
    ]
    paths = os.pathsep.join(
        filter(None, [str(Path(output.__file__).parents[2]), os.environ.get("PYTHONPATH")])
    )
    return subprocess.run(
        [sys.executable, "-P", "-c", command, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "PYTHONPATH": paths},
    )


def check(folder: Path, kind: str, workers: int, beside: str = "") -> None:
    """Check that nothing of the surroundings is in the way, or that it is refused."""
    done = evolved(folder, kind, workers, beside)
    assert "internal error" not in done.stderr
    if kind == "exit" or (kind == "lambda" and workers > 1):
        assert done.returncode == 2, done.stderr
        assert ("mine.py, line" if kind == "exit" else "`<lambda>` cannot be sent") in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["generation"] == 1
    assert (folder / "run" / "best").is_dir()


@pytest.mark.release
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_problems_that_change_their_surroundings(tmp_path: Path, kind: str, workers: int) -> None:
    check(tmp_path, kind, workers)


@pytest.mark.release
@pytest.mark.parametrize("beside", BESIDE)
def test_a_file_beside_a_problem_hides_no_module_from_workers(tmp_path: Path, beside: str) -> None:
    check(tmp_path, "", 2, beside)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["cp1252", "ascii", "latin-1", "cp437", "koi8-r", "utf-8"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20),
)
def test_json_is_whole_whatever_standard_output_can_write(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoding: str, text: str
) -> None:
    path = tmp_path / "out"
    with path.open("w", encoding=encoding) as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        output.json_object("gpkit/test/1", text=text)
        output.verbatim(text)
    written = path.read_bytes().removesuffix(text.encode())
    assert json.loads(written.decode("utf-8" if encoding == "ascii" else encoding))["text"] == text


@pytest.mark.release
@pytest.mark.parametrize("encoding", ["cp1252", pytest.param("ascii", marks=pytest.mark.release)])
def test_names_beyond_the_encoding_of_standard_output(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "rows.csv").write_text("Возраст,y\n" + "".join(f"{n},{n * n}\n" for n in range(20)))
    command = "import sys; from gpkit.cli.main import main; sys.exit(main())"
    arguments = ["fit", "rows.csv", "--target", "y", "--generations", "0", "--out", "run"]
    paths = os.pathsep.join(
        filter(None, [str(Path(output.__file__).parents[2]), os.environ.get("PYTHONPATH")])
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", command, *arguments],
        cwd=tmp_path,
        capture_output=True,
        timeout=100,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 0, done.stderr
    assert b"internal error" not in done.stderr


VALUES = st.sampled_from(["a b c", "", "no:thing:more", "[x]", "1 + 1", "a.b:c [", ":", "x y:z"])


@given(values=st.lists(st.one_of(VALUES, st.none()), min_size=1, max_size=5))
def test_damaged_entry_points_are_left_out(values: list[str | None]) -> None:
    """Of ours, which are told, and tables of other distributions that cannot be read."""
    from importlib.metadata import EntryPoint, EntryPoints

    class Damaged:
        name, version = "damaged", "1"

        @property
        def entry_points(self) -> EntryPoints:
            raise TypeError("Pair.__new__() missing 1 required positional argument: 'value'")

    def distribution(place: int, value: str | None) -> object:
        if value is None:
            return Damaged()
        name = f"part_{place}"
        return SimpleNamespace(
            name=name, version="1", entry_points=EntryPoints([EntryPoint(name, value, "gpkit.operators")])
        )

    with pytest.MonkeyPatch.context() as patch:
        found = [distribution(place, value) for place, value in enumerate(values)]
        patch.setattr("importlib.metadata.distributions", lambda: found)
        patch.setattr(plugins, "here", plugins.Discovery())
        assert {entry.name for entry in plugins.installed("gpkit.operators")} <= {
            f"part_{place}" for place in range(len(values))
        }


def denied(_path: object) -> None:
    raise PermissionError(13, "Permission denied")


@settings(max_examples=20)
@given(
    st.sampled_from(["there", "removed", "not to be searched"]),
    st.lists(st.sampled_from(["leave", "remove", "make"]), max_size=3),
)
def test_a_run_comes_to_its_end_whatever_happens_to_the_current_folder(
    tmp_path_factory: pytest.TempPathFactory, before: str, acts: list[str]
) -> None:
    place = tmp_path_factory.mktemp("place")
    deeds = {
        "leave": lambda: os.chdir("/"),
        "remove": lambda: shutil.rmtree(place, ignore_errors=True),
        "make": place.mkdir,
    }

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        if before == "removed":
            place.rmdir()
        elif before != "there":
            patch.setattr(os, "chdir", denied)
        with same_folder():
            for act in acts:
                with suppress(OSError):
                    deeds[act]()
        if (before, acts.count("remove")) == ("there", 0):
            assert Path.cwd() == place


def test_a_removed_current_folder_is_told(gpkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()
    told = gpkit("run", "champion", "--game", "./own.py")
    assert (told.code, told.err.count("the current folder no longer exists: change to another one")) == (2, 1)
