"""The record of a function of one's own beside DEAP: its verdicts follow from its runs, and a run can be repeated."""

import json

import pytest

from gpkit_experiments.hypot_with_deap import SEEDS, pair, ratios
from gpkit_experiments.papers.page import DATA

RECORD = json.loads((DATA / "hypot-with-deap.json").read_text(encoding="utf-8"))


def test_the_verdicts_follow_from_the_runs() -> None:
    assert len(RECORD["runs"]) == len(SEEDS)
    assert RECORD["log_error"] == pytest.approx(ratios(RECORD["runs"], 0))
    assert RECORD["log_seconds"] == pytest.approx(ratios(RECORD["runs"], 1))
    assert RECORD["log_error"][2] < 0.0  # no worse than DEAP
    assert RECORD["log_seconds"][2] < 0.0  # and in less time: the criterion holds


@pytest.mark.slow  # another processor may round sines differently, and then search otherwise
def test_a_run_can_be_repeated() -> None:
    assert {name: found[::2] for name, found in pair(SEEDS[0]).items()} == {
        name: pytest.approx(found[::2]) for name, found in RECORD["runs"][0].items()
    }
