"""Selectors as distributions: drawn often enough, every individual comes up as often as theory says."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit.evolution.problem import WORST, Individual, Origin
from gpkit.evolution.schemes import (
    DoubleTournament,
    Lexicase,
    ParetoTournament,
    Roulette,
    Selector,
    Tournament,
    Truncation,
    by_fitness,
)

DRAWS = 20_000


def population(
    fitness: Sequence[float],
    sizes: Sequence[int] | None = None,
    cases: Sequence[tuple[float, ...]] | None = None,
) -> list[Individual[str]]:
    sizes = sizes or [1] * len(fitness)
    cases = cases or [()] * len(fitness)
    return [
        Individual(n, f"g{n}", size, Origin("create"), score=f, fitness=f, cases=c)
        for n, (f, size, c) in enumerate(zip(fitness, sizes, cases, strict=True))
    ]


def assert_distribution(
    selector: Selector, individuals: list[Individual[str]], expected: Sequence[float]
) -> None:
    draw, rng = selector.prepare(individuals), stream(1, "selection", len(individuals))
    counts = Counter(draw(rng) for _ in range(DRAWS))
    for place, probability in enumerate(expected):
        deviation = math.sqrt(DRAWS * probability * (1 - probability))
        assert abs(counts[place] - DRAWS * probability) <= 5 * deviation, (place, counts)


TEN = population([10.0 - n for n in range(10)])


@pytest.mark.parametrize("share", [0.1, 0.3, 1.0])
def test_truncation_is_uniform_over_the_best(share: float) -> None:
    best = round(10 * share)
    assert_distribution(Truncation(share), TEN, [1 / best] * best + [0.0] * (10 - best))


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_tournament_goes_by_rank(size: int) -> None:
    assert_distribution(
        Tournament(size), TEN, [((10 - n) ** size - (9 - n) ** size) / 10**size for n in range(10)]
    )


def test_a_tournament_looks_at_fitness_not_at_the_order() -> None:
    assert_distribution(Tournament(2), population([1.0, 3.0, 2.0]), [1 / 9, 5 / 9, 3 / 9])


@pytest.mark.parametrize("parsimony", [1.0, 1.4, 2.0])
def test_a_double_tournament_prefers_the_smaller(parsimony: float) -> None:
    two = population([2.0, 1.0], sizes=[9, 3])
    win = 0.75  # of the fitter, in a tournament of two
    smaller = (1 - win) ** 2 + 2 * win * (1 - win) * parsimony / 2
    assert_distribution(DoubleTournament(2, parsimony), two, [1 - smaller, smaller])


def test_a_double_tournament_of_equal_sizes_is_a_tournament() -> None:
    assert_distribution(DoubleTournament(2, 1.6), population([2.0, 1.0]), [0.75, 0.25])


def test_roulette_is_proportional_above_the_worst() -> None:
    assert_distribution(Roulette(), population([5.0, 2.0, 1.0, WORST]), [4 / 5, 1 / 5, 0.0, 0.0])
    assert_distribution(Roulette(), population([1.0, 1.0, WORST]), [0.5, 0.5, 0.0])
    assert_distribution(Roulette(), population([WORST, WORST]), [0.5, 0.5])


def test_roulette_is_proportional_above_a_floor() -> None:
    assert_distribution(Roulette(0.0), population([5.0, 2.0, 1.0, WORST]), [5 / 8, 2 / 8, 1 / 8, 0.0])
    assert_distribution(Roulette(1.0), population([5.0, 2.0, 0.0]), [4 / 5, 1 / 5, 0.0])
    assert_distribution(Roulette(0.0), population([0.0, 0.0, WORST]), [0.5, 0.5, 0.0])
    assert_distribution(Roulette(9.0), population([5.0, 2.0]), [0.5, 0.5])


def test_lexicase_keeps_specialists() -> None:
    cases = [(3.0, 0.0), (0.0, 3.0), (2.0, 2.0)]
    assert_distribution(Lexicase(), population([3.0, 3.0, 4.0], cases=cases), [0.5, 0.5, 0.0])


def test_lexicase_goes_on_to_the_next_case_and_draws_among_equals() -> None:
    cases = [(1.0, 5.0), (1.0, 5.0), (1.0, 4.0), (0.0, 9.0)]
    assert_distribution(Lexicase(), population([0.0] * 4, cases=cases), [0.25, 0.25, 0.0, 0.5])


def test_epsilon_lexicase_forgives_a_median_deviation() -> None:
    cases = [(10.0, 0.0), (9.0, 5.0), (5.0, 5.5), (0.0, 6.0)]  # median deviations 2.5 and 0.5
    # by the first case the first two stay, then the second of them wins; by the second case the last two stay,
    # and then the third wins
    assert_distribution(Lexicase(1.0), population([0.0] * 4, cases=cases), [0.0, 0.5, 0.5, 0.0])


def test_lexicase_without_cases_goes_by_fitness_and_never_draws_the_lost() -> None:
    assert_distribution(Lexicase(), population([1.0, 2.0, 2.0]), [0.0, 0.5, 0.5])
    some = population([1.0, WORST], cases=[(0.1, 0.2), ()])
    assert_distribution(Lexicase(), some, [1.0, 0.0])


def test_a_pareto_tournament_prefers_the_better_front() -> None:
    individuals = population([3.0, 2.0, 1.0], sizes=[1, 2, 3])
    assert_distribution(ParetoTournament(), individuals, [5 / 9, 3 / 9, 1 / 9])


@pytest.mark.parametrize(
    "selector",
    [
        Truncation(0.5),
        Tournament(3),
        DoubleTournament(3, 1.4),
        Roulette(),
        Roulette(0.0),
        Lexicase(),
        Lexicase(1.0),
        ParetoTournament(),
    ],
)
def test_every_selector_draws_a_place_and_the_same_with_the_same_seed(selector: Selector) -> None:
    rng = np.random.default_rng(5)
    cases = [tuple(map(float, rng.integers(0, 3, 4))) for _ in range(17)]
    individuals = population(
        [sum(c) for c in cases], sizes=[int(rng.integers(1, 30)) for _ in cases], cases=cases
    )
    first = [selector.prepare(individuals)(stream(1, "s", n)) for n in range(200)]
    assert first == [selector.prepare(individuals)(stream(1, "s", n)) for n in range(200)]
    assert set(first) <= set(range(17))
    assert selector.prepare(individuals[:1])(stream(1, "s")) == 0


def test_sorting_is_stable() -> None:
    individuals = population([1.0, 2.0, 1.0, 2.0, WORST])
    assert [i.number for i in by_fitness(individuals)] == [1, 3, 0, 2, 4]
