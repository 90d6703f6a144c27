"""The simulator of many workers, on recordings small enough to count by hand, and a recording of items."""

import pickle
from itertools import pairwise

import pytest

from gpkit.evolution.parcels import LOADS
from gpkit_experiments.many_workers import (
    PRESETS,
    Asleep,
    Call,
    Machine,
    Recorder,
    recordings,
    simulated,
)

FREE = Machine(0.0, 0.0)
CALL = Call("work", 1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, (), [1.0] * 4, [2.0, 2.0, 2.0, 2.0], [0, 1, 2, 2])


def test_workers_share_what_one_process_does_alone() -> None:
    """The third and the fourth item are alike: one process computes them once."""
    assert simulated([CALL, CALL], 1, FREE) == [7.0, 14.0]
    assert simulated([CALL], 2, FREE) == [1.5 + 2.0 * 2]
    assert simulated([CALL], 4, FREE) == [1.5 + 2.0]
    assert simulated([CALL], 4, FREE, cost=0.0) == [2.0]
    slow = simulated([CALL], 4, Machine(0.25, 0.5))
    assert slow == [pytest.approx(1.5 + 4 * 0.25 + 0.5 + 2.0 + 0.5)]


def test_recordings_hold_all_presets_and_end_in_order() -> None:
    found = recordings()
    assert found.keys() == PRESETS.keys()
    ends = simulated(found["bridon"], 16, FREE)
    assert all(a <= b for a, b in pairwise(ends))


def test_a_recorder_gives_the_results_and_times_each_item() -> None:
    recorder = Recorder()
    assert recorder.run(doubled, [1, 2, 3], [0.1] * 3) == [2, 4, 6]
    (call,) = recorder.calls
    assert (call.kind, len(call.seconds), call.keys) == ("doubled", 3, [0, 1, 2])
    asleep = LOADS(pickle.dumps(Asleep(call)))
    assert (asleep.func, asleep.call.seconds) == ("doubled", [])


def doubled(items: list[int]) -> list[int]:
    return [2 * each for each in items]
