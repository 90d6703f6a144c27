"""Runs and their folders: what is stored, resuming, refusals, and the same bytes whoever works and whatever crashes."""

import contextlib
import gc
import hashlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from toy_evolution import SPACE, Moody
from toy_run import DESCRIPTION, ISLANDS, TOY, toy_diary

from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.plain_files import append_line
from gpkit.core.work_folder import (
    LOCK,
    locked,
    read_checkpoint,
    read_description,
    restored,
    resumed,
    write_checkpoint,
)
from gpkit.evolution.executors import SerialExecutor, executor_for
from gpkit.evolution.history import lineage
from gpkit.evolution.loop import advance, begin, rare_collections, run_search
from gpkit.evolution.problem import WORST, Individual
from gpkit.evolution.run_folder import (
    KIND,
    RunResult,
    champions,
    decode_state,
    encode_state,
    open_diary,
    open_genealogy,
    reached_generation,
    read_events,
    state_digest,
)
from gpkit.evolution.search import QUIET, Hooks, Search, SearchState, Summary
from gpkit.evolution.setup import after_generations
from gpkit.genomes.tree import TreeProgram

SERIAL = SerialExecutor()
DIGEST = "d89bf8e9b6080b68fb0afcfdf2f45dfd9c4cac77b0bd5d7c980b2d0d34e45cbe"
"""The SHA-256 of the toy run after twelve generations, whatever the form of its checkpoint."""

Finished = tuple[Path, RunResult[TreeProgram]]


def run_in(
    folder: Path, generations: int, *, resume: bool = False, search: Search[TreeProgram] = TOY
) -> RunResult[TreeProgram]:
    with toy_diary(folder, search, resume=resume) as diary:
        return run_search(search, SERIAL, after_generations(generations), diary=diary)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    folder = tmp_path_factory.mktemp("runs") / "finished"
    return folder, run_in(folder, 12)


def test_a_run_folder_holds_what_is_promised(finished: Finished) -> None:
    folder, result = finished
    assert {path.name for path in folder.iterdir()} - {LOCK} == {
        "best",
        "events.jsonl",
        "run.db",
        "run.json",
        "state.json",
        "state.previous.json",
    }
    assert read_description(folder, KIND) == DESCRIPTION
    document = json.loads((folder / "state.json").read_text())
    canonical = json.dumps(document["state"], sort_keys=True, separators=(",", ":"))
    assert document["sha256"] == hashlib.sha256(canonical.encode()).hexdigest()
    assert result.digest == state_digest(result.state, SPACE) == DIGEST
    assert json.loads((folder / "state.previous.json").read_text())["state"]["generation"] == 11
    events = read_events(folder / "events.jsonl")
    assert [e["generation"] for e in events if e["event"] == "generation"] == list(range(13))
    assert events[-1]["event"] == "end"
    assert events[-1]["reason"] == "12 generations"


def test_champions_are_programs_with_a_header(finished: Finished) -> None:
    folder, result = finished
    files = champions(folder)
    assert files
    for path in files:
        text = path.read_text()
        assert text.startswith("// game: toy\n// seed: 5\n// generation: ")
        assert "\n// fitness: " in text
        SPACE.parse(text)
    assert SPACE.parse(files[-1].read_text()) == result.state.champion.individual.genome
    assert SPACE.parse((folder / "best" / "champion.tree").read_text()) == result.champion.individual.genome
    assert result.champion.fitness >= result.state.champion.fitness


def test_the_genealogy_knows_every_generation(finished: Finished) -> None:
    folder, result = finished
    with open_genealogy(folder / "run.db") as connection:
        counts = connection.execute("SELECT generation, count(*) FROM fitness GROUP BY generation").fetchall()
        assert counts == [(generation, 30) for generation in range(13)]
        orphans = connection.execute(
            "SELECT count(*) FROM individuals AS i, json_each(i.parents) "
            "WHERE value NOT IN (SELECT number FROM individuals)"
        )
        assert orphans.fetchone() == (0,)
        ancestors = lineage(connection, result.state.champion.individual.number)
        with pytest.raises(CheckpointError, match="no individual 99"):
            lineage(connection, 99_999_999)
    assert ancestors[-1].operator == "create"
    assert ancestors[0].program == SPACE.print(result.state.champion.individual.genome)
    for child, parent in pairwise(ancestors):
        assert child.parents[0] == parent.number
        if child.operator == "clone":
            assert child.program == parent.program


