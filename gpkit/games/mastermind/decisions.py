"""From numbers to guesses, in plain Python: the code of the highest value; the twin is ``kernel.programs``."""

import math
from collections.abc import Callable, Sequence
from itertools import count

from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.kernel.programs import CODE_BITS, NOTHING_TO_CHOOSE
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Turn
from gpkit.games.mastermind.sensors import sense
from gpkit.vm.keyed import HALF, keyed_uniform_readable

Utility = Callable[[dict[str, float], int], float]
"""The value of a guess, given its sensors and the number of its code; NaN is below anything."""


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


def random_numbers(key: int, turn: int, number: int) -> Callable[[], float]:
    """A source of the values of ``math.random()`` for one guess: the k-th call is the k-th place in the formula.

    Args:
        key: of the game, at least 0 and below 2^26.
        turn: how many guesses were made.
        number: of the code that would be guessed.
    """
    places = count()
    return lambda: keyed_uniform_readable(key, turn, ((next(places) << CODE_BITS) + number) % HALF)
