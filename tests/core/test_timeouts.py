"""The watch over code from outside; ``tests/user_games/test_contract.py`` lets it end what is stuck."""

import signal
import sys

import pytest

from gpkit.core import timeouts


def test_nothing_is_raised_or_taken_back_where_nothing_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is taken back without having been raised makes profilers of Python 3.11 wait for it."""
    raised: list[object] = []
    monkeypatch.setattr(timeouts, "_raise_in", lambda thread, error: raised.append(error))
    with timeouts.watched(60.0, lambda file: True):
        pass
    assert not raised


def test_a_debugger_goes_on_after_something_was_stuck() -> None:
    with pytest.raises(timeouts.Stuck), timeouts.watched(0.02, lambda file: file == __file__):
        while True:
            pass
    calls: list[str] = []
    tracer = sys.gettrace()
    signal.alarm(5)  # what hangs here handles no signals, and is killed
    try:
        sys.settrace(lambda frame, _event, _argument: calls.append(frame.f_code.co_name))
        str(timeouts.Stuck())
    finally:
        sys.settrace(tracer)
        signal.alarm(0)
    assert "__str__" in calls
