"""The record of formulas for columns of words is complete and meets its criterion."""

import json
from pathlib import Path

import numpy as np

HEAD, *LINES = map(
    json.loads,
    Path(__file__).parents[1].joinpath("data", "word-columns.jsonl").read_text(encoding="utf-8").splitlines(),
)
FOUND = {tuple(line["key"]): line["cell"] for line in LINES}
RULES = ("description-length", "one-se", "first")


def test_no_formula_relies_on_protection_and_none_is_much_worse() -> None:
    """A cell has for each rule R², nodes, operators on columns of words alone, and the share of protected rows."""
    tables = {name for name, _, _ in FOUND}
    assert set(FOUND) == {
        (name, seed, side) for name in tables for seed in HEAD["seeds"] for side in ("before", "after")
    }
    after = [cell[rule] for (_, _, side), cell in FOUND.items() if side == "after" for rule in RULES]
    assert all(operators == 0 and share <= 0.01 for _, _, operators, share in after)
    gains = [
        cell[RULES[0]][0] - FOUND[name, seed, "before"][RULES[0]][0]
        for (name, seed, side), cell in FOUND.items()
        if side == "after"
    ]
    assert np.mean(gains) >= -0.005
