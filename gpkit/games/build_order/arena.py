"""Whole games in the kernel: lists of orders, formulas, and plans; and games of plans in plain Python.

There a plan is followed by what the machine asks for, state by state; its twin is ``kernel.games.play_plan``.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import ONCE
from gpkit.gamekit import plans
from gpkit.games.build_order.kernel import games as compiled
from gpkit.games.build_order.kernel.layout import SHAPES, Base
from gpkit.games.build_order.kernel.things import WAIT
from gpkit.games.build_order.options import Rules
from gpkit.games.build_order.primitives import SENSORS
from gpkit.games.build_order.rules import State
from gpkit.games.build_order.sensors import features
from gpkit.vm.program import Program

Ends = NDArray[np.float64]
"""Float64 (games, 3): the score, how the game ended in the order of the words of ``rules``, and the last tick."""


def base_for(rules: Rules) -> Base:
    """The arrays of a game of these rules."""
    facts = (*rules.goal, *rules.costs, *rules.ticks, int(rules.is_hidden), *rules.numbers)
    arrays = {name: np.zeros(shape, dtype=np.int64) for name, shape in SHAPES.items()}
    return Base(np.array(facts, dtype=np.int64), **arrays)


def play_lists(lists: Sequence[Sequence[int]], attacks: NDArray[np.int64], rules: Rules) -> Ends:
    """The ends of games in which the orders of a list begin one after another; after the last one time passes.

    Args:
        lists: of each game the actions.
        attacks: int64 (games, 2): the tick and the size of the attack of each game; zeros for none.
        rules: the rules.
    """
    orders = np.array([action for each in lists for action in each], dtype=np.int8)
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    ends = np.zeros((len(lists), 3))
    compiled.play_orders(base_for(rules), attacks, orders, starts, ends)
    return ends


def draws_apart(program: Program) -> bool:
    """Whether a program draws random numbers for every order, not once for all of them."""
    return not program.inputs[-1].startswith(ONCE)


def play_formula(program: Program, attacks: NDArray[np.int64], keys: NDArray[np.int64], rules: Rules) -> Ends:
    """The ends of games in which a formula ranks orders; ``keys``: int64 (games,), of its random numbers."""
    ends = np.zeros((len(keys), 3))
    randoms, memory = len(program.inputs) - len(SENSORS), program.memory.copy()
    apart = int(draws_apart(program))
    formula = compiled.Formula(program.code, memory, program.result, len(SENSORS), randoms, apart)
    compiled.play_formula(base_for(rules), attacks, keys, formula, ends)
    return ends


def play_plan(program: Program, attacks: NDArray[np.int64], keys: NDArray[np.int64], rules: Rules) -> Ends:
    """The ends of games of a plan; ``keys``, int64 (games,), are those of its random numbers."""
    ends = np.zeros((len(keys), 3))
    memory = np.stack([program.memory, program.memory])
    compiled.play_plan(base_for(rules), attacks, keys, program.code, memory, plans.BUDGET, ends)
    return ends


def follow_plan(program: Program, state: State, key: int) -> Iterator[tuple[State, int]]:
    """The states in which a plan orders, with its orders, from a state on; one that can never begin is the last."""
    return plans.follow_plan(program, state, key, features, _ordered)


def _ordered(state: State, action: int) -> State | None:
    return state.apply(action) if action in state.legal_actions() else None


def order_of(program: Program, state: State, key: int) -> int:
    """The order of a plan in a state that came about by its orders; in others, and where it is stuck, ``wait``."""
    begin = State.begin(state.attack, state.rules)
    for met, action in follow_plan(program, begin, key):
        if (met.tick, len(met.orders)) == (state.tick, len(state.orders)):
            return action if action in state.legal_actions() else WAIT
        if met.tick > state.tick:
            break
    return WAIT
