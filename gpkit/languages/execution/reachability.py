"""Branches that no game can take: the tests on their path contradict each other, or the bounds of the features.

An action, a wait or a used plan may change every feature, so what tests have shown holds up to there only; what a game
promises of its sensors holds everywhere. Simplification keeps all that a plan asks of a game, up to the steps that it
takes; dead weight are branches that games never took.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.comparisons import Comparison, Range
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
from gpkit.languages.execution.interpreter import Place, size_of

Ranges = Mapping[str, Range]
"""By feature its values; a feature that is missing can have any."""


def bounds_of(primitives: PrimitiveSet | None) -> Ranges:
    """The bounds that a game promises of its sensors; none without a game."""
    sensors = primitives.sensors if primitives is not None else ()
    return {sensor.name: Range(sensor.low, sensor.high, sensor.integer) for sensor in sensors}


def narrowed(ranges: Ranges, test: Test) -> Ranges | None:
    """The values of features where a test holds; None if it cannot hold."""
    if test.join == "or":
        possible = [found for c in test.comparisons if (found := _with(ranges, c)) is not None]
        return possible[0] if len(possible) == 1 else (ranges if possible else None)
    left: Ranges | None = ranges
    for comparison in test.comparisons:
        left = None if left is None else _with(left, comparison)
    return left


def _with(ranges: Ranges, comparison: Comparison) -> Ranges | None:
    after = ranges.get(comparison.feature, Range()).among(comparison)
    return None if after.is_empty else {**ranges, comparison.feature: after}


@dataclass(frozen=True, slots=True)
class Dead:
    """A branch that is never taken, or a test that never holds.

    Attributes:
        number: of the step that has it, in the order of the text.
        branch: ``yes``, ``no``, ``body``, or ``wait`` where waiting always takes all its ticks.
        steps: the numbers of those in the branch.
    """

    number: int
    branch: str
    steps: range


def dead(sequence: Sequence, bounds: Ranges) -> Iterator[Dead]:
    """The branches of a plan that cannot be taken; what lies in one is not looked at again."""
    yield from _dead(sequence, 0, bounds, bounds)


def unreached(sequence: Sequence, bounds: Ranges) -> frozenset[int]:
    """The numbers of the steps in branches that cannot be taken."""
    return frozenset(number for each in dead(sequence, bounds) for number in each.steps)


def _dead(sequence: Sequence, number: int, ranges: Ranges, bounds: Ranges) -> Iterator[Dead]:
    for step in sequence:
        inner = number + 1
        entered = _entered(step, ranges, bounds)
        for name, part, found in zip(step.HELD, step.held, entered, strict=False):
            steps_of_part = range(inner, inner + size_of(part))
            if found is None:
                yield Dead(number, name, steps_of_part)
            else:
                yield from _dead(part, inner, found, bounds)
            inner = steps_of_part.stop
        if step.asked and not step.held and narrowed(bounds, step.asked) is None and step.count:
            yield Dead(number, "wait", range(0))
        number += 1 + sum(size_of(part) for part in step.held)
        ranges = bounds


def _entered(step: Step, ranges: Ranges, bounds: Ranges) -> tuple[Ranges | None, ...]:
    """The values of features where each sequence begins that a step holds; None of one that is never executed."""
    if (test := step.asked) is not None:
        holds = narrowed(ranges, test)
        if step.decides:
            return holds, narrowed(ranges, opposite(test))
        return (None if holds is None else narrowed(bounds, test),)
    if isinstance(step, Chance):
        return ranges if step.probability > 0.0 else None, ranges if step.probability < 1.0 else None
    return (bounds,) * len(step.held)


def simplify(program: PlanProgram, bounds: Ranges) -> PlanProgram:
    """The program without what has no effect: dead branches, equal ones, empty loops, plans that nobody uses.

    It asks the same of every game in the same ticks, and draws the same random numbers. A program of which nothing
    would be left stays as it is, as does one that is executed upwards.

    Args:
        program: any.
        bounds: of the features.
    """
    if program.goes_up:
        return program
    while (simple := _once(program, bounds)) != program:
        program = simple
    return program


def _once(program: PlanProgram, bounds: Ranges) -> PlanProgram:
    """The program after one pass; it has fewer steps or plans, or is the same."""
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
    return PlanProgram(tuple(program.names[k] for k in numbers), tuple(plans[k] for k in numbers))


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


def _of_step(step: Step, ranges: Ranges, bounds: Ranges) -> Sequence:
    """Steps to which a step comes; more than one where it is a branch that is always taken."""
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
    return (step.holding(*held),)  # a chance stays: one draw less would shift the others


Visit = tuple[Place, bool]
"""An execution of a step: its place and its outcome."""


def without_dead_weight(program: PlanProgram, visits: Collection[Visit]) -> PlanProgram:
    """The program without what no visit came to; the games of the visits go on as they did.

    A decision of which only one branch was taken is that branch.
    """
    plans = tuple(tuple(_visited(plan, number, 0, visits)) for number, plan in enumerate(program.plans))
    return PlanProgram(program.names, plans) if plans[0] else program


def _visited(sequence: Sequence, plan: int, first: int, visits: Collection[Visit]) -> Iterator[Step]:
    """The steps of a sequence, whose first one has this number, that were visited."""
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
        ):  # a chance stays, whose draw would shift the later ones
            yield from inner[0 if outcomes[0] else 1]
        elif not (step.asked and step.held and outcomes == [False]):
            yield step.holding(*inner)
