"""A few malformed requests; ``experiments/tests`` has the record of many."""

from gpkit_experiments.web_pressure import pressed


def test_server_answers_after_malformed_requests() -> None:
    found = pressed(150)
    assert found["then"] == 200
    assert found["files"] == []
    assert sum(found["answers"].values()) == 150
    assert not [status for status in found["answers"] if status.startswith("5")]
