"""Error of formulas at equal CPU time: one tiny cell, the table, and the verdict by the floor."""

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit_experiments.cells import Cells
from gpkit_experiments.fit_quality import PROBLEMS, SEEDS, cell, r_squared, table, verdict


def test_a_tiny_cell_beats_the_mean() -> None:
    pytest.importorskip("sklearn")
    found = cell("i.12.2", 1, "gpkit", 0.2)
    assert 0.0 < found["train"] <= 1.0
    assert found["test"] > 0.0
    assert found["cpu"] >= 0.1


@pytest.mark.parametrize("problem", PROBLEMS)
def test_problems_have_as_many_rows_as_they_say(problem: str) -> None:
    pytest.importorskip("sklearn")
    make, learned, tested = PROBLEMS[problem]
    x, y = make(learned + tested, stream(1, "test"))
    assert len(x) == len(y) == learned + tested
    assert np.isfinite(x).all()
    assert np.isfinite(y).all()
    assert make(5, stream(2, "test"))[1].tolist() == make(5, stream(2, "test"))[1].tolist()


def test_where_a_prediction_is_no_number_the_mean_stands() -> None:
    targets = np.array([1.0, 2.0, 3.0])
    assert r_squared(targets, [np.nan, np.inf, np.nan]) == 0.0
    assert r_squared(targets, [1.0, np.nan, 3.0]) == 1.0


def filled(difference: float) -> Cells:
    cells = Cells(None, {})
    for place, seed in enumerate(SEEDS):
        cells.add(
            ("pagie-1", seed, "gpkit"), {"test": 0.9 + difference + 0.0001 * (place % 5 - 2), "cpu": 8.0}
        )
        cells.add(("pagie-1", seed, "pyoperon"), {"test": 0.9, "cpu": 8.0})
    return cells


def test_the_verdict_is_by_the_lower_end() -> None:
    assert verdict(filled(-0.0048), "pagie-1", "pyoperon")["holds"]
    assert not verdict(filled(-0.0052), "pagie-1", "pyoperon")["holds"]
    assert "pagie-1: pyoperon -0.0052 [-0.0053, -0.0051] fails on 30 seeds" in table(
        filled(-0.0052), ["gpkit", "pyoperon"]
    )


def test_a_failure_counts_as_the_mean() -> None:
    cells = filled(0.0)
    cells.add(("pagie-1", SEEDS[0], "gpkit"), {"error": "Killed"})
    assert verdict(cells, "pagie-1", "pyoperon")["seeds"] == 30
    assert "1 of them failed" in table(cells, ["gpkit", "pyoperon"])


def test_the_table_is_that_of_a_study() -> None:
    lines = table(filled(-0.0052), ["gpkit", "pyoperon", "gplearn"]).splitlines()
    assert lines[0].split()[:3] == ["problem", "configuration", "runs"]
    assert lines[1].split()[:3] == ["pagie-1", "gpkit", "30"]
    assert any(
        line.split()[:3] == ["pagie-1", "gpkit", "pyoperon"] and line.endswith("pyoperon") for line in lines
    )
