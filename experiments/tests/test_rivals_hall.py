"""The record of runs with a hall of former champions and without it."""

import json

import pytest

from gpkit_experiments.papers.page import DATA
from gpkit_experiments.rivals_hall import SEEDS, difference, smaller_numbers


def test_the_difference_follows_from_the_values() -> None:
    record = json.loads((DATA / "rivals-hall.json").read_text(encoding="utf-8"))
    assert {name: len(pairs) for name, pairs in record["values"].items()} == {"population": 30, "both": 30}
    assert difference(record["values"]) == pytest.approx(record["difference"])
    assert record["difference"][1] < 0 < record["difference"][2]  # the criterion is not met


@pytest.mark.slow
def test_a_run_comes_out_again() -> None:
    record = json.loads((DATA / "rivals-hall.json").read_text(encoding="utf-8"))
    assert smaller_numbers("both", SEEDS[4]) == record["values"]["both"][4]
