"""``gpkit evolve``: runs in folders, resumed and refused, by configurations good and bad."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from case_files import case_text

from gpkit.core import compiled
from gpkit.core.errors import EXIT_INTERRUPTED
from gpkit.core.work_folder import locked
from gpkit.evolution.executors import WorkersGoneError
from gpkit.evolution.history import read_ancestry, read_history
from gpkit.evolution.run_folder import reached_generation

TINY = case_text("games/tiny.toml")
FILES = {"tiny.toml": TINY}


def test_a_run_leaves_a_champion_that_plays(folder: Path, gpkit) -> None:
    outcome = gpkit("evolve", "tiny.toml", "--json")
    assert outcome.code == 0, outcome.err
    told = json.loads(outcome.out)
    assert told["schema"] == "gpkit/evolve/1"
    assert told["folder"] == str(Path("runs/tiny-5"))
    assert (told["seed"], told["generation"], told["reason"]) == (5, 3, "3 generations")
    assert [row["opponent"] for row in told["held_out"]] == ["random", "simple"]
    champion = folder / told["champion"]["file"]
    assert "// seed: 5" in champion.read_text()
    assert gpkit("check", champion).code == 0
    assert gpkit("run", champion, "--games", "30").code == 0
    present = {path.name for path in (folder / "runs" / "tiny-5").iterdir()}
    assert {"run.json", "state.json", "run.db", "events.jsonl", "best"} <= present
    run = json.loads((folder / "runs" / "tiny-5" / "run.json").read_text())
    assert run["argv"] == ["evolve", "tiny.toml", "--json"], "also where another command runs it"


@pytest.mark.release
def test_the_same_for_two_workers_and_after_a_resume(folder: Path, gpkit) -> None:
    digests = set()
    for name, options in {"one": [], "two": ["--workers", "2"]}.items():
        outcome = gpkit("evolve", "tiny.toml", "--json", "--out", name, *options)
        digests.add(json.loads(outcome.out)["sha256"])
    gpkit("evolve", "tiny.toml", "--out", "three", "--generations", "1")
    outcome = gpkit("evolve", "tiny.toml", "--out", "three", "--resume", "--json")
    digests.add(json.loads(outcome.out)["sha256"])
    assert len(digests) == 1
    assert json.loads(outcome.out)["generation"] == 3
    champions = {(folder / name / "best" / "champion.tree").read_bytes() for name in ("one", "two", "three")}
    assert len(champions) == 1


@pytest.mark.release
def test_the_seed_matters(folder: Path, gpkit) -> None:
    first, second = (json.loads(gpkit("evolve", "tiny.toml", "--json", "--seed", s).out) for s in (5, 6))
    assert first["sha256"] != second["sha256"]


def test_an_existing_run_is_not_overwritten(folder: Path, gpkit) -> None:
    gpkit("evolve", "tiny.toml", "--out", "r", "--generations", "0")
    again = gpkit("evolve", "tiny.toml", "--out", "r")
    assert again.code == 2
    assert "--resume" in again.err
    other = gpkit("evolve", "tiny.toml", "--out", "r", "--resume", "--seed", "6")
    assert other.code == 2
    assert "seed" in other.err
    (folder / "mine").mkdir()
    (folder / "mine" / "letter.txt").write_text("dear")
    refused = gpkit("evolve", "tiny.toml", "--out", "mine")
    assert refused.code == 2
    assert "letter.txt" in refused.err


def test_refusals_come_before_announcements(folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as nothing is compiled, but for what only a first game or the checkpoint itself shows."""
    assert gpkit("evolve", "tiny.toml", "--out", "r", "--generations", "0").err.startswith(
        "evolving for sevens"
    )
    (folder / "mine").mkdir()
    (folder / "mine" / "letter.txt").write_text("dear")
    (folder / "bad.toml").write_text(TINY.replace("deals = 10", "opponents = ['smiple']", 1))
    (folder / "ships.toml").write_text("preset = 'battleship'\n[fitness]\nopponents = ['hunt']\n")
    monkeypatch.setattr(compiled, "is_cold", lambda: True)

    def refused(*arguments: str) -> str:
        outcome = gpkit("evolve", *arguments)
        assert outcome.code == 2
        return str(outcome.err)

    assert refused("tiny.toml", "--out", "r").startswith("error: r holds a run already")
    assert refused("tiny.toml", "--out", "mine").startswith("error: mine is not empty")
    assert refused("tiny.toml", "--out", "tiny.toml").startswith("error: tiny.toml is a file")
    assert refused("tiny.toml", "--out", "tiny.toml/r").startswith(
        "error: cannot use tiny.toml/r: tiny.toml is a file"
    )
    with monkeypatch.context() as patch:
        patch.setattr("os.access", lambda path, mode: False)  # as for who is not root
        assert refused("tiny.toml", "--out", "n").startswith("error: cannot use n: . is not writable")
    assert refused("tiny.toml", "--out", "no", "--resume").startswith("error: there is no folder no")
    assert refused("tiny.toml", "--out", "r", "--resume", "--seed", "6").startswith("error: cannot resume")
    assert refused("tiny.toml", "--out", "n", "--workers", "none").startswith("error: `none` workers")
    assert refused("bad.toml", "--out", "n").startswith("error: there is no opponent `smiple`")
    with locked(folder / "r"):
        assert refused("--out", "r", "--resume").startswith("error: r is in use by process")
    assert "evolving" not in refused("ships.toml", "--out", "n")
    for path in (folder / "r").glob("state*.json"):
        path.write_text("dear")
    assert "evolving" not in refused("--out", "r", "--resume")
    assert not (folder / "n").exists()


