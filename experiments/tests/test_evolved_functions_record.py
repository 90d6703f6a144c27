"""The record of functions that evolve: its differences follow from its scores, and a run can be repeated."""

import json

import pytest

from gpkit.core.statistics import paired_difference
from gpkit_experiments.evolved_functions import SEEDS, SIDES, TASKS, best
from gpkit_experiments.papers.page import DATA

RECORD = json.loads((DATA / "evolved-functions.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("task", [each.__name__ for each in TASKS])
def test_the_differences_follow_from_the_scores(task: str) -> None:
    runs = RECORD[task]
    assert len(runs["with"]) == len(runs["without"]) == len(SEEDS)
    gain = paired_difference(runs["with"], runs["without"])
    assert runs["difference"] == pytest.approx([gain.mean, gain.low, gain.high])
    assert gain.high < 0.0  # functions make both tasks worse


@pytest.mark.slow  # another processor may round sines differently, and then search otherwise
def test_a_run_can_be_repeated() -> None:
    task = next(iter(TASKS))
    again = {side: best(task, count, SEEDS[0]) for side, count in SIDES.items()}
    assert again == pytest.approx({side: RECORD[task.__name__][side][0] for side in SIDES})
