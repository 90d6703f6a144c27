"""What the page of results says of formulas and classes, from their records."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from result_pages import results

from gpkit.core.statistics import mean_interval
from gpkit_experiments import classification, fastsrb, fit_quality
from gpkit_experiments.cells import Cells

PAGE = results("data")


def cells_of(path: Path) -> Cells:
    """The cells of a record, whatever tools are here."""
    cells = Cells(None, {})
    for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()[1:]):
        cells.add(tuple(line["key"]), line["cell"])
    return cells


def short(value: float, digits: int = 3) -> str:
    """A number as the page has it."""
    return f"{value:.{digits}f}".replace("0.", ".", 1).replace("-.000", ".000")


CLASSES, FITS = cells_of(classification.RECORD), cells_of(fit_quality.RECORD)


def by_table(ours: str, theirs: str) -> str:
    """The mean difference in accuracy of two systems, and its interval over data sets."""
    pair = (ours, theirs)
    found = mean_interval(
        [classification.difference(CLASSES, name, pair, "test")[0] for name in classification.NAMES]
    )
    return f"{short(found.mean)} ({short(found.low)} to {short(found.high)}"


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ("formulas", "cart-6", "than CART with six leaves (11 nodes) by {}, with data sets as units"),
        ("formulas", "optimal-6", "than optimal trees with six leaves by {})"),
        ("boosting", "formulas", "no difference is shown: {}) in favour of boosting"),
        ("tree-4", "cart-4", "with four no difference is shown: {})."),
        ("tree-6", "cart-6", "trees are more accurate than CART's by {}) with six"),
        ("tree-4", "optimal-4", "Nor is one shown from optimal trees: {}) with four"),
        ("tree-6", "optimal-6", "leaves and {}) with six. Formulas are"),
    ],
)
def test_differences_in_accuracy_count_data_sets(ours: str, theirs: str, said: str) -> None:
    assert said.format(by_table(ours, theirs)) in PAGE


def r_squared(problem: str, system: str) -> Sequence[float]:
    """Test R² by seed."""
    return [FITS.found[problem, seed, system].get("test", 0.0) for seed in fit_quality.SEEDS]


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        ("diabetes", "better with {1} of 30 seeds (median R² {3} against {2})"),
        ("friedman-1", "Friedman-1 ({0} of 30, {2} against {3})"),
        ("pagie-1", "Pagie-1 ({0} of 30, {2} against {3})"),
    ],
)
def test_seeds_and_medians_beside_pyoperon(problem: str, said: str) -> None:
    ours, theirs = (np.array(r_squared(problem, system)) for system in ("gpkit", "pyoperon"))
    digits = 4 if problem == "pagie-1" else 3
    medians = [short(float(np.median(each)), digits) for each in (ours, theirs)]
    assert said.format(int((ours > theirs).sum()), int((ours < theirs).sum()), *medians) in PAGE


def test_equations_that_are_found() -> None:
    found = cells_of(fastsrb.RECORD).found
    counts = []
    for seed in fastsrb.SEEDS:
        cells = [cell for key, cell in found.items() if key[1] == seed]
        counts.append([sum(cell.get(what, False) for cell in cells) for what in ("success", "acceptable")])
        forms, acceptable = (f"{100 * count / len(cells):.1f}%" for count in counts[-1])
        assert f"{forms} and {acceptable} ({seed}, commit" in PAGE
    whole = [f"{100 * sum(each[k] for each in counts) / len(found):.1f}%" for k in (0, 1)]
    assert f"{whole[0]} are found in a listed form and {whole[1]} in an acceptable one" in PAGE
