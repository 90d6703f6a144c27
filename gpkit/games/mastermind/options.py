"""The options of Mastermind, one value ``Rules``, and their text form ``KEY=VALUE``."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import perm

from gpkit.core.errors import UsageError
from gpkit.gamekit.options import NO, YES, Option, Variants, text_of, values_of

MAX_LENGTH = 12
MAX_COLOURS = 26
"""Codes are numbered, and the numbers are below 2^63; colours are letters."""

VARIANTS: Variants = {
    "classic": {"length": "4", "colours": "6"},
    "super": {"length": "5", "colours": "8"},
}
"""Whole sets of rules by name; other options given with one win over it."""

OPTIONS = (
    Option("variant", "four pegs of six colours, or five of eight", tuple(VARIANTS)),
    Option("length", "pegs of a code", low=1, high=MAX_LENGTH),
    Option("colours", "colours that a peg can have", low=1, high=MAX_COLOURS),
    Option("repeats", "a colour may occur more than once, in the code and in guesses", (YES, NO)),
    Option("guesses", "the game is lost after this many wrong guesses", low=1, high=999),
)
"""Every option; all but ``variant`` are fields of ``Rules``."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game.

    Attributes:
        length: pegs of a code.
        colours: colours that a peg can have.
        repeats: whether a colour may occur more than once, in the code and in guesses.
        guesses: the game is lost after this many wrong guesses.
    """

    length: int = 4
    colours: int = 6
    repeats: bool = True
    guesses: int = 15

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

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> "Rules":
        """The default rules with these options set.

        >>> Rules.from_options({"variant": "super", "colours": "9"}).codes
        59049

        Raises:
            UsageError: an unknown option or value, or too few colours for codes without repeats.
        """
        rules = cls(**values_of(options, OPTIONS, "Mastermind", VARIANTS))  # type: ignore[arg-type]
        if rules.codes == 0:
            raise UsageError(
                f"colours={rules.colours}: {rules.length} pegs without repeats need at least {rules.length} colours"
            )
        return rules

    def to_options(self) -> dict[str, str]:
        """Every option as text; ``from_options`` gives the rules back."""
        return {field.name: text_of(getattr(self, field.name)) for field in fields(self)}
