"""Intervals: quantiles against tables, known samples, and what is claimed when all values are alike."""

import math
from itertools import product

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit.core.statistics import (
    POWER,
    Interval,
    holm,
    mean_interval,
    median_interval,
    paired_difference,
    pairs_needed,
    share_interval,
    signed_rank,
    student_quantile,
    superiority,
)

# Two-sided 5% and 1% points of Student's t: Abramowitz & Stegun, table 26.10.
POINTS_975 = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262,
    10: 2.228, 15: 2.131, 20: 2.086, 30: 2.042, 60: 2.000, 120: 1.980,
}  # fmt: skip
POINTS_995 = {1: 63.657, 2: 9.925, 3: 5.841, 4: 4.604, 5: 4.032, 10: 3.169, 30: 2.750, 120: 2.617}


@pytest.mark.parametrize(("freedom", "point"), POINTS_975.items())
def test_student_quantile_against_the_table(freedom: int, point: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(point, abs=0.005)
    assert student_quantile(0.025, freedom) == pytest.approx(-point, abs=0.005)


@pytest.mark.parametrize(("freedom", "point"), POINTS_995.items())
def test_student_quantile_further_out(freedom: int, point: float) -> None:
    assert student_quantile(0.995, freedom) == pytest.approx(point, rel=0.01)


def test_student_quantile_becomes_the_normal_one() -> None:
    assert student_quantile(0.975, 10**9) == pytest.approx(1.959964, abs=1e-6)
    assert student_quantile(0.5, 7) == 0.0


def test_interval_of_a_known_sample() -> None:
    """Student's own data (1908), sleep gained with one drug over another: mean 1.58, 95% interval 0.70 to 2.46."""
    gained = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    interval = mean_interval(gained)
    assert interval.mean == pytest.approx(1.58)
    assert interval.low == pytest.approx(0.70, abs=0.005)
    assert interval.high == pytest.approx(2.46, abs=0.005)
    assert interval.units == 10
    assert interval.excludes(0.0)
    assert not interval.excludes(1.0)
    assert interval.half_width == pytest.approx((interval.high - interval.low) / 2)


def test_more_confidence_is_a_wider_interval() -> None:
    values = [1.0, 2.0, 4.0, 3.0]
    widths = [mean_interval(values, level=level).half_width for level in (0.8, 0.95, 0.99)]
    assert widths == sorted(widths)
    assert len(set(widths)) == 3


def test_paired_difference_is_the_interval_of_the_differences() -> None:
    first, second = np.array([1.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0, 0.0])
    assert paired_difference(first, second) == mean_interval([1.0, 0.0, 0.0, 1.0])


def test_pairing_removes_what_the_units_share() -> None:
    rng = stream(1, "test")
    shared = rng.normal(size=500)
    first, second = shared + 0.1 * rng.normal(size=500), shared + 0.1 * rng.normal(size=500)
    alone = math.hypot(mean_interval(first).half_width, mean_interval(second).half_width)
    assert paired_difference(first, second).half_width < alone / 5


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_values_all_0_or_all_1_get_the_interval_of_clopper_and_pearson(value: float) -> None:
    interval = mean_interval([value] * 100, support=(0.0, 1.0))
    bound = 1.0 - 0.025 ** (1 / 100)
    assert bound == pytest.approx(0.0362, abs=1e-4)
    assert (interval.low, interval.high) == pytest.approx(
        (0.0, bound) if value == 0.0 else (1.0 - bound, 1.0)
    )


def test_values_all_alike_are_no_certainty() -> None:
    third = mean_interval([1 / 3] * 50, support=(0.0, 1.0))
    assert 0.0 < third.low < third.mean < third.high < 1.0
    assert mean_interval([1 / 3] * 5000, support=(0.0, 1.0)).half_width < third.half_width / 50
    same = paired_difference([0.5] * 50, [0.5] * 50, support=(0.0, 1.0))
    assert same.low == -same.high < 0.0
    assert mean_interval([4.0] * 50) == Interval(4.0, 4.0, 4.0, 50)


def test_rounding_is_no_difference_between_values() -> None:
    alike = [0.5, 0.5 + 2**-53, 0.5, 0.5 - 2**-54]
    assert len(set(alike)) == 3
    interval = mean_interval(alike, support=(0.0, 1.0))
    assert interval.high - interval.low > 0.5


def test_one_value_says_nothing() -> None:
    assert mean_interval([0.25]) == Interval(0.25, -math.inf, math.inf, 1)
    assert mean_interval([0.25], support=(0.0, 1.0)) == Interval(0.25, 0.0, 1.0, 1)


def test_interval_stays_within_the_support() -> None:
    interval = mean_interval([0.0] * 30 + [1.0], support=(0.0, 1.0))
    assert interval.low == 0.0
    assert mean_interval([0.0] * 30 + [1.0]).low < 0.0


def test_the_interval_of_a_median_ends_at_values() -> None:
    thirty = [float(k) for k in range(1, 31)]
    assert median_interval(thirty) == (15.5, 10.0, 21.0)  # ranks 10 and 21 of 30 hold it with chance .957
    assert median_interval(thirty[:5])[1] == float("-inf")


def test_the_interval_of_a_share_is_inside_zero_and_one() -> None:
    assert share_interval(0, 10)[1] == pytest.approx(0.0, abs=1e-12)
    assert 0.0 < share_interval(10, 10)[1] < share_interval(10, 10)[2] <= 1.0 + 1e-12


def test_a_large_sample_covers_its_median() -> None:
    draws = [stream(1, "median", k).exponential(size=15) for k in range(400)]
    hits = [low <= math.log(2.0) <= high for _, low, high in map(median_interval, map(list, draws))]
    assert 0.93 <= sum(hits) / 400 <= 0.99  # .965 by the binomial


def by_all_signs(differences: list[float]) -> float:
    """The two-sided p of the signed-rank test, by going through all signs of the differences."""
    known = [each for each in differences if each]
    sizes = sorted(map(abs, known))
    ranks = [sizes.index(abs(each)) + (1 + sizes.count(abs(each))) / 2 for each in known]
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(known))
    ]
    own = sum(rank for rank, each in zip(ranks, known, strict=True) if each > 0)
    tails = (sum(each <= own for each in sums), sum(each >= own for each in sums))
    return min(1.0, 2 * min(tails) / len(sums))


