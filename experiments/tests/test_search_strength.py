"""``pimc`` is as strong as ``experiments/data/strength-sevens-search.json`` and the documentation say."""

import json
from pathlib import Path

import pytest
from kernel_marks import compiled_only

from gpkit_experiments.search_strength import FILE, MATCHES, SEED, played

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
PAGE = " ".join(
    (Path(__file__).parents[2] / "docs" / "explanation" / "how-it-works.md").read_text("utf-8").split()
)


def test_all_matches_are_recorded() -> None:
    keys = ("player", "policy", "opponent", "players", "games")
    assert RECORDED["seed"] == SEED
    assert [tuple(match[key] for key in keys)[:4] for match in RECORDED["matches"]] == [
        match[:4] for match in MATCHES
    ]
    for match, (*_, games) in zip(RECORDED["matches"], MATCHES, strict=True):
        assert match["games"] == games
        assert match["ci95"][0] < match["mean"] < match["ci95"][1]


def test_inference_is_worth_what_the_documentation_says() -> None:
    first, certain, blind, plain, *_, stronger = RECORDED["matches"]
    assert first["ci95"][0] >= 0.36
    for match in (first, certain, blind, plain, stronger):
        low, high = match["ci95"]
        assert f"{match['mean']:.3f} ({low:.3f} to {high:.3f})" in PAGE


@compiled_only
@pytest.mark.slow
def test_matches_come_out_again() -> None:
    for match, recorded in zip(MATCHES, RECORDED["matches"], strict=True):
        assert played(*match) == recorded
