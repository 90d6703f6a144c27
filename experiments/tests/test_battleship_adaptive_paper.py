"""The paper on the adaptive player: what it measures, and that its committed result says what is claimed."""

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kernel_marks import compiled_only

from gpkit.evolution.executors import SerialExecutor
from gpkit.games.battleship.waves import parse_wave
from gpkit_experiments.papers.battleship_adaptive.paper import EFFORTS, NOTES, PAPER
from gpkit_experiments.papers.battleship_adaptive.recorded import measure_recorded
from gpkit_experiments.papers.battleship_adaptive.study import Effort, Study
from gpkit_experiments.papers.paper import Findings, ignore

pytestmark = compiled_only

TINY = replace(
    PAPER, efforts={"quick": Effort(fleets=500, runs=1, generations=1, deals=40, draws=2, series=2)}
)


@cache
def tiny() -> Findings:
    return TINY.run("quick", 1, SerialExecutor())


def test_every_claim_has_its_table_and_every_figure_its_file() -> None:
    tables = list(dict.fromkeys(row.table.partition(",")[0] for row in tiny().rows))
    assert tables[:6] == ["Figure 1", "Section III.A", "Section V", "Figure 5", "Section III.B", "Figure 6"]
    files = dict(tiny().files)
    assert {f"figure-{number}.svg" for number in range(1, 7)} <= set(files)
    for name, text in files.items():
        if name.endswith(".svg"):
            root = ElementTree.fromstring(text)  # noqa: S314 - our own text
            assert root.tag.endswith("svg"), name
    waves = {name: parse_wave(text) for name, text in files.items() if name.endswith(".wave")}
    assert {name.removesuffix(".wave") for name in waves} == {"uniform", "corner", "corners", "wall"}
    assert files["densities.csv"].count("\n") == 101


def test_the_same_seed_gives_the_same_waves() -> None:
    again = TINY.run("quick", 1, SerialExecutor())
    assert again == tiny()


def result() -> dict[str, Any]:
    path = Path(__file__).parents[1] / "data" / "paper-battleship-adaptive.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def judged() -> dict[tuple[str, str], str | None]:
    """Verdicts of the committed result by table and row."""
    return {(row["table"], row["quantity"]): row["verdict"] for row in result()["rows"]}


def test_the_committed_result_is_of_the_settings_and_the_records_in_use() -> None:
    data = result()
    assert data["settings"] == asdict(EFFORTS["full"])
    assert data["command"] == "gpkit paper battleship-adaptive --budget full --seed 45101"
    assert data["notes"] == list(NOTES)
    recorded = [row.to_json("full") for row in measure_recorded(tiny_study()).rows]
    stored = data["rows"][-len(recorded) :]
    assert stored == [
        {key: row[key] for key in there}
        for row, there in zip(json.loads(json.dumps(recorded)), stored, strict=True)
    ]


def tiny_study() -> Study:
    """A study that measures next to nothing."""
    return Study(TINY.efforts["quick"], 1, SerialExecutor(), ignore)


def test_verdicts_are_those_that_the_notes_tell() -> None:
    found = judged()
    assert {verdict for (table, _), verdict in found.items() if table == "Figure 5, correlation"} == {None}
    heading = "Section IV, duels that a checkerboard wins against random shots"
    assert found[heading, "neither sinks"] == "fails" and found[heading, "both sink"] == "holds"
    heading = "Section III.A, shots that fleets cost more after games against the same player"
    assert {verdict for (table, _), verdict in found.items() if table == heading} == {"holds"}
    waves = {row["quantity"]: row for row in result()["rows"] if "each component keeps both" in row["table"]}
    measured = [waves[f"generation {generation}"]["measured"] for generation in (0, 5, 20, 50, 300)]
    assert measured == sorted(measured)


@pytest.mark.slow
def test_the_committed_result_comes_out_again() -> None:
    findings = PAPER.run("full", 45_101, SerialExecutor())
    assert json.loads(json.dumps(findings.to_json("full")["rows"])) == result()["rows"]