@pytest.mark.parametrize("seed", range(12))
def test_the_signed_rank_test_is_that_of_all_signs(seed: int) -> None:
    rng = stream(seed, "signed rank")
    differences = rng.normal(0.5, 1.0, size=int(rng.integers(0, 12)))
    rounded = np.round(differences, int(rng.integers(0, 3))).tolist()  # with ties, and zeros
    assert signed_rank(rounded)[0] == pytest.approx(by_all_signs(rounded), abs=1e-12)


def test_the_signed_rank_test_takes_infinite_differences_and_many() -> None:
    assert signed_rank([math.inf, math.inf, 1.0, 2.0, 3.0, 4.0]) == (pytest.approx(2 / 64), 1)
    assert signed_rank([-math.inf] * 8) == (pytest.approx(2 / 256), -1)
    assert signed_rank([]) == signed_rank([0.0, 0.0]) == (1.0, 0)
    ours = stream(1, "many").normal(0.1, 1.0, size=300).tolist()
    n = len(ours)
    order = sorted(ours, key=abs)
    positive = sum(rank for rank, each in enumerate(order, start=1) if each > 0)
    z = (positive - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    assert signed_rank(ours)[0] == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=0.03)


@pytest.mark.parametrize("seed", range(8))
def test_holm_rejects_step_by_step(seed: int) -> None:
    chances = stream(seed, "holm").random(7) ** 3
    corrected = holm(chances.tolist())
    for level in (0.01, 0.05, 0.2, 0.7):
        rejected = set()
        for place, test in enumerate(np.argsort(chances).tolist()):
            if chances[test] > level / (7 - place):
                break
            rejected.add(test)
        assert {test for test in range(7) if corrected[test] <= level} == rejected
    assert holm([]) == []


def test_superiority_counts_pairs() -> None:
    first, second = [3.0, 1.0, 2.0, math.inf], [2.0, 0.0, -math.inf]
    pairs = [1.0 if one > other else 0.5 if one == other else 0.0 for one in first for other in second]
    assert superiority(first, second) == pytest.approx(sum(pairs) / 12)
    assert superiority(first, second) + superiority(second, first) == pytest.approx(1.0)


@pytest.mark.release
@pytest.mark.parametrize("shift", [0.4, 0.6])
def test_as_many_pairs_as_needed_find_the_difference_with_its_power(shift: float) -> None:
    known = stream(1, "known", 0).normal(shift, 1.0, size=1500).tolist()
    needed = pairs_needed(known, 0.05)
    assert needed is not None
    found = [
        signed_rank(stream(1, "power", k).normal(shift, 1.0, size=needed).tolist())[0] < 0.05
        for k in range(400)
    ]
    assert POWER - 0.1 <= sum(found) / 400 <= POWER + 0.1


def test_differences_that_favour_neither_need_no_number() -> None:
    assert pairs_needed([], 0.05) is pairs_needed([1.0, -1.0], 0.05) is None
    assert pairs_needed([1.0] * 3, 0.05) == 11  # six of one sign could be enough
