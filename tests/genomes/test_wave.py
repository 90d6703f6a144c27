"""Waves: values by definition, operators, and their text."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.diagnostics import SourceError
from gpkit.core.rng import stream
from gpkit.games.battleship.waves import (
    HARMONICS,
    Harmonic,
    Wave,
    crossover,
    highest_frequency,
    mutate,
    parse_wave,
    print_wave,
    random_wave,
    regular_wave,
    values,
)

SILENCE = Harmonic(0.0, 1.0, 0.0, 1.0)

finite = st.floats(allow_nan=False, allow_infinity=False)
waves = st.builds(Wave, st.tuples(*[st.builds(Harmonic, finite, finite, finite, finite)] * HARMONICS))


def wave(*harmonics: Sequence[float]) -> Wave:
    """A wave of a few harmonics, the others silent."""
    given = tuple(Harmonic(*harmonic) for harmonic in harmonics)
    return Wave((*given, *[SILENCE] * (HARMONICS - len(given))))


def by_definition(made: Wave, square: int, squares: int) -> float:
    t = 2.0 * math.pi * square / squares
    return sum(a * math.sin(m * t) + b * math.cos(w * t) for a, m, b, w in made.harmonics)


@given(st.integers(0, 1000), st.integers(1, 150))
@settings(max_examples=20, deadline=None)
def test_values_are_the_sum_of_the_harmonics(seed: int, squares: int) -> None:
    made = random_wave(stream(seed, "wave"), squares)
    expected = [by_definition(made, square, squares) for square in range(squares)]
    assert values(made, squares) == pytest.approx(expected, abs=1e-9)


def test_the_mean_of_two_waves_is_kept_whole_where_five_components_hold_it() -> None:
    first = wave((1.0, 3.0, 0.5, 7.0), (0.25, 10.0, 0.0, 10.0))
    second = wave((0.5, 3.0, -0.5, 11.0), (0.75, 20.0, 0.0, 20.0))
    mean = (values(first, 100) + values(second, 100)) / 2.0
    for keep in ("bins", "apart"):
        child = crossover(first, second, 100, keep)
        assert values(child, 100) == pytest.approx(mean, abs=1e-5), keep
    assert [h.mu for h in crossover(first, second, 100).harmonics] == [3.0, 20.0, 7.0, 11.0, 10.0]


def test_the_readings_differ_where_sines_and_cosines_have_other_frequencies() -> None:
    parent = wave(*[(5.0 - k, 1.0 + k, 4.5 - k, 20.0 + k) for k in range(HARMONICS)])
    both = crossover(parent, parent, 100, "bins")
    assert [h.mu for h in both.harmonics] == [1.0, 20.0, 2.0, 21.0, 3.0]
    assert all(h.mu == h.omega for h in both.harmonics)
    assert crossover(parent, parent, 100, "apart") == parent


@pytest.mark.parametrize("squares", [2, 3, 4, 9, 64])
def test_children_have_as_many_harmonics_on_the_smallest_boards(squares: int) -> None:
    first, second = (random_wave(stream(seed, "wave"), squares) for seed in (1, 2))
    mean = (values(first, squares) + values(second, squares)) / 2.0
    for keep in ("bins", "apart"):
        child = crossover(first, second, squares, keep)
        assert len(child) == HARMONICS
        if squares <= 9:
            assert values(child, squares) == pytest.approx(mean - mean.mean(), abs=1e-4)


def test_a_quarter_of_the_coefficients_is_drawn_anew() -> None:
    parent = random_wave(stream(1, "parent"), 100)
    changed = np.zeros(4 * HARMONICS)
    for number in range(500):
        child, places = mutate(stream(number, "mutate"), parent, 100, 0.25)
        changed[list(places)] += 1
        own, new = (np.ravel(each.harmonics) for each in (parent, child))
        assert set(np.flatnonzero(own != new)) == set(places)
        assert all(abs(h.alpha) <= 1.0 and 0.0 <= h.mu <= highest_frequency(100) for h in child.harmonics)
    assert np.abs(changed / 500 - 0.25).max() < 4 * math.sqrt(0.25 * 0.75 / 500)


def test_regular_waves_divide_the_frequencies_evenly() -> None:
    made = [regular_wave(number, 20, 100) for number in range(20)]
    frequencies = sorted(harmonic.mu for each in made for harmonic in each.harmonics)
    assert frequencies == pytest.approx(np.arange(0.125, 25.0, 0.25))


@given(waves)
@settings(max_examples=40, deadline=None)
def test_parse_gives_back_what_print_has_written(made: Wave) -> None:
    text = print_wave(made, {"game": "battleship"})
    assert parse_wave(text) == made
    assert text.startswith("// game: battleship\n")


def test_a_wave_is_read_with_comments_and_any_white_space() -> None:
    text = "// α μ β ω\r\n1 2 3 4 // loud\r\n\r\n" + " .5\t2. -3e-1  4\n" + "0 0 0 0\n" * 3
    assert parse_wave(text).harmonics[:2] == (Harmonic(1.0, 2.0, 3.0, 4.0), Harmonic(0.5, 2.0, -0.3, 4.0))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 2 x 4\n", "`x` is not a coefficient"),
        ("1 2 1e999 4\n", "`1e999` is not a coefficient"),
        ("1 2 nan 4\n", "`nan` is not a coefficient"),
        ("1 2 3\n", "3 coefficients instead of 4"),
        ("1 2 3 4\n", "1 harmonics instead of 5"),
        ("1 2 3 4\n" * 6, "has only 5 harmonics"),
        ("", "0 harmonics instead of 5"),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, told: str) -> None:
    with pytest.raises(SourceError, match=told):
        parse_wave(text, "a.wave")
