"""Games of the evolutionary breaker of Mastermind, as ``experiments/data/strength-breakers.json`` records them."""

from typing import NamedTuple

from gpkit.core.rng import below, stream
from gpkit.gamekit.state import end_of
from gpkit.games.mastermind.players import EvolutionarySettings, evolved_guess
from gpkit.games.mastermind.rules import (
    Code,
    Distribution,
    MastermindRules,
    code_of_number,
    distribution,
    number_of_code,
)
from gpkit.games.mastermind.state import MastermindState
from gpkit.vm.keyed import HALF


def game_key(seed: int, *place: int) -> int:
    """A key for one place of an experiment: at least 0 and below 2^26."""
    return below(stream(seed, "mastermind breaker", *place), HALF)


class Trial(NamedTuple):
    """Games that show how strong the breaker is: the rules, its settings, the seed of keys and secrets."""

    rules: MastermindRules
    settings: EvolutionarySettings
    seed: int

    def whole(self, number: int) -> Distribution:
        """The guesses for every secret of a game whose codes can be listed, with the key of this number."""
        key = game_key(self.seed, number)
        return distribution(
            lambda turns, _left: number_of_code(
                evolved_guess(turns, self.rules, self.settings, key), self.rules
            ),
            self.rules,
        )

    def drawn(self, number: int) -> int:
        """The guesses for a secret of this number that is drawn, with a key of its own."""
        secret = below(stream(self.seed, "mastermind secret", number), self.rules.codes)
        key = game_key(self.seed, number)
        return guesses(code_of_number(secret, self.rules), self.rules, self.settings, key)


def guesses(secret: Code, rules: MastermindRules, settings: EvolutionarySettings, key: int) -> int:
    """The number of guesses that find a secret: one more than are allowed if none does."""

    def guess(state: MastermindState) -> int:
        return number_of_code(evolved_guess(state.turns, rules, settings, key), rules)

    return int(end_of(MastermindState.begin(secret, rules), guess).returns()[0])
