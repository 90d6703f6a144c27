"""The benchmark of workers: what it evolves, and that one and two workers end in the same populations."""

import importlib.util
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gpkit.evolution.config import shipped_presets
from gpkit_experiments.bench.processes import without_kernel, work


def test_the_game_without_a_kernel_is_played_by_its_readable_rules(tmp_path: Path) -> None:
    file = without_kernel("tic_tac_toe", tmp_path)
    spec = importlib.util.spec_from_file_location("tic_tac_toe_without_kernel", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.GAME.kernel is None
    assert len(module.GAME.sensors) == 3


def test_a_run_of_a_seed_ends_in_one_population() -> None:
    config = shipped_presets()["sevens"]
    config = replace(
        config,
        population=replace(config.population, size=8),
        fitness=replace(config.fitness, deals=4, validation_deals=4),
        refinement=replace(config.refinement, finish=False),
        stop=replace(config.stop, generations=1),
    )
    digests: dict[int, set[str]] = {}
    runs = [work(config, 1, digests), work(config, 1, digests)]
    assert [run(number) for run in runs for number in (0, 1)] == [16.0] * 4
    assert [len(digests[number]) for number in (0, 1)] == [1, 1]
    assert digests[0] != digests[1]


@pytest.mark.slow
def test_one_and_two_workers_are_measured() -> None:
    command = [sys.executable, "-m", "gpkit", "bench", "--quick", "--json", "workers"]
    found = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    (benchmark,) = found["benchmarks"]
    measures = {measure["name"]: measure for measure in benchmark["measures"]}
    assert set(measures) == {f"{case}_{what}" for case in CASES for what in ("one", "two", "two_over_one")}
    assert all(measures[f"{case}_two_over_one"]["target"]["required"] == 1.5 for case in CASES)


CASES = ("sevens", "connect_four", "own")
