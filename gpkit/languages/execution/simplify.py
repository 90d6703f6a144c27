"""Finds branches of plans that are never taken, and makes plans smaller.

An action, a wait or a used plan can change every feature. Therefore, conclusions from a test are valid only until the
next of these steps, but the bounds of sensors are valid everywhere. Simplification preserves all requests that a plan
makes to the game, but it can change the number of steps. The term "dead weight" refers to the branches that no game
took.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.comparisons import Comparison, Range, ranges_of
from gpkit.genomes.plan import (
    Chance,
    PlanProgram,
    Sequence,
    Step,
    Test,
    ends_in_branches,
    opposite,
    steps,
)
from gpkit.genomes.tree import Computed
from gpkit.langkit.formulas import simpler
from gpkit.languages.execution.interpreter import Place, size_of

Ranges = Mapping[str, Range]
"""The possible values of each feature; a feature that is missing here can have any value."""


def bounds_of(primitives: PrimitiveSet | None) -> Ranges:
    """The bounds of a game's sensors; empty without a game."""
    return ranges_of(() if primitives is None else primitives.sensors)


def narrowed(ranges: Ranges, test: Test) -> Ranges | None:
    """The possible values of features after a test that holds; None if it cannot hold."""
    if test.join == "or":
        possible = [found for c in test.comparisons if (found := _with(ranges, c)) is not None]
        return possible[0] if len(possible) == 1 else (ranges if possible else None)
    left: Ranges | None = ranges
    for comparison in test.comparisons:
        left = None if left is None else _with(left, comparison)
    return left


def _with(ranges: Ranges, comparison: Comparison) -> Ranges | None:
    if isinstance(comparison.feature, Computed):
        return ranges  # its value may be NaN, for which a range says nothing
    after = ranges.get(comparison.feature, Range()).among(comparison)
    return None if after.is_empty else {**ranges, comparison.feature: after}


@dataclass(frozen=True, slots=True)
class Dead:
    """A branch that is never taken, or a test that never holds.

    Attributes:
        number: the number of the step with the branch, in the order of the text.
        branch: ``yes``, ``no``, ``body``, or ``wait`` for a wait that always takes all its ticks.
        steps: the numbers of the steps in the branch.
    """

    number: int
    branch: str
    steps: range


def unreached(sequence: Sequence, bounds: Ranges) -> frozenset[int]:
    """The numbers of the steps in branches that are never taken."""
    return frozenset(number for each in dead(sequence, bounds) for number in each.steps)


def dead(sequence: Sequence, bounds: Ranges, number: int = 0, ranges: Ranges | None = None) -> Iterator[Dead]:
    """Yield the branches of a plan that are never taken, but not the branches inside such branches.

    Args:
        sequence: the steps.
        bounds: the possible values of features.
        number: the number of the first step.
        ranges: the possible values of features before the first step, if tests restrict them further than the bounds.
    """
    for step in sequence:
        inner = number + 1
        entered = _entered(step, bounds if ranges is None else ranges, bounds)
        for name, part, found in zip(step.HELD, step.held, entered, strict=False):
            steps_of_part = range(inner, inner + size_of(part))
            if found is None:
                yield Dead(number, name, steps_of_part)
            else:
                yield from dead(part, bounds, inner, found)
            inner = steps_of_part.stop
        if step.asked and not step.held and narrowed(bounds, step.asked) is None and step.count:
            yield Dead(number, "wait", range(0))
        number += 1 + sum(size_of(part) for part in step.held)
        ranges = None


def _entered(step: Step, ranges: Ranges, bounds: Ranges) -> tuple[Ranges | None, ...]:
    """The possible values of features at the start of each sequence in a step; None for sequences that never run."""
    if (test := step.asked) is not None:
        holds = narrowed(ranges, test)
        if step.decides:
            return holds, narrowed(ranges, opposite(test))
        return (None if holds is None else narrowed(bounds, test),)
    if isinstance(step, Chance):
        return ranges if step.probability > 0.0 else None, ranges if step.probability < 1.0 else None
    return (bounds,) * len(step.held)


