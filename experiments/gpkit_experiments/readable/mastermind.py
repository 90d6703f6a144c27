"""Choices of programs of Mastermind, in plain Python; the twin is ``gpkit.games.mastermind.kernel.programs``."""

import math
from collections.abc import Callable, Iterable, Sequence

from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.kernel.programs import NOTHING_TO_CHOOSE
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Turn, is_consistent
from gpkit.games.mastermind.sensors import sense

Utility = Callable[[dict[str, float], int], float]
"""The value of a guess, given its sensors and the number of its code; NaN is below anything."""


def candidates(turns: Iterable[Turn], rules: Rules) -> tuple[Code, ...]:
    """The codes that would have given all of these answers, in the order of their numbers."""
    turns = tuple(turns)
    codes = (code_of_number(number, rules) for number in range(rules.codes))
    return tuple(code for code in codes if is_consistent(code, turns))


def choose(left: Sequence[Code], turns: Sequence[Turn], rules: Rules, utility: Utility) -> Code:
    """The code of the highest value; see ``primitives`` for equal ones, and for what needs no choice.

    Args:
        left: the codes that can still be the secret, at least one, in the order of their numbers.
        turns: the guesses so far.
        rules: the rules.
        utility: the program.
    """
    if len(left) <= NOTHING_TO_CHOOSE:
        return left[0]
    can_be = set(left)
    codes = [code_of_number(number, rules) for number in range(rules.codes)]
    best, highest = left[0], -math.inf
    for possible in (True, False):
        for number, code in enumerate(codes):
            if (code in can_be) == possible:
                value = utility(sense(code, left, turns, rules), number)
                if value > highest:
                    best, highest = code, value
    return best
