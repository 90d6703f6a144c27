"""Games that show how strong the evolutionary breaker of Mastermind is: what ``strength-breakers.json`` records."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import below, stream
from gpkit.games.mastermind.codes import Code, code_of_number, number_of_code
from gpkit.games.mastermind.collecting import Settings
from gpkit.games.mastermind.evolutionary import guess
from gpkit.games.mastermind.exact import Distribution, distribution
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Turn, play_out
from gpkit.vm.keyed import HALF


def game_key(seed: int, *place: int) -> int:
    """A key for one place of an experiment: at least 0 and below 2^26."""
    return below(stream(seed, "mastermind breaker", *place), HALF)


@dataclass(frozen=True, slots=True)
class Evolutionary:
    """The breaker with one key: an ``exact.Strategy``, since it draws the same after the same turns.

    Attributes:
        rules: the rules.
        settings: how codes are evolved.
        key: at least 0 and below 2^26.
    """

    rules: Rules
    settings: Settings
    key: int

    def __call__(self, turns: tuple[Turn, ...], left: NDArray[np.int32]) -> int:
        """The number of the code to guess; it does not look at the candidates."""
        return number_of_code(guess(turns, self.rules, self.settings, self.key), self.rules)


@dataclass(frozen=True, slots=True)
class Trial:
    """Games that show how strong the breaker is.

    Attributes:
        rules: the rules.
        settings: of the breaker.
        seed: of keys and secrets.
    """

    rules: Rules
    settings: Settings
    seed: int

    def whole(self, number: int) -> Distribution:
        """The guesses for every secret of a game whose codes can be listed, with the key of this number."""
        return distribution(Evolutionary(self.rules, self.settings, game_key(self.seed, number)), self.rules)

    def drawn(self, number: int) -> int:
        """The guesses for a secret of this number that is drawn, with a key of its own."""
        rng = stream(self.seed, "mastermind secret", number)
        secret = code_of_number(below(rng, self.rules.codes), self.rules)
        return guesses(secret, self.rules, self.settings, game_key(self.seed, number))


def guesses(secret: Code, rules: Rules, settings: Settings, key: int) -> int:
    """How many guesses find a secret: one more than are allowed if none does."""
    return play_out(lambda turns: guess(turns, rules, settings, key), secret, rules)
