"""Decisions of programs on guesses, in readable form: their value of every kind of guess that they can tell apart."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import RANDOM
from gpkit.games.mastermind.codes import Code, code_of_number, code_text
from gpkit.games.mastermind.decisions import random_numbers
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.kernel.programs import NOTHING_TO_CHOOSE
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.players import BREAKERS
from gpkit.games.mastermind.primitives import PRIMITIVES, SECTIONS
from gpkit.games.mastermind.programs import sense_codes
from gpkit.games.mastermind.rules import Turn
from gpkit.games.players import BuiltinPlayer, Player, by_program
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.languages.arithmetic.interpreter import evaluate
from gpkit.play.trace import Evaluation, Table

SHOWN = 12
"""Kinds of guesses that a table shows."""

_POSSIBLE = "env.possible"


@dataclass(frozen=True, slots=True)
class Decision:
    """The guesses of one decision, the best first: those that a program cannot tell apart are one.

    Attributes:
        codes: of each kind the number of its first code.
        counts: how many codes each kind has.
        evaluations: what the program made of each.
    """

    codes: tuple[int, ...]
    counts: tuple[int, ...]
    evaluations: tuple[Evaluation, ...]

    @property
    def code(self) -> int:
        """The number of the code that is guessed."""
        return self.codes[0]

    @property
    def margin(self) -> float | None:
        """Margin of its value above the next best; None where it is not above any."""
        first, *others = (each.value for each in self.evaluations)
        numbers = [value for value in others if value == value]
        return first - max(numbers) if numbers else None


def decide(
    turns: Sequence[Turn], left: NDArray[np.int32], program: TreeProgram, key: int, rules: Rules
) -> Decision | None:
    """Decision of a program: its value of every guess, and the one it chooses; None where there is nothing to choose.

    Args:
        turns: the guesses so far.
        left: int32 (left,): the codes that can be the secret, ascending, at least one.
        program: the program.
        key: of the game's random numbers.
        rules: the rules.
    """
    if len(left) <= NOTHING_TO_CHOOSE:
        return None
    tree = program.tree(SECTIONS[0])
    names = PRIMITIVES.sensor_names
    rows = sense_codes(turns, left, rules).T
    codes, counts = _kinds(tree, rows)
    found = []
    for code, count in zip(codes, counts, strict=True):
        sensors = dict(zip(names, rows[code].tolist(), strict=True))
        random = partial(random_numbers, key, len(turns), code)
        value = evaluate(tree, sensors, random())
        found.append((code, count, Evaluation(SECTIONS[0], tree, sensors, random, value)))
    found.sort(key=lambda kind: (_badness(kind[2].value), -kind[2].sensors[_POSSIBLE], kind[0]))
    return Decision(*(tuple(column) for column in zip(*found, strict=True)))


def _kinds(tree: Tree, rows: NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """The first code of every kind that a formula can tell apart, and how many there are of it.

    Args:
        tree: the formula; if it draws random numbers, it can tell all codes apart.
        rows: float64 (codes, sensors).
    """
    if RANDOM in tree.symbols:
        return list(range(len(rows))), [1] * len(rows)
    seen = {*sensors_read(tree), _POSSIBLE}
    columns = [place for place, name in enumerate(PRIMITIVES.sensor_names) if name in seen]
    _, codes, counts = np.unique(rows[:, columns], axis=0, return_index=True, return_counts=True)
    return codes.tolist(), counts.tolist()


def _badness(value: float) -> float:
    """A number to sort values by, the highest first; NaN is no better than the lowest."""
    return -value if value == value else math.inf


def guess_of(player: Player, turns: tuple[Turn, ...], key: int, rules: Rules) -> Code:
    """Guess of a player after these turns, which some code fits."""
    if isinstance(player, BuiltinPlayer):
        return BREAKERS[player.name].guess(turns, key, rules)
    left = codes_left(turns, rules)
    decision = decide(turns, left, by_program(player).program, key, rules)
    return code_of_number(int(left[0]) if decision is None else decision.code, rules)


def decision_table(decision: Decision, rules: Rules) -> Table:
    """The best kinds of guesses with their values, and the sensors that the formula reads."""
    read = sensors_read(decision.evaluations[0].tree)
    rows: list[tuple[str | float, ...]] = [
        (
            code_text(code_of_number(code, rules), rules),
            float(count),
            each.value,
            *(each.sensors[name] for name in read),
        )
        for code, count, each in zip(decision.codes, decision.counts, decision.evaluations, strict=True)
    ]
    columns = ("code", "alike", "value", *(name.removeprefix("env.") for name in read))
    best = f"the best {SHOWN} of {len(rows):,} kinds of guesses; " if len(rows) > SHOWN else ""
    return Table(columns, tuple(rows[:SHOWN]), 0, f"{best}alike: codes that are the same to the program")


def sensors_read(tree: Tree) -> tuple[str, ...]:
    """The sensors that a formula reads, in the order in which the game lists them."""
    symbols = frozenset(tree.symbols)
    return tuple(name for name in PRIMITIVES.sensor_names if name in symbols)
