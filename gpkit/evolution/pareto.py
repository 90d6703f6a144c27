"""Strength against size: the order of NSGA-II (K. Deb et al., IEEE Trans. Evolutionary Computation 6, 2002)."""

import bisect
import math
from collections.abc import Sequence
from typing import Any

from gpkit.evolution.individual import Individual


def pareto_order(individuals: Sequence[Individual[Any]]) -> list[int]:
    """Places from the best to the worst: first by front, then the less crowded first, then as they stand.

    The first front holds those that nobody beats in both score and size; the second those that only the first beats;
    and so on. The ends of a front count as not crowded at all. What could not be evaluated is never small.
    """
    scores = [individual.score for individual in individuals]
    sizes = [float(i.size) if math.isfinite(i.score) else math.inf for i in individuals]
    ranks = fronts(scores, sizes)
    members: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    for place, rank in enumerate(ranks):
        members[rank].append(place)
    order: list[int] = []
    for front in members:
        distance = crowding([scores[place] for place in front], [sizes[place] for place in front])
        order.extend(front[k] for k in sorted(range(len(front)), key=lambda k: -distance[k]))
    return order


def fronts(scores: Sequence[float], sizes: Sequence[float]) -> list[int]:
    """The front of each pair, 0 the best; a higher score and a smaller size are better.

    In order of falling score (and rising size) only an earlier pair can beat a later one, and it does if its size is
    smaller, or equal with a higher score. So the smallest pair of each front, which is its latest, tells whether the
    front beats a newcomer; and what a front does not beat no later front does, so a binary search finds the place.
    """
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], sizes[place]))
    latest: list[tuple[float, float]] = []  # size and negated score of the smallest pair of each front
    ranks = [0] * len(scores)
    for place in order:
        pair = (sizes[place], -scores[place])
        rank = bisect.bisect_left(latest, pair)
        latest[rank : rank + 1] = [pair]
        ranks[place] = rank
    return ranks


def crowding(scores: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """Crowding distance of each member of one front: its neighbours' gap over the range; infinite at the ends."""
    distance = [0.0] * len(scores)
    for values in (scores, sizes):
        order = sorted(range(len(values)), key=lambda place: values[place])
        spread = values[order[-1]] - values[order[0]]
        if spread > 0.0 and math.isfinite(spread):
            for before, place, after in zip(order, order[1:], order[2:], strict=False):
                distance[place] += (values[after] - values[before]) / spread
        distance[order[0]] = distance[order[-1]] = math.inf
    return distance
