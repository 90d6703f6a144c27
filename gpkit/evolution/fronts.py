"""The front of a run (the programs that no other program dominates), and the rule that chooses the champion from it.

Individuals with several objectives are ordered as in NSGA-II, by dominance and then by crowding.

Deb, Pratap, Agarwal and Meyarivan, "A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II", IEEE Transactions on
Evolutionary Computation 6, 2002.
"""

import bisect
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from types import MappingProxyType
from typing import Annotated, Any, Literal

import numpy as np

from gpkit.core.arrays import Floats, Ints
from gpkit.core.codec import Count, Range, Real, codec
from gpkit.core.diagnostics import check_known, suggestion
from gpkit.core.errors import UsageError
from gpkit.evolution.config import FrontSettings
from gpkit.evolution.parts import register, table_of
from gpkit.evolution.problem import WORST, Genome, Individual, Representation

SCORE, SIZE, CASES, PROBLEM = "score", "size", "cases", "problem"

Measure = Callable[[Individual[Any]], tuple[float, ...]]
"""A function that returns one or more objectives of an individual; higher is better."""


def weigher(
    objectives: Sequence[str], own: Mapping[str, Measure] = MappingProxyType({})
) -> Callable[[Individual[Any]], tuple[float, ...]]:
    """A function that returns an individual's objectives, all to be maximised; empty if ``objectives`` names none.

    Args:
        objectives: names from ``SOURCES`` and from ``own``; the ``objectives`` of individuals must be the values that
            the problem returned.
        own: the user's own objectives by name.
    """
    known = table_of("objective", "")
    sources = [own[name] if name in own else known[name].value for name in objectives]

    return lambda individual: tuple(chain.from_iterable([source(individual) for source in sources]))


SOURCES: Mapping[str, Measure] = {
    SCORE: lambda individual: (individual.score,),
    SIZE: lambda individual: (-float(individual.size) if math.isfinite(individual.score) else WORST,),
    CASES: lambda individual: individual.cases,
    PROBLEM: lambda individual: individual.objectives,
}
"""Objectives by name: the score, the negated size, every case, and the objectives that the problem returns."""

for _name, _measure in SOURCES.items():
    register("objective", _name, _measure)


def points_of(individuals: Sequence[Individual[Hashable]]) -> Floats:
    """The objectives of individuals: float64 (individuals, objectives), all to be maximised.

    If no individual has objectives, the score and the negated size are used. Missing values and NaN count as the worst.
    """
    weighed = [i.objectives for i in individuals]
    if not any(weighed):
        weighed = list(map(weigher((SCORE, SIZE)), individuals))
    width = max(map(len, weighed), default=2)
    rows = [each + (WORST,) * (width - len(each)) for each in weighed]
    points = np.array(rows, dtype=np.float64).reshape(len(rows), width)
    return np.where(np.isnan(points), WORST, points)


def pareto_order(individuals: Sequence[Individual[Hashable]], alike: float = 0.0) -> list[int]:
    """Positions from the best to the worst: by front, then by crowding (least crowded first), then in the given order.

    The first front consists of the individuals that no other dominates, the second of the individuals that only the
    first front dominates, and so on. The ends of a front count as uncrowded. An individual without an evaluation gets
    the worst size. If individuals have the same objectives to seven digits, the first keeps its place and the others
    come last of all, so copies displace nothing else.

    Args:
        individuals: the population.
        alike: above 0, individuals also count as copies if their errors (1 minus the first objective) fall into the
            same bin of this width on a natural logarithmic scale, and the other objectives are equal (the boxes of
            Laumanns, Thiele, Deb and Zitzler, "Combining Convergence and Diversity in Evolutionary Multiobjective
            Optimization", Evolutionary Computation 10, 2002).
    """
    points = points_of(individuals)
    ranks = fronts(points)
    has_own = any(i.objectives for i in individuals)
    distance = crowding(points if has_own else points * (1.0, -1.0), ranks)  # equal ones from the smallest on
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
"""The smallest error; gpkit attributes a smaller error to rounding and replaces it by this value."""


