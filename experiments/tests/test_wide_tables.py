"""The record of fits to wide tables: its criterion and its page."""

import json
from pathlib import Path

from result_pages import results

RECORD = Path(__file__).parents[1] / "data" / "wide-tables.jsonl"
HEAD, *LINES = map(json.loads, RECORD.read_text(encoding="utf-8").splitlines())
CELLS = {tuple(line["key"]): line["cell"] for line in LINES}
PROBLEMS = ("sum", "product")
SEEDS = range(HEAD["seeds"][0], HEAD["seeds"][1] + 1)


def found(name: str, problem: str, column: str) -> int:
    return sum(column in CELLS[name, problem, seed]["right"] for seed in SEEDS)


def test_the_record_is_complete() -> None:
    names = ("before", "after")
    assert set(CELLS) == {(name, problem, seed) for name in names for problem in PROBLEMS for seed in SEEDS}


def test_the_criterion_is_met() -> None:
    assert found("after", "sum", "f7") >= 9


def test_the_page_says_what_the_record_has() -> None:
    page = results("data").text
    told = [found(name, "sum", column) for column in ("f7", "f4000") for name in ("after", "before")]
    assert (
        "it finds f7 with\n{0} seeds and f4000 with {2}; earlier, it found them with {1} and {3}.".format(
            *told
        )
        in page
    )
    told = [found(name, "product", "f7") for name in ("after", "before")]
    assert "gpkit finds f7 with {} seed in ten (earlier, with {}), and never".format(*told) in page
    assert not any(len(CELLS["after", "product", seed]["right"]) == 2 for seed in SEEDS)
