"""Several objectives: the order of NSGA-II, the front of a run, and the rule that chooses a champion from it.

K. Deb, A. Pratap, S. Agarwal and T. Meyarivan, "A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II", IEEE
Transactions on Evolutionary Computation 6, 2002.
"""

import bisect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.evolution.individual import WORST, Genome, Individual
from gpkit.evolution.parts import register, table_of
from gpkit.evolution.tables import FrontSettings

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


# The front as a result.


@dataclass(frozen=True, slots=True)
class Weighed(Generic[Genome]):
    """One program of a front.

    Attributes:
        individual: as it was in its generation.
        values: its objectives under the conditions of validation, all to be maximised.
        error: the standard error of its score; 0 where that is exact, or not known.
    """

    individual: Individual[Genome]
    values: tuple[float, ...]
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Front(Generic[Genome]):
    """The programs that none other dominates under the conditions of validation, the first objective falling.

    Attributes:
        names: of the objectives.
        directions: for each 1 where people know it as better higher, or −1.
        members: the programs; of those with equal objectives the first that was found.
        rule: the name of the rule that chooses the champion.
        chosen: the place of the champion; None if it is none of them, which ``fittest`` allows.
    """

    names: tuple[str, ...]
    directions: tuple[float, ...]
    members: tuple[Weighed[Genome], ...]
    rule: str
    chosen: int | None

    def with_sizes(self, sizes: Sequence[int]) -> "Front[Genome]":
        """The front by the sizes of what people get of its members.

        A member that another one dominates then is left out, and gives way to that where it was chosen.
        """
        if SIZE not in self.names:
            return self
        place = self.names.index(SIZE)
        members = [
            replace(one, values=(*one.values[:place], -float(size), *one.values[place + 1 :]))
            for one, size in zip(self.members, sizes, strict=True)
        ]
        points = np.array([one.values for one in members])
        there = [k for k, rank in enumerate(fronts(points)) if rank == 0]
        chosen = self.chosen
        if chosen is not None:
            chosen = next(k for k, found in enumerate(there) if (points[found] >= points[chosen]).all())
        return replace(self, members=tuple([members[k] for k in there]), chosen=chosen)


Rule = Callable[[Sequence[Sequence[float]], Sequence[float]], int]
"""Chooses the place of a member of a front, by the objectives of all members, to be maximised, the first falling; and
by the standard errors of their scores."""


def first(points: Sequence[Sequence[float]], _errors: Sequence[float]) -> int:
    """The place of the best by the first objective."""
    return max(range(len(points)), key=lambda k: (*points[k], -k))


def knee(points: Sequence[Sequence[float]], _errors: Sequence[float]) -> int:
    """The place of the farthest from the plane through the ends, each objective scaled to its range on the front.

    I. Das, "On characterizing the 'knee' of the Pareto curve based on Normal-Boundary Intersection", Structural
    Optimization 18, 1999. An objective that is not finite, or the same for all, is left out.
    """
    totals = [0.0] * len(points)
    for values in zip(*points, strict=True):
        low, spread = min(values), max(values) - min(values)
        if spread > 0.0 and math.isfinite(spread):
            totals = [total + (value - low) / spread for total, value in zip(totals, values, strict=True)]
    return max(range(len(points)), key=lambda k: (totals[k], -k))


def one_standard_error(points: Sequence[Sequence[float]], errors: Sequence[float]) -> int:
    """The place of the best by the second objective of those whose first is within one standard error of the best.

    L. Breiman, J. Friedman, R. Olshen and C. Stone, "Classification and Regression Trees", 1984, section 3.4.3.
    """
    best = first(points, errors)
    near = [k for k in range(len(points)) if points[k][0] >= points[best][0] - errors[best]]
    return max(near, key=lambda k: (*points[k][1:], points[k][0], -k))


FITTEST = "fittest"
"""The rule that leaves the champion as it would be without a front: the fittest in validation."""

RULES: Mapping[str, Rule] = {"first": first, "knee": knee, "one-se": one_standard_error}
"""Every rule by its name in a configuration, but for ``FITTEST``."""


