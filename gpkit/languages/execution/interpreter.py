"""The reference interpreter of plans, in plain Python; the compiled machine makes the same requests."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
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
from gpkit.langkit.formulas import sensed

BUDGET = 100_000
"""The maximum number of steps in a game; each iteration of a loop counts."""

Sense = Callable[[str], float]
"""A function that returns the current value of a feature."""

Draw = Callable[[], float]
"""A function that returns the next random number in [0, 1)."""

Place = tuple[int, int]
"""The place of a step: the number of its plan, and the number of the step in the order of the text."""


@dataclass(frozen=True, slots=True)
class Executed:
    """One executed step of a plan.

    Attributes:
        place: the place of the step.
        step: the step.
        outcome: whether the test holds or the chance says yes; True for other steps.
        asks: the request to the game: ``action`` to begin the step's action, or ``tick`` to let a tick pass; empty if
            there is none.
    """

    place: Place
    step: Step
    outcome: bool = True
    asks: Literal["", "action", "tick"] = ""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A step of a plan with its number, and the possible results of executing it.

    Attributes:
        step: the step.
        yes: the result if the step runs, or if its test holds.
        no: the result if its test does not hold.
        inner: the sequences inside the step.
    """

    step: Step
    yes: Executed
    no: Executed
    inner: tuple["Lines", ...]


Lines = tuple[Line, ...]
"""A sequence with numbered steps."""


def listed(program: PlanProgram) -> dict[str, Lines]:
    """The plans of a program by name, with numbered steps; they can be executed any number of times.

    The program has no cycle and runs downwards (``gpkit.genomes.plan.downward``).
    """
    return {
        name: _listed(plan, number, 0)[0]
        for number, (name, plan) in enumerate(zip(program.names, program.plans, strict=True))
    }


def _listed(sequence: Sequence, plan: int, number: int) -> tuple[Lines, int]:
    """The lines of a sequence, numbered from ``number``, and the number that follows the last step."""
    lines = []
    for step in sequence:
        place, inner = (plan, number), []
        number += 1
        for each in step.held:
            found, number = _listed(each, plan, number)
            inner.append(found)
        yes = Executed(place, step, asks="action" if step.asks else "")
        no = Executed(place, step, outcome=False, asks="tick" if step.COUNT and not step.HELD else "")
        lines.append(Line(step, yes, no, tuple(inner)))
    return tuple(lines), number


def interpret(program: PlanProgram, sense: Sense, draw: Draw) -> Iterator[Executed]:
    """Yield the steps of a plan in a game; the caller fulfils each request before it takes the next step.

    The iterator ends with the plan, or after ``BUDGET`` steps. The program must have no cycle and run downwards
    (``gpkit.genomes.plan.downward``).
    """
    return execute(listed(program), sense, draw)


def execute(plans: Mapping[str, Lines], sense: Sense, draw: Draw) -> Iterator[Executed]:
    """Yield the steps of ``listed`` plans, in the same way as ``interpret``."""
    return islice(_run(plans, plans[MAIN], sense, draw), BUDGET)


def _run(plans: Mapping[str, Lines], lines: Lines, sense: Sense, draw: Draw) -> Iterator[Executed]:
    for line in lines:
        step = line.step
        match step:
            case Do():
                yield line.yes
            case Decide() | Chance():
                is_yes = holds(step.test, sense) if isinstance(step, Decide) else happens(step, draw)
                yield line.yes if is_yes else line.no
                yield from _run(plans, line.inner[0 if is_yes else 1], sense, draw)
            case Use():
                yield line.yes
                yield from _run(plans, plans[step.plan], sense, draw)
            case Wait():
                for _ in range(step.most):
                    if holds(step.test, sense):
                        break
                    yield line.no
                yield line.yes
            case Repeat():
                for _ in range(step.times):
                    yield line.yes
                    yield from _run(plans, line.inner[0], sense, draw)
            case While():
                for _ in range(step.most):
                    if not holds(step.test, sense):
                        yield line.no
                        break
                    yield line.yes
                    yield from _run(plans, line.inner[0], sense, draw)


def happens(chance: Chance, draw: Draw) -> bool:
    """Whether a chance says yes; a chance of 0 or 1 draws no random number."""
    return chance.probability == 1.0 or (chance.probability > 0.0 and draw() < chance.probability)


def holds(test: Test, sense: Sense) -> bool:
    """Whether a test holds; both comparisons are always evaluated."""
    if len(test.comparisons) == 1:
        return test.comparisons[0].holds(sensed(test.comparisons[0].feature, sense))
    results = [comparison.holds(sensed(comparison.feature, sense)) for comparison in test.comparisons]
    return any(results) if test.join == "or" else all(results)


def size_of(sequence: Sequence) -> int:
    """The number of steps in a sequence, including nested ones."""
    return sum(1 for _ in steps(sequence))
