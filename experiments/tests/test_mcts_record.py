"""The record of tree search against OpenSpiel's, whose script its commit has."""

import json
from pathlib import Path

FILE = Path(__file__).parents[1] / "data" / "strength-mcts.json"


def test_it_was_as_strong_as_that_of_openspiel() -> None:
    results = json.loads(FILE.read_text(encoding="utf-8"))["results"]
    assert {row["game"] for row in results} == {"dots_and_boxes", "connect_four"}
    assert all(row["ci95"][0] < 0.5 < row["ci95"][1] for row in results if row["solving"])
    assert all(row["ci95"][1] > 0.5 for row in results)