def test_a_state_survives_json() -> None:
    state = advance(ISLANDS, begin(ISLANDS, SERIAL).state, SERIAL).state
    lost = state.islands[0][0]._replace(score=WORST, fitness=WORST, note="lost", cases=(WORST, 0.1))
    state = replace(state, islands=((lost, *state.islands[0][1:]), *state.islands[1:]))
    data = json.loads(json.dumps(encode_state(state, SPACE.print), allow_nan=False))
    assert decode_state(data, ISLANDS) == state
    assert state_digest(decode_state(data, ISLANDS), SPACE) == state_digest(state, SPACE)


def test_rounds_that_wait_are_stored_when_a_run_is_broken_off(tmp_path: Path, finished: Finished) -> None:
    folder = tmp_path / "r"

    def interrupt(summary: Summary, _state: object) -> None:
        assert (reached_generation(folder) or 0) == 0, "the first generation alone is stored at once"
        assert gc.get_threshold() > before
        if summary.generation == 7:
            raise KeyboardInterrupt

    before = gc.get_threshold()
    with (
        pytest.raises(KeyboardInterrupt),
        toy_diary(folder, TOY, patience=1e9) as diary,
    ):
        run_search(TOY, SERIAL, after_generations(12), diary=diary, hooks=Hooks(generation=interrupt))
    assert gc.get_threshold() == before
    assert reached_generation(folder) == 7
    assert json.loads((folder / "state.previous.json").read_text())["state"]["generation"] == 6
    result = run_in(folder, 12, resume=True)
    assert result.digest == finished[1].digest
    assert database(folder) == database(finished[0])


@pytest.mark.parametrize("own", [(0, 10, 10), (10**6, 60, 60)])
def test_a_collector_that_is_off_or_rare_stays_so(own: tuple[int, int, int]) -> None:
    before = gc.get_threshold()
    gc.set_threshold(*own)
    try:
        with rare_collections():
            assert gc.get_threshold() == own
        assert gc.get_threshold() == own
    finally:
        gc.set_threshold(*before)


@pytest.mark.parametrize(
    "stop_at", [pytest.param(0, marks=pytest.mark.release), 3, pytest.param(7, marks=pytest.mark.release)]
)
def test_resuming_is_exact(tmp_path: Path, finished: Finished, stop_at: int) -> None:
    run_in(tmp_path / "r", stop_at)
    result = run_in(tmp_path / "r", 12, resume=True)
    assert result.digest == finished[1].digest
    assert result.champion == finished[1].champion
    assert database(tmp_path / "r") == database(finished[0])
    assert [path.read_text() for path in champions(tmp_path / "r")] == [
        path.read_text() for path in champions(finished[0])
    ]


def database(folder: Path) -> list[list[tuple[object, ...]]]:
    connection = sqlite3.connect(folder / "run.db")
    tables = ("individuals", "fitness")
    rows = [connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3").fetchall() for table in tables]  # noqa: S608
    connection.close()
    return rows


def test_a_finished_run_that_is_resumed_is_left_as_it_is(finished: Finished) -> None:
    def files() -> dict[str, bytes]:
        names = ("events.jsonl", "state.json", "run.db", "best/champion.tree")
        return {name: (finished[0] / name).read_bytes() for name in names}

    before, called = files(), []
    with toy_diary(finished[0], TOY, resume=True) as diary:
        hooks = Hooks(start=lambda: called.append("start"), ended=lambda: called.append("ended"))
        again = run_search(TOY, SERIAL, after_generations(12), diary=diary, hooks=hooks)
    assert again == finished[1]
    assert called == ["ended"]
    assert files() == before


def events_in(folder: Path) -> list[tuple[str, int]]:
    return [(event["event"], event["generation"]) for event in read_events(folder / "events.jsonl")]


def test_a_run_that_goes_on_after_its_end_has_one_end(tmp_path: Path) -> None:
    run_in(tmp_path / "r", 2)
    run_in(tmp_path / "r", 4, resume=True)
    marks = [event for event in events_in(tmp_path / "r") if event[0] in ("resume", "end")]
    assert marks == [("resume", 2), ("end", 4)]


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("start", marks=pytest.mark.release),
        "generation",
        pytest.param("end", marks=pytest.mark.release),
    ],
)
def test_a_run_that_is_killed_and_resumed_has_one_resume_and_one_end(tmp_path: Path, moment: str) -> None:
    """Killed twice at the same moment: as it goes on, in its third generation, and after its end was written."""

    class KilledError(Exception):
        """The process is gone."""

    def die(summary: Summary | None = None, _state: object = None) -> None:
        if summary is None or summary.generation == 3:
            raise KilledError

    hooks = {"start": Hooks(start=die), "generation": Hooks(generation=die), "end": QUIET}[moment]
    run_in(tmp_path / "r", 2)
    for _ in range(2):
        with toy_diary(tmp_path / "r", TOY, resume=True) as diary, contextlib.suppress(KilledError):
            run_search(TOY, SERIAL, after_generations(4), diary=diary, hooks=hooks)
    run_in(tmp_path / "r", 4, resume=True)
    marks = [event for event in events_in(tmp_path / "r") if event[0] in ("resume", "end")]
    assert marks[-1] == ("end", 4)
    assert len(marks) == len(set(marks)) == (3 if moment == "generation" else 2)


