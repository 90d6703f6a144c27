"""The record of `python -m gpkit_experiments.how_sure`, as far as it goes, and what the page says of it."""

import numpy as np
from result_pages import results

from gpkit_experiments.cells import Cells
from gpkit_experiments.how_sure import COMMAND, RECORD, SAMPLES, SEED, keys

ROWS = Cells(RECORD, {"schema": "gpkit/how-sure/1", "command": COMMAND, "seed": SEED}).found
PAGE = results("data")


def test_intervals_of_heavy_tails_hold_or_are_doubted() -> None:
    assert set(ROWS) <= set(keys())
    heavy, normal = ROWS["tails", "student-2", 200], ROWS["tails", "normal", 200]
    assert heavy["either"] >= 55
    assert normal["held"] >= 54
    assert normal["doubted"] <= 3
    told = "{held} hold R², {doubted} are doubted, and {either} do one or the other"
    assert told.format(**heavy) in PAGE
    assert f"With normal errors, {normal['held']} hold and {normal['doubted']} is doubted" in PAGE


def test_standard_errors_are_those_of_the_bootstrap_but_for_one() -> None:
    for loss, ends in (("squares", "0.99 to 1.02"), ("absolute", "0.96 to 1.14")):
        cells = [
            [ROWS["errors", loss, kind, place]["ratios"] for place in range(SAMPLES)]
            for kind in ("student-3", "growing")
        ]
        ratios = np.mean(cells, axis=1)
        assert f"{ratios.min():.2f} to {ratios.max():.2f}" == ends
        assert f"{ends} for {loss}" in PAGE
        assert ((ratios < 0.9) | (ratios > 1.1)).sum() == (loss == "absolute")
