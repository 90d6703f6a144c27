"""The record of thirty problems that played no part in the search, and what the page says of it."""

import json
from pathlib import Path

import numpy as np
from result_pages import results

from gpkit.core.statistics import median_interval
from gpkit_experiments.cells import Cells
from gpkit_experiments.fit_quality import FLOOR, differences

RECORD = Path(__file__).parents[1] / "data" / "unseen-problems.jsonl"
HEAD, *LINES = map(json.loads, RECORD.read_text(encoding="utf-8").splitlines())
NAMES = ("gpkit", "pyoperon", "gplearn")
SEEDS = range(HEAD["seeds"][0], HEAD["seeds"][1] + 1)

ROWS = Cells(None, {})
for line in LINES:
    ROWS.add(tuple(line["key"]), line["cell"])

PROBLEMS = tuple(dict.fromkeys(key[0] for key in ROWS.found))

PAGE = results("data")


def middle(problem: str, system: str) -> float:
    """The median test R² over the seeds."""
    return float(np.median([ROWS.found[problem, seed, system].get("test", 0.0) for seed in SEEDS]))


def test_the_record_is_complete_and_names_the_commit_of_its_script() -> None:
    assert len(PROBLEMS) == 30
    assert HEAD["command"].endswith("unseen_problems of commit 1f064c82")
    assert set(ROWS.found) == {
        (problem, seed, name) for problem in PROBLEMS for seed in SEEDS for name in NAMES
    }


def test_the_page_says_what_the_record_has() -> None:
    ours, operon, gplearn = (sum(middle(each, name) > 0.999 for each in PROBLEMS) for name in NAMES)
    solved = (
        f"above .999 on {operon} of the thirty for pyoperon, on {ours} for gpkit and on {gplearn} for gplearn"
    )
    assert solved in PAGE
    ends = [median_interval(differences(ROWS, each, "pyoperon")) for each in PROBLEMS]
    assert sum(low > 0.001 for _, low, _ in ends) == 0
    behind = sum(high < -0.001 for _, _, high in ends)
    assert f"On {behind} problems the interval of the median difference says that pyoperon is better" in PAGE
    _, low, high = median_interval([each[0] for each in ends])
    assert low >= FLOOR
    assert f"is met (.0000, {low:.4f} to {high:.4f})".replace("0.", ".") in PAGE
    against = [median_interval(differences(ROWS, each, "gplearn")) for each in PROBLEMS]
    assert sum(high < 0.0 for _, _, high in against) == 0
    assert f"Against gplearn gpkit is better on {sum(low > 0.0 for _, low, _ in against)} problems" in PAGE
    for problem in ("vladislavleva-8", "vladislavleva-3", "keijzer-10"):
        pair = " against ".join(f"{middle(problem, name):.3f}".lstrip("0") for name in NAMES[:2])
        assert pair.replace("1.000", "1.00") in PAGE