@pytest.mark.release
def test_what_was_written_after_the_checkpoint_is_cut_back(tmp_path: Path, finished: Finished) -> None:
    folder = tmp_path / "r"
    run_in(folder, 6)
    (folder / "state.json").write_bytes((folder / "state.previous.json").read_bytes())
    with (folder / "events.jsonl").open("a") as file:
        file.write('{"event": "generation", "gener')
    (folder / "best" / "generation-000099.tree").write_text("x")
    assert run_in(folder, 12, resume=True).digest == finished[1].digest
    assert database(folder) == database(finished[0])
    generations = [
        e["generation"] for e in read_events(folder / "events.jsonl") if e["event"] == "generation"
    ]
    assert generations == list(range(13))
    assert not (folder / "best" / "generation-000099.tree").exists()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(damage, marks=[pytest.mark.release] * (damage != b"{"))
        for damage in (b"", b"{", b'{"schema": "gpkit.checkpoint/1"}', b"\xff\xfe")
    ],
)
def test_a_damaged_checkpoint_falls_back_to_the_one_before(
    tmp_path: Path, finished: Finished, damage: bytes
) -> None:
    folder = tmp_path / "r"
    run_in(folder, 4)
    (folder / "state.json").write_bytes(damage)
    data = read_checkpoint(folder)
    assert data is not None
    assert data["generation"] == 3
    assert run_in(folder, 12, resume=True).digest == finished[1].digest


def test_when_all_checkpoints_are_damaged_the_message_names_them(tmp_path: Path) -> None:
    run_in(tmp_path / "r", 2)
    text = (tmp_path / "r" / "state.json").read_text()
    (tmp_path / "r" / "state.json").write_text(text.replace('"generation":2', '"generation":3'))
    (tmp_path / "r" / "state.previous.json").write_text("[]")
    with pytest.raises(
        CheckpointError, match=r"SHA-256 does not match.*state\.previous\.json is not a checkpoint"
    ):
        run_in(tmp_path / "r", 3, resume=True)


def test_a_checkpoint_with_a_wrong_program_is_refused(tmp_path: Path) -> None:
    state = begin(TOY, SERIAL).state
    data = encode_state(state, SPACE.print)
    data["champion"]["individual"][1] = "x +"
    write_checkpoint(tmp_path, data)
    with pytest.raises(CheckpointError, match="does not contain a valid state"):
        restored(tmp_path, partial(decode_state, search=TOY))


