"""Maps of behaviour: bins, elites, archives that only get better, the same bytes for any workers and interruptions."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_evolution import DATA, PARAMETERS, SPACE, Weighed
from toy_run import TOY, toy_diary

from gpkit.core.errors import UsageError
from gpkit.evolution.config import IslandsSettings
from gpkit.evolution.executors import SerialExecutor, executor_for
from gpkit.evolution.loop import evolved, initial, next_generation, run_search
from gpkit.evolution.maps import Axis, Grid, check_names, grid_of
from gpkit.evolution.problem import WORST, Individual, Origin, Population
from gpkit.evolution.run_folder import RunResult, decode_state, encode_state
from gpkit.evolution.schemes import MapElites
from gpkit.evolution.search import Parameters
from gpkit.evolution.setup import after_generations
from gpkit.genomes.tree import TreeProgram

SERIAL = SerialExecutor()
GRID = grid_of({"size": (1, 31, 6), "uses:x": (0, 1, 4)})
PLAIN = Parameters(30, MapElites(PARAMETERS.scheme.shares, GRID), attempts=3)
FILLING = replace(TOY, problem=DATA, parameters=PLAIN, hall=0)


@given(st.floats(allow_nan=False), st.integers(1, 9))
def test_every_value_has_a_bin_and_bins_have_their_bounds(value: float, bins: int) -> None:
    axis = Axis("size", -2.0, 4.0, bins)
    place = axis.bin(value)
    assert 0 <= place < bins
    low, high = axis.bounds(place)
    assert place == 0 or value >= low - 1e-9
    assert place == bins - 1 or value <= high + 1e-9


def one(number: int, fitness: float, *behaviour: float) -> Individual[str]:
    origin = Origin("create")
    return Individual(number, f"g{number}", 3, origin, score=fitness, fitness=fitness, behaviour=behaviour)


def test_the_elites_are_the_fittest_of_each_cell_and_the_oldest_of_equals() -> None:
    grid = grid_of({"problem:1": (0, 1, 2)})
    found = grid.elites([one(5, 1.0, 0.2), one(2, 1.0, 0.1), one(3, 2.0, 0.9), one(4, 9.0, math.nan)])
    assert [i.number for i in found] == [3, 2]
    nobody = [one(1, WORST, 0.1), one(2, 3.0)]
    assert [i.number for i in grid.elites(nobody)] == [2]


def quality(population: Population[TreeProgram]) -> dict[object, float]:
    return {GRID.cell(i.behaviour): i.fitness for i in population}


def test_no_cell_of_an_archive_gets_worse_or_empty() -> None:
    archive = initial(FILLING, SERIAL)
    before = quality(archive)
    for generation in range(1, 8):
        archive = next_generation(FILLING, archive, generation, SERIAL)
        now = quality(archive)
        assert len(now) == len(archive)
        assert all(now[cell] >= fitness for cell, fitness in before.items())
        before = now
    assert len(before) > 8
    for individual in archive:
        words = [s for tree in individual.genome.trees for s in tree.symbols]
        assert individual.behaviour == (individual.size, words.count("x") / individual.size)


def test_behaviour_comes_from_the_problem_where_an_axis_says_so() -> None:
    grid = grid_of({"problem:2": (1, 9, 8)})
    search = replace(
        FILLING,
        problem=Weighed(),
        parameters=replace(PLAIN, scheme=MapElites(PARAMETERS.scheme.shares, grid)),
    )
    for individual in evolved(search, 2, SERIAL):
        assert individual.behaviour == (individual.genome.trees[0].depth,)


def test_score_and_number_of_sensors_are_axes() -> None:
    grid = grid_of({"score": (-1, 1, 8), "sensors": (0, 4, 4)})
    found = evolved(
        replace(FILLING, parameters=replace(PLAIN, scheme=MapElites(PARAMETERS.scheme.shares, grid))),
        2,
        SERIAL,
    )
    for individual in found:
        read = {name for tree in individual.genome.trees for name in tree.reads}
        assert individual.behaviour == (individual.score, len(read))
    assert len({behaviour[1] for behaviour in (each.behaviour for each in found)}) > 1


def run_in(
    folder: Path, generations: int, *, resume: bool = False, workers: str = "1", islands: int = 1
) -> RunResult[TreeProgram]:
    search = replace(FILLING, problem=Weighed(), islands=IslandsSettings(count=islands, interval=2))
    with executor_for(workers) as executor, toy_diary(folder, search, resume=resume) as diary:
        return run_search(search, executor, after_generations(generations), diary=diary)


@pytest.mark.parametrize("islands", [pytest.param(1, marks=pytest.mark.release), 2])
def test_an_interrupted_archive_goes_on_to_the_same_bytes(tmp_path: Path, islands: int) -> None:
    whole = run_in(tmp_path / "whole", 4, islands=islands)
    run_in(tmp_path / "parts", 2, islands=islands)
    parts = run_in(tmp_path / "parts", 4, resume=True, islands=islands)
    assert parts.digest == whole.digest
    assert (tmp_path / "parts" / "state.json").read_bytes() == (
        tmp_path / "whole" / "state.json"
    ).read_bytes()


@pytest.mark.slow
def test_two_workers_fill_the_same_archive(tmp_path: Path) -> None:
    assert run_in(tmp_path / "one", 4).digest == run_in(tmp_path / "two", 4, workers="2").digest


def test_a_checkpoint_with_more_individuals_than_cells_is_refused(tmp_path: Path) -> None:
    state = run_in(tmp_path / "run", 1).state
    data = encode_state(state, SPACE.print)
    data["islands"] = [[*island] * 24 for island in data["islands"]]
    with pytest.raises(ValueError, match="the run has 1 to 24"):
        decode_state(data, FILLING)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, r"a map needs an axis: add \[map\]"),
        ({"sise": (1, 2, 3)}, r"map has no axis `sise`; did you mean `size`\?"),
        (
            {"size": (1, 40)},
            r'map\."size" = \[1, 40\]: expected the smallest value, the largest, and a whole number',
        ),
        ({"size": (4, 1, 3)}, r"expected the smallest value"),
        ({"size": (1, 4, 2.5)}, r"expected the smallest value"),
        ({"size": (1, 40, 1000), "depth": (1, 9, 1000)}, r"1,000,000 cells are too many"),
    ],
)
def test_wrong_maps_are_refused(table: dict[str, tuple[float, ...]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        grid_of(table)


def test_a_name_that_no_program_uses_is_refused() -> None:
    check_names(GRID, SPACE, 1)
    with pytest.raises(UsageError, match=r"none of 200 random programs uses `z`"):
        check_names(Grid((Axis("uses:z", 0.0, 1.0, 2),)), SPACE, 1)
