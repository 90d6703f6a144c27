"""``gpkit bench``: quick runs, as JSON and as a table; nothing here depends on how fast the machine is."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpkit_experiments.bench.command import launch
from gpkit_experiments.bench.registry import BENCHMARKS


def test_json_holds_every_measure_with_its_spread(gpkit: Callable[..., Any]) -> None:
    outcome = gpkit("bench", "--quick", "--json", "machine", "evolution")
    assert outcome.code == 0
    found = json.loads(outcome.out)
    assert found["schema"] == "gpkit/bench/1"
    assert found["quick"] is True
    assert found["command"] == "gpkit bench machine evolution --quick --json"
    assert {"processor", "cores", "python", "numba"} <= found["machine"].keys()
    assert not any("/" in str(value) for value in found["machine"].values()), "no paths"
    assert [benchmark["name"] for benchmark in found["benchmarks"]] == ["machine", "evolution"]
    for benchmark in found["benchmarks"]:
        assert benchmark["task"]
        for measure in benchmark["measures"]:
            assert 0.0 < measure["low"] <= measure["median"] <= measure["high"]
            assert measure["what"]
            assert measure["unit"]
            assert ("target" in measure) == ("verdict" in measure)
    machine = {measure["name"]: measure for measure in found["benchmarks"][0]["measures"]}
    assert machine["deap_over_machine"]["target"] == {"sense": "at least", "required": 10.0, "aim": 15.0}
    assert machine["deap_over_machine"]["count"] == machine["deap"]["count"]


RESULTS = sorted((Path(__file__).resolve().parents[1] / "data").glob("bench-*.json"))


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.name)
def test_a_kept_result_is_a_full_run_without_paths(path: Path) -> None:
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["schema"] == "gpkit/bench/1"
    assert found["quick"] is False
    assert {benchmark["name"] for benchmark in found["benchmarks"]} <= {entry.name for entry in BENCHMARKS}
    assert not any("/" in str(value) for value in found["machine"].values())


def test_the_table_says_what_was_measured(gpkit: Callable[..., Any]) -> None:
    outcome = gpkit("bench", "--quick", "sevens")
    assert outcome.code == 0
    printed = outcome.out
    assert "sevens: games of Sevens a second on one core" in printed
    assert "the kernel / the readable rules" in printed
    assert "at least 100,000, aim 150,000" in printed


def test_an_unknown_benchmark_meets_the_nearest(gpkit: Callable[..., Any]) -> None:
    outcome = gpkit("bench", "seven")
    assert outcome.code == 2
    assert "no benchmark `seven`; did you mean `sevens`?" in outcome.err


def test_processes_are_timed() -> None:
    elapsed, cpu = launch(["--version"], True)
    assert elapsed > 0.0
    assert cpu >= 0.0


def test_every_benchmark_is_where_its_line_says() -> None:
    assert all(callable(entry.load()) for entry in BENCHMARKS)


def test_an_installed_gpkit_says_where_the_benchmarks_are(
    gpkit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "gpkit_experiments"]:
        monkeypatch.delitem(sys.modules, name)
    paths = [path for path in sys.path if not (Path(path) / "gpkit_experiments").is_dir()]
    monkeypatch.setattr(sys, "path", paths)
    outcome = gpkit("bench", "--quick", "sevens")
    assert outcome.code == 2
    assert "needs the source checkout" in outcome.err
