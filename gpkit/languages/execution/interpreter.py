"""Reference interpreter of plans, in plain Python and in reading order; the compiled machine asks for the same."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A step of a plan with its number, and what executing it yields.

    Attributes:
        step: itself.
        yes: what is yielded where it is executed, or where its test holds.
        no: what is yielded where its test does not hold.
        inner: the sequences in it.
    """

    step: Step
    yes: Executed
    no: Executed
    inner: tuple["Lines", ...]


Lines = tuple[Line, ...]
"""A sequence, of which every step has its number."""


def listed(program: PlanProgram) -> dict[str, Lines]:
    """The plans of a program by name, numbered once for any number of executions.

    The program has no circle, and is executed downwards (``gpkit.genomes.plan.downward``).
    """
    return {
        name: _listed(plan, number, 0)[0]
        for number, (name, plan) in enumerate(zip(program.names, program.plans, strict=True))
    }


def _listed(sequence: Sequence, plan: int, number: int) -> tuple[Lines, int]:
    """The lines of a sequence whose first step has that number in its plan, and the number behind it."""
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
    """The steps of a plan in a game; whoever asks for the next one has done what the one before asks for.

    They end with the plan, and where ``BUDGET`` steps are used up. The program has no circle, and is executed downwards
    (``gpkit.genomes.plan.downward``).
    """
    return execute(listed(program), sense, draw)


def execute(plans: Mapping[str, Lines], sense: Sense, draw: Draw) -> Iterator[Executed]:
    """The steps of plans that were ``listed``, as ``interpret`` gives them."""
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
    """Whether a chance says yes; a certain one draws no number."""
    return chance.probability == 1.0 or (chance.probability > 0.0 and draw() < chance.probability)


def holds(test: Test, sense: Sense) -> bool:
    """Whether a test holds; both comparisons are looked at."""
    if len(test.comparisons) == 1:
        return test.comparisons[0].holds(sense(test.comparisons[0].feature))
    results = [comparison.holds(sense(comparison.feature)) for comparison in test.comparisons]
    return any(results) if test.join == "or" else all(results)


def size_of(sequence: Sequence) -> int:
    """Number of steps of a sequence, those that they hold counted."""
    return sum(1 for _ in steps(sequence))
