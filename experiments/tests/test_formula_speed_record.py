"""The record of `python -m gpkit_experiments.formula_speed`: of its seeds, with the same results as before."""

import json
from pathlib import Path

from gpkit_experiments.formula_speed import SEEDS

RECORD = json.loads((Path(__file__).parents[1] / "data/formula-speed.json").read_text())


def test_the_record_is_of_these_seeds_and_of_all_sides() -> None:
    assert tuple(RECORD["seeds"]) == SEEDS
    assert {len(runs) for runs in RECORD["runs"].values()} == {len(SEEDS)}


def test_the_same_seed_evolves_the_same_formulas_as_before_in_less_time() -> None:
    assert [run["error"] for run in RECORD["runs"]["gpkit"]] == [
        run["error"] for run in RECORD["runs"]["before"]
    ]
    assert RECORD["times_gpkit"]["before"]["least"] > 1.0
