"""The front of a run, whose programs none other dominates, and the rule that chooses a champion from it."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Generic

import numpy as np

from gpkit.core.diagnostics import check_known, suggestion
from gpkit.core.errors import UsageError
from gpkit.evolution.dominance import (
    CASES,
    NO_MEASURES,
    PROBLEM,
    SCORE,
    SIZE,
    SOURCES,
    Measure,
    fronts,
    points_of,
    weigher,
)
from gpkit.evolution.individual import Genome, Individual
from gpkit.evolution.tables import FrontSettings


@dataclass(frozen=True, slots=True)
class Weighed(Generic[Genome]):
    """One program of a front.

    Attributes:
        individual: as it was in its generation.
        values: its objectives under the conditions of validation, all to be maximised.
        error: the standard error of its score; 0 where that is exact, or not known.
        program: what people get of it; None before the end.
    """

    individual: Individual[Genome]
    values: tuple[float, ...]
    error: float = 0.0
    program: Any = None


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
        weighed_of = weigher(self.objectives or (PROBLEM,), self.own)
        weighed = [each._replace(objectives=weighed_of(each)) for each in validated]
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
        names, directions = zip(*islice(self._labels(validated), points.shape[1]), strict=True)
        return Front(names, directions, members, self.name, chosen)

    def _labels(self, validated: Sequence[Individual[Genome]]) -> Iterator[tuple[str, float]]:
        """The names and the directions of the objectives."""
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
    check_known("rule", name, [FITTEST, *RULES], "front.choose: ")
    return FrontPlan(settings.objectives, name, RULES.get(name), {PROBLEM: settings.names}, own=own)
