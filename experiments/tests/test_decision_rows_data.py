"""``experiments/data/decision-rows.json`` is of the script beside it, and says what the page on decision trees says."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpkit_experiments import decision_rows

ROOT = Path(__file__).parents[2]
RECORDED: dict[str, Any] = json.loads((ROOT / "experiments" / "data" / "decision-rows.json").read_text())
PAGE = " ".join((ROOT / "docs" / "how-to" / "decision-trees.md").read_text(encoding="utf-8").split())


def test_the_table_is_of_the_script() -> None:
    assert RECORDED["command"] == decision_rows.COMMAND
    assert RECORDED["seed"] == decision_rows.SEED
    assert RECORDED["evolution"] == {
        "size": decision_rows.SIZE,
        "generations": decision_rows.GENERATIONS,
        "operators": dict(decision_rows.SHARES),
    }
    assert tuple(RECORDED["data"]) == decision_rows.DATA
    for found in RECORDED["data"].values():
        assert tuple(map(int, found["by_leaves"])) == decision_rows.LEAVES
        for most, both in found["by_leaves"].items():
            assert max(both[kind]["leaves"] for kind in ("evolved", "cart")) <= int(most)


def test_neither_is_shown_better_but_cart_fits_closer_and_sooner() -> None:
    cells = [both for found in RECORDED["data"].values() for both in found["by_leaves"].values()]
    for both in cells:
        assert both["evolved_minus_cart"]["low"] < 0.0 < both["evolved_minus_cart"]["high"]
        assert both["cart"]["on_training_rows"] > both["evolved"]["on_training_rows"]
        assert both["evolved"]["seconds_per_tree"] > 50 * both["cart"]["seconds_per_tree"]
    for name, found in RECORDED["data"].items():
        for most, both in found["by_leaves"].items():
            less = both["evolved_minus_cart"]
            paired = f"{less['mean']:+.3f} ({less['low']:+.3f} to {less['high']:+.3f})"
            assert (
                f"| {name} | {most} | {_cell(both['evolved'])} | {_cell(both['cart'])} | {paired} |" in PAGE
            )


def _cell(one: dict[str, float]) -> str:
    return f"{one['mean']:.3f}, {one['on_training_rows']:.3f}"


def test_folds_share_every_class_out() -> None:
    targets = np.array(["a"] * 25 + ["b"] * 17)
    folds = decision_rows.folds_of(targets, 1, 0)
    for name in "ab":
        counts = np.bincount(folds[targets == name], minlength=decision_rows.FOLDS)
        assert counts.max() - counts.min() <= 1
    assert not np.array_equal(folds, decision_rows.folds_of(targets, 1, 1))


@pytest.mark.slow
def test_the_first_comparison_comes_out_again() -> None:
    """CART and evolution on the smallest data set, with the fewest leaves (half a minute)."""
    datasets = pytest.importorskip("sklearn.datasets")
    bunch = datasets.load_wine()
    targets = np.array([str(bunch.target_names[k]) for k in bunch.target])
    columns = np.ascontiguousarray(bunch.data.T, dtype=np.float64)
    most = decision_rows.LEAVES[0]
    found = decision_rows.compare(tuple(bunch.feature_names), columns, targets, most, decision_rows.SEED)
    recorded = RECORDED["data"]["wine"]["by_leaves"][str(most)]
    assert found["evolved_minus_cart"] == recorded["evolved_minus_cart"]
    assert found["evolved"]["on_training_rows"] == recorded["evolved"]["on_training_rows"]
