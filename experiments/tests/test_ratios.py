"""Ratios of two checkouts: every command ends well, and a checkout is as fast as itself."""

import pytest

from gpkit_experiments import ratios


def test_a_checkout_is_about_as_fast_as_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ratios, "TURNS", 1)
    ratios.main(str(ratios.HERE), "first command")
    told = capsys.readouterr().out
    assert told.startswith("first command ")
    assert 0.5 < float(told.removeprefix("first command").split()[0]) < 2.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ratios.LINES)
def test_every_command_ends_well(name: str) -> None:
    assert ratios.seconds(ratios.HERE, ratios.LINES[name]) > 0.0
