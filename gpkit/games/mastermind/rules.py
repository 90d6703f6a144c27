"""The rules of Mastermind in plain Python: immutable states, one guess at a time; the kernels must agree.

A code is hidden. Every guess is answered by a black peg for each peg of the right colour in the right place, and a
white one for each further peg whose colour is right and whose place is not; no peg counts twice (Knuth, "The computer
as Master Mind", 1976). Whoever finds the code with few guesses does well.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from gpkit.gamekit.state import NOBODY, Candidate, best_place, check_legal
from gpkit.games.mastermind.codes import Code, code_of_number, is_code
from gpkit.games.mastermind.options import Rules
from gpkit.vm.keyed import HALF, keyed_uniform_readable

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

    def candidates(self, tree: Any, key: int) -> list[Candidate]:
        """The first guess of every kind that a formula can tell apart: those that can be the secret first, by code.

        A formula that draws random numbers can tell all codes apart. Of one or two codes that are left there is the
        first alone.

        Raises:
            UsageError: there are too many codes for a program.
        """
        from gpkit.games.mastermind.exact import codes_left
        from gpkit.games.mastermind.kernel.programs import NOTHING_TO_CHOOSE, POSSIBLE
        from gpkit.games.mastermind.primitives import PRIMITIVES
        from gpkit.games.mastermind.programs import refuse_too_many, sense_codes

        refuse_too_many(self.rules)
        left, names = codes_left(self.turns, self.rules), PRIMITIVES.sensor_names
        rows = sense_codes(self.turns, left, self.rules).T
        if len(left) <= NOTHING_TO_CHOOSE:
            kinds = [(int(left[0]), 1)]
        elif tree.draws:
            kinds = [(code, 1) for code in range(self.rules.codes)]
        else:
            seen = [place for place, name in enumerate(names) if place == POSSIBLE or name in tree.reads]
            _, codes, counts = np.unique(rows[:, seen], axis=0, return_index=True, return_counts=True)
            kinds = list(zip(codes.tolist(), counts.tolist(), strict=True))
        kinds.sort(key=lambda kind: (-rows[kind[0], POSSIBLE], kind[0]))
        return [
            Candidate(code, dict(zip(names, rows[code].tolist(), strict=True)), count)
            for code, count in kinds
        ]

    def random_numbers(self, key: int, number: int) -> Callable[[], float]:
        """A source of the values of ``math.random()`` for one guess: the k-th call is the k-th place in the formula.

        ``key`` is that of the game, 0 … 2^26 − 1. Values lie in [0, 1).
        """
        from gpkit.games.mastermind.kernel.programs import CODE_BITS

        places = count()
        return lambda: keyed_uniform_readable(
            key, len(self.turns), ((next(places) << CODE_BITS) + number) % HALF
        )

    def best_place(self, values: Sequence[float]) -> int:
        """The place of the guess that is taken: of the highest value, the first of equals; NaN is as low as −∞."""
        return best_place([max(-math.inf, value) for value in values])

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
