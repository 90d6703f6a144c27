"""A game of Mastermind as immutable states in plain Python, which the kernels must reproduce."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from gpkit.gamekit.state import NOBODY, Candidate, best_place, check_legal
from gpkit.games.mastermind.kernel.programs import CODE_BITS, NOTHING_TO_CHOOSE, POSSIBLE
from gpkit.games.mastermind.primitives import PRIMITIVES
from gpkit.games.mastermind.programs import refuse_too_many, sense_codes
from gpkit.games.mastermind.rules import (
    Code,
    MastermindRules,
    Turn,
    code_of_number,
    codes_left,
    feedback,
    is_code,
    is_consistent,
)
from gpkit.vm.keyed import HALF, keyed_uniform_readable

RESAMPLED = 100
"""The maximum number of codes that ``resample`` tries in place of the secret."""


@dataclass(frozen=True, slots=True)
class MastermindState:
    """A game.

    Attributes:
        rules: the rules.
        secret: the hidden code.
        turns: the guesses so far, with their answers.
    """

    rules: MastermindRules
    secret: Code
    turns: tuple[Turn, ...] = ()

    decision = "guess"

    @classmethod
    def begin(cls, secret: Code, rules: MastermindRules) -> "MastermindState":
        """The game before the first guess."""
        assert is_code(secret, rules), "the secret is a code of these rules"
        return cls(rules, secret)

    @property
    def current_player(self) -> int:
        """The seat of the player who guesses: 0 during the game, and ``NOBODY`` at the end."""
        return NOBODY if self.is_terminal else 0

    @property
    def is_solved(self) -> bool:
        """Whether the last guess was the hidden code."""
        return bool(self.turns) and self.turns[-1].guess == self.secret

    @property
    def is_terminal(self) -> bool:
        """Whether the code has been found or no guesses are left."""
        return self.is_solved or len(self.turns) == self.rules.guesses

    def legal_actions(self) -> range:
        """The numbers of all codes, because a player may guess any code, even repeatedly; empty at the end."""
        return range(0 if self.is_terminal else self.rules.codes)

    def apply(self, number: int) -> "MastermindState":
        """The state after guessing the code with this number.

        Raises:
            ValueError: there is no such code, or the game is over.
        """
        check_legal(number, self)
        code = code_of_number(number, self.rules)
        return replace(self, turns=(*self.turns, Turn(code, feedback(code, self.secret))))

    def returns(self) -> tuple[float]:
        """The number of guesses at the end, or one more than allowed if the code was not found."""
        assert self.is_terminal, "the game is not over"
        return (float(len(self.turns) if self.is_solved else self.rules.guesses + 1),)

    def candidates(self, tree: Any, key: int) -> list[Candidate]:
        """The first guess of each group that a formula cannot tell apart: possible secrets first, then by number.

        A formula that draws random numbers can tell all codes apart. If only one or two codes are left, the first of
        them is the only candidate.

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
        """A source of the values of ``math.random()`` for one guess.

        Call k returns the value for the k-th ``math.random()`` in the formula.

        ``key`` is the key of the game, 0 … 2^26 − 1. All values are in [0, 1).
        """
        places = count()
        return lambda: keyed_uniform_readable(
            key, len(self.turns), ((next(places) << CODE_BITS) + number) % HALF
        )

    def best_place(self, values: Sequence[float]) -> int:
        """The index of the highest value, with ties going to the first; NaN counts as −∞."""
        return best_place([max(-math.inf, value) for value in values])

    def observation(self, player: int) -> tuple[Turn, ...]:
        """All information that the guessing player can have."""
        return self.turns

    def resample(self, rng: np.random.Generator, player: int) -> "MastermindState":
        """The state with a random code that fits all answers, or the same state if none of the tried codes fits."""
        for number in rng.integers(self.rules.codes, size=RESAMPLED).tolist():
            code = code_of_number(number, self.rules)
            if is_consistent(code, self.turns):
                return replace(self, secret=code)
        return self
