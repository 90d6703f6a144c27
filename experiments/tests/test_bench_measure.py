"""Measures, targets and interleaving, on clocks that are made up."""

from collections.abc import Callable, Sequence

import pytest

from gpkit_experiments.bench.measure import Session, Target, Timing, interleaved, measured, ratios
from gpkit_experiments.bench.processes import startup


@pytest.mark.parametrize(
    ("target", "value", "verdict"),
    [
        (Target("at least", required=10.0, aim=15.0), 15.0, "aim reached"),
        (Target("at least", required=10.0, aim=15.0), 12.0, "as required"),
        (Target("at least", required=10.0, aim=15.0), 9.9, "below requirement"),
        (Target("at most", aim=5.0), 5.0, "aim reached"),
        (Target("at most", aim=5.0), 5.1, "aim missed"),
        (Target("at most", required=3.0), 3.0, "as required"),
        (Target("at most", required=3.0), 3.1, "below requirement"),
    ],
)
def test_a_verdict_compares_with_the_target(target: Target, value: float, verdict: str) -> None:
    assert target.verdict(value) == verdict
    assert measured("a", "b", "s", [value], target).to_json()["verdict"] == verdict


def test_targets_are_said_in_words() -> None:
    assert str(Target("at least", required=100_000.0, aim=150_000.0)) == "at least 100,000, aim 150,000"
    assert str(Target("at most", aim=5.0)) == "aim at most 5"
    assert str(Target("at most", required=3.0)) == "at most 3"


def test_a_measure_is_the_median_with_its_extremes() -> None:
    measure = measured("a", "b", "s", [3.0, 1.0, 2.0, 10.0])
    assert (measure.median, measure.low, measure.high, measure.count) == (2.5, 1.0, 10.0, 4)
    assert measure.verdict is None
    assert "target" not in measure.to_json()


def test_work_is_timed_in_turn() -> None:
    now, order = [0.0], list[str]()

    def work(name: str, seconds: float) -> Callable[[int], float]:
        def one(number: int) -> float:
            order.append(f"{name}{number}")
            now[0] += seconds * (number + 1)
            return 4.0

        return one

    slow, fast = interleaved([work("a", 2.0), work("b", 0.5)], 3, lambda: now[0])
    assert order == ["a0", "b0", "a1", "b1", "a2", "b2"]
    assert slow == [Timing(2.0, 4.0), Timing(4.0, 4.0), Timing(6.0, 4.0)]
    assert slow[1].each == 1.0
    assert ratios(slow, fast) == [4.0, 4.0, 4.0]


@pytest.mark.parametrize("quick", [True, False])
def test_startup_tells_cold_from_cached(quick: bool) -> None:
    launched = []

    def launch(arguments: Sequence[str], cold: bool) -> tuple[float, float]:
        launched.append((tuple(arguments), cold))
        return (20.0, 10.0) if cold else (1.0, 0.5)

    outcome = startup(Session(quick, lambda: 0.0, launch, lambda _: None, lambda: 0.0))
    medians = {measure.name: measure.median for measure in outcome.measures}
    assert medians["cached_run"] == 1.0
    assert medians["help_cpu"] == 0.5
    assert any(cold for _, cold in launched) != quick
    if not quick:
        assert medians["cold_run"] == 20.0
        assert medians["compiling_cpu"] == 9.5
