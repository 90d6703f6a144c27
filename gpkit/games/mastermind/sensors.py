"""Sensors of Mastermind: numbers that describe a code to guess and the game so far.

``kernel.programs`` and ``lua/mastermind_game.lua`` compute the same sensors under the same names. Some sensors use the
sizes of the parts that the guess leaves.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from gpkit.gamekit.sensors import declared, sensed, sensor

if TYPE_CHECKING:  # code that needs only the names of sensors loads no kernels
    from gpkit.games.mastermind.rules import Code, MastermindRules, Turn

LARGEST = 1 << 17
"""The maximum number of codes in a game that programs can play."""


class Known(NamedTuple):
    """The knowledge before a guess: the codes that can still be the secret, the guesses so far, and the rules."""

    left: "Sequence[Code]"
    turns: "Sequence[Turn]"
    rules: "MastermindRules"


class Guess(NamedTuple):
    """A code that may be guessed, and the sizes of the parts that it leaves."""

    code: "Code"
    sizes: tuple[int, ...]


@sensor(0, 998, "guesses made so far")
def turn(known: Known) -> float:
    return len(known.turns)


@sensor(3, LARGEST, "codes that can still be the secret")
def left(known: Known) -> float:
    return len(known.left)


@sensor(1, 12, "pegs of a code")
def length(known: Known) -> float:
    return known.rules.length


@sensor(1, 26, "colours that a peg can have")
def colours(known: Known) -> float:
    return known.rules.colours


@sensor(0, 1, "1 if it can be the secret itself, else 0")
def possible(known: Known, guess: Guess) -> float:
    return guess.code in known.left


@sensor(1, 90, "answers that are possible, each of which leaves one part")
def parts(known: Known, guess: Guess) -> float:
    return len(guess.sizes)


@sensor(1, LARGEST, "codes of the largest part: what is left in the worst case")
def largest(known: Known, guess: Guess) -> float:
    return max(guess.sizes)


@sensor(1, LARGEST, "codes that are left on average, if all are equally likely", integer=False)
def expected(known: Known, guess: Guess) -> float:
    return sum(size * size for size in guess.sizes) / len(known.left)


@sensor(0, 7, "bits of information that the answer gives on average", integer=False)
def entropy(known: Known, guess: Guess) -> float:
    from gpkit.games.mastermind.kernel.programs import SCALE
    from gpkit.games.mastermind.rules import uncertainty, uncertainty_of

    return (uncertainty_of(len(known.left)) - uncertainty(guess.sizes)) / (len(known.left) * SCALE)


@sensor(0, 90, "parts of one code: answers after which the secret is known")
def singles(known: Known, guess: Guess) -> float:
    return guess.sizes.count(1)


@sensor(0, 90, "parts of two codes")
def pairs(known: Known, guess: Guess) -> float:
    return guess.sizes.count(2)


@sensor(0, 90, "parts of three codes")
def triples(known: Known, guess: Guess) -> float:
    return guess.sizes.count(3)


@sensor(0, 1, "the chance that it is the secret itself", integer=False)
def win(known: Known, guess: Guess) -> float:
    return (guess.code in known.left) / len(known.left)


@sensor(
    0, 1, "the chance of then guessing right, at random among the codes left: parts / left", integer=False
)
def next_(known: Known, guess: Guess) -> float:
    return len(guess.sizes) / len(known.left)


@sensor(0, 1, "the share of the largest part: largest / left", integer=False)
def worst(known: Known, guess: Guess) -> float:
    return max(guess.sizes) / len(known.left)


@sensor(0, 1, "the chance that one code is left: singles / left", integer=False)
def alone(known: Known, guess: Guess) -> float:
    return guess.sizes.count(1) / len(known.left)


@sensor(0, 1, "the chance that two codes are left: 2 pairs / left", integer=False)
def twins(known: Known, guess: Guess) -> float:
    return 2 * guess.sizes.count(2) / len(known.left)


@sensor(0, 1, "the chance that three codes are left: 3 triples / left", integer=False)
def three(known: Known, guess: Guess) -> float:
    return 3 * guess.sizes.count(3) / len(known.left)


@sensor(1, 12, "different colours in it")
def kinds(known: Known, guess: Guess) -> float:
    return len(set(guess.code))


@sensor(0, 12, "colours in it that no guess has had so far")
def new(known: Known, guess: Guess) -> float:
    return len(set(guess.code) - {colour for each in known.turns for colour in each.guess})


SENSORS = declared(globals())
"""All sensors, in the order of their slots."""


def sense(
    guess: "Code", left: "Sequence[Code]", turns: "Sequence[Turn]", rules: "MastermindRules"
) -> dict[str, float]:
    """The values of all sensors for a guess, in the order of the slots.

    Args:
        guess: any code.
        left: the codes that can still be the secret.
        turns: the guesses so far.
        rules: the rules.
    """
    from gpkit.games.mastermind.rules import parts as parts_of

    return sensed(SENSORS, Known(left, turns, rules), Guess(guess, parts_of(guess, left)))
