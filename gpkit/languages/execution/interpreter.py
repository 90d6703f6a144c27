"""Reference interpreter of plans, in plain Python and in reading order; the compiled machine asks for the same."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from gpkit.genomes.plan import (
    MAIN,
    Chance,
    Decide,
    Do,
    PlanProgram,
    Repeat,
    Sequence,
    Step,
    Test,
    Use,
    Wait,
    While,
    steps,
)

BUDGET = 100_000
"""The most steps of a game, those of loops counted every time."""

Sense = Callable[[str], float]
"""The value of a feature at present."""

Draw = Callable[[], float]
"""The next random number, of at least 0 and below 1."""

Place = tuple[int, int]
"""A step: the number of its plan, and its number in the order of the text."""


@dataclass(frozen=True, slots=True)
class Executed:
    """One executed step of a plan.

    Attributes:
        place: where it stands.
        step: itself.
        outcome: of a test or a chance whether it holds; of others True.
        asks: what the game has to do before the plan goes on: begin the step's action, let a ``tick`` pass, or nothing.
    """

    place: Place
    step: Step
    outcome: bool = True
    asks: Literal["", "action", "tick"] = ""


def interpret(program: PlanProgram, sense: Sense, draw: Draw) -> Iterator[Executed]:
    """The steps of a plan in a game; whoever asks for the next one has done what the one before asks for.

    They end with the plan, and where ``BUDGET`` steps are used up. The program has no circle, and is executed downwards
    (``gpkit.genomes.plan_direction.downward``).
    """
    for count, executed in enumerate(_run(program, 0, program.plan(MAIN), 0, sense, draw), start=1):
        yield executed
        if count == BUDGET:
            return


def _run(
    program: PlanProgram, plan: int, sequence: Sequence, first: int, sense: Sense, draw: Draw
) -> Iterator[Executed]:
    """The steps of a sequence whose first one has the number ``first`` in its plan."""
    number = first
    for step in sequence:
        place = plan, number
        match step:
            case Do():
                yield Executed(place, step, asks="action")
            case Use():
                yield Executed(place, step)
                used = program.names.index(step.plan)
                yield from _run(program, used, program.plans[used], 0, sense, draw)
            case Wait():
                for _ in range(step.most):
                    if holds(step.test, sense):
                        break
                    yield Executed(place, step, outcome=False, asks="tick")
                yield Executed(place, step)
            case Repeat():
                for _ in range(step.times):
                    yield Executed(place, step)
                    yield from _run(program, plan, step.body, number + 1, sense, draw)
            case While():
                for _ in range(step.most):
                    goes_on = holds(step.test, sense)
                    yield Executed(place, step, outcome=goes_on)
                    if not goes_on:
                        break
                    yield from _run(program, plan, step.body, number + 1, sense, draw)
            case Decide() | Chance():
                is_yes = holds(step.test, sense) if isinstance(step, Decide) else happens(step, draw)
                yield Executed(place, step, outcome=is_yes)
                branch = step.yes if is_yes else step.no
                start = number + 1 + (0 if is_yes else size_of(step.yes))
                yield from _run(program, plan, branch, start, sense, draw)
        number += 1 + sum(size_of(inner) for inner in step.held)


def happens(chance: Chance, draw: Draw) -> bool:
    """Whether a chance says yes; a certain one draws no number."""
    return chance.probability == 1.0 or (chance.probability > 0.0 and draw() < chance.probability)


def holds(test: Test, sense: Sense) -> bool:
    """Whether a test holds; both comparisons are looked at."""
    results = [comparison.holds(sense(comparison.feature)) for comparison in test.comparisons]
    return any(results) if test.join == "or" else all(results)


def size_of(sequence: Sequence) -> int:
    """Number of steps of a sequence, those that they hold counted."""
    return sum(1 for _ in steps(sequence))
