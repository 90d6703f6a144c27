"""``experiments/data/decision-rows.json`` says what the page on decision trees says."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from result_pages import results

from gpkit_experiments import decision_rows

ROOT = Path(__file__).parents[2]
RECORDED: dict[str, Any] = json.loads((ROOT / "experiments" / "data" / "decision-rows.json").read_text())
PAGE = results("data")


def test_no_tree_has_more_leaves_than_asked_for() -> None:
    assert RECORDED["command"].endswith("decision_rows of commit 02147497")
    for found in RECORDED["data"].values():
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
