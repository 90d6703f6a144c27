"""Execution of plans in a game: the machine runs until a plan requests an action, and continues after the action."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from gpkit.gamekit.state import State
from gpkit.vm.isa import HALT, HOST, OUT_OF_STEPS
from gpkit.vm.keyed import CHANCES, KeyedDraws
from gpkit.vm.machine import run_readable
from gpkit.vm.program import Program

BUDGET = 200_000
"""The maximum number of machine instructions that a plan can execute in one game."""

Moment = TypeVar("Moment", bound=State)


def is_plan(program: Program) -> bool:
    """Whether a program is a plan, which requests actions itself instead of scoring them."""
    return bool(program.host_instructions)


def follow_plan(
    program: Program,
    state: Moment,
    key: int,
    features: Callable[[Moment], Sequence[float]],
    apply: Callable[[Moment, int], Moment | None],
) -> Iterator[tuple[Moment, int]]:
    """Yield the states in which a plan requests an action, each with the action's number; after the plan, ticks pass.

    Args:
        program: the plan; its last two host instructions are the tick and a random number.
        state: the first state.
        key: the key of the plan's random numbers.
        features: the sensors of a state, in the order of their slots.
        apply: a function of (state, number of the host instruction) that returns the state after an action or a tick;
            None if the action can never begin, which ends the plan.
    """
    memory, place, left = program.memory.copy(), 0, BUDGET
    draws = KeyedDraws(key, CHANCES)
    tick = len(program.host_instructions) - 2
    while not state.is_terminal:
        seen = features(state)
        memory[: len(seen)] = seen
        opcode, stopped, steps = run_readable(program.code, memory, place, left)
        left -= steps
        if opcode == OUT_OF_STEPS:
            return
        place = stopped if opcode == HALT else stopped + 1
        action = tick if opcode == HALT else opcode - HOST
        if action > tick:
            memory[int(program.code[stopped, 1])] = draws.random()
            continue
        after = apply(state, action)
        yield state, action
        if after is None:
            return
        state = after
