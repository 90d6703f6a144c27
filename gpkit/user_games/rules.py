"""Rules of a game of one's own: the values of its options."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gpkit.gamekit.options import Option, Value, bad_value, text_of, values_of
from gpkit.user_games.kernel.games import OPENINGS
from gpkit.vm.keyed import HALF, keyed_uniform_readable

OPENING, LONGEST = "opening", "longest"

MOST_OPENING = 100

DEFAULT_OPTIONS = (
    Option(
        OPENING,
        "random actions before the players choose",
        form=f"a whole number from 0 to {MOST_OPENING}, or a range such as 0-2, from which each deal draws one",
        default=0,
    ),
    Option(LONGEST, "actions after which a game is stopped", low=1, high=1_000_000, default=10_000),
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
    def from_options(cls, texts: Mapping[str, str], declared: Sequence[Option], game: str) -> "Rules":
        """The defaults, with the options that are given as texts.

        Raises:
            UsageError: an unknown option or value; the message names the nearest one.
        """
        defaults = {each.name: each.default for each in declared if each.default is not None}
        values: dict[str, Value] = defaults | values_of(texts, declared, game)
        opening = values[OPENING]
        if isinstance(opening, str):
            low, high = _ends(opening)
            if not low <= high <= MOST_OPENING:
                (option,) = (each for each in declared if each.name == OPENING)
                raise bad_value(option, opening)
            values[OPENING] = low if low == high else f"{low}-{high}"
        return cls(tuple(values.items()))

    def to_options(self) -> dict[str, str]:
        """Every option as text."""
        return {name: text_of(value) for name, value in self.values}

    @property
    def openings(self) -> tuple[int, int]:
        """Actions that are drawn at random before the players choose, at least and at most."""
        value = dict(self.values)[OPENING]
        return _ends(value) if isinstance(value, str) else (int(value), int(value))

    def opening(self, key: int) -> int:
        """Actions that are drawn at random before the players choose, in the game of a key."""
        return _drawn(key, *self.openings)

    def openings_of(self, keys: Sequence[int]) -> list[int]:
        """The same for several games."""
        low, high = self.openings
        return [low] * len(keys) if low == high else [_drawn(key, low, high) for key in keys]

    @property
    def longest(self) -> int:
        """Actions after which a game is called off."""
        return int(dict(self.values)[LONGEST])

    def arguments(self) -> dict[str, Value]:
        """The other options, for the ``begin`` of the game."""
        return {name: value for name, value in self.values if name not in (OPENING, LONGEST)}


@lru_cache(maxsize=1 << 16)
def _drawn(key: int, low: int, high: int) -> int:
    """A number of these, drawn for a key; programs that are compared meet the same keys again and again."""
    return low + int(keyed_uniform_readable(key, HALF - 1, OPENINGS) * (high - low + 1))


def _ends(text: str) -> tuple[int, int]:
    """The least and the greatest number of a text such as 2 or 0-2; of another one, two that are none."""
    found = re.fullmatch(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", text)
    return (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