def fronts(points: Floats) -> Ints:
    """The front of each point, 0 for the best: int64 (points,).

    A point dominates another if it is worse in no objective and better in at least one; equal points are in the same
    front. NaN counts as the worst. In descending lexicographic order, only an earlier point can dominate a later one.
    If one front does not dominate a point, later fronts do not either, so a binary search finds the front (Zhang, Tian,
    Cheng and Jin, "An Efficient Approach to Nondominated Sorting for Evolutionary Multiobjective Optimization", IEEE
    Transactions on Evolutionary Computation 19, 2015).

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
    """The fronts for two objectives; the latest point of each front determines which points the front dominates."""
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


def crowding(points: Floats, ranks: Ints) -> Floats:
    """The crowding distance of each point: the gap between its neighbours, relative to the range of its front.

    The distances, float64 (points,), are summed over the objectives and infinite at the ends of a front. An objective
    with an infinite range is ignored.

    Args:
        points: float64 (points, objectives), at least one.
        ranks: the front of each point: int64 (points,).
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


FRONT_FOLDER = "front"
"""The folder of the front's program files, in the folder of a run."""

Better = Literal["higher", "lower"]
HIGHER: Better = "higher"
LOWER: Better = "lower"


@dataclass(frozen=True, slots=True)
class FrontRow:
    """A row in the table of a front, which describes one program.

    Attributes:
        number: the number of the individual.
        size: the number of nodes or lines.
        objectives: the values measured in validation.
        error: the standard error of the score; 0 if the score is exact or the error is not known.
        program: the program's text, without a header.
    """

    number: Count
    size: Count
    objectives: tuple[Real, ...]
    error: Annotated[float, Range(0.0)]
    program: str


@dataclass(frozen=True, slots=True)
class FrontTable:
    """The programs that no other program dominates in validation, sorted by the first objective, best first.

    Attributes:
        objectives: the names of the objectives.
        better: for each objective, whether ``higher`` or ``lower`` is better.
        rows: the programs.
        rule: the name of the rule that chooses the champion.
        chosen: the row of the champion before its refinement; None if the champion has no row.
        suffix: the suffix of program files, including the dot.
    """

    objectives: tuple[str, ...]
    better: tuple[Better, ...]
    rows: tuple[FrontRow, ...]
    rule: str
    chosen: Count | None
    suffix: str

    def file(self, place: int) -> str:
        """The program file of a row, relative to the folder of the run."""
        return f"{FRONT_FOLDER}/{place + 1:03}{self.suffix}"

    def words(self, place: int) -> str:
        """The objectives of a row as a string, such as ``score 0.81, size 12``."""
        pairs = zip(self.objectives, self.rows[place].objectives, strict=True)
        return ", ".join(f"{name} {value:.6g}" for name, value in pairs)

    def members(self) -> list[dict[str, Any]]:
        """The programs of the front as JSON values, each with the name of its file."""
        write = codec(FrontRow).write
        return [{"file": self.file(place), **write(row)} for place, row in enumerate(self.rows)]


Rule = Callable[[Sequence[Sequence[float]], Sequence[float]], int]
"""Returns the position of a front's member, given all members' objectives and their scores' standard errors."""


def first(points: Sequence[Sequence[float]], _errors: Sequence[float]) -> int:
    """The position of the member with the best first objective."""
    return max(range(len(points)), key=lambda k: (*points[k], -k))


def knee(points: Sequence[Sequence[float]], _errors: Sequence[float]) -> int:
    """The position of the member farthest from the plane through the ends, with each objective scaled to its range.

    Das, "On characterizing the 'knee' of the Pareto curve based on Normal-Boundary Intersection", Structural
    Optimization 18, 1999. Objectives that are infinite, or the same for all members, are ignored.
    """
    totals = [0.0] * len(points)
    for values in zip(*points, strict=True):
        low, spread = min(values), max(values) - min(values)
        if spread > 0.0 and math.isfinite(spread):
            totals = [total + (value - low) / spread for total, value in zip(totals, values, strict=True)]
    return max(range(len(points)), key=lambda k: (totals[k], -k))


