"""The record of what functions cost: calls are within 5% of their text written out, Python functions within 20 ns."""

import json

from gpkit_experiments.function_costs import HYPOT, drawn, written_out
from gpkit_experiments.papers.page import DATA


def test_both_floors_hold() -> None:
    record = json.loads((DATA / "function-costs.json").read_text(encoding="utf-8"))
    assert record.pop("python") <= 20.0
    assert max(median for median, *_ in record.values()) <= 1.05


def test_formulas_written_out_call_nothing() -> None:
    for tree in drawn(20):
        assert HYPOT in tree.symbols
        assert HYPOT not in written_out(tree).symbols
