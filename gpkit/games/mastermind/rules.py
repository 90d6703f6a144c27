"""The rules of Mastermind in plain Python: immutable states, one guess at a time; the kernels must agree.

A code is hidden. Every guess is answered by a black peg for each peg of the right colour in the right place, and a
white one for each further peg whose colour is right and whose place is not; no peg counts twice (Knuth, "The computer
as Master Mind", 1976). Whoever finds the code with few guesses does well.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from gpkit.gamekit.state import NOBODY, check_legal, end_of
from gpkit.games.mastermind.codes import Code, code_of_number, is_code, number_of_code
from gpkit.games.mastermind.options import Rules

RESAMPLED = 100
"""Codes that are tried instead of the secret."""


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
        pegs = 0
        while (pegs + 1) * (pegs + 2) // 2 <= number:
            pegs += 1
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
    most = rules.length
    if rules.colours == 1:
        return answer == Feedback(most, 0)
    some = least_common(rules) <= answer.black + answer.white <= most
    return some and min(answer.black, answer.white) >= 0 and answer != Feedback(most - 1, 1)


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


@dataclass(frozen=True, slots=True)
class State:
    """A game.

    Attributes:
        rules: the rules.
        secret: the code that is to be found.
        turns: the guesses so far, with their answers.
    """

    rules: Rules
    secret: Code
    turns: tuple[Turn, ...] = ()

    decision = "guess"

    @classmethod
    def begin(cls, secret: Code, rules: Rules) -> "State":
        """The game before the first guess."""
        assert is_code(secret, rules), "the secret is a code of these rules"
        return cls(rules, secret)

    @property
    def current_player(self) -> int:
        """Player who guesses, 0; at the end ``NOBODY``."""
        return NOBODY if self.is_terminal else 0

    @property
    def is_solved(self) -> bool:
        """Whether the last guess was the code."""
        return bool(self.turns) and self.turns[-1].guess == self.secret

    @property
    def is_terminal(self) -> bool:
        """Whether the code is found or no guess is left."""
        return self.is_solved or len(self.turns) == self.rules.guesses

    def legal_actions(self) -> range:
        """The numbers of all codes: any of them may be guessed, again, too; none at the end. See ``codes``."""
        return range(0 if self.is_terminal else self.rules.codes)

    def apply(self, number: int) -> "State":
        """The state after guessing the code of a number.

        Raises:
            ValueError: there is no such code, or the game is over.
        """
        check_legal(number, self)
        code = code_of_number(number, self.rules)
        return replace(self, turns=(*self.turns, Turn(code, feedback(code, self.secret))))

    def returns(self) -> tuple[float]:
        """At the end: the guesses made; where the code was not found, one more than are allowed."""
        assert self.is_terminal, "the game is not over"
        return (float(len(self.turns) if self.is_solved else self.rules.guesses + 1),)

    def observation(self, player: int) -> tuple[Turn, ...]:
        """All that who guesses can know."""
        return self.turns

    def resample(self, rng: np.random.Generator, player: int) -> "State":
        """The state with another code that would have given all answers; itself if none of those tried is one."""
        for number in rng.integers(self.rules.codes, size=RESAMPLED).tolist():
            code = code_of_number(number, self.rules)
            if is_consistent(code, self.turns):
                return replace(self, secret=code)
        return self


def play_out(guess: Callable[[tuple[Turn, ...]], Code], secret: Code, rules: Rules) -> int:
    """Number of guesses of a breaker for a secret: one more than are allowed if it does not find it.

    Args:
        guess: what the breaker guesses after these turns.
        secret: the code that is to be found.
        rules: the rules.
    """
    end = end_of(State.begin(secret, rules), lambda state: number_of_code(guess(state.turns), rules))
    return int(end.returns()[0])
