"""The options of Mastermind, one value ``Rules``, and their text form ``KEY=VALUE``."""

from dataclasses import dataclass
from math import perm

from gpkit.core.errors import UsageError
from gpkit.gamekit.options import NO, YES, Option, OptionRules, Variants, rule

MAX_LENGTH = 12
MAX_COLOURS = 26
"""Codes are numbered, and the numbers are below 2^63; colours are letters."""

VARIANTS: Variants = {
    "classic": {"length": "4", "colours": "6"},
    "super": {"length": "5", "colours": "8"},
}
"""Whole sets of rules by name; other options given with one win over it."""


@dataclass(frozen=True, slots=True)
class Rules(OptionRules):
    """The rules of one game; each field is an option of the same name.

    >>> Rules.from_options({"variant": "super", "colours": "9"}).codes
    59049
    """

    title = "Mastermind"
    variant = Option("variant", "four pegs of six colours, or five of eight", tuple(VARIANTS))
    variants = VARIANTS

    length: int = rule(4, "pegs of a code", low=1, high=MAX_LENGTH)
    colours: int = rule(6, "colours that a peg can have", low=1, high=MAX_COLOURS)
    repeats: bool = rule(
        True, "a colour may occur more than once, in the code and in guesses", choices=(YES, NO)
    )
    guesses: int = rule(15, "the game is lost after this many wrong guesses", low=1, high=999)

    @property
    def codes(self) -> int:
        """Number of codes.

        >>> Rules().codes, Rules(repeats=False).codes
        (1296, 360)
        """
        return self.colours**self.length if self.repeats else perm(self.colours, self.length)

    @property
    def answers(self) -> int:
        """Number of values of feedback (``rules.Feedback.number``); the last is that of the code itself."""
        return (self.length + 1) * (self.length + 2) // 2

    def check(self) -> None:
        """Check that there are colours enough for codes without repeats.

        Raises:
            UsageError: there are too few.
        """
        if self.codes == 0:
            raise UsageError(
                f"colours={self.colours}: {self.length} pegs without repeats need at least {self.length} colours"
            )
