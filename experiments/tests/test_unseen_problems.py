"""Problems that played no part: their rows, values at points worked out by hand, and the verdict over problems."""

import json

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit_experiments.cells import Cells
from gpkit_experiments.signs import median_interval
from gpkit_experiments.unseen_problems import (
    NAMES,
    PROBLEMS,
    RECORD,
    SEEDS,
    Motion,
    Surface,
    differences,
    paths,
    rivals,
    verdict,
)

SIZES = {
    "keijzer-1": (21, 2001),
    "keijzer-4": (201, 201),
    "keijzer-5": (1000, 10_000),
    "keijzer-6": (50, 120),
    "keijzer-7": (100, 991),
    "keijzer-10": (100, 101**2),
    "keijzer-11": (20, 601**2),
    "vladislavleva-1": (100, 45**2),
    "vladislavleva-2": (100, 221),
    "vladislavleva-3": (100 * 6, 221 * 23),
    "vladislavleva-4": (1024, 5000),
    "vladislavleva-6": (30, 306**2),
    "vladislavleva-7": (300, 1000),
    "vladislavleva-8": (50, 34**2),
    "bacres-1": (300, 100),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_rows_are_finite_and_drawn_by_the_seed(name: str) -> None:
    (x, y), (xt, yt) = PROBLEMS[name].samples(stream(1, name))
    again = PROBLEMS[name].samples(stream(1, name))[0][1]
    assert np.isfinite(x).all()
    assert np.isfinite(yt).all()
    assert y.tolist() == again.tolist()
    assert (len(y), len(yt)) == SIZES.get(name, (len(x), len(xt)))


def test_there_are_thirty() -> None:
    assert len(PROBLEMS) == 30


@pytest.mark.parametrize(
    ("name", "point", "value"),
    [
        ("keijzer-1", [0.25], 0.075),
        ("keijzer-5", [1, 1, 1], -30 / 9),
        ("keijzer-6", [3], 11 / 6),
        ("keijzer-9", [0], 0),
        ("keijzer-12", [2, 2], 8),
        ("keijzer-15", [1, 2], 1.2),
        ("vladislavleva-1", [1, 2.5], 1 / 1.2),
        ("vladislavleva-4", [3, 3, 3, 3, 3], 2),
        ("vladislavleva-7", [4, 4], 1),
        ("vladislavleva-8", [3, 4], 0),
    ],
)
def test_values_at_points(name: str, point: list[float], value: float) -> None:
    problem = PROBLEMS[name]
    assert isinstance(problem, Surface)
    assert problem.function(*np.array([point], dtype=float).T) == pytest.approx(value)


def test_slopes_are_those_of_the_paths() -> None:
    for problem in PROBLEMS.values():
        if isinstance(problem, Motion):
            start = np.array([problem.start(0, stream(5, "start"))], dtype=float).T
            states = paths(problem.slopes, start)
            middle = (states[2:] - states[:-2]) / 0.2
            slopes = problem.slopes(states[1:-1].T).T
            assert np.abs(middle[20:] - slopes[20:]).max() < 0.1 * np.abs(slopes[20:]).max()
    assert paths(rivals, np.array([[2.0], [0.0]]))[-1] == pytest.approx([3, 0], abs=1e-3)  # without sheep


@pytest.mark.parametrize(("lead", "words"), [(0.0, "is met"), (-0.01, "is not met"), (0.01, "is met")])
def test_the_verdict_can_fail(lead: float, words: str) -> None:
    rows = Cells(None, {})
    for problem in PROBLEMS:
        for seed in SEEDS:
            for name in NAMES:
                rows.add(
                    (problem, seed, name), {"test": 0.9 + (lead if name == "gpkit" else 0.0), "cpu": 8.0}
                )
    line = verdict(rows, "pyoperon")
    assert words in line
    assert ("better on 30" in line) == (lead > 0)
    assert ("worse on 30" in line) == (lead < 0)


ROWS = Cells(None, {})
for line in map(json.loads, RECORD.read_text(encoding="utf-8").splitlines()[1:]):
    ROWS.add(tuple(line["key"]), line["cell"])

PAGE = " ".join((RECORD.parents[1] / "README.md").read_text(encoding="utf-8").split())


def middle(problem: str, system: str) -> float:
    """The median test R² over the seeds."""
    return float(np.median([ROWS.found[problem, seed, system].get("test", 0.0) for seed in SEEDS]))


def test_the_record_is_complete_and_of_the_problems_and_seeds() -> None:
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
    assert f"is met (.0000, {low:.4f} to {high:.4f})".replace("0.", ".") in PAGE
    against = [median_interval(differences(ROWS, each, "gplearn")) for each in PROBLEMS]
    assert sum(high < 0.0 for _, _, high in against) == 0
    assert f"Against gplearn gpkit is better on {sum(low > 0.0 for _, low, _ in against)} problems" in PAGE
    for problem in ("vladislavleva-8", "vladislavleva-3", "keijzer-10"):
        pair = " against ".join(f"{middle(problem, name):.3f}".lstrip("0") for name in NAMES[:2])
        assert pair.replace("1.000", "1.00") in PAGE
