"""Strings and coins: graphs to play Dots and Boxes on (Berlekamp, Conway and Guy, "Winning Ways", 1982, chapter 16).

Coins are the boxes, and strings the edges: each ties a coin to another one or to the ground. Cutting the last string of
a coin takes it, as drawing the last side closes a box, so the rules are those of boards.
"""

from dataclasses import dataclass
from functools import cache

from gpkit.games.dots_and_boxes.options import Rules

MOST_STRINGS = 4
"""A coin has at most as many strings as a box has sides."""


@dataclass(frozen=True, slots=True)
class Coins:
    """A graph to play on.

    Attributes:
        names: by coin its name.
        strings: by string its coins, ascending: two, or one where the other end is the ground.
    """

    names: tuple[str, ...]
    strings: tuple[tuple[int, ...], ...]

    @property
    def boxes(self) -> int:
        """The coins."""
        return len(self.names)

    @property
    def edges(self) -> int:
        """The strings."""
        return len(self.strings)


Field = Rules | Coins
"""Field of play: a board or coins."""


@cache
def strings_of_coins(coins: Coins) -> tuple[tuple[int, ...], ...]:
    """By coin its strings, ascending."""
    tied: list[list[int]] = [[] for _ in coins.names]
    for string, ends in enumerate(coins.strings):
        for coin in ends:
            tied[coin].append(string)
    return tuple(map(tuple, tied))
