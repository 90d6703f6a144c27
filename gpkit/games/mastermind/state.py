"""A game of Mastermind in plain Python: immutable states, one guess at a time; the kernels must agree."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from gpkit.gamekit.state import NOBODY, Candidate, best_place, check_legal
from gpkit.games.mastermind.codes import Code, code_of_number, is_code
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.kernel.programs import CODE_BITS, NOTHING_TO_CHOOSE, POSSIBLE
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.primitives import PRIMITIVES
from gpkit.games.mastermind.programs import refuse_too_many, sense_codes
from gpkit.games.mastermind.rules import Turn, feedback, is_consistent
from gpkit.vm.keyed import HALF, keyed_uniform_readable

RESAMPLED = 100
"""Codes that are tried instead of the secret."""


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
        """The first guess of each kind that a formula can tell apart, by code; possible secrets come first.

        A formula that draws random numbers can tell all codes apart. If only one or two codes are left, the first is
        the only candidate.

        Raises:
            UsageError: there are too many codes for a program.
        """
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
