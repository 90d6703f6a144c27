"""Several objectives of an individual, and the order of NSGA-II by them: who dominates whom, and who is crowded.

K. Deb, A. Pratap, S. Agarwal and T. Meyarivan, "A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II", IEEE
Transactions on Evolutionary Computation 6, 2002.
"""

import bisect
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.evolution.individual import WORST, Individual
from gpkit.evolution.parts import register, table_of

SCORE, SIZE, CASES, PROBLEM = "score", "size", "cases", "problem"

Measure = Callable[[Individual[Any]], tuple[float, ...]]
"""An objective, or several: the more, the better."""

NO_MEASURES: Mapping[str, Measure] = MappingProxyType({})
"""Only the objectives that gpkit has."""


def weigher(
    objectives: Sequence[str], own: Mapping[str, Measure] = NO_MEASURES
) -> Callable[[Individual[Any]], tuple[float, ...]]:
    """Gives the objectives of evaluated individuals, all to be maximised; empty ones where ``objectives`` names none.

    Args:
        objectives: names of ``SOURCES``, of individuals whose ``objectives`` are what the problem returned; and of
            ``own``.
        own: objectives of one's own by name.
    """
    known = table_of("objective", "")
    sources = [own[name] if name in own else known[name].value for name in objectives]

    return lambda individual: tuple(chain.from_iterable([source(individual) for source in sources]))


def smallness(individual: Individual[Any]) -> tuple[float]:
    """The size of an individual, the smaller the better; what could not be evaluated is never small."""
    return (-float(individual.size) if math.isfinite(individual.score) else WORST,)


SOURCES: Mapping[str, Measure] = {
    SCORE: lambda individual: (individual.score,),
    SIZE: smallness,
    CASES: lambda individual: individual.cases,
    PROBLEM: lambda individual: individual.objectives,
}
"""Objectives by name: the score; a small size; every case, such as the score against each opponent; and everything that
the problem returns."""

for _name, _measure in SOURCES.items():
    register("objective", _name, _measure)


def points_of(individuals: Sequence[Individual[Any]]) -> Floats:
    """The objectives of individuals: float64 (individuals, objectives), all to be maximised.

    Strength and smallness if none has any. What could not be evaluated, or is NaN, is the worst.
    """
    weighed = [i.objectives for i in individuals]
    if not any(weighed):
        weighed = list(map(weigher((SCORE, SIZE)), individuals))
    width = max(map(len, weighed), default=2)
    rows = [each + (WORST,) * (width - len(each)) for each in weighed]
    points = np.array(rows, dtype=np.float64).reshape(len(rows), width)
    return np.where(np.isnan(points), WORST, points)


def pareto_order(individuals: Sequence[Individual[Any]], alike: float = 0.0) -> list[int]:
    """Places from the best to the worst: first by front, then the less crowded first, then as they stand.

    The first front holds those that nobody dominates, the second those that only the first dominates, and so on. The
    ends of a front count as not crowded at all. What could not be evaluated is never small. Of individuals with the
    same objectives, to seven digits, all but the first come after everybody else: copies do not crowd others out.

    Args:
        individuals: the population.
        alike: where it is above 0, individuals count as copies as well whose errors, 1 less the first objective, fall
            into one of the bins that are so wide on a natural logarithmic scale, and whose others are equal (the boxes
            of M. Laumanns, L. Thiele, K. Deb and E. Zitzler, "Combining Convergence and Diversity in Evolutionary
            Multiobjective Optimization", Evolutionary Computation 10, 2002).
    """
    points = points_of(individuals)
    ranks = fronts(points)
    if any(i.objectives for i in individuals):
        distance = crowding(points, ranks)
    else:
        distance = crowding(points * (1.0, -1.0), ranks)  # equal ones lie side by side from the smallest on
    order = np.lexsort((-distance, ranks))
    if alike:
        points[:, 0] = np.round(np.log(np.maximum(1.0 - points[:, 0], LEAST_ERROR)) / alike)
    kinds = points[order].astype(np.float32) + 0.0  # one zero
    _, firsts = np.unique(kinds.view(f"V{kinds.strides[0]}"), return_index=True)
    is_copy = np.ones(len(order), dtype=np.bool_)
    is_copy[firsts] = False
    found: list[int] = order[np.argsort(is_copy, kind="stable")].tolist()
    return found


