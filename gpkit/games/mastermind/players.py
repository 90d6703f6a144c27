"""Code breakers of the game's own that no program says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn

from gpkit.core.errors import UsageError
from gpkit.gamekit.game import Expected
from gpkit.games.mastermind.chance import check_followed, expected_mean, guess_by_chance
from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.collecting import settings_for
from gpkit.games.mastermind.evolutionary import guess as evolved_guess
from gpkit.games.mastermind.exact import Distribution, codes_left, distribution
from gpkit.games.mastermind.options import VARIANTS, Rules
from gpkit.games.mastermind.rules import Turn, play_out
from gpkit.games.mastermind.trees import Follower, tree_of_variant

Guess = Callable[[tuple[Turn, ...], int, Rules], Code]
"""Function for the guess after these turns, in the game of a key, which is at least 0 and below 2^26."""


@dataclass(frozen=True, slots=True)
class Breaker:
    """A code breaker.

    Attributes:
        title: what it does in a few words.
        guess: what it guesses.
        expect: what it reaches over all secrets.
        check_exact: raises a UsageError where that is not known.
    """

    title: str
    guess: Guess
    expect: Callable[[Rules], Expected]
    check_exact: Callable[[Rules], None]

    def play_out(self, secret: int, key: int, rules: Rules) -> int:
        """The guesses that it takes for a secret in the game of a key."""
        return play_out(lambda turns: self.guess(turns, key, rules), code_of_number(secret, rules), rules)


def expected_of(found: Distribution) -> Expected:
    """Expected result of a strategy that draws nothing at random."""
    details = {
        "secrets": sum(found.secrets) + found.lost,
        "most": found.most,
        "lost": found.lost,
        "distribution": list(found.secrets[: found.most]),
    }
    return Expected((float(found.mean),), details)


def _tree(variant: str, name: str, title: str) -> Breaker:
    """The breaker that follows the strategy tree of a variant."""
    meant = Rules.from_options(VARIANTS[variant])

    def check(rules: Rules) -> None:
        if (rules.length, rules.colours, rules.repeats) != (meant.length, meant.colours, meant.repeats):
            pegs = f"length={meant.length} colours={meant.colours}"
            raise UsageError(
                f"{name} knows the {variant} game only: --rules variant={variant}, that is {pegs}"
            )

    def follower(rules: Rules) -> Follower:
        check(rules)
        return Follower(tree_of_variant(variant), rules)

    def guess(turns: tuple[Turn, ...], _key: int, rules: Rules) -> Code:
        return code_of_number(follower(rules)(turns, codes_left(turns, rules)), rules)

    return Breaker(title, guess, lambda rules: expected_of(distribution(follower(rules), rules)), check)


def _evolutionary(score: str, title: str) -> Breaker:
    """The breaker that evolves guesses, which it scores so (``collecting.SCORES``)."""

    def guess(turns: tuple[Turn, ...], key: int, rules: Rules) -> Code:
        return evolved_guess(turns, rules, settings_for(rules, score), key)

    def refuse(rules: Rules) -> NoReturn:
        raise UsageError(
            "the evolutionary breakers draw random numbers: leave --exact out to sample their games"
        )

    return Breaker(title, guess, refuse, refuse)


BREAKERS: Mapping[str, Breaker] = MappingProxyType(
    {
        "consistent-random": Breaker(
            "guesses any code that can be the secret, all equally likely",
            guess_by_chance,
            lambda rules: Expected((expected_mean(rules),)),
            check_followed,
        ),
        "optimal": _tree("classic", "optimal", "follows an optimal strategy tree of the classic game"),
        "beam": _tree("super", "beam", "follows a strategy tree of the super game, found by beam search"),
        "evolutionary": _evolutionary(
            "guesses", "evolves guesses for few further ones, in games of any size"
        ),
        "evolutionary-parts": _evolutionary("parts", "evolves guesses for many answers"),
        "evolutionary-size": _evolutionary("size", "evolves guesses for few codes that are left"),
        "evolutionary-entropy": _evolutionary("entropy", "evolves guesses for much information"),
    }
)
"""The code breakers by name."""
