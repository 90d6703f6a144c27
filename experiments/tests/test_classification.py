"""Accuracy of readable classifiers: one tiny cell, data sets that are the same each time, and the table."""

import numpy as np
import pytest

from gpkit_experiments import classification
from gpkit_experiments.cells import Cells

pytest.importorskip("sklearn")


@pytest.mark.parametrize("name", classification.NAMES)
def test_rows_are_those_of_the_place(name: str) -> None:
    x, labels, learned = classification.rows_of(name, 3)
    assert len(x) == len(labels) == len(learned)
    assert 2 <= len(np.unique(labels[learned])) <= 10
    if name in classification.DRAWN:
        assert learned.sum() == classification.LEARNED
    again = classification.rows_of(name, 3)
    assert np.array_equal(x, again[0])
    assert np.array_equal(learned, again[2])
    assert not np.array_equal(learned, classification.rows_of(name, 4)[2])


def test_a_tiny_cell_is_better_than_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = {name: classification.SYSTEMS[name] for name in ("tree-4", "cart-4")}
    monkeypatch.setattr(classification, "KINDS", {"others": tuple(quick)})
    found = classification.cell("iris", 0, "others")
    assert set(found) == set(quick)
    for each in found.values():
        assert 0.5 < each["test"] <= 1.0
        assert 0.5 < each["train"] <= 1.0


def test_the_table_tells_differences_and_what_they_detect() -> None:
    cells = Cells(None, {})
    for place in range(20):
        for name in classification.NAMES:
            for kind, systems in classification.KINDS.items():
                tests = {one: 0.9 + 0.02 * one.startswith("tree") + 0.001 * (place % 3) for one in systems}
                found = {one: {"test": test, "train": 0.9, "cpu": 1.0} for one, test in tests.items()}
                cells.add((name, place, kind), found)
    printed = classification.table(cells)
    assert "test: tree-4 minus cart-4" in printed
    assert "+0.0200 [+0.0200, +0.0200]" in printed
    assert "power for 0.01: True" in printed
    assert f"400 of {len(classification.keys())} cells" in printed
    assert len(set(classification.keys())) == 600
