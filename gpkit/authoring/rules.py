"""Rules of a game of one's own: the values of its options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpkit.games.options import Option, Value, text_of, values_of


@dataclass(frozen=True, slots=True)
class Declared:
    """An option with its default."""

    option: Option
    default: Value


OPENING, LONGEST = "opening", "longest"

USUAL = (
    Declared(
        Option(OPENING, "actions that are drawn at random before the players choose", low=0, high=100), 0
    ),
    Declared(Option(LONGEST, "actions after which a game is called off", low=1, high=1_000_000), 10_000),
)
"""The options that every game has, unless it declares them itself.

Without an opening, two players that draw no random numbers repeat one game. Who plays a game that is called off has
the middle of the metric.
"""


@dataclass(frozen=True, slots=True)
class Rules:
    """The values of all options, by name, in the order of being declared."""

    values: tuple[tuple[str, Value], ...]

    @classmethod
    def from_options(cls, texts: Mapping[str, str], declared: Sequence[Declared], game: str) -> "Rules":
        """The defaults, with the options that are given as texts.

        Raises:
            UsageError: an unknown option or value; the message names the nearest one.
        """
        given = values_of(texts, [each.option for each in declared], game)
        return cls(tuple((each.option.name, given.get(each.option.name, each.default)) for each in declared))

    def to_options(self) -> dict[str, str]:
        """Every option as text."""
        return {name: text_of(value) for name, value in self.values}

    @property
    def opening(self) -> int:
        """Actions that are drawn at random before the players choose."""
        return int(dict(self.values)[OPENING])

    @property
    def longest(self) -> int:
        """Actions after which a game is called off."""
        return int(dict(self.values)[LONGEST])

    def arguments(self) -> dict[str, Value]:
        """The other options, for the ``begin`` of the game."""
        return {name: value for name, value in self.values if name not in (OPENING, LONGEST)}
