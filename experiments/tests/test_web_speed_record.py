"""The record of the pages' speed, which ``python -m gpkit_experiments.web_speed`` writes: within what was promised."""

import json

from gpkit_experiments.web_speed import RESULT, SEED, STEPS, WATCHERS


def test_record_is_within_what_was_promised() -> None:
    recorded = json.loads(RESULT.read_text(encoding="utf-8"))
    assert recorded["seed"] == SEED
    assert all(clicks["p95"] < 100 for clicks in recorded["clicks"].values())
    assert recorded["paint"]["paint"]["p95"] < 1_000
    assert recorded["paint"]["bytes"] < 300_000
    assert recorded["slider"]["steps"] == STEPS
    assert recorded["slider"]["slider"]["p95"] < 50
    assert all(recorded["killed"].values())
    assert recorded["watchers"]["watchers"] == WATCHERS
    assert recorded["watchers"]["cost"] < 0.2
    assert recorded["watchers"]["slower"] < 0.1
