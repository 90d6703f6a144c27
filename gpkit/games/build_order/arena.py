"""Whole games in the kernel: lists of orders, formulas, and plans."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import ONCE
from gpkit.games.build_order.kernel import games as compiled
from gpkit.games.build_order.kernel.layout import SHAPES, Base
from gpkit.games.build_order.options import Rules
from gpkit.games.build_order.primitives import SENSORS
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
    """The ends of games in which a formula ranks the orders; ``keys`` are those of its random numbers."""
    ends = np.zeros((len(keys), 3))
    randoms, memory = len(program.inputs) - len(SENSORS), program.memory.copy()
    apart = int(draws_apart(program))
    formula = compiled.Formula(program.code, memory, program.result, len(SENSORS), randoms, apart)
    compiled.play_formula(base_for(rules), attacks, keys, formula, ends)
    return ends


BUDGET = 200_000
"""The most instructions of the machine in a game of a plan."""


def play_plan(program: Program, attacks: NDArray[np.int64], keys: NDArray[np.int64], rules: Rules) -> Ends:
    """The ends of games of a plan; ``keys`` are those of its random numbers."""
    ends = np.zeros((len(keys), 3))
    memory = np.stack([program.memory, program.memory])
    compiled.play_plan(base_for(rules), attacks, keys, program.code, memory, BUDGET, ends)
    return ends
