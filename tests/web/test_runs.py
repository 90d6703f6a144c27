"""Runs on a page: what comes anew, the champion and its changes, and who may start, pause and resume."""

import asyncio
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, ClassVar

import click
import pytest
from tiny_run import TINY, evolve_tiny
from web_clients import guest

import gpkit
from gpkit.core.work_folder import HOLDER, locked
from gpkit.evolution.config import SchemeSettings, SelectionSettings
from gpkit.web import runs
from gpkit.web.jobs import Runner
from gpkit.web.runs import AT_REST, GOING_ON, KILLED, MOST_ROWS, RunFeed, state_of, thinned

GENERATION = {
    "event": "generation", "generation": 5, "best": None, "best_score": 0.5, "median": 0.25, "size": 9.5,
    "best_size": 7, "individuals": 12, "diversity": 0.5, "trials": 100, "lost": 0,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run below it."""
    root = tmp_path_factory.mktemp("runs")
    (root / "deep").mkdir()
    evolve_tiny(root / "deep" / "tiny")
    return root


def test_feed_tells_all_once_and_then_what_is_new(folder: Path) -> None:
    run = folder / "deep" / "tiny"
    feed, log = RunFeed(run), run / "events.jsonl"
    rows, is_anew = feed.more()
    assert is_anew
    assert [row[1] for row in rows if row[0] == "g"] == [0, 1, 2, 3, 4]
    assert any(row[0] == "c" for row in rows)
    assert feed.more() == ([], False)
    before = log.read_bytes()
    try:
        with log.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(GENERATION)[:40])
            stream.flush()
            assert feed.more() == ([], False)  # a line that is not whole yet
            stream.write(json.dumps(GENERATION)[40:] + "\nno JSON\n")
        assert feed.more() == ([["g", 5, None, 0.25, 7, 9.5, 6, 100]], False)
        replaced = log.with_suffix(".new")
        replaced.write_bytes(before)
        replaced.replace(log)
        assert feed.more() == (rows, True)
    finally:
        log.write_bytes(before)
    assert state_of(feed.folder) == AT_REST


def test_long_runs_are_told_in_few_rows_with_the_last_one() -> None:
    rows: list[Any] = [["g", k, 0.0, 0.0, 1, 1.0, 1] for k in range(100_000)] + [["c", 7, 0.5]]
    few = thinned(rows)
    assert len(few) <= MOST_ROWS + 1
    assert few[-2:] == [rows[-2], ["c", 7, 0.5]]


def test_events_are_rows_and_then_silence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "PAUSE", 0.0)

    async def first(count: int) -> list[str]:
        events = runs._events(RunFeed(folder / "deep" / "tiny"))
        return [await anext(events) for _ in range(count)]

    anew, rows, state, sign = asyncio.run(first(4))
    assert anew.startswith("event: anew\n")
    assert len(json.loads(rows.partition("data: ")[2])) >= 5
    assert state == "event: state\ndata: at rest\n\n"
    assert sign.startswith(":")


def test_list_tells_the_game_the_course_and_the_champion_of_a_run(folder: Path) -> None:
    client, _ = guest(folder)
    text = client.get("/runs").text
    row = text[text.index('<tr><th scope="row"><a href="/runs/deep/tiny"') :].partition("</tr>")[0]
    for told in ("<td>Sevens</td>", 'hx-get="/runs/deep/tiny/strength"', "4 generations", "data-ago"):
        assert told in row
    points = re.findall(r'points="([^"]*)"', row)[0].split()
    assert (len(points), points[0], points[-1]) == (5, "0.0,22.0", "100.0,2.0")
    with locked(folder / "deep" / "tiny"):
        assert "<b>73 %</b>" in client.get("/runs/deep/tiny/strength").text
    log = folder / "deep" / "tiny" / "events.jsonl"
    before = log.read_bytes()
    try:
        log.write_bytes(b"damaged")
        assert client.get("/runs/deep/tiny/strength").text == ""
        assert 'points=""' not in client.get("/runs").text
    finally:
        log.write_bytes(before)


@pytest.mark.release
def test_list_tells_intervals_of_champions(folder: Path, tmp_path: Path) -> None:
    client, site = guest(folder)
    try:
        text = client.get("/runs/deep/tiny/strength").text
    finally:
        site.end()
    assert re.search(r"<b> *73 %</b> <span[^>]*>\(70 to 76\)</span>", text)
    assert "of games won against random" in text
    rows = {name: [float((k * m) % 7) for k in range(40)] for name, m in (("a", 3), ("b", 5))}
    table = rows | {"y": [a + b + 0.25 * (a > b) for a, b in zip(rows["a"], rows["b"], strict=True)]}
    few = {"population": {"size": 10}, "fit": {"operators": ["+", "*"]}}
    gpkit.fit(table, "y", generations=1, settings=few, folder=tmp_path / "fit")
    other, _ = guest(tmp_path)
    assert re.search(
        r"<b>R² *[-.\d]+</b> *(<span[^>]*>\([-.\d]+ to [-.\d]+\)</span>)?",
        other.get("/runs/fit/strength").text,
    )
    assert "<td>y</td>" in other.get("/runs").text


@pytest.mark.release
def test_page_of_a_run_shows_its_champion_and_every_change(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, site = guest(folder)
    assert 'href="/runs/deep/tiny"' in client.get("/").text
    text = client.get("/runs/deep/tiny").text
    assert "found in generation" in text
    assert "✓ Finished" in text
    assert "<dt>selfblock</dt>" in text
    assert "play: " in text
    assert 'data-feed="/runs/deep/tiny/feed"' in text
    assert client.get("/runs/deep/tiny/change?number=999999").status_code == 400
    file = "deep/tiny/best/champion.tree"
    assert file in text
    assert client.post("/play/sevens", params={"vs": file}).status_code == 303
    assert "Not saved yet" in client.get(f"/edit/{file}").text
    assert 'value="tiny.tree"' in client.get(f"/edit/{file}").text  # a copy
    assert "return" in client.get("/runs/deep/tiny/lua").text
    monkeypatch.setattr(site.counting, "count", lambda function, *asked: function(*asked))
    assert re.search(
        r"Against random</dt><dd>\d+%<small>± \d+, fresh", client.get("/runs/deep/tiny/facts").text
    )
    for path in (
        "/edit/deep/tiny/best/../run.json",
        "/edit/deep/tiny/best/",
        "/edit/deep/best/champion.tree",
    ):
        assert client.get(path).status_code == 404
    for path in ("/runs/deep", "/runs/../deep/tiny", "/runs/%2e%2e/x/feed", "/runs/none/champion"):
        assert client.get(path).status_code == 404


def test_head_of_the_page_says_the_state_and_what_can_be_done(tmp_path: Path) -> None:
    run, page = tmp_path / "tiny", "/runs/tiny/head"
    client, _ = guest(tmp_path)
    assert client.get(page).status_code == 404
    evolve_tiny(run, generations=1)
    assert ">20 more generations<" in client.get(page).text
    log = (run / "events.jsonl").read_text(encoding="utf-8")
    (run / "events.jsonl").write_text("".join(log.splitlines(keepends=True)[:-1]), encoding="utf-8")
    assert "❚❚ Paused" in client.get(page).text
    assert "Paused after generation 1 and saved." in client.get(page).text
    with locked(run):
        text = client.get(page).text
        assert "▶ Running" in text
        assert "Generation 1 of 1" in text
        assert "Started in a terminal; Pause works here too." in text
        paused = client.post("/run/pause", data={"name": "tiny"}, headers={"hx-request": "true"}).text
        assert "❚❚ Pausing" in paused
        assert "Pausing after this generation" in paused
    (run / HOLDER).write_text(str(dead()), encoding="ascii")
    assert ">Resume from generation 1<" in client.get(page).text
    assert "Nothing before it is lost." in client.get(page).text
    (run / "events.jsonl").unlink()
    (run / HOLDER).unlink()
    waiting = client.get(f"{page}?waiting=1")
    assert ("○ Not started" in waiting.text, "hx-refresh" in waiting.headers) == (True, False)
    (run / "events.jsonl").write_text(log, encoding="utf-8")
    assert client.get(f"{page}?waiting=1").headers["hx-refresh"] == "true"


def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.release
def test_page_of_a_killed_run_says_so(tmp_path: Path) -> None:
    run = tmp_path / "tiny"
    evolve_tiny(run, generations=1)
    client, _ = guest(tmp_path)
    feed = RunFeed(run)
    assert state_of(feed.folder) == AT_REST
    (run / HOLDER).write_text(str(os.getpid()), encoding="ascii")
    assert state_of(feed.folder) == GOING_ON
    assert "killed" not in client.get("/runs/tiny").text
    (run / HOLDER).write_text(str(dead()), encoding="ascii")
    assert state_of(feed.folder) == KILLED
    assert "The run was killed" in client.get("/runs/tiny").text
    for name in ("state.json", "state.previous.json", "events.jsonl"):
        (run / name).unlink(missing_ok=True)
    before = client.get("/runs/tiny").text
    assert "The run was killed" in before
    assert "! Failed" in before
    assert ">Resume</button>" in before


def test_run_that_was_begun_here_and_killed_is_not_taken_for_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = subprocess.Popen
    begun: list[Any] = []

    def asleep(_arguments: list[str], **others: Any) -> Any:
        begun.append(begin([sys.executable, "-S", "-c", "import time; time.sleep(60)"], **others))
        return begun[-1]

    monkeypatch.setattr(subprocess, "Popen", asleep)
    client, site = guest(tmp_path)
    assert client.post("/run/start", data={"name": "first", "what": "sevens"}).status_code == 303
    (child,) = begun
    assert os.getsid(child.pid) == child.pid  # a terminal that closes does not reach it
    run = tmp_path / "runs" / "first"
    run.mkdir()
    (run / HOLDER).write_text(str(child.pid), encoding="ascii")
    assert state_of(run) == GOING_ON
    os.kill(child.pid, signal.SIGKILL)
    ends = time.monotonic() + 5
    while (state_of(run) == GOING_ON or site.runner.going_on()) and time.monotonic() < ends:
        time.sleep(0.01)
    assert state_of(run) == KILLED
    assert site.runner.complaint("runs/first") == "The run was killed."


def test_new_run_is_proposed_a_free_name(tmp_path: Path) -> None:
    client, _ = guest(tmp_path)
    for free in ("sevens", "sevens-2", "sevens-3"):
        text = client.get("/runs?new=sevens").text
        assert f'value="sevens" data-name="{free}" selected' in text
        assert f'maxlength="40" value="{free}"' in text
        (tmp_path / "runs" / free).mkdir(parents=True)


class Child:
    """A process that only notes how it was begun and ended."""

    begun: ClassVar[list[list[str]]] = []

    def __init__(self, arguments: list[str], **_others: object) -> None:
        self.begun.append(arguments)
        self.ended = Event()
        self.kill = self.ended.set

    def terminate(self) -> None:
        """End, as one that is interrupted."""
        self.ended.set()

    def wait(self) -> int:
        """The exit code, once it has ended."""
        self.ended.wait()
        return 4


def test_one_run_goes_on_at_a_time_below_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", Child)
    client, site = guest(tmp_path)

    def start(name: str, what: str = "sevens", **others: str) -> int:
        return client.post("/run/start", data={"name": name, "what": what, **others}).status_code

    for name in ("", "../x", "a/b", ".hidden", "A", "x" * 41, "nul", "com1"):
        assert start(name) == 400
    (tmp_path / "runs").rmdir() if (tmp_path / "runs").exists() else None
    (tmp_path / "runs").symlink_to(tmp_path.parent)
    assert start("first") == 400
    (tmp_path / "runs").unlink()
    assert start("first", "/etc/passwd") == 400
    assert start("first", generations="-1") == 400
    assert Child.begun == []
    assert start("first", generations="3") == 303
    asked = [
        "evolve",
        "sevens",
        "--seed",
        "0",
        "--generations",
        "3",
        "--out",
        str(tmp_path / "runs" / "first"),
    ]
    assert Child.begun[0][5:] == asked
    assert "Starting: compiling, then generation 0." in client.get("/runs/runs/first").text
    assert start("second") == 400
    text = client.get("/runs").text
    assert 'aria-disabled="true" aria-describedby="why"' in text
    assert "runs/first</a> is running. Pause it first" in text
    kept = client.post("/run/start", data={"name": "second", "what": "dots_and_boxes", "seed": "77"}).text
    assert 'value="second" autocomplete="off" aria-describedby="wrong"' in kept
    assert 'value="77"' in kept
    assert client.post("/run/pause", data={"name": "runs/second"}).status_code == 400
    (tmp_path / "runs" / "first").mkdir()
    (tmp_path / "runs" / "first" / "run.json").write_text("{}", encoding="utf-8")
    assert start("first") == 400
    assert site.runner.going_on() == "runs/first"
    assert client.post("/run/pause", data={"name": "runs/first"}).status_code == 303
    assert site.runner.going_on() == ""
    assert "aria-disabled" not in client.get("/runs").text
    assert client.post("/run/resume", data={"name": "../first"}).status_code == 400
    assert client.post("/run/resume", data={"name": "runs/first"}).status_code == 303
    assert Child.begun[1][5:] == ["evolve", "--resume", "--out", str(tmp_path / "runs" / "first")]


def contents(run: Path) -> dict[str, Any]:
    """What a run has found: its state, its champions, its genealogy, and its events."""
    with closing(sqlite3.connect(run / "run.db")) as genealogy:
        dump = list(genealogy.iterdump())
    files = {path.name: path.read_bytes() for path in sorted((run / "best").iterdir())}
    events = [json.loads(line) for line in (run / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    return {"state": (run / "state.json").read_bytes(), "best": files, "genealogy": dump, "events": events}


@pytest.mark.slow
def test_run_begun_in_the_browser_ends_in_the_bytes_of_one_from_the_terminal(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    asked = {"name": "first", "what": "build_order", "generations": "2", "seed": "3"}
    assert client.post("/run/start", data=asked).status_code == 303
    evolve = [sys.executable, "-m", "gpkit", "evolve", "build_order", "--generations", "2", "--seed", "3"]
    subprocess.run([*evolve, "--out", str(tmp_path / "terminal")], check=True, capture_output=True)
    ends = time.monotonic() + 120
    while site.runner.going_on() and time.monotonic() < ends:
        time.sleep(0.1)
    assert site.runner.complaint("runs/first") == ""
    here, there = contents(tmp_path / "runs" / "first"), contents(tmp_path / "terminal")
    assert here == there
    assert [event["generation"] for event in here["events"] if event["event"] == "generation"] == [0, 1, 2]
    assert "champion.plan" in here["best"] or "champion.tree" in here["best"]
    assert len(here["genealogy"]) > 100


def test_the_page_of_a_run_shows_its_front_or_its_map(tmp_path: Path) -> None:
    scheme = SchemeSettings(name="plus", order="pareto")
    pareto = replace(TINY, scheme=scheme, selection=SelectionSettings(name="pareto"))
    evolve_tiny(tmp_path / "weighed", generations=1, config=pareto)
    axes = {"size": (1.0, 31.0, 6.0), "depth": (1.0, 9.0, 4.0)}
    evolve_tiny(
        tmp_path / "mapped",
        generations=1,
        config=replace(TINY, scheme=SchemeSettings(name="map-elites"), map=axes),
    )
    client, _ = guest(tmp_path)
    weighed, mapped = (client.get(f"/runs/{name}").text for name in ("weighed", "mapped"))
    assert '<h2 id="front-title">Front</h2>' in weighed
    assert '<th scope="col">score</th><th scope="col">size</th>' in weighed
    assert "map-title" not in weighed
    assert '<h2 id="map-title">Map</h2>' in mapped
    assert mapped.count("<g><title>win_share") >= 2
    assert "front-title" not in mapped


def test_the_page_of_a_fit_shows_its_predictions(tmp_path: Path) -> None:
    table = {"x": [float(x) for x in range(40)], "y": ["<low>" if x < 20 else "high" for x in range(40)]}
    few = {"population": {"size": 10}, "fit": {"operators": ["+", "*"]}}
    gpkit.fit(table, "y", generations=1, settings=few, folder=tmp_path / "fit")
    client, _ = guest(tmp_path)
    assert 'hx-get="/runs/fit/predictions"' in client.get("/runs/fit").text
    shown = client.get("/runs/fit/predictions").text
    assert "Classes of held-out rows" in shown
    assert "<td>accuracy</td>" in shown
    assert "&lt;low&gt;" in shown
    assert "<low>" not in shown
    assert "<style>" not in shown, "pages have no styles of their own"
    assert ".gpkit-confusion .cell" in client.get("/drawn.css").text


@pytest.mark.release
@pytest.mark.skipif(sys.platform == "win32", reason="a script stands for Python")
@pytest.mark.parametrize("seed", range(2))
def test_a_run_begins_where_the_package_is_not_installed(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server found it in its current folder; modules beside the runs are not imported."""
    drawn = random.Random(seed)  # noqa: S311
    python, root = tmp_path / "python", tmp_path / drawn.choice(["a folder", "f'x", "ü"])
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    root.mkdir()
    for name in drawn.sample(["random", "json", "click", "numpy", "runpy", "gpkit"], 3):
        (root / f"{name}.py").write_text("raise SystemExit(9)\n")
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("PYTHONPATH", str(Path(click.__file__).parents[1]))
    runner = Runner(root)
    runner._begin("first", ["list", "games"])
    assert runner.job is not None
    assert runner.job.outcome.result(60) == 0, runner.complaint("first")
