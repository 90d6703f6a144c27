"""Sensors of Mastermind, in plain Python: numbers about one guess; the twin is ``kernel.programs``."""

from collections.abc import Sequence

from gpkit.games.mastermind.codes import Code
from gpkit.games.mastermind.kernel.programs import SCALE
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.parts import parts, squares, uncertainty, uncertainty_of
from gpkit.games.mastermind.rules import Turn


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
