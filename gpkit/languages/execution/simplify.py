"""Simplification of plans that keeps all that they ask of a game, up to the steps that they take."""

from dataclasses import replace

from gpkit.genomes.plan import (
    Chance,
    Decide,
    PlanProgram,
    Repeat,
    Sequence,
    Step,
    Use,
    Wait,
    While,
    opposite,
    steps,
)
from gpkit.genomes.plan_places import ends_in_branches
from gpkit.languages.execution.reachability import Ranges, narrowed


def simplify(program: PlanProgram, bounds: Ranges) -> PlanProgram:
    """The program without what cannot matter: dead branches, equal ones, empty loops, plans that nobody uses.

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
    kept, used = [0], {step.plan for step in steps(plans[0]) if isinstance(step, Use)}
    for _ in program.names:
        for number, name in enumerate(program.names):
            if name in used and number not in kept:
                kept.append(number)
                used |= {step.plan for step in steps(plans[number]) if isinstance(step, Use)}
    numbers = sorted(kept)
    return PlanProgram(tuple(program.names[k] for k in numbers), tuple(plans[k] for k in numbers))


def _simple(sequence: Sequence, ranges: Ranges, bounds: Ranges) -> Sequence:
    found: list[Step] = []
    for number, step in enumerate(sequence, start=1):
        simple = _of_step(step, ranges, bounds)
        if len(simple) == 1 and isinstance(simple[0], Repeat) and simple[0].times == 1:
            body = simple[0].body
            if number == len(sequence) or not ends_in_branches(body):
                simple = body  # a decision can only be the last of its sequence
        found += simple
        ranges = bounds if found else ranges
    return tuple(found)


def _of_step(step: Step, ranges: Ranges, bounds: Ranges) -> Sequence:
    """Steps to which a step comes; more than one where it is a branch that is always taken."""
    match step:
        case Wait():
            return () if step.most == 0 or narrowed(ranges, opposite(step.test)) is None else (step,)
        case Repeat():
            body = _simple(step.body, bounds, bounds)
            return (replace(step, body=body),) if body else ()
        case While():
            inside = narrowed(bounds, step.test)
            if inside is None or narrowed(ranges, step.test) is None:
                return ()
            body = _simple(step.body, inside, bounds)
            return (replace(step, body=body),) if body else ()
        case Decide():
            yes, no = narrowed(ranges, step.test), narrowed(ranges, opposite(step.test))
            if yes is None or no is None:
                return _simple(step.no if yes is None else step.yes, ranges, bounds)
            branches = _simple(step.yes, yes, bounds), _simple(step.no, no, bounds)
            return branches[0] if branches[0] == branches[1] else (Decide(step.test, *branches),)
        case Chance():
            yes_branch, no_branch = (_simple(branch, ranges, bounds) for branch in (step.yes, step.no))
            if step.probability in (0.0, 1.0):
                return yes_branch if step.probability else no_branch
            return (replace(step, yes=yes_branch, no=no_branch),)  # one draw less would shift the others
        case _:
            return (step,)
