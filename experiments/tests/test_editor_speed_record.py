"""The record of `python -m gpkit_experiments.editor_speed`: of all languages, and within what is promised."""

import json
from pathlib import Path

from gpkit.core.registry import LANGUAGES
from gpkit_experiments.editor_speed import SEED, SIZES

RECORD = json.loads((Path(__file__).parents[1] / "data/editor-speed.json").read_text())


def test_the_record_is_of_all_languages_and_sizes_and_of_this_seed() -> None:
    rows = [
        (row["language"], min(SIZES, key=lambda size: abs(size - row["lines"]))) for row in RECORD["rows"]
    ]
    assert rows == [(entry.name, size) for entry in LANGUAGES for size in SIZES]
    assert RECORD["seed"] == SEED
    assert min(row["keys"] for row in RECORD["rows"]) >= 100


def test_of_a_hundred_keystrokes_95_are_answered_within_50_milliseconds() -> None:
    for row in RECORD["rows"]:
        assert row["milliseconds"]["under_50"] >= 0.95
