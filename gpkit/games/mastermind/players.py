"""Code breakers of the game's own that no program says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gpkit.core.errors import UsageError
from gpkit.games.game import Expected
from gpkit.games.mastermind.chance import expected_mean, guess_by_chance
from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.exact import Distribution, codes_left, distribution
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import State, Turn
from gpkit.games.mastermind.trees import Follower, tree_of_variant

Guess = Callable[[tuple[Turn, ...], int, Rules], Code]
"""What to guess after these turns, in the game of a key, which is at least 0 and below 2^26."""


@dataclass(frozen=True, slots=True)
class Breaker:
    """A code breaker.

    Attributes:
        title: what it does in a few words.
        guess: what it guesses.
        expect: what it reaches over all secrets.
    """

    title: str
    guess: Guess
    expect: Callable[[Rules], Expected]

    def play_out(self, secret: int, key: int, rules: Rules) -> int:
        """The guesses that it takes for a secret in the game of a key."""
        state = State.begin(code_of_number(secret, rules), rules)
        while not state.is_terminal:
            state = state.guess(self.guess(state.turns, key, rules))
        return int(state.returns()[0])


def expected_of(found: Distribution) -> Expected:
    """What is expected of a strategy that draws nothing at random."""
    details = {
        "secrets": sum(found.secrets) + found.lost,
        "most": found.most,
        "lost": found.lost,
        "distribution": list(found.secrets[: found.most]),
    }
    return Expected((float(found.mean),), details)


def _optimal(rules: Rules) -> Follower:
    classic = Rules()
    if (rules.length, rules.colours, rules.repeats) != (classic.length, classic.colours, classic.repeats):
        raise UsageError("optimal knows the classic game only, with 4 pegs of 6 colours: length=4 colours=6")
    return Follower(tree_of_variant("classic"), rules)


def _guess_optimally(turns: tuple[Turn, ...], _key: int, rules: Rules) -> Code:
    return code_of_number(_optimal(rules)(turns, codes_left(turns, rules)), rules)


BREAKERS: Mapping[str, Breaker] = MappingProxyType(
    {
        "consistent-random": Breaker(
            "guesses any code that can be the secret, all equally likely",
            guess_by_chance,
            lambda rules: Expected((expected_mean(rules),)),
        ),
        "optimal": Breaker(
            "follows an optimal strategy tree of the classic game",
            _guess_optimally,
            lambda rules: expected_of(distribution(_optimal(rules), rules)),
        ),
    }
)
"""The code breakers by name."""
