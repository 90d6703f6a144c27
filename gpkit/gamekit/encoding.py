"""Encoding of a game: how many actions it has, and what a player knows as a table of numbers, found by its name."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.core.primitives import Sensor
from gpkit.core.registry import game_entry

FeatureTable = NDArray[np.float64]
"""Float64 (actions, columns): a row for each action, legal or not, by its number."""


class Encoding(Protocol):
    """The functions of a game's module ``encoding``."""

    def columns(self) -> Sequence[Sensor]:
        """Columns of a table, each with its meaning and bounds; rows of actions that cannot be chosen may hold 0."""

    def actions(self, rules: Any) -> int:
        """Number of actions: all of them are of at least 0 and below it.

        Raises:
            UsageError: it is not known, or too large.
        """

    def encode(self, state: Any, player: int) -> FeatureTable:
        """Table of what a player knows, float64 (actions, columns); equal for states that look alike to the player."""


def encoding_of(game: str) -> Encoding:
    """The encoding of a game: the module ``encoding`` beside it, or, of a game that is one file, its attribute.

    Raises:
        UsageError: there is no such game, or it has no encoding.
    """
    entry = game_entry(game)
    found: Encoding | None = entry.part("encoding") if entry.has_part("encoding") else entry.load().encoding
    if found is None:
        raise UsageError(f"{game} has no encoding: its observations cannot be given as numbers")
    return found


def rows_of(values: dict[int, dict[str, float]], actions: int, columns: Sequence[Sensor]) -> FeatureTable:
    """Table of the values of some actions, by the names of columns: float64 (actions, columns); all others are 0."""
    table = np.zeros((actions, len(columns)))
    for action, row in values.items():
        table[action] = [row.get(column.name, 0.0) for column in columns]
    return table