@pytest.mark.release
def test_a_run_that_is_longer_than_asked_for_stays_as_it_is(folder: Path, gpkit) -> None:
    assert gpkit("evolve", "tiny.toml", "--out", "r", "--generations", "2").code == 0
    before = (folder / "r" / "state.json").read_bytes()
    again = gpkit("evolve", "--resume", "--out", "r", "--generations", "1", "--json")
    assert (again.code, json.loads(again.out)["generation"]) == (0, 2)
    assert "the run in r already has 2 generations, more than 1: none is added" in again.err
    assert (folder / "r" / "state.json").read_bytes() == before
    assert read_history(folder / "r").reason == "2 generations"
    before = {path: path.read_bytes() for path in (folder / "r").rglob("*") if path.is_file()}
    ended = gpkit("evolve", "--resume", "--out", "r", "--generations", "2")
    assert "the run in r is finished already; nothing to do" in ended.err
    after = {path: path.read_bytes() for path in (folder / "r").rglob("*") if path.is_file()}
    assert after == before, "nothing is stored of it either"


@pytest.mark.release
def test_resume_needs_no_configuration(folder: Path, gpkit) -> None:
    gpkit("evolve", "tiny.toml", "--out", "r", "--generations", "1")
    described = folder / "r" / "run.json"
    text = described.read_text()
    described.write_text(text.replace('"numba": "', '"numba": "0.0.').replace('"numpy": "', '"numpy": "0.1.'))
    outcome = gpkit("evolve", "--resume", "--out", "r", "--generations", "2", "--json")
    assert json.loads(outcome.out)["generation"] == 2
    told = [outcome.err.count(words) for words in ("numba is", "and was 0.0.", "numpy is", "and was 0.1.")]
    assert told == [1, 1, 1, 1], "both, once"
    assert (
        "r is the folder of a run; continue it with gpkit evolve --resume --out r" in gpkit("evolve", "r").err
    )
    other = gpkit("evolve", "tiny.toml", "--seed", "99", "--out", "r", "--resume")
    assert "is now 99; use only --resume and --out to continue unchanged" in other.err


