"""The record of many malformed requests, which ``python -m gpkit_experiments.web_pressure`` writes."""

import json

from gpkit_experiments.web_pressure import COUNT, RESULT, SEED


def test_record_is_of_all_requests_and_of_no_fault() -> None:
    recorded = json.loads(RESULT.read_text(encoding="utf-8"))
    assert (recorded["requests"], recorded["seed"]) == (COUNT, SEED)
    assert (recorded["then"], recorded["files"]) == (200, [])
    assert sum(recorded["answers"].values()) == COUNT
    assert not [status for status in recorded["answers"] if status.startswith("5")]
