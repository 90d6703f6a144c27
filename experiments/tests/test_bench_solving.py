"""Both sides of the benchmark of perfect play have the same values."""

import numpy as np

from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit_experiments.bench.measure import Session
from gpkit_experiments.bench.solving import by_recursion, by_search, by_table, measure


def test_table_recursion_and_search_agree() -> None:
    for rules in (DotsAndBoxesRules(1, 1), DotsAndBoxesRules(2, 1)):
        values = by_table(rules)
        assert np.array_equal(values, by_recursion(rules))
        assert by_search(rules) == values[0]


def test_the_table_is_measured_in_seconds() -> None:
    now = iter(range(1000))
    told: list[str] = []

    def launch(arguments: object, cold: bool) -> tuple[float, float]:
        raise AssertionError("no process is measured")

    outcome = measure(
        Session(
            quick=True, clock=lambda: float(next(now)), launch=launch, watch=told.append, wall=lambda: 0.0
        )
    )
    assert "the 2^17 positions of 3x2 boxes" in outcome.task
    assert len(told) == 1
    table, positions, *_ = outcome.measures
    assert (table.name, table.unit, table.median, str(table.target)) == ("table", "seconds", 1.0, "at most 5")
    assert positions.median == 2**17
