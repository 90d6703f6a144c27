"""Games of plans in plain Python: what the machine asks for, state by state; the twin is ``kernel.games.play_plan``."""

from collections.abc import Iterator

from gpkit.games.build_order.arena import BUDGET
from gpkit.games.build_order.kernel.things import WAIT
from gpkit.games.build_order.primitives import FEATURES
from gpkit.games.build_order.rules import State
from gpkit.games.build_order.sensors import features
from gpkit.vm.isa import HALT, HOST, OUT_OF_STEPS
from gpkit.vm.keyed import CHANCES, KeyedDraws
from gpkit.vm.machine import run_readable
from gpkit.vm.program import Program


def follow_plan(program: Program, state: State, key: int) -> Iterator[tuple[State, int]]:
    """The states in which a plan orders, with its orders, from a state on; after the plan it waits.

    An order that can never begin is the last.
    """
    memory, place, left = program.memory.copy(), 0, BUDGET
    draws = KeyedDraws(key, CHANCES)
    while not state.is_terminal:
        memory[: len(FEATURES)] = features(state)
        opcode, stopped, steps = run_readable(program.code, memory, place, left)
        left -= steps
        place = stopped if opcode == HALT else stopped + 1
        action = WAIT if opcode == HALT else opcode - HOST
        if opcode == OUT_OF_STEPS:
            return
        if action > WAIT:
            memory[int(program.code[stopped, 1])] = draws.random()
            continue
        yield state, action
        if action not in state.legal_actions():
            return
        state = state.apply(action)


def order_of(program: Program, state: State, key: int) -> int:
    """The order of a plan in a state that came about by its orders; in others, and where it is stuck, ``wait``."""
    begin = State.begin(state.attack, state.rules)
    for met, action in follow_plan(program, begin, key):
        if (met.tick, len(met.orders)) == (state.tick, len(state.orders)):
            return action if action in state.legal_actions() else WAIT
        if met.tick > state.tick:
            break
    return WAIT
