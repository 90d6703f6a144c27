"""The paper on the accessibility learner: every row is there, the runs differ as they should, files can be used."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from rule_rates import result_of

from gpkit.evolution.executors import SerialExecutor
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.languages.rulegraph.parser import parse
from gpkit.learners.dots_and_boxes import exact, learner
from gpkit.learners.dots_and_boxes.config import Config, config_from_data
from gpkit.learners.dots_and_boxes.presets import PRESETS
from gpkit.papers.dots_and_boxes import paper as module
from gpkit.papers.dots_and_boxes import runs as run_module
from gpkit.papers.dots_and_boxes.paper import BEYOND, EFFORTS, PAPER, SOURCE, Effort
from gpkit.papers.dots_and_boxes.runs import CONSTANT, LARGER, OURS, PARTS, SWEEP, runs

ROOT = Path(__file__).parents[2]
PAGE = " ".join((ROOT / "docs" / "how-to" / "dots-and-boxes.md").read_text(encoding="utf-8").split())


def test_parts_differ_from_ours_and_from_each_other() -> None:
    configs = [OURS, *PARTS.values(), CONSTANT, *SWEEP.values()]
    assert all(one != other for k, one in enumerate(configs) for other in configs[:k])


@pytest.fixture
def small_board(monkeypatch: pytest.MonkeyPatch) -> Rules:
    """The board on which everybody learns and is measured: 2x2 boxes, whose classes take no time."""
    board = Rules(2, 2)
    for each in (learner, exact):
        monkeypatch.setattr(each, "RULES", board)
    return board


def test_all_rows_and_files(monkeypatch: pytest.MonkeyPatch, small_board: Rules) -> None:
    tiny = Effort(
        games=10,
        short_games=10,
        source_runs=1,
        our_runs=2,
        other_runs=1,
        larger_games=10,
        part_games=10,
        part_runs=1,
    )
    monkeypatch.setitem(module.EFFORTS, "quick", tiny)  # type: ignore[attr-defined]
    monkeypatch.setattr(run_module, "STRONGER", "safe")
    findings = PAPER.run("quick", 3, SerialExecutor())
    tables = {row.table for row in findings.rows}
    assert len(tables) == 9
    greedy = {row.quantity for row in findings.rows if row.table.startswith("Exact")}
    assert greedy == set(SOURCE)
    assert {*PARTS, *SWEEP} < {row.quantity for row in findings.rows}
    curves = json.loads(findings.files["curves.json"])
    assert [one["seed"] for one in curves["ours"]] == [3001, 3002]
    assert findings.files["curves.svg"].startswith("<svg")
    rate = result_of(parse(findings.files["ours.rules"]).program, OURS.opponent, small_board).rate
    assert rate == pytest.approx(curves["ours"][0]["points"][-1]["greedy"], abs=1e-12)
    assert findings.settings["runs"]["ours"]["reward"]["measure"] == "advantage"


@pytest.mark.usefixtures("small_board")
def test_runs_are_those_of_their_seeds() -> None:
    both = runs(PRESETS["constant"], 40, (5, 6), SerialExecutor())
    again = runs(PRESETS["constant"], 40, (6,), SerialExecutor())
    assert both[1] == again[0]
    assert both[0].points != both[1].points


def test_recorded_paper_says_what_is_claimed() -> None:
    """``tests/data/paper-dots-and-boxes.json``: the runs of the source do not reach what it says, ours go beyond it."""
    path = ROOT / "tests" / "data" / "paper-dots-and-boxes.json"
    report = json.loads(path.read_text(encoding="utf-8"))
    assert report["command"] == "gpkit paper dots-and-boxes --budget full --seed 1"
    settings = report["settings"]
    assert {name: settings[name] for name in asdict(EFFORTS["full"])} == asdict(EFFORTS["full"])
    recorded = {**settings["runs"], **settings["parts"], **settings["sweep"]}
    configs = {**{name: PRESETS[name] for name in (*SOURCE, *BEYOND)}, **PARTS, **SWEEP}
    assert {name: config_from_data(data, Config()) for name, data in recorded.items()} == configs
    measured = {(row["table"].split(":")[0], row["quantity"]): row["measured"] for row in report["rows"]}
    beyond = {
        quantity: value for (table, quantity), value in measured.items() if table == "Beyond the source"
    }
    assert beyond["ours against chain"] >= 0.65
    assert beyond["ours, its worst run"] >= 0.55
    assert beyond["ours against chain+ex12"] >= 0.45
    assert beyond["ours after 100,000 games"] >= 0.50
    assert beyond["memoriser against chain"] < beyond["ours, its worst run"]
    by_quantity = {quantity: value for (_, quantity), value in measured.items()}
    larger = [by_quantity[f"memoriser on {board}"] for board in LARGER]
    rate = f"{beyond['memoriser against chain']:.3f}"
    told = f"wins {rate} after a million games, and there {larger[0]:.2f} and {larger[1]:.2f}"
    assert told in PAGE
    assert settings["games"] == 1_000_000
    assert measured["Exact win rate of the greedy player", "constant"] < 0.40
