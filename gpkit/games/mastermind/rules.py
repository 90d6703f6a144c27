"""The rules of Mastermind in plain Python: how guesses are answered; the kernels must agree.

A code is hidden. Every guess is answered by a black peg for each peg of the right colour in the right place, and a
white one for each further peg whose colour is right and whose place is not; no peg counts twice (Knuth, "The computer
as Master Mind", 1976). Whoever finds the code with few guesses does well.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from gpkit.games.mastermind.codes import Code
from gpkit.games.mastermind.options import Rules


@dataclass(frozen=True, slots=True)
class Feedback:
    """The answer to a guess.

    Attributes:
        black: pegs of the right colour in the right place.
        white: further pegs of a right colour.
    """

    black: int
    white: int

    @property
    def number(self) -> int:
        """Its place among all feedback in the order of black and white pegs together, then of black ones.

        >>> Feedback(0, 0).number, Feedback(0, 1).number, Feedback(1, 0).number, Feedback(0, 2).number
        (0, 1, 2, 3)
        """
        pegs = self.black + self.white
        return pegs * (pegs + 1) // 2 + self.black

    @classmethod
    def of_number(cls, number: int) -> "Feedback":
        """The feedback in that place.

        >>> Feedback.of_number(4)
        Feedback(black=1, white=1)
        """
        pegs = (math.isqrt(8 * number + 1) - 1) // 2
        black = number - pegs * (pegs + 1) // 2
        return cls(black, pegs - black)


def feedback(guess: Code, secret: Code) -> Feedback:
    """The answer to a guess.

    >>> feedback((0, 0, 1, 2), (0, 1, 0, 0))
    Feedback(black=1, white=2)
    """
    black = sum(one == other for one, other in zip(guess, secret, strict=True))
    pegs = sum(min(guess.count(colour), secret.count(colour)) for colour in set(guess))
    return Feedback(black, pegs - black)


def can_be(answer: Feedback, rules: Rules) -> bool:
    """Whether feedback can be about codes of these rules."""
    if rules.colours == 1:
        return answer == Feedback(rules.length, 0)
    some = least_common(rules) <= answer.black + answer.white <= rules.length
    return some and min(answer.black, answer.white) >= 0 and answer != Feedback(rules.length - 1, 1)


def least_common(rules: Rules) -> int:
    """The fewest pegs, black and white together, that feedback can have."""
    if rules.colours == 1:
        return rules.length
    return 0 if rules.repeats else max(0, 2 * rules.length - rules.colours)


@dataclass(frozen=True, slots=True)
class Turn:
    """A guess and its answer."""

    guess: Code
    feedback: Feedback


def is_consistent(code: Code, turns: Iterable[Turn]) -> bool:
    """Whether the code would have given all of these answers."""
    return all(feedback(turn.guess, code) == turn.feedback for turn in turns)
