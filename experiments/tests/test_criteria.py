"""``data/criteria.json``: the commits of criterion and values of every judged row, in the order that is told."""

import json
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from result_pages import Page

from gpkit_experiments import verdicts
from gpkit_experiments.papers.page import (
    CANNOT_TELL,
    DATA,
    DESCRIPTION,
    controls_of,
    judged_of,
    record_of,
)
from gpkit_experiments.papers.registry import PAPERS

ROOT = Path(__file__).parents[2]
CRITERIA: dict[str, Any] = json.loads((DATA / "criteria.json").read_text(encoding="utf-8"))["papers"]
NAMES = [entry.name for entry in PAPERS]

KNOWN = {
    "before the values": lambda criterion, values: criterion < values,
    "when some of the values were known": lambda criterion, values: criterion < values,
    "with the values": lambda criterion, values: criterion == values,
    "when the values were known": lambda criterion, values: criterion > values,
}


def orders() -> Counter[str]:
    """How many judged rows have their criterion when."""
    found: Counter[str] = Counter()
    for name in NAMES:
        orders = {
            (each["table"], quantity): each["order"]
            for each in CRITERIA[name]["rows"]
            for quantity in each["quantities"]
        }
        found.update(orders[row["table"], row["quantity"]] for row in record_of(name)["rows"] if row["claim"])
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_judged_row_is_dated_once(name: str) -> None:
    judged = {(row["table"], row["quantity"]) for row in record_of(name)["rows"] if row["claim"]}
    dated = [(each["table"], quantity) for each in CRITERIA[name]["rows"] for quantity in each["quantities"]]
    assert len(dated) == len(set(dated))
    assert set(dated) == judged


@pytest.mark.parametrize("name", NAMES)
def test_a_description_holds_and_has_no_control(name: str) -> None:
    verdicts = {(row.table, row.quantity): row.verdict("full") for row in judged_of(name)}
    controls = {
        (made["table"], made["quantity"]) for made in controls_of(name).get("controls", ()) if made["off"]
    }
    for table, quantities in CRITERIA[name]["descriptions"].items():
        for quantity in quantities:
            assert verdicts[table, quantity] == "holds"
            assert (table, quantity) not in controls


@cache
def places() -> dict[str, int]:
    """The place of every commit in the history, by its first eight digits; empty where there is none."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return {}
    words = [git, "-C", str(ROOT), "log", "--topo-order", "--reverse", "--format=%H"]
    told = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    return {commit[:8]: place for place, commit in enumerate(told.split())}


@pytest.mark.parametrize("name", NAMES)
def test_commits_are_in_the_order_that_is_told(name: str) -> None:
    there = places()
    if "7238ac1a" not in there:
        pytest.skip("the history is not there, or not whole")
    rows = [each for each in CRITERIA[name]["rows"] if {each["criterion"], each["values"]} <= there.keys()]
    assert len(rows) > len(CRITERIA[name]["rows"]) / 2, "a history that was written anew has other commits"
    for each in rows:
        assert KNOWN[each["order"]](there[each["criterion"]], there[each["values"]]), each


def test_the_table_of_verdicts_begins_with_those_that_turned(capsys: pytest.CaptureFixture[str]) -> None:
    verdicts.main()
    told = capsys.readouterr().out.splitlines()
    rows = [line.strip("| ").split(" | ") for line in told if line.startswith("| ")][2:]
    words = {"holds", "fails", "open", DESCRIPTION, CANNOT_TELL}
    assert {row[-1] for row in rows} == words
    assert len(rows) == sum(orders().values())
    turned = [row[-1].split()[0] != row[-2] for row in rows]
    assert turned == sorted(turned, reverse=True)
    counted = Counter(f"- {row[-2]}, now {row[-1]}" for row in rows)
    assert {f"{words}: {count}" for words, count in counted.items()} == set(told[: len(counted)])
    assert f"{sum(turned)} verdicts turned" in Page("experiments/README.md")


def test_pages_say_how_many_criteria_stood_before_their_values() -> None:
    count = orders()
    page, readme = Page("docs/explanation/papers.md"), Page("experiments/README.md")
    before, some = count["before the values"], count["when some of the values were known"]
    rows = sum(count.values())
    assert f"In {before} of the {rows} rows; in {some} some were known; in {rows - before - some} all" in page
    assert f"Of the {rows} rows that are judged today {before} had" in readme
