"""The rows of the page "How fast, and why" can be measured; what they give is not tested."""

import pytest

from gpkit_experiments import limits


def test_sides_take_turns(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TURNS", 1)
    monkeypatch.setattr(
        limits, "ROWS", {"a row": limits.Row("s", lambda checkout, is_deap: 2.0, has_deap=True)}
    )
    limits.main(str(limits.HERE))
    assert capsys.readouterr().out == "a row        before 2 s, now 2 s, deap 2 s: 1.00 (1.00 to 1.00)\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", limits.ROWS)
def test_every_row_is_measured(name: str) -> None:
    assert limits.ROWS[name].measure(limits.HERE, False) > 0.0
