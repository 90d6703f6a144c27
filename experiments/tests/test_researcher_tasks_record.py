"""The record of `python -m gpkit_experiments.researcher_tasks`: of its seeds and scripts, and on its page."""

import json
from types import SimpleNamespace

import pytest
from result_pages import results

from gpkit_experiments.researcher_tasks import FILE, SEEDS, SIDES, TASKS, area, lines, one, table

RECORD = json.loads(FILE.read_text(encoding="utf-8"))


def test_the_record_is_of_these_seeds_and_scripts() -> None:
    assert RECORD["seeds"] == [SEEDS[0], SEEDS[-1]]
    for name, found in RECORD["tasks"].items():
        assert {side: len(found["runs"][side]) for side in SIDES} == dict.fromkeys(SIDES, len(SEEDS))
        assert found["lines"] == {side: lines(name, side) for side in SIDES}


def test_deap_has_a_script_for_each() -> None:
    assert {name for name in TASKS if lines(name, "deap") > lines(name, "gpkit")} == set(TASKS)
    assert set(RECORD["tasks"]) == set(TASKS)


def test_the_page_tells_the_record() -> None:
    assert table(RECORD) in results("deap").text


def test_a_run_comes_out_again() -> None:
    pytest.importorskip("deap")
    for side in SIDES:
        recorded = RECORD["tasks"]["sine_front"]["runs"][side][0]
        assert one("sine_front", side, SEEDS[0])["result"] == pytest.approx(recorded["result"])


def test_a_front_dominates_an_area() -> None:
    points = (-0.5, -1.0), (-0.25, -21.0), (-0.3, -31.0)
    members = [SimpleNamespace(objectives=each) for each in points]
    run = SimpleNamespace(front=SimpleNamespace(members=members))
    assert area({"run": run}) == pytest.approx((0.5 * 40 + 0.25 * 20) / 40)