def one_standard_error(points: Sequence[Sequence[float]], errors: Sequence[float]) -> int:
    """The position of the best second objective among members within one standard error of the best first objective.

    Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", 1984, section 3.4.3.
    """
    best = first(points, errors)
    near = [k for k in range(len(points)) if points[k][0] >= points[best][0] - errors[best]]
    return max(near, key=lambda k: (*points[k][1:], points[k][0], -k))


FITTEST = "fittest"
"""The rule that chooses the same champion as without a front: the fittest program in validation."""

RULES: Mapping[str, Rule] = {"first": first, "knee": knee, "one-se": one_standard_error}
"""All rules except ``FITTEST``, by their names in configurations."""


@dataclass(frozen=True, slots=True)
class FrontPlan:
    """The plan of a front: the objectives, and the rule that chooses the champion.

    Attributes:
        objectives: names from ``SOURCES``; by default, the problem's if it returns several, and otherwise score and
            size.
        name: the name of the rule.
        rule: the function that chooses the champion; None means the same champion as without a front.
        names: the names of each source's objectives, if they have names.
        direction: the direction of the score and the cases in the form that users see: −1 if the game's metric is
            better when lower.
        bounds: the smallest and the largest score of one trial, if they are known.
        own: the user's own objectives by name.
        tolerance: scores count as equal if their errors (1 minus the score) differ by at most this share.
        cost: the penalty on a program's first objective when the champion is chosen. A program does not dominate
            programs with a lower cost.
        free: the number of a program's nodes that do not count when the champion is chosen.
    """

    objectives: tuple[str, ...] = ()
    name: str = FITTEST
    rule: Rule | None = None
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    direction: float = 1.0
    bounds: tuple[float, float] | None = None
    own: Mapping[str, Measure] = field(default_factory=dict)
    tolerance: float | None = None
    cost: Callable[[Any], float] = lambda _program: 0.0
    free: Callable[[Any], int] = lambda _program: 0

    def error(self, individual: Individual[Hashable]) -> float:
        """The standard error of an individual's score; 0 if the score is exact or the error is not known.

        With bounds, it is the largest possible error for scores between the bounds with this mean (Bhatia and Davis, "A
        Better Bound on the Variance", American Mathematical Monthly 107, 2000); otherwise, it is computed from the
        cases if there are several.
        """
        if self.bounds is not None and individual.trials:
            low, high = self.bounds
            spread = (high - individual.score) * (individual.score - low)
            return math.sqrt(max(0.0, spread) / individual.trials)
        cases = individual.cases
        return float(np.std(cases, ddof=1)) / math.sqrt(len(cases)) if len(cases) > 1 else 0.0

    def front(
        self,
        candidates: Sequence[tuple[Individual[Genome], Individual[Genome]]],
        champion: Genome,
        programs: Sequence[Any],
        space: Representation[Any],
    ) -> tuple[FrontTable, list[int]]:
        """The front of these candidates, and the position of each of its programs among them.

        Args:
            candidates: one or more individuals, each as it was in its generation and as it was evaluated in validation.
            champion: the fittest candidate in validation; with a tolerance, a smaller program that is equally good
                replaces it.
            programs: the candidates' complete programs for users, with the sizes of the evaluated programs.
            space: prints the programs.

        Raises:
            UsageError: the user's rule has chosen a position that is not in the front.
        """
        validated = [each for _, each in candidates]
        weighed_of = weigher(self.objectives or (PROBLEM,), self.own)
        points = points_of([each._replace(objectives=weighed_of(each)) for each in validated])
        even = points if self.tolerance is None else _evened(points, self.tolerance)
        even = np.column_stack([even, [-self.cost(program) for program in programs]])
        best: dict[tuple[float, ...], int] = {}  # only the first of several with equal objectives
        for place in np.flatnonzero(fronts(even) == 0).tolist():
            best.setdefault(tuple(even[place].tolist()), place)
        order = sorted(best, reverse=True)
        places = [best[same] for same in order]
        values, errors = points[places].tolist(), [self.error(validated[place]) for place in places]
        if self.rule is None:
            genomes = [individual.genome for individual, _ in candidates]
            own, found = even[genomes.index(champion)], [genomes[place] for place in places]
            as_good = [
                k for k, same in enumerate(order) if self.tolerance is not None and (same >= own).all()
            ]
            chosen = found.index(champion) if champion in found else next(iter(as_good), None)
        else:
            paid = [
                (row[0] + same[-1], *(s + self.free(programs[place]) for s in row[1:2]), *row[2:])
                for place, row, same in zip(places, values, order, strict=True)
            ]
            chosen = self._position(self.rule(paid, errors), len(places))
        names, directions = zip(*islice(self._labels(validated), points.shape[1]), strict=True)
        rows = [
            FrontRow(
                candidates[place][0].number,
                validated[place].size,
                tuple(value * way for value, way in zip(row, directions, strict=True)),
                error,
                space.print(programs[place]),
            )
            for place, row, error in zip(places, values, errors, strict=True)
        ]
        better = tuple(HIGHER if way > 0.0 else LOWER for way in directions)
        return FrontTable(names, better, tuple(rows), self.name, chosen, space.suffix), places

    def _position(self, chosen: object, count: int) -> int:
        if type(chosen) is int and 0 <= chosen < count:
            return chosen
        raise UsageError(
            f"front.choose: the rule `{self.name}` chose {chosen!r}; the positions of the front are 0 to {count - 1}"
        )

    def _labels(self, validated: Sequence[Individual[Genome]]) -> Iterator[tuple[str, float]]:
        """The names of the objectives, each with its direction."""
        sources = self.objectives or ((PROBLEM,) if any(i.objectives for i in validated) else (SCORE, SIZE))
        for source in sources:
            if source in (SCORE, SIZE):
                yield source, self.direction if source == SCORE else -1.0
                continue
            if source in self.own:
                yield source, 1.0
                continue
            is_case = source == CASES
            count = max(len(i.cases if is_case else i.objectives) for i in validated)
            known, kind = self.names.get(source, ()), "case" if is_case else "objective"
            for k in range(count):
                name = known[k] if k < len(known) else f"{kind} {k + 1}"
                yield name, self.direction if is_case else 1.0


