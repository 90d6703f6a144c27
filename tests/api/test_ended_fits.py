"""Fits that time or Ctrl+C ends: with the best program so far, stored or not, and able to go on."""

import itertools
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpkit
from gpkit.core.timeouts import TimeUp
from gpkit.data.table import table_of
from gpkit.evolution.subjects import config_from_data, resolve
from gpkit.playing.named import Named
from gpkit.show.fit_findings import MARGIN, closing_seconds

TABLE = {"x": [k / 4 for k in range(20)], "y": [k * k / 16 + 1 for k in range(20)]}

ENDS: dict[type[BaseException], str] = {TimeUp: "1000 seconds", KeyboardInterrupt: "Ctrl+C"}


def fitted(callback: Any, folder: Path | None, *, generations: int = 6, resume: bool = False) -> Any:
    data = {} if resume else {"data": TABLE, "target": "y", "population": 20, "operators": "+ *"}
    return gpkit.fit(
        **data, generations=generations, time_limit=1000, callback=callback, folder=folder, resume=resume
    )


@settings(max_examples=5, deadline=None)
@pytest.mark.filterwarnings("ignore:interrupted")
@given(st.sampled_from(list(ENDS)), st.integers(0, 4), st.booleans())
def test_a_fit_that_is_broken_off_gives_the_best_so_far(
    error: type[BaseException], last: int, is_stored: bool
) -> None:
    champions = []

    def callback(summary: Any, champion: gpkit.Program) -> None:
        champions.append(champion)
        if summary.generation == last:
            raise error

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "run") if is_stored else None
        found = fitted(callback, place)
        assert [each.generation for each in found.run.generations] == list(range(last + 1))
        assert found.run.reason == ENDS[error]
        assert found.predict(TABLE).shape == (20,)
        assert found.program.size <= max(each.size for each in champions) + 10
        if place is not None:
            assert fitted(None, place, resume=True).run.digest == fitted(None, None).run.digest


def test_an_interrupt_before_the_first_generation_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted: this is the best program up to generation 0"):
        assert fitted(interrupt, None).run.reason == "Ctrl+C"
    monkeypatch.setattr("gpkit.evolution.loop.begin", interrupt)
    with pytest.raises(KeyboardInterrupt, match="at its beginning"):
        fitted(None, None)


@pytest.mark.release
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent to a process of its own")
def test_a_script_goes_on_after_control_c_with_the_best_so_far(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os, signal\nimport gpkit\n"
        "def stop(summary, champion):\n"
        "    if summary.generation == 2:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        f"found = gpkit.fit({TABLE!r}, 'y', population=20, generations=1000000, callback=stop)\n"
        "print(found.run.reason, len(found.predict({'x': [1, 2]})))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "Ctrl+C 2\n"), done.stderr
    assert "interrupted: this is the best program up to generation" in done.stderr


def ticking(seconds: float | None) -> Callable[[], float]:
    """A countdown by half a second for each look at it, of which there are two in a generation."""
    ticks = itertools.count()
    return lambda: (math.inf if seconds is None else seconds) - next(ticks) / 2


@settings(max_examples=6, deadline=None)
@given(st.integers(60, 80), st.integers(50, 59))
def test_the_measures_at_the_end_are_within_the_time_limit(limit: int, closing: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpkit.api.progress.countdown", ticking)
        patch.setattr("gpkit.show.fit_findings.closing_seconds", lambda *_: float(closing))
        found = gpkit.fit(TABLE, "y", population=5, generations=10_000, operators="+", time_limit=limit)
    assert found.run.reason == f"{limit} seconds"
    assert limit - closing - 3 <= found.run.generations[-1].generation < limit - closing


@settings(max_examples=20, deadline=None)
@given(st.floats(0.0, 1e4), st.lists(st.floats(0.0, 1e3), min_size=2, max_size=2))
def test_what_is_compiled_does_not_count_for_the_measures_at_the_end(
    compiled: float, spent: list[float]
) -> None:
    run = resolve(config_from_data({"fit": {"target": "y"}})).read(table_of(TABLE))
    clock, lasts = [0.0], iter([compiled + spent[0], spent[1]])

    def measure(_named: Named) -> None:
        clock[0] += next(lasts)

    kept = closing_seconds(run, lambda: clock[0], measure)
    assert kept == pytest.approx(MARGIN * spent[1], abs=1e-6)
