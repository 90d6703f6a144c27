"""Random breaker, which guesses any candidate, all equally likely: single games, and their exact expectation."""

from collections.abc import Sequence

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.games.mastermind.arrays import LISTED, all_codes, all_numbers
from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.kernel.chance import LEVEL, Scratch, expected_guesses
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.programs import codes_of
from gpkit.games.mastermind.rules import Turn
from gpkit.vm.keyed import keyed_word_readable

FOLLOWED = 1296
"""Games of more codes have too many courses for all of them to be followed."""


def expected_mean(rules: Rules) -> float:
    """The expected guesses for a secret, all secrets and all choices being equally likely.

    Raises:
        UsageError: there are too many codes.
    """
    check_followed(rules)
    levels, codes = rules.guesses, rules.codes
    total = expected_guesses(
        all_numbers(rules),
        0,
        rules.colours,
        codes_of(rules).given,
        all_codes(rules),
        Scratch(
            np.zeros((levels, codes), dtype=np.int32),
            np.zeros((levels, codes), dtype=np.int32),
            np.zeros((levels, rules.answers + 1), dtype=np.int32),
            np.zeros((levels, LEVEL), dtype=np.int64),
            np.zeros(levels),
        ),
    )
    return float(total) / codes


def check_followed(rules: Rules) -> None:
    """Check that all courses of a game can be followed.

    Raises:
        UsageError: there are too many codes.
    """
    if rules.codes > FOLLOWED:
        raise UsageError(
            f"consistent-random is exact for up to {FOLLOWED:,} codes, and here are {rules.codes:,}: "
            "leave --exact out to sample its games"
        )


def guess_by_chance(turns: Sequence[Turn], key: int, rules: Rules) -> Code:
    """Any code that can be the secret after these turns, all equally likely.

    Args:
        turns: the guesses so far.
        key: of the game, at least 0 and below 2^26: the same key and turns, the same guess.
        rules: the rules.

    Raises:
        UsageError: there are too many codes to be listed.
    """
    if rules.codes > LISTED:
        raise UsageError(
            f"consistent-random lists all codes, and {rules.codes:,} are too many: at most {LISTED:,}"
        )
    left = codes_left(turns, rules)
    return code_of_number(int(left[keyed_word_readable(key, len(turns), 0) * len(left) >> 52]), rules)
