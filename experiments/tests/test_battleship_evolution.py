"""The paper on our evolution of sinking programs: its tables, its race, its committed result."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kernel_marks import compiled_only

from gpkit.evolution.executors import SerialExecutor, executor_for
from gpkit.games.battleship.game import GAME
from gpkit.genomes.linear import LinearProgram
from gpkit.playing.players import program_of_name
from gpkit_experiments.papers.battleship_evolution import paper
from gpkit_experiments.papers.battleship_evolution.neighbourhood import Contest, search
from gpkit_experiments.papers.battleship_evolution.paper import (
    ALPHABETS,
    EFFORTS,
    PAPER,
    PROGRAMS,
    TABLE,
    Effort,
    row_of,
)
from gpkit_experiments.papers.paper import Findings, ignore

pytestmark = compiled_only

TINY = replace(PAPER, efforts={"quick": Effort(stages=(4, 20), finalists=3, games=300)})
CORRECTED = program_of_name("corrected", GAME)


@pytest.fixture(autouse=True, scope="module")
def _one_program_is_enough() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "PROGRAMS", PROGRAMS[1:2])
        yield


@cache
def tiny() -> Findings:
    return TINY.run("quick", 1, SerialExecutor())


def test_workers_do_not_change_the_findings() -> None:
    with executor_for("2") as executor:
        assert TINY.run("quick", 1, executor) == tiny()


def test_every_alphabet_has_its_row() -> None:
    names = [row.quantity.partition(":")[0] for row in tiny().rows]
    assert names == [f"champion, {alphabet}" for alphabet in ALPHABETS]
    assert {row.table for row in tiny().rows} == {TABLE}


def test_the_race_finds_the_line_that_was_taken_out() -> None:
    """The corrected Figure 8 without the line that turns round is mended by one changed line: the verdict fails."""
    *first, sinking = CORRECTED.blocks
    at = sinking.index("OppDir")
    broken = LinearProgram(CORRECTED.names, (*first, (*sinking[:at], *sinking[at + 1 :])))
    found = search(
        broken,
        "bridon",
        Contest((20, 200), seed=1, finalists=10, boards=2_000),
        SerialExecutor(),
        ignore,
    )
    assert found.gain.low > 1.0
    assert "OppDir" in found.best.blocks[2]
    assert found.distinct < found.count
    assert row_of("broken", "bridon", found).verdict("full") == "fails"


def result() -> dict[str, Any]:
    path = Path(__file__).parents[1] / "data" / "paper-battleship-evolution.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def test_the_committed_result_is_of_the_settings_in_use_and_every_row_is_judged() -> None:
    data = result()
    settings = asdict(EFFORTS["full"])
    assert data["settings"] == {**settings, "stages": list(settings["stages"])}
    assert data["command"] == f"gpkit paper battleship-evolution --budget full --seed {data['seed']}"
    assert len(data["rows"]) == len(PROGRAMS) * len(ALPHABETS)
    assert all(row["verdict"] for row in data["rows"])


@pytest.mark.slow
def test_the_committed_result_comes_out_again() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "PROGRAMS", PROGRAMS)
        findings = PAPER.run("full", result()["seed"], SerialExecutor())
    assert json.loads(json.dumps(findings.to_json("full")["rows"])) == result()["rows"]