def test_a_torn_line_is_left_out_and_does_not_swallow_the_next(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    assert read_events(path) == []
    append_line(path, '{"event": "a"}')
    with path.open("a") as file:
        file.write('{"event": "to')
    assert read_events(path) == [{"event": "a"}]
    append_line(path, '{"event": "b"}')
    assert read_events(path) == [{"event": "a"}, {"event": "b"}]


def test_refusals(tmp_path: Path, finished: Finished) -> None:
    folder = finished[0]
    with pytest.raises(CheckpointError, match="holds a run already; continue it with --resume"):
        run_in(folder, 1)
    with pytest.raises(CheckpointError, match=r"there is no folder .*nothing"):
        run_in(tmp_path / "nothing", 1, resume=True)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").touch()
    with pytest.raises(CheckpointError, match="is not the folder of a run"):
        run_in(tmp_path / "full", 1, resume=True)
    with pytest.raises(CheckpointError, match=r"not empty \(it holds letter\.txt\)"):
        run_in(tmp_path / "full", 1)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["letter.txt"]
    with locked(folder), pytest.raises(CheckpointError, match=f"in use by process {os.getpid()}"):
        run_in(folder, 1, resume=True)
    other = replace(DESCRIPTION, config={"toy": {"size": 31}, "stop": {}})
    with (
        pytest.raises(UsageError, match=r"toy\.size was 30 and is now 31"),
        open_diary(TOY, folder, other, {}, resume=True),
    ):
        pass
    (tmp_path / "file").touch()
    with pytest.raises(CheckpointError, match="is a file; a run needs its own folder"):
        run_in(tmp_path / "file", 1)
    with pytest.raises(CheckpointError, match="cannot use"):
        run_in(tmp_path / "file" / "below", 1)


def test_only_the_stop_rules_of_a_resumed_run_may_be_new(finished: Finished) -> None:
    longer = replace(DESCRIPTION, config={"toy": {"size": 30}, "stop": {"generations": 99}}, argv=("x",))
    with open_diary(TOY, finished[0], longer, {}, resume=True):
        stored = read_description(finished[0], KIND)
    assert stored.config["stop"] == {"generations": 99}
    assert stored.argv == DESCRIPTION.argv
    with open_diary(TOY, finished[0], DESCRIPTION, {}, resume=True):
        pass


def test_a_run_of_another_form_is_refused_by_the_version_that_wrote_it(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    run_in(folder, 1)
    described = json.loads((folder / "run.json").read_text())
    others = {"schema": "gpkit.run/1", "versions": {"gpkit": "0.0.9"}}
    (folder / "run.json").write_text(json.dumps(described | others))
    said = rf"{folder} was written by gpkit 0\.0\.9 in a different format; .* start a new run \(its programs in best/"
    with pytest.raises(CheckpointError, match=said):
        read_description(folder, KIND)
    with pytest.raises(CheckpointError, match=said):
        run_in(folder, 2, resume=True)


def test_operators_in_another_order_are_another_configuration() -> None:
    """Which operator a draw means follows from their order."""
    stored = replace(DESCRIPTION, config={"operators": {"point": 0.5, "subtree": 0.5}})
    turned = replace(DESCRIPTION, config={"operators": {"subtree": 0.5, "point": 0.5}})
    assert resumed(stored, stored) == stored
    with pytest.raises(UsageError, match=r"operators was .'point': 0.5, .* and is now .'subtree': 0.5, "):
        resumed(stored, turned)


def test_the_order_of_other_tables_is_nobodys_concern() -> None:
    stored = replace(DESCRIPTION, config={"rules": {"players": 4, "end": "ranks"}})
    turned = replace(DESCRIPTION, config={"rules": {"end": "ranks", "players": 4}})
    assert resumed(stored, turned) == stored


def test_generations_are_told_after_they_are_stored(tmp_path: Path) -> None:
    told: list[int] = []

    def check(summary: Summary, state: SearchState[TreeProgram]) -> None:
        data = read_checkpoint(tmp_path / "r")
        assert data is not None
        assert data["generation"] == state.generation >= summary.generation
        told.append(summary.generation)

    with toy_diary(tmp_path / "r", ISLANDS) as diary:
        run_search(ISLANDS, SERIAL, after_generations(8), diary=diary, hooks=Hooks(generation=check))
    assert told == list(range(9))


def test_a_full_disk_is_an_error_that_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with toy_diary(tmp_path / "r", TOY) as diary:
        run_search(TOY, SERIAL, after_generations(2), diary=diary)
        before = read_checkpoint(tmp_path / "r")
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(CheckpointError, match=r"cannot write .*No space left on device"):
            write_checkpoint(tmp_path / "r", {"generation": 3})
    assert read_checkpoint(tmp_path / "r") == before


@pytest.mark.release
def test_a_program_that_always_kills_its_worker_gets_the_worst_fitness_and_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpkit.evolution.guarded.STRIKES", 1)
    few = replace(
        TOY, parameters=replace(TOY.parameters, size=8), refinement=replace(TOY.refinement, finish=False)
    )
    programs = [i.genome.trees[0].symbols for i in begin(few, SERIAL).state.islands[0]]
    symbol = min(("x", "y", "+", "-", "*"), key=lambda s: sum(s in one for one in programs) or 99)
    deadly = replace(few, problem=Moody(deadly=symbol, seconds=0.02))
    with executor_for("2") as executor, toy_diary(tmp_path / "r", deadly) as diary:
        result = run_search(deadly, executor, after_generations(0), diary=diary)
    population: tuple[Individual[TreeProgram], ...] = result.state.islands[0]
    lost = [i for i in population if symbol in i.genome.trees[0].symbols]
    assert 0 < len(lost) < len(population)
    for individual in population:
        assert (
            (individual.fitness == WORST)
            == (individual in lost)
            == individual.note.startswith("its worker died")
        )
    assert read_events(tmp_path / "r" / "events.jsonl")[0]["lost"] == len(lost)


def toy_process(
    folder: Path, workers: int, generations: int, how: str, hash_seed: str = "0"
) -> subprocess.Popen[str]:
    tests = Path(__file__).resolve().parent.parent
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(tests)}
    arguments = [sys.executable, str(tests / "toy_run.py"), str(folder), str(workers), str(generations), how]
    return subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True)


