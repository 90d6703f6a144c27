"""How a program chooses a guess, in plain Python: every code with its sensors; the twin is ``kernel.programs``."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import count

from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.kernel.programs import CODE_BITS, NOTHING_TO_CHOOSE, SCALE
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.parts import parts, squares, uncertainty, uncertainty_of
from gpkit.games.mastermind.rules import Turn
from gpkit.vm.keyed import HALF, keyed_uniform_readable

Utility = Callable[[dict[str, float], int], float]
"""The value of a guess, given its sensors and the number of its code; NaN is below anything."""


def sense(guess: Code, left: Sequence[Code], turns: Sequence[Turn], rules: Rules) -> dict[str, float]:
    """The value of every sensor for a guess, in the order of the slots.

    Args:
        guess: any code.
        left: the codes that can still be the secret.
        turns: the guesses so far.
        rules: the rules.
    """
    sizes = parts(guess, left)
    before = {colour for turn in turns for colour in turn.guess}
    bits = uncertainty_of(len(left)) - uncertainty(sizes)
    values = {
        "env.turn": len(turns),
        "env.left": len(left),
        "env.length": rules.length,
        "env.colours": rules.colours,
        "env.possible": guess in left,
        "env.parts": len(sizes),
        "env.largest": max(sizes),
        "env.expected": squares(sizes) / len(left),
        "env.entropy": bits / (len(left) * SCALE),
        "env.singles": sizes.count(1),
        "env.pairs": sizes.count(2),
        "env.triples": sizes.count(3),
        "env.win": (guess in left) / len(left),
        "env.next": len(sizes) / len(left),
        "env.worst": max(sizes) / len(left),
        "env.alone": sizes.count(1) / len(left),
        "env.twins": 2 * sizes.count(2) / len(left),
        "env.three": 3 * sizes.count(3) / len(left),
        "env.kinds": len(set(guess)),
        "env.new": len(set(guess) - before),
    }
    return {name: float(value) for name, value in values.items()}


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


def colours_of(guesses: Iterable[Code]) -> int:
    """The colours of codes as a mask."""
    mask = 0
    for guess in guesses:
        for colour in guess:
            mask |= 1 << colour
    return mask
