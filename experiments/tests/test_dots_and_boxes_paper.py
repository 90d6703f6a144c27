"""The paper on the accessibility learner: every row is there, the runs differ as they should, files can be used."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from result_pages import results
from rule_rates import result_of

from gpkit.evolution.executors import SerialExecutor
from gpkit.games.dots_and_boxes.learner import folder, learner
from gpkit.games.dots_and_boxes.learning import PRESETS, Config, config_from_data
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit.languages.rulegraph.text import parse
from gpkit_experiments import learning_runs
from gpkit_experiments.papers.dots_and_boxes import paper as module
from gpkit_experiments.papers.dots_and_boxes import runs as run_module
from gpkit_experiments.papers.dots_and_boxes.further_rows import SOURCE, in_order_of, online
from gpkit_experiments.papers.dots_and_boxes.paper import BEYOND, EFFORTS, NOTES, PAPER, Effort, findings_of
from gpkit_experiments.papers.dots_and_boxes.runs import (
    CHOSEN,
    OURS,
    PARTS,
    RATES,
    READINGS,
    SWEEP,
    TRIALS,
    Item,
    completes,
    record_of,
    run_of,
    runs,
)

ROOT = Path(__file__).parents[2]
PAGE = results("dots-and-boxes")


def test_parts_differ_from_ours_and_from_each_other() -> None:
    configs = [OURS, *PARTS.values(), *READINGS.values(), *SWEEP.values()]
    assert all(one != other for k, one in enumerate(configs) for other in configs[:k])


@pytest.fixture
def small_board(monkeypatch: pytest.MonkeyPatch) -> DotsAndBoxesRules:
    """The board on which everybody learns and is measured: 2x2 boxes, whose classes take no time."""
    board = DotsAndBoxesRules(2, 2)
    for each in (learner, folder):
        monkeypatch.setattr(each, "RULES", board)
    return board


def test_all_rows_and_files(monkeypatch: pytest.MonkeyPatch, small_board: DotsAndBoxesRules) -> None:
    tiny = Effort(
        games=10,
        short_games=10,
        source_runs=2,
        ablation_runs=1,
        our_runs=2,
        other_runs=1,
        trial_games=10,
        part_games=10,
        part_runs=1,
        pairs=2,
        further_runs=2,
        literal_runs=2,
        begin_runs=2,
    )
    monkeypatch.setitem(module.EFFORTS, "quick", tiny)  # type: ignore[attr-defined]
    monkeypatch.setattr(run_module, "STRONGER", "safe")
    few = (TRIALS[0], TRIALS[-1])
    for each in (module, run_module):
        monkeypatch.setattr(each, "TRIALS", few)
    monkeypatch.setattr(module, "READINGS", {CHOSEN: READINGS[CHOSEN]})
    findings = PAPER.run("quick", 3, SerialExecutor())
    tables = {row.table for row in findings.rows}
    assert len(tables) == 36
    greedy = {row.quantity for row in findings.rows if row.table == "Exact win rate of the greedy player"}
    assert greedy == set(SOURCE)
    assert {CHOSEN, *PARTS, *SWEEP} < {row.quantity for row in findings.rows}
    courses = json.loads(findings.files["curves.json"])
    assert [one["seed"] for one in courses["ours"]] == [3001, 3002]
    assert findings.files["curves.svg"].startswith("<svg")
    rate = result_of(parse(findings.files["ours.rules"]).program, OURS.opponent, small_board).mean
    assert rate == pytest.approx(courses["ours"][0]["points"][-1]["greedy"], abs=1e-12)
    assert findings.settings["runs"]["ours"]["reward"]["measure"] == "advantage"


@pytest.mark.usefixtures("small_board")
def test_runs_are_those_of_their_seeds() -> None:
    config = replace(PRESETS["constant"], games=40)
    items = [Item(replace(config, seed=seed)) for seed in (5, 6)]
    both = runs(items, SerialExecutor())
    again = runs(items[1:], SerialExecutor())
    assert both[1] == again[0]
    assert both[0].points != both[1].points


def test_runs_are_kept_and_come_back(small_board: DotsAndBoxesRules) -> None:
    (found,) = runs([Item(replace(PRESETS["constant"], games=40, seed=5))], SerialExecutor())
    kept = json.loads(json.dumps(record_of(found)))
    back = run_of(kept, found.config)
    assert record_of(back) == kept
    assert back.habits == found.habits
    assert [point.games for point in back.points] == [point.games for point in found.points]


def test_shares_of_pairs_in_order() -> None:
    assert in_order_of([0.1, 0.2, 0.3]) == 1.0
    assert in_order_of([0.3, 0.3]) == 0.5
    assert in_order_of([0.3, 0.2]) == 0.0


def test_rules_that_complete_a_box() -> None:
    rules = [named.rule for named in parse("x_0 n => x_0 - n\nl_0(1) w w => l_0 - w\n").program.rules]
    assert [completes(rule) for rule in rules] == [True, False]


def test_recorded_paper_is_made_of_the_runs_that_are_kept() -> None:
    """``data/paper-dots-and-boxes.json``: rows of the source from kept runs, and what is still to be made."""
    report = json.loads(
        (ROOT / "experiments" / "data" / "paper-dots-and-boxes.json").read_text(encoding="utf-8")
    )
    settings, there = report["settings"], learning_runs.results()
    assert {name: settings[name] for name in asdict(EFFORTS["full"])} == asdict(EFFORTS["full"])
    recorded = {**settings["runs"], **settings["readings"], **settings["parts"], **settings["sweep"]}
    configs = {**{name: PRESETS[name] for name in (*SOURCE, *BEYOND)}, **READINGS, **PARTS, **SWEEP}
    assert {name: config_from_data(data, Config()) for name, data in recorded.items()} == configs
    assert report["missing"] == learning_runs.missing(there)
    rows = [row for row in report["rows"] if "seed" not in row]
    assert rows == json.loads(json.dumps([row.to_json("full") for row in findings_of("full", there).rows]))
    assert report["notes"] == list(NOTES)


def test_parents_that_acted_learn_more_than_parents_of_all_rules() -> None:
    """At constant beta and every rate of which there are runs of the same seeds, in the mean over these."""
    there, compared = learning_runs.results(), 0
    for rate in RATES:
        niche, population = (
            {one.config.seed: online(one) for one in there[f"{parents}, rate {rate:g}, constant"]}
            for parents in ("niche", "population")
        )
        seeds = sorted({*niche} & {*population})
        compared += len(seeds)
        assert sum(niche[seed] - population[seed] for seed in seeds) > 0 or not seeds
    assert compared


def test_recorded_paper_says_what_is_claimed_of_ours() -> None:
    report = json.loads(
        (ROOT / "experiments" / "data" / "paper-dots-and-boxes.json").read_text(encoding="utf-8")
    )
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
    larger = [by_quantity[f"memoriser on {board}"] for board in ("4x4", "5x5")]
    rate = f"{beyond['memoriser against chain']:.3f}"
    told = f"wins {rate} after a million games, but only {larger[0]:.2f} and {larger[1]:.2f} on 4x4 and 5x5 boxes"
    assert told in PAGE


def recorded_row(*words: str) -> dict[str, Any]:
    """The one row of the record that has these words in its heading and its quantity."""
    path = ROOT / "experiments" / "data" / "paper-dots-and-boxes.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    (found,) = [row for row in rows if all(word in f"{row['table']} / {row['quantity']}" for word in words)]
    return dict(found)


def told(row: Mapping[str, Any], digits: int = 3) -> str:
    """The mean of a row with its interval, as the page has it."""
    low, high = row["ci95"]
    return f"{row['measured']:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def test_the_page_says_what_was_found_of_the_source() -> None:
    apart = recorded_row("after 100,000 games / constant less quality-only, share of wins")
    steady = recorded_row("after 100,000 games / constant less quality-only, distance")
    low, high = steady["ci95"]
    assert (
        f"Over {apart['units']} pairs of runs of 100,000 games on the same seeds, learning with a separate f wins "
        f"{told(apart)} more than with deletion by Q alone, and a run lies {-steady['measured']:.3f} "
        f"({-high:.3f} to {-low:.3f}) nearer to the median of its kind." in PAGE
    )
    there = learning_runs.results()
    shares = np.array(
        [[online(one) for one in there[name]] for name in ("f apart from Q", "f apart from Q: deletion by Q")]
    )
    others = shares[:, shares[1] >= 0.25]
    more = int((shares[0] > shares[1]).sum())
    assert (shares.shape[1] - others.shape[1], int((others[1] > others[0]).sum())) == (9, 8)
    assert f"But the separate f wins more in only {more} of the {shares.shape[1]} pairs" in PAGE
    medians = "{1:.3f} and {0:.3f}".format(*np.median(others, axis=1))
    assert f"win more than their counterparts with a separate f (medians of these nine: {medians})" in PAGE
    assert shares[0].min() > 0.25, "runs with a separate f do not collapse"
    longer = recorded_row("after 1,000,000 games / constant less quality-only, in size")
    pairs = recorded_row("after 1,000,000 games / constant less quality-only, pairs")
    assert f"After 1,000,000 games, in five pairs, it wins {told(longer)} more" in PAGE
    assert (
        f"detecting a difference of 0.029 four times in five would take {pairs['measured']:.0f} pairs."
        in PAGE
    )
    ends = [recorded_row("while learning, at the end / " + name)["measured"] for name in SCHEDULES_IN_ORDER]
    assert f"here they end at {ends[0]:.3f}, {ends[1]:.3f} and {ends[2]:.3f}." in PAGE
    assert ends[2] > ends[0] > ends[1], "as a note says"
    ordered = recorded_row("seeds on which rising-20 wins more than constant")
    assert ordered["measured"] * ordered["units"] == pytest.approx(2)
    assert "2 of 10 seeds have the source's order" in PAGE
    literal = [recorded_row("after 100,000 games / " + name + ", share") for name in SCHEDULES_IN_ORDER]
    means = ", ".join(f"{row['measured']:.2f}" for row in literal)
    assert f"the three win {means} after 100,000 games" in PAGE
    longer = [recorded_row("after 1,000,000 games / " + name + ", share") for name in SCHEDULES_IN_ORDER]
    means = ", ".join(f"{row['measured']:.2f}" for row in longer)
    assert f"games, and {means} in " in PAGE


def test_the_page_says_what_the_source_builds_on() -> None:
    coverage = [row["measured"] for row in rows_of("Coverage: exact win rate")]
    assert f"win {coverage[1]:.2f} of the games instead of {coverage[0]:.2f}" in PAGE
    (order,) = rows_of("Precedence by Q")
    assert f"the same rules win {told(order)} more when each is moved to where it gains most" in PAGE
    ranks = [row["measured"] for head in ("Accessibility, rank", "Quality beside") for row in rows_of(head)]
    assert f"(a rank correlation of {ranks[0]:.2f})" in PAGE
    assert (
        f"closely for rules that act often ({ranks[3]:.2f}) than for those that act seldom ({ranks[2]:.2f})"
        in PAGE
    )


def rows_of(table: str) -> list[dict[str, Any]]:
    """The rows of the record under headings that begin so."""
    path = ROOT / "experiments" / "data" / "paper-dots-and-boxes.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return [row for row in rows if row["table"].startswith(table)]


def test_the_page_says_what_the_table_is_worth() -> None:
    row = recorded_row("emptied less kept")
    assert (
        f"`ours` with its table cleared after every ten games, and nothing else changed, wins {-row['measured']:.2f} "
        f"less on the same {row['units']} seeds" in PAGE
    )


SCHEDULES_IN_ORDER = ("rising-20", "constant", "rising-10")
