"""What a run has done is read from its folder: ended, going on, crashed, resumed, damaged."""

import hashlib
import json
import shutil
import sqlite3
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest
from tiny_run import TINY, evolve_tiny

from gpkit.core.codec import codec
from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.plain_files import append_line
from gpkit.evolution.history import count_ancestors, lineage, read_history
from gpkit.evolution.run_folder import RunResult
from gpkit.evolution.search import Summary
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.text import parse


def ranked(connection: Connection, generation: int) -> list[tuple[int, str]]:
    """The numbers and programs of all individuals of a generation, fittest first; equal programs appear once."""
    query = (
        "SELECT f.number, program FROM fitness AS f JOIN individuals USING (number) "
        "WHERE f.generation = ? ORDER BY f.fitness DESC, island, rank"
    )
    first: dict[str, int] = {}
    for number, program in connection.execute(query, (generation,)):
        first.setdefault(program, number)
    return [(number, program) for program, number in first.items()]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, RunResult[TreeProgram]]:
    folder = tmp_path_factory.mktemp("runs") / "ended"
    return folder, evolve_tiny(folder)


@pytest.fixture
def run(ended: tuple[Path, RunResult[TreeProgram]], tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(ended[0], tmp_path / "run"))


def _bytes(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_run_that_has_ended(ended: tuple[Path, RunResult[TreeProgram]]) -> None:
    folder, result = ended
    before = _bytes(folder)
    history = read_history(folder)
    assert history.config.population == TINY.population
    assert [g.generation for g in history.generations] == [0, 1, 2, 3, 4]
    assert history.reason == "4 generations"
    champion = result.champion
    assert history.final is history.champion
    assert parse(history.champion.program).program == champion.individual.genome
    assert parse(history.champion_file.read_text()).program == champion.individual.genome
    assert (history.champion.size, history.champion.fitness) == (champion.individual.size, champion.fitness)
    assert history.milestones[0].generation == 0
    fitness = [milestone.fitness for milestone in history.milestones]
    assert fitness == sorted(fitness)
    with history.genealogy() as connection:
        line = lineage(connection, history.champion.number)
        assert line[-1].parents == ()
        assert 0 < count_ancestors(connection, history.champion.number) < 60
        numbers, programs = zip(*ranked(connection, 4), strict=True)
    best = result.state.islands[0][0]
    assert parse(programs[0]).program == best.genome
    assert len(set(programs)) == len(programs)
    assert all(number // 1_000_000 <= 4 for number in numbers)
    assert _bytes(folder) == before, "reading changes nothing and leaves nothing behind"


def test_a_run_that_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    seen: list[tuple[int, int]] = []

    def look(summary: Summary, _state: Any) -> None:
        history = read_history(folder)
        assert history.generations[-1] == summary
        assert (history.final, history.reason) == (None, "")
        assert history.champion_file.is_file()
        with history.genealogy() as connection:
            seen.append((summary.generation, len(lineage(connection, history.champion.number))))

    evolve_tiny(folder, generations=3, on_generation=look)
    assert [generation for generation, _ in seen] == [0, 1, 2, 3]


def test_a_run_that_has_crashed(tmp_path: Path) -> None:
    folder, copy = tmp_path / "run", tmp_path / "crashed"

    def crash(summary: Summary, _state: Any) -> None:
        if summary.generation == 2:
            shutil.copytree(folder, copy)

    evolve_tiny(folder, generations=3, on_generation=crash)
    assert (copy / "run.db-wal").exists()
    with (copy / "events.jsonl").open("a") as file:
        file.write('{"event": "generation", "generation": 3, "be')
    history = read_history(copy)
    assert [g.generation for g in history.generations] == [0, 1, 2]
    with history.genealogy() as connection:
        assert len(ranked(connection, 2)) > 1


def test_a_run_that_was_resumed_has_not_ended(run: Path) -> None:
    evolve_tiny(run, generations=5, resume=True)
    history = read_history(run)
    assert [g.generation for g in history.generations] == [0, 1, 2, 3, 4, 5]
    assert history.reason == "5 generations"
    lines = (run / "events.jsonl").read_text().splitlines(keepends=True)
    (run / "events.jsonl").write_text("".join(lines[:-1]))  # killed before it could say how it ended
    assert read_history(run).final is None


def test_summaries_are_read_back() -> None:
    summary = Summary(3, float("nan"), 0.5, 0.25, 9.5, 12, 30, 0.9, 1000, 2)
    assert repr(codec(Summary).read(codec(Summary).write(summary))) == repr(summary)


def _message(run: Path) -> str:
    with pytest.raises(CheckpointError) as caught:
        history = read_history(run)
        with history.genealogy() as connection:
            lineage(connection, history.champion.number)
    return str(caught.value)


def test_no_run(tmp_path: Path) -> None:
    assert "it has no run.json" in _message(tmp_path)


def test_no_generation_yet(run: Path) -> None:
    (run / "events.jsonl").unlink()
    assert "has no generation yet" in _message(run)


@pytest.mark.parametrize(
    "event", [{"event": "generation", "generation": 9}, {"event": "champion", "generation": []}]
)
def test_an_event_that_lacks_something(run: Path, event: dict[str, Any]) -> None:
    append_line(run / "events.jsonl", json.dumps(event))
    assert "events.jsonl is damaged" in _message(run)


def test_a_database_that_is_none(run: Path) -> None:
    (run / "run.db").write_bytes(b"SQLite format 3\0" + b"nonsense" * 100)
    assert "run.db: " in _message(run)
    (run / "run.db").unlink()
    assert "run.db is missing" in _message(run)


def test_a_genealogy_without_the_champion_or_with_a_circle(run: Path) -> None:
    number = read_history(run).champion.number
    with sqlite3.connect(run / "run.db") as connection:
        connection.execute("UPDATE individuals SET parents = ? WHERE number = ?", (f"[{number}]", number))
    assert "has a parent that is not older" in _message(run)
    with sqlite3.connect(run / "run.db") as connection:
        connection.execute("DELETE FROM individuals WHERE number = ?", (number,))
    assert f"has no individual {number}" in _message(run)


def test_a_configuration_of_another_version(run: Path) -> None:
    path = run / "run.json"
    path.write_text(path.read_text().replace('"elites"', '"elite"'))
    with pytest.raises(UsageError, match="elite"):
        read_history(run)
