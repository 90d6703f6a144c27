"""Evolution of waves on the shared engine: fitness, the loop of all pairs, and how close waves come to a density."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import initial, next_generation
from gpkit.games.battleship.memory import base_rates
from gpkit.games.battleship.rules import BattleshipRules
from gpkit.games.battleship.waves import (
    WaveRepresentation,
    WaveSettings,
    correlations,
    evolve_waves,
    random_wave,
    regular_wave,
    wave_loop,
)
from tests.toy_evolution import offspring

T = np.arange(100) * (2.0 * np.pi / 100)


def density() -> NDArray[np.float64]:
    """By square the ships expected of placements that are all equally likely."""
    return base_rates(BattleshipRules())


def test_three_signals_have_the_values_of_figure_5() -> None:
    target = np.sin(T) + np.sin(2 * T) + np.sin(3 * T)
    signals = np.stack([np.sin(T), np.sin(T) + np.cos(2 * T), target])
    assert correlations(signals, target) == pytest.approx([0.57735, 0.40825, 1.0], abs=1e-5)


def test_mean_and_scale_of_either_do_not_matter_and_constants_have_no_correlation() -> None:
    rng = stream(1, "signals")
    signals, target = rng.random((5, 100)), rng.random(100)
    found = correlations(signals, target)
    assert correlations(3.0 * signals + 7.0, 0.01 * target - 2.0) == pytest.approx(found, abs=1e-9)
    assert found == pytest.approx([np.corrcoef(signal, target)[0, 1] for signal in signals])
    assert correlations(np.full((1, 100), 0.3), target).tolist() == [0.0]
    assert correlations(signals, np.full(100, 0.3)).tolist() == [0.0] * 5


def test_first_generation_is_random_and_regular_waves() -> None:
    representation = WaveRepresentation(100)
    made = [representation.create(stream(1, "create", index), index) for index in range(100)]
    assert made[:80] == [random_wave(stream(1, "create", index), 100) for index in range(80)]
    assert made[80:] == [regular_wave(number, 20, 100) for number in range(20)]


def test_ten_stay_and_each_of_their_pairs_has_a_plain_and_a_mutated_child() -> None:
    loop = wave_loop(density(), 1)
    parents = initial(loop, SerialExecutor())
    children = offspring(loop, parents, 1)
    assert [child.genome for child in children[:10]] == [parent.genome for parent in parents[:10]]
    made = Counter((child.origin.operator, frozenset(child.origin.parents)) for child in children[10:])
    assert set(made.values()) == {1}
    assert Counter(operator for operator, _ in made) == {"cross": 45, "cross+mutate": 45}
    best = {parent.number for parent in parents[:10]}
    assert all(pair < best and len(pair) == 2 for _, pair in made)


@pytest.mark.release
def test_waves_come_as_close_as_was_measured_beforehand() -> None:
    courses = []
    for seed in range(4):
        loop = wave_loop(density(), seed)
        population, best = initial(loop, SerialExecutor()), []
        for generation in range(1, 21):
            best.append(population[0].score)
            population = next_generation(loop, population, generation, SerialExecutor())
        courses.append((*best, population[0].score))
        assert list(courses[-1]) == sorted(courses[-1]), "the best stay"
    first, fifth, twentieth = np.mean(courses, axis=0)[[0, 5, 20]]
    assert 0.25 < first < 0.55
    assert fifth > 0.8
    assert twentieth > 0.9


def test_the_same_seed_gives_the_same_waves_and_a_population_is_carried_on() -> None:
    target = density()
    settings = WaveSettings(keep="apart")
    population = evolve_waves(target, 3, 5, settings=settings)
    assert evolve_waves(target, 3, 5, settings=settings) == population
    carried = [individual.genome for individual in population]
    again = initial(wave_loop(target, 6, start=carried), SerialExecutor())
    assert [individual.genome for individual in again] == carried
    assert again[0].score == population[0].score
    some = initial(wave_loop(target, 6, start=carried[:3]), SerialExecutor())
    assert {individual.genome for individual in some} > set(carried[:3])
