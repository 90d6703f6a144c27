"""Decisions on guesses, in readable form: a program's value of every kind of guess that it can tell apart."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import RANDOM
from gpkit.gamekit.players import Player, by_program
from gpkit.games.mastermind.codes import Code, code_of_number, number_of_code
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.game import Deals
from gpkit.games.mastermind.kernel.programs import CODE_BITS, NOTHING_TO_CHOOSE
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.players import BREAKERS
from gpkit.games.mastermind.primitives import PRIMITIVES, SECTIONS
from gpkit.games.mastermind.programs import sense_codes
from gpkit.games.mastermind.rules import State, Turn
from gpkit.games.mastermind.view import action_text
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.playing.actions import Decision, evaluation
from gpkit.playing.trace import StepTable
from gpkit.vm.keyed import HALF, keyed_uniform_readable

SHOWN = 12
"""Kinds of guesses that a table shows."""

_POSSIBLE = "env.possible"


def follow(state: State, program: TreeProgram, key: int) -> tuple[int, Decision | None]:
    """The code that a program guesses, and its decision; as of ``decide``."""
    return decide(state.turns, program, key, state.rules)


def decide(
    turns: Sequence[Turn], program: TreeProgram, key: int, rules: Rules
) -> tuple[int, Decision | None]:
    """The code that a program guesses, and its decision, the best first; None where there is nothing to choose.

    Args:
        turns: the guesses so far, whose answers some code fits.
        program: the program.
        key: of the game's random numbers.
        rules: the rules.
    """
    left = codes_left(turns, rules)
    if len(left) <= NOTHING_TO_CHOOSE:
        return int(left[0]), None
    tree = program.tree(SECTIONS[0])
    names = PRIMITIVES.sensor_names
    rows = sense_codes(turns, left, rules).T
    found = []
    for code, count in zip(*_kinds(tree, rows), strict=True):
        sensors = dict(zip(names, rows[code].tolist(), strict=True))
        random = partial(random_numbers, key, len(turns), code)
        found.append((code, evaluation(SECTIONS[0], tree, sensors, random), count))
    found.sort(  # NaN is no better than the lowest value
        key=lambda kind: (
            math.inf if math.isnan(kind[1].value) else -kind[1].value,
            -kind[1].sensors[_POSSIBLE],
            kind[0],
        )
    )
    codes, evaluations, counts = zip(*found, strict=True)
    return codes[0], Decision(codes, evaluations, 0, counts)


def random_numbers(key: int, turn: int, number: int) -> Callable[[], float]:
    """A source of the values of ``math.random()`` for one guess: the k-th call is the k-th place in the formula.

    Args:
        key: of the game, at least 0 and below 2^26.
        turn: how many guesses were made.
        number: of the code that would be guessed.
    """
    places = itertools.count()
    return lambda: keyed_uniform_readable(key, turn, ((next(places) << CODE_BITS) + number) % HALF)


def _kinds(tree: Tree, rows: NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """The first code of every kind that a formula can tell apart, and how many there are of it.

    Args:
        tree: the formula; if it draws random numbers, it can tell all codes apart.
        rows: float64 (codes, sensors).
    """
    if RANDOM in tree.symbols:
        return list(range(len(rows))), [1] * len(rows)
    seen = {*tree.symbols, _POSSIBLE}
    columns = [place for place, name in enumerate(PRIMITIVES.sensor_names) if name in seen]
    _, codes, counts = np.unique(rows[:, columns], axis=0, return_index=True, return_counts=True)
    return codes.tolist(), counts.tolist()


def explain(player: Player, state: State, deals: Deals) -> tuple[int, Decision | None]:
    """The code that a player guesses, and its decision; None of a breaker that is no program, and without a choice."""
    key = int(deals.keys[0])
    if player.strategy:
        return number_of_code(guess_of(player, state.turns, key, state.rules), state.rules), None
    return follow(state, by_program(player).program, key)


def guess_of(player: Player, turns: tuple[Turn, ...], key: int, rules: Rules) -> Code:
    """Guess of a player after these turns, which some code fits."""
    if player.strategy:
        return BREAKERS[player.name].guess(turns, key, rules)
    return code_of_number(decide(turns, by_program(player).program, key, rules)[0], rules)


def decision_table(decision: Decision, state: State) -> StepTable:
    """The best kinds of guesses with their values, and the sensors that the formula reads."""
    table = decision.table("code", partial(action_text, state))
    kinds = len(table.rows)
    best = f"the best {SHOWN} of {kinds:,} kinds of guesses; " if kinds > SHOWN else ""
    note = f"{best}alike: codes that are the same to the program"
    return replace(table, rows=table.rows[:SHOWN], note=note)