def simplify(program: PlanProgram, bounds: Ranges) -> PlanProgram:
    """The program without parts that have no effect: dead or equal branches, implied tests, empty loops, unused plans.

    The simplified program makes the same requests in the same ticks and draws the same random numbers. A program that
    runs upwards, or that would become empty, remains unchanged.

    Args:
        program: any program.
        bounds: the bounds of the features.
    """
    if program.goes_up:
        return program
    while (simple := _once(program, bounds)) != program:
        program = simple
    return program


def _once(program: PlanProgram, bounds: Ranges) -> PlanProgram:
    """The program after one pass of simplification; it is smaller or the same."""
    plans = [_simple(plan, bounds, bounds) for plan in program.plans]
    if not plans[0]:
        return program
    kept, used = [0], {step.uses for step in steps(plans[0])}
    for _ in program.names:
        for number, name in enumerate(program.names):
            if name in used and number not in kept:
                kept.append(number)
                used |= {step.uses for step in steps(plans[number])}
    numbers = sorted(kept)
    names, plans = tuple(program.names[k] for k in numbers), [plans[k] for k in numbers]
    return replace(program, names=names, plans=tuple(plans))


def _simple(sequence: Sequence, ranges: Ranges, bounds: Ranges) -> Sequence:
    found: list[Step] = []
    for number, step in enumerate(sequence, start=1):
        simple = _of_step(step, ranges, bounds)
        if len(simple) == 1 and simple[0].COUNT == "times" and simple[0].count == 1:
            (body,) = simple[0].held
            if number == len(sequence) or not ends_in_branches(body):
                simple = body  # a decision can only be the last of its sequence
        found += simple
        ranges = bounds if found else ranges
    return tuple(found)


def _plain(test: Test, ranges: Ranges) -> Test:
    """The test without a redundant comparison, which follows from the other or, in the case of ``or``, implies it."""
    for one, other in permutations(test.comparisons, 2):
        unlike = (one, other.opposite) if test.join == "and" else (other, one.opposite)
        if narrowed(ranges, Test(unlike, "and")) is None:
            return Test((one,))
    return test


def _of_step(step: Step, ranges: Ranges, bounds: Ranges) -> Sequence:
    """The steps that replace a step; a decision that always takes the same branch becomes that branch."""
    if step.asked is not None:
        test = _plain(step.asked, ranges if step.decides else bounds)
        simple = tuple(replace(each, feature=simpler(each.feature)) for each in test.comparisons)
        step = step.but(test=Test(simple, test.join))
    if not step.HELD:
        waits = step.asked is None or (step.count and narrowed(ranges, opposite(step.asked)) is not None)
        return (step,) if waits else ()
    entered = _entered(step, ranges, bounds)
    if step.decides and None in entered:
        return _simple(step.held[entered[0] is None], ranges, bounds)
    parts = zip(step.held, entered, strict=True)
    held = [() if found is None else _simple(part, found, bounds) for part, found in parts]
    if not step.decides:
        return (step.holding(*held),) if held[0] else ()
    if step.asked is not None and held[0] == held[1]:
        return held[0]
    return (step.holding(*held),)  # keep a chance: without its draw, all later draws would shift


Visit = tuple[Place, bool]
"""An execution of a step: its place and its outcome."""


def without_dead_weight(program: PlanProgram, visits: Collection[Visit]) -> PlanProgram:
    """The program without the parts that were never visited; it plays the recorded games in the same way as before.

    A decision that took only one branch becomes that branch.
    """
    plans = tuple(tuple(_visited(plan, number, 0, visits)) for number, plan in enumerate(program.plans))
    return replace(program, plans=plans) if plans[0] else program


def _visited(sequence: Sequence, plan: int, first: int, visits: Collection[Visit]) -> Iterator[Step]:
    """The visited steps of a sequence; the number of its first step is ``first``."""
    number = first
    for step in sequence:
        place = plan, number
        outcomes = [outcome for outcome in (True, False) if (place, outcome) in visits]
        inner, start = [], number + 1
        for part in step.held:
            inner.append(tuple(_visited(part, plan, start, visits)))
            start += size_of(part)
        number = start
        if not outcomes:
            return
        if (
            step.asked and step.decides and len(outcomes) == 1
        ):  # a chance stays: without its draw, all later draws would shift
            yield from inner[0 if outcomes[0] else 1]
        elif not (step.asked and step.held and outcomes == [False]):
            yield step.holding(*inner)