@dataclass(frozen=True, slots=True)
class FrontPlan:
    """Plan of a front: the objectives that are weighed, and the rule that chooses.

    Attributes:
        objectives: names of ``SOURCES``; none are those of the problem if it returns several, else score and size.
        name: of the rule.
        rule: chooses; None leaves the champion as it would be without a front.
        names: by source those of its single objectives, where they have some.
        direction: of score and cases as people read them: −1 where the metric of the game is better lower.
        bounds: the least and the greatest score of one trial, where they are known.
        trials: the trials that a score rests on, where its evaluation does not say.
        own: objectives of one's own by name.
    """

    objectives: tuple[str, ...] = ()
    name: str = FITTEST
    rule: Rule | None = None
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    direction: float = 1.0
    bounds: tuple[float, float] | None = None
    trials: int = 0
    own: Mapping[str, Measure] = field(default_factory=dict)

    def error(self, individual: Individual[Any]) -> float:
        """The standard error of the score of an individual; 0 where it is exact, or not known.

        With bounds at most that of any scores between them with this mean (R. Bhatia and C. Davis, "A Better Bound on
        the Variance", American Mathematical Monthly 107, 2000); else by the cases, where there are several.
        """
        trials = individual.trials or self.trials
        if self.bounds is not None and trials:
            low, high = self.bounds
            return math.sqrt(max(0.0, (high - individual.score) * (individual.score - low)) / trials)
        cases = individual.cases
        return float(np.std(cases, ddof=1)) / math.sqrt(len(cases)) if len(cases) > 1 else 0.0

    def front(
        self, candidates: Sequence[tuple[Individual[Genome], Individual[Genome]]], champion: Genome
    ) -> Front[Genome]:
        """The front of candidates.

        Args:
            candidates: each as it was in its generation, and as it was evaluated in validation; at least one.
            champion: the fittest of them in validation.

        Raises:
            UsageError: a rule of one's own has chosen what is no place of the front.
        """
        validated = [each for _, each in candidates]
        weighed = [
            each._replace(objectives=weigh(each, self.objectives or (PROBLEM,), self.own))
            for each in validated
        ]
        points = points_of(weighed)
        rows = [tuple(row) for row in points.tolist()]
        best: dict[tuple[float, ...], Weighed[Genome]] = {}
        for (individual, there), row, rank in zip(candidates, rows, fronts(points), strict=True):
            if rank == 0:
                best.setdefault(row, Weighed(individual, row, self.error(there)))
        members = tuple(best[row] for row in sorted(best, reverse=True))
        if self.rule is None:
            genomes = [member.individual.genome for member in members]
            chosen = genomes.index(champion) if champion in genomes else None
        else:
            chosen = self.rule([m.values for m in members], [m.error for m in members])
            if type(chosen) is not int or not 0 <= chosen < len(members):
                raise UsageError(
                    f"front.choose: the rule `{self.name}` chose {chosen!r}; the places of the front are 0 to "
                    f"{len(members) - 1}"
                )
        names, directions = zip(*self._labels(validated, points.shape[1]), strict=True)
        return Front(names, directions, members, self.name, chosen)

    def _labels(self, validated: Sequence[Individual[Genome]], width: int) -> list[tuple[str, float]]:
        """The names and the directions of so many objectives."""
        sources = self.objectives or ((PROBLEM,) if any(i.objectives for i in validated) else (SCORE, SIZE))
        labels: list[tuple[str, float]] = []
        for source in sources:
            if source in (SCORE, SIZE):
                labels.append((source, self.direction if source == SCORE else -1.0))
                continue
            if source in self.own:
                labels.append((source, 1.0))
                continue
            is_case = source == CASES
            count = max(len(i.cases if is_case else i.objectives) for i in validated)
            known, kind = self.names.get(source, ()), "case" if is_case else "objective"
            single = [known[k] if k < len(known) else f"{kind} {k + 1}" for k in range(count)]
            labels += [(name, self.direction if is_case else 1.0) for name in single]
        return labels[:width]


def plan_of(settings: FrontSettings, own: Mapping[str, Measure] = NO_MEASURES) -> FrontPlan:
    """Plan of a front that a configuration describes.

    Raises:
        UsageError: an objective or a rule that there is not.
    """
    for name in settings.objectives:
        if name not in (*SOURCES, *own):
            raise UsageError(f"front.objectives: there is no objective `{name}`; {suggestion(name, SOURCES)}")
    if len(set(settings.objectives)) < len(settings.objectives):
        raise UsageError("front.objectives names an objective twice")
    if len(set(settings.names)) < len(settings.names):
        raise UsageError(f"front.names = {list(settings.names)}: a name stands there twice")
    name = settings.choose
    if name != FITTEST and name not in RULES:
        raise UsageError(f"front.choose: there is no rule `{name}`; {suggestion(name, [FITTEST, *RULES])}")
    return FrontPlan(settings.objectives, name, RULES.get(name), {PROBLEM: settings.names}, own=own)
