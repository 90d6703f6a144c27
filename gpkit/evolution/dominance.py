"""Several objectives of an individual, and the order of NSGA-II by them: who dominates whom, and who is crowded.

K. Deb, A. Pratap, S. Agarwal and T. Meyarivan, "A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II", IEEE
Transactions on Evolutionary Computation 6, 2002.
"""

import bisect
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.evolution.individual import WORST, Individual
from gpkit.evolution.parts import register, table_of

Floats = NDArray[np.float64]

SCORE, SIZE, CASES, PROBLEM = "score", "size", "cases", "problem"

SOURCES = (SCORE, SIZE, CASES, PROBLEM)
"""Objectives by name: the score; a small size; every case, such as the score against each opponent; and everything that
the problem returns."""


Measure = Callable[[Individual[Any]], float]
"""An objective of one's own: the more, the better."""

NO_MEASURES: Mapping[str, Measure] = MappingProxyType({})
"""Only the objectives that gpkit has."""


def weigh(
    individual: Individual[Any], objectives: Sequence[str], own: Mapping[str, Measure] = NO_MEASURES
) -> tuple[float, ...]:
    """The objectives of an evaluated individual, all to be maximised; empty where ``objectives`` names none.

    Args:
        individual: whose ``objectives`` are what the problem returned.
        objectives: names of ``SOURCES``, and of ``own``.
        own: objectives of one's own by name.
    """
    values: list[float] = []
    for source in objectives:
        if source in own:
            values.append(own[source](individual))
        else:
            values.extend(table_of("objective", "")[source].value(individual))
    return tuple(values)


def smallness(individual: Individual[Any]) -> tuple[float]:
    """The size of an individual, the smaller the better; what could not be evaluated is never small."""
    return (-float(individual.size) if math.isfinite(individual.score) else WORST,)


register("objective", SCORE, lambda individual: (individual.score,))
register("objective", SIZE, smallness)
register("objective", CASES, lambda individual: individual.cases)
register("objective", PROBLEM, lambda individual: individual.objectives)


def points_of(individuals: Sequence[Individual[Any]]) -> Floats:
    """The objectives of individuals: float64 (individuals, objectives), all to be maximised.

    Strength and smallness if none has any. What could not be evaluated, or is NaN, is the worst.
    """
    width = max((len(i.objectives) for i in individuals), default=0)
    rows = [
        (*i.objectives, *[WORST] * (width - len(i.objectives))) if width else weigh(i, (SCORE, SIZE))
        for i in individuals
    ]
    points = np.array(rows, dtype=np.float64).reshape(len(rows), width or 2)
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
    columns = points.T.tolist()
    if not any(i.objectives for i in individuals):
        columns[1] = [-value for value in columns[1]]  # equal ones lie side by side from the smallest on
    members: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    for place, rank in enumerate(ranks):
        members[rank].append(place)
    order: list[int] = []
    for front in members:
        distance = crowding([[column[place] for place in front] for column in columns])
        order.extend(front[k] for k in sorted(range(len(front)), key=lambda k: -distance[k]))
    if alike:
        points[:, 0] = np.round(np.log(np.maximum(1.0 - points[:, 0], LEAST_ERROR)) / alike)
    kinds = [tuple(kind) for kind in points.astype(np.float32).tolist()]
    firsts: dict[tuple[float, ...], int] = {}
    for place in order:
        firsts.setdefault(kinds[place], place)
    return sorted(order, key=lambda place: firsts[kinds[place]] != place)


LEAST_ERROR = 1e-14
"""The least error; a smaller one counts as this, as it is rounding."""


def fronts(points: Floats) -> list[int]:
    """The front of each point, 0 the best.

    A point dominates another if it is nowhere worse and somewhere better; equal points are of one front. NaN is the
    worst. In falling lexicographic order only an earlier point can dominate a later one, and what a front does not
    dominate no later front does, so a binary search finds the place (X. Zhang, Y. Tian, R. Cheng and Y. Jin, "An
    Efficient Approach to Nondominated Sorting for Evolutionary Multiobjective Optimization", IEEE Transactions on
    Evolutionary Computation 19, 2015).

    Args:
        points: float64 (points, objectives), all to be maximised.
    """
    points = np.where(np.isnan(points), -np.inf, points)
    count, width = points.shape
    order = np.lexsort(-points.T[::-1]).tolist() if width else range(count)
    return _fronts_of_two(points, order) if width == 2 else _fronts_of_many(points, order)


def _fronts_of_two(points: Floats, order: Sequence[int]) -> list[int]:
    """Fronts by two objectives: the latest point of each, the best by the second, tells what the front dominates."""
    latest: list[tuple[float, float]] = []
    ranks = [0] * len(order)
    negated: list[list[float]] = (-points).tolist()
    for place in order:
        first, second = negated[place]
        rank = bisect.bisect_left(latest, (second, first))
        latest[rank : rank + 1] = [(second, first)]
        ranks[place] = rank
    return ranks


def _fronts_of_many(points: Floats, order: Sequence[int]) -> list[int]:
    ranks = [0] * len(points)
    members: list[Floats] = []  # with room for more
    counts: list[int] = []
    for place in order:
        point = points[place]

        def is_dominated(rank: int, point: Floats = point) -> bool:
            front = members[rank][: counts[rank]]
            nowhere_worse = (front >= point).all(axis=1)
            return bool((nowhere_worse & (front > point).any(axis=1)).any())

        rank = bisect.bisect_left(range(len(members)), 1, key=lambda k: not is_dominated(k))
        if rank == len(members):
            members.append(np.empty((4, len(point))))
            counts.append(0)
        if counts[rank] == len(members[rank]):
            members[rank] = np.concatenate([members[rank], np.empty_like(members[rank])])
        members[rank][counts[rank]] = point
        counts[rank] += 1
        ranks[place] = rank
    return ranks


def crowding(values: Sequence[Sequence[float]]) -> list[float]:
    """Crowding distance of each member of one front: its neighbours' gap over the range; infinite at the ends.

    Args:
        values: for every objective those of the members.
    """
    distance = [0.0] * len(values[0] if values else ())
    for one in values:
        order = sorted(range(len(one)), key=lambda place: one[place])
        spread = one[order[-1]] - one[order[0]]
        if spread > 0.0 and math.isfinite(spread):
            for before, place, after in zip(order, order[1:], order[2:], strict=False):
                distance[place] += (one[after] - one[before]) / spread
        distance[order[0]] = distance[order[-1]] = math.inf
    return distance
