"""Interrupts while a kernel compiles: at once, but after a callback of LLVM, which would swallow them."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

import pytest

from gpkit.core.interrupts import none_lost


def interrupt() -> None:
    """Interrupt as the keyboard does."""
    signal.raise_signal(signal.SIGINT)


def in_binding(function: Callable[[], None]) -> Callable[[], None]:
    """The function, as if it stood in LLVM's binding."""
    there = {"__name__": "llvmlite.binding.executionengine", "signal": signal}
    return FunctionType(function.__code__, there)


def test_an_interrupt_in_a_callback_is_raised_at_the_end_and_what_it_would_have_left_undone_is_done() -> None:
    called = ctypes.CFUNCTYPE(None)(in_binding(interrupt))
    went_on = False
    with pytest.raises(KeyboardInterrupt), none_lost():
        called()
        went_on = True
    assert went_on
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_is_raised_for_want_of_the_callback_is_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt) as caught, none_lost():
        in_binding(interrupt)()
        raise RuntimeError("no compiled object yet")
    assert isinstance(caught.value.__context__, RuntimeError)


def test_elsewhere_it_is_raised_at_once() -> None:
    went_on = False
    with pytest.raises(KeyboardInterrupt), none_lost(), none_lost():
        interrupt()
        went_on = True
    assert not went_on


def test_handlers_of_others_stay_and_threads_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number))
    try:
        with none_lost():
            in_binding(interrupt)()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]
    thread = threading.Thread(target=none_lost()(lambda: heard.append(0)))
    thread.start()
    thread.join()
    assert heard == [signal.SIGINT, 0]


@pytest.mark.slow
def test_a_command_that_compiles_is_interrupted_whenever_the_request_comes(tmp_path: Path) -> None:
    """A match with nothing compiled is asked to terminate at ten times, half a second apart."""
    outcomes = set()
    for number in range(10):
        cache = tmp_path / f"cache-{number}"
        cache.mkdir(mode=0o700)
        command = [
            sys.executable,
            "-m",
            "gpkit",
            "run",
            "champion",
            "--game",
            "battleship",
            "--games",
            "10000000",
        ]
        process = subprocess.Popen(
            command,
            env={**os.environ, "GPKIT_CACHE_DIR": str(cache)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(2.0 + number / 2)
        process.terminate()
        _, told = process.communicate()
        outcomes.add((process.returncode, told.strip().splitlines()[-1]))
    assert outcomes == {(130, "interrupted")}