def test_a_time_limit_stops_between_generations(folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.api.runs.GRACE", 300.0)  # for kernels that are not compiled yet
    outcome = gpkit("evolve", "tiny.toml", "--time-limit", "0", "--json")
    told = json.loads(outcome.out)
    assert (told["generation"], told["reason"]) == (0, "0 seconds")


@pytest.mark.release
def test_a_generation_that_outlasts_the_limit_is_given_up_and_made_later(
    folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_arguments: object) -> None:
        while True:
            time.sleep(0.01)

    def evolved(out: str, *more: str) -> Any:
        return json.loads(
            gpkit("evolve", "tiny.toml", "--generations", "1", "--out", out, "--json", *more).out
        )

    whole = evolved("w")  # and all kernels are loaded
    monkeypatch.setattr("gpkit.api.runs.GRACE", 0.1)
    with monkeypatch.context() as patch:
        patch.setattr("gpkit.evolution.loop.advance", endless)
        began = time.monotonic()
        cut = gpkit("evolve", "tiny.toml", "--time-limit", "1", "--out", "r", "--json")
        assert time.monotonic() - began < 6.0
        patch.setattr("gpkit.evolution.loop.begin", endless)
        early = gpkit("evolve", "tiny.toml", "--time-limit", "0.2", "--out", "none")
    told = json.loads(cut.out)
    assert (told["generation"], told["reason"]) == (0, "1 seconds")
    assert (early.code, "the first generation takes longer than 0.2 seconds" in early.err) == (2, True)
    assert evolved("r", "--resume")["sha256"] == whole["sha256"]


def test_an_interrupt_before_there_is_a_run_promises_nothing(
    folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gpkit.evolution.loop.open_diary", interrupted)
    outcome = gpkit("evolve", "tiny.toml", "--out", "r")
    assert (outcome.code, outcome.err) == (130, "interrupted\n")


@pytest.mark.parametrize("lost", ["run_search", "open_diary"])
def test_workers_that_are_gone_for_good_end_a_run_that_can_go_on(
    lost: str, folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_arguments: object, **_options: object) -> None:
        raise WorkersGoneError("nobody is there")

    monkeypatch.setattr(f"gpkit.evolution.loop.{lost}", gone)
    outcome = gpkit("evolve", "tiny.toml", "--out", "r")
    hint = "nobody is there; continue with: gpkit evolve --resume --out r\n"
    assert (outcome.code, outcome.err) == (4, hint if lost == "run_search" else "error: nobody is there\n")


@pytest.mark.parametrize(
    ("number", "send", "workers"),
    [
        (signal.SIGINT, os.kill, "1"),
        pytest.param(signal.SIGTERM, os.killpg, "2", marks=pytest.mark.release),
    ],
)
def test_an_interrupt_leaves_a_run_that_goes_on(
    number: signal.Signals, send: Callable[[int, int], None], workers: str, folder: Path, gpkit
) -> None:
    """Exit code 4, and the resumed run ends as the uninterrupted one; workers may be asked to terminate, too."""
    command = [sys.executable, "-m", "gpkit", "evolve", "tiny.toml", "--generations", "100000", "--out", "r"]
    process = subprocess.Popen(
        [*command, "--workers", workers],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    events = folder / "r" / "events.jsonl"
    while time.monotonic() < deadline and not (events.exists() and events.read_text().count("\n") > 5):
        time.sleep(0.05)
    send(process.pid, number)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 4
    assert "Traceback" not in told
    assert "gpkit evolve --resume --out r" in told
    best = re.search(r"the best program so far is (r/best/generation-\d+[.]\w+); continue with: ", told)
    assert best is not None
    assert (folder / best[1]).is_file()
    reached = json.loads(events.read_text().splitlines()[-1])["generation"]
    goal = str(reached + 3)
    resumed = json.loads(gpkit("evolve", "--resume", "--out", "r", "--generations", goal, "--json").out)
    plain = json.loads(gpkit("evolve", "tiny.toml", "--out", "p", "--generations", goal, "--json").out)
    assert resumed["sha256"] == plain["sha256"]


@pytest.mark.slow
@pytest.mark.skipif("os.name == 'nt'")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_terminal_that_closes_interrupts_a_run_which_goes_on_to_the_same_end(
    tmp_path: Path, workers: str
) -> None:
    import pty

    (tmp_path / "tiny.toml").write_text(TINY, encoding="utf-8")
    begin = [sys.executable, "-m", "gpkit", "evolve", str(tmp_path / "tiny.toml"), "--workers", workers]
    folder = tmp_path / "run"
    child, terminal = pty.fork()
    if child == 0:
        os.execv(begin[0], [*begin, "--generations", "100000", "--out", str(folder)])  # noqa: S606
    ends = time.monotonic() + 60
    while not (folder / "state.previous.json").exists() and time.monotonic() < ends:
        if select.select([terminal], [], [], 0.02)[0]:
            os.read(terminal, 10_000)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == EXIT_INTERRUPTED
    assert not (folder / "run.pid").exists()
    reached = reached_generation(folder)
    assert reached is not None
    assert reached > 0
    more = ["--generations", str(reached + 2), "--out"]
    resume = [sys.executable, "-m", "gpkit", "evolve", "--resume", *more, str(folder)]
    subprocess.run(resume, check=True, capture_output=True)
    subprocess.run([*begin, *more, str(tmp_path / "whole")], check=True, capture_output=True)
    assert (folder / "state.json").read_bytes() == (tmp_path / "whole" / "state.json").read_bytes()


@pytest.mark.release
def test_a_run_starts_from_a_program_whose_file_is_then_not_needed(folder: Path, gpkit) -> None:
    mine = folder / "mine.tree"
    mine.write_text("play: env.block + 3\nsend: env.dist\n")
    start = ("evolve", "tiny.toml", "--start", "mine.tree", "--start", "champion", "--out", "r")
    assert gpkit(*start, "--generations", "0").code == 0
    mine.write_text("play: env.block + 4\nsend: env.dist\n")
    changed = gpkit(*start, "--resume")
    assert changed.code == 2
    assert changed.err == "error: the program mine.tree has changed since the run started\n"
    mine.unlink()
    assert gpkit(*start, "--resume", "--generations", "1").code == 0
    other = gpkit("evolve", "--resume", "--out", "r", "--start", "champion")
    assert "population.start was ['mine.tree', 'champion'] and is now" in other.err
    root = read_ancestry(read_history(folder / "r")).line[-1]
    assert root.operator in ("start mine.tree", "start champion")