def _evened(points: Floats, tolerance: float) -> Floats:
    """The points, with each score replaced by the best score of almost the same error: float64 (points, objectives)."""
    found = points.copy()
    order = np.argsort(-points[:, 0], kind="stable").tolist()
    lead = points[order[0], 0]
    for place in order:
        score = points[place, 0]
        if max(1.0 - score, LEAST_ERROR) > (1.0 + tolerance) * max(1.0 - lead, LEAST_ERROR):
            lead = score
        found[place, 0] = lead
    return found


def plan_of(settings: FrontSettings, own: Mapping[str, Measure] = MappingProxyType({})) -> FrontPlan:
    """The plan of a front that a configuration describes.

    Raises:
        UsageError: an objective or a rule does not exist.
    """
    for name in settings.objectives:
        if name not in (*SOURCES, *own):
            raise UsageError(f"front.objectives: there is no objective `{name}`; {suggestion(name, SOURCES)}")
    if len(set(settings.objectives)) < len(settings.objectives):
        raise UsageError("front.objectives names an objective twice")
    if len(set(settings.names)) < len(settings.names):
        raise UsageError(f"front.names = {list(settings.names)}: a name appears twice")
    name = settings.choose
    check_known("rule", name, [FITTEST, *RULES], "front.choose: ")
    return FrontPlan(settings.objectives, name, RULES.get(name), {PROBLEM: settings.names}, own=own)
