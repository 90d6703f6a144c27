"""Malformed requests: a few now, and the record of many."""

import json

from web_pressure import COUNT, RESULT, SEED, pressed


def test_server_answers_after_malformed_requests() -> None:
    found = pressed(150)
    assert found["then"] == 200
    assert found["files"] == []
    assert sum(found["answers"].values()) == 150
    assert not [status for status in found["answers"] if status.startswith("5")]


def test_record_is_of_all_requests_and_of_no_fault() -> None:
    recorded = json.loads(RESULT.read_text(encoding="utf-8"))
    assert (recorded["requests"], recorded["seed"], recorded["then"], recorded["files"]) == (
        COUNT,
        SEED,
        200,
        [],
    )
    assert sum(recorded["answers"].values()) == COUNT
    assert not [status for status in recorded["answers"] if status.startswith("5")]