LEAST_ERROR = 1e-14
"""The least error; a smaller one counts as this, as it is rounding."""


def fronts(points: Floats) -> NDArray[np.int64]:
    """The front of each point, 0 the best: int64 (points,).

    A point dominates another if it is nowhere worse and somewhere better; equal points are of one front. NaN is the
    worst. In falling lexicographic order only an earlier point can dominate a later one, and what a front does not
    dominate no later front does, so a binary search finds the place (X. Zhang, Y. Tian, R. Cheng and Y. Jin, "An
    Efficient Approach to Nondominated Sorting for Evolutionary Multiobjective Optimization", IEEE Transactions on
    Evolutionary Computation 19, 2015).

    Args:
        points: float64 (points, objectives), all to be maximised.
    """
    falling = -np.where(np.isnan(points), -np.inf, points)
    count, width = falling.shape
    order = np.lexsort(falling.T[::-1]) if width else np.arange(count)
    ranks = np.zeros(count, dtype=np.int64)
    ranks[order] = (_fronts_of_two if width == 2 else _fronts_of_many)(falling[order])
    return ranks


def _fronts_of_two(falling: Floats) -> list[int]:
    """Fronts by two objectives: the latest point of each, the best by the second, tells what the front dominates."""
    latest: list[tuple[float, float]] = []
    ranks: list[int] = []
    for point in zip(falling[:, 1].tolist(), falling[:, 0].tolist(), strict=True):
        rank = bisect.bisect_left(latest, point)
        if rank == len(latest):
            latest.append(point)
        else:
            latest[rank] = point
        ranks.append(rank)
    return ranks


def _fronts_of_many(falling: Floats) -> list[int]:
    ranks: list[int] = []
    members: list[Floats] = []  # with room for more
    counts: list[int] = []
    for point in falling:

        def is_dominated(rank: int, point: Floats = point) -> bool:
            front = members[rank][: counts[rank]]
            nowhere_worse = (front <= point).all(axis=1)
            return bool((nowhere_worse & (front < point).any(axis=1)).any())

        rank = bisect.bisect_left(range(len(members)), 1, key=lambda k: not is_dominated(k))
        if rank == len(members):
            members.append(np.empty((4, len(point))))
            counts.append(0)
        if counts[rank] == len(members[rank]):
            members[rank] = np.concatenate([members[rank], np.empty_like(members[rank])])
        members[rank][counts[rank]] = point
        counts[rank] += 1
        ranks.append(rank)
    return ranks


def crowding(points: Floats, ranks: NDArray[np.int64]) -> Floats:
    """Crowding distance of each point in its front: its neighbours' gap over the range there, for all objectives.

    It is float64 (points,), infinite at the ends of a front. An objective whose range is not finite counts nothing.

    Args:
        points: float64 (points, objectives), at least one.
        ranks: the front of each: int64 (points,).
    """
    distance = np.zeros(len(points))
    for values in points.T:
        order = np.lexsort((values, ranks))
        rising, front = values[order], ranks[order]
        new = np.flatnonzero(front[1:] != front[:-1]) + 1
        starts, ends = np.append(0, new), np.append(new, len(points)) - 1
        gaps = np.zeros(len(points))
        with np.errstate(invalid="ignore"):  # of infinite values
            gaps[1:-1] = rising[2:] - rising[:-2]
            spreads = np.repeat(rising[ends] - rising[starts], ends - starts + 1)
        counts = (spreads > 0.0) & np.isfinite(spreads)
        counts[starts] = counts[ends] = False
        distance[order] += np.divide(gaps, spreads, out=np.zeros(len(points)), where=counts)
        distance[order[starts]] = distance[order[ends]] = np.inf
    return distance
