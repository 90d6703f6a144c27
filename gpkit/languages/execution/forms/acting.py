"""Plans outside games: the actions that one asks for, one after another."""

from collections.abc import Callable, Iterator
from math import inf

from gpkit.core.primitives import HostInstruction, PrimitiveSet, Sensor
from gpkit.genomes.plan import PlanProgram, compared, downward, steps
from gpkit.languages.execution.interpreter import Lines, execute, listed

_LAST: tuple[PlanProgram | None, dict[str, Lines]] = None, {}
"""The last program that acted, and what it was listed as: most programs act many times, one after another."""


def primitives(program: PlanProgram) -> PrimitiveSet:
    """The primitives that a plan uses."""
    found = [step for plan in program.plans for step in steps(plan)]
    sensors = dict.fromkeys(each.feature for step in found for each in compared(step))
    words = dict.fromkeys(step.asks for step in found if step.asks)
    return PrimitiveSet(
        "",
        (),
        tuple(Sensor(name, "a sensor", -inf, inf, integer=False) for name in sensors),
        (),
        tuple(HostInstruction(word, "an action", acts=True) for word in words),
    )


def actions(program: PlanProgram, sense: Callable[[str], float], draw: Callable[[], float]) -> Iterator[str]:
    """The actions of a plan; whoever asks for the next one has done the one before. Where it waits, they are empty."""
    global _LAST
    last, lines = _LAST
    if last is not program:
        lines = listed(downward(program))
        _LAST = program, lines
    for executed in execute(lines, sense, draw):
        if executed.asks:
            yield executed.step.asks