def digest_of(process: subprocess.Popen[str]) -> str:
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return output.strip()


@pytest.mark.release
@pytest.mark.parametrize("how", [pytest.param("", marks=pytest.mark.release), "islands"])
def test_workers_and_hash_seeds_change_nothing(tmp_path: Path, how: str) -> None:
    """The hash seed of this process is drawn at random."""
    other = toy_process(tmp_path / "other", 2, 8, how, "2")
    digest = run_in(tmp_path / "here", 8, search=ISLANDS if how else TOY).digest
    assert digest_of(other) == digest
    assert len(digest) == 64


def killed_and_resumed(folder: Path, kills: int, generations: int, how: str) -> str:
    """The digest of a run that is killed at random moments after its first checkpoint, and resumed each time."""
    chance = random.Random(f"{kills} {how}")  # noqa: S311
    resume, interrupted = "", 0
    for kill in range(kills):
        process = toy_process(folder, 1 + kill % 2, generations, how + resume)
        while not (folder / "state.json").exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(chance.uniform(0.0, 0.4) if not resume else chance.uniform(0.3, 2.5))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        interrupted += process.returncode == -signal.SIGKILL
        resume = "resume"
    assert interrupted
    return digest_of(toy_process(folder, 1, generations, how + resume))


@pytest.mark.release
def test_a_killed_run_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    waiting = killed_and_resumed(tmp_path / "b", 2, 80, "patient ")  # rounds wait to be stored
    assert waiting == run_in(tmp_path / "a", 80).digest
    assert database(tmp_path / "a") == database(tmp_path / "b")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["map", "pareto"])
def test_killed_archives_and_fronts_go_on_to_the_same_bytes_for_any_workers(tmp_path: Path, how: str) -> None:
    undisturbed = toy_process(tmp_path / "a", 2, 60, how)
    assert killed_and_resumed(tmp_path / "b", 3, 60, how) == digest_of(undisturbed)
    assert database(tmp_path / "a") == database(tmp_path / "b")
    for file in (*(tmp_path / "a").glob("front*.json"), *(tmp_path / "a").glob("front/*")):
        assert (tmp_path / "b" / file.relative_to(tmp_path / "a")).read_bytes() == file.read_bytes()
    assert (tmp_path / "a" / "front.json").exists() == (how == "pareto")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["", "islands"])
def test_ten_kills_change_nothing(tmp_path: Path, how: str) -> None:
    undisturbed = toy_process(tmp_path / "a", 1, 400, how)
    assert killed_and_resumed(tmp_path / "b", 10, 400, how) == digest_of(undisturbed)
    assert database(tmp_path / "a") == database(tmp_path / "b")


def test_a_run_of_before_a_table_existed_is_refused() -> None:
    given = replace(DESCRIPTION, config={"toy": {"size": 30, "depth": 4}, "stop": {}})
    with pytest.raises(UsageError, match=r"toy\.depth was None and is now 4"):
        resumed(DESCRIPTION, given)
    given = replace(DESCRIPTION, config={**DESCRIPTION.config, "front": {"choose": "first"}})
    assert resumed(DESCRIPTION, replace(given, config={**DESCRIPTION.config, "stop": {"x": 1}})).config[
        "stop"
    ] == {"x": 1}
    with pytest.raises(UsageError, match=r"front was None and is now "):
        resumed(DESCRIPTION, given)
