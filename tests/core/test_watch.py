"""The watch over code from outside; ``tests/authoring/test_contract.py`` lets it end what is stuck."""

import pytest

from gpkit.core import watch


def test_nothing_is_raised_or_taken_back_where_nothing_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is taken back without having been raised makes profilers of Python 3.11 wait for it."""
    raised: list[object] = []
    monkeypatch.setattr(watch, "_raise_in", lambda thread, error: raised.append(error))
    with watch.watched(60.0, lambda file: True):
        pass
    assert not raised
