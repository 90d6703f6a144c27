"""Deals of games in which all chance comes from one key for each game."""

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gpkit.vm.keyed import HALF


@dataclass(frozen=True, slots=True)
class Deals:
    """Keys of random numbers (``gpkit.vm.keyed``): int64 (deals,), each of at least 0 and below 2^26.

    A game that deals something besides adds arrays with a row for each deal.
    """

    keys: NDArray[np.int64]

    @classmethod
    def drawn(cls, rng: np.random.Generator, count: int, rules: Any = None) -> Self:
        """``count`` deals by any rules; the first of them are the same for any larger count."""
        return cls((rng.random(count) * HALF).astype(np.int64))

    def key(self, seat: int) -> int:
        """The key of the random numbers of a player in the first deal's game."""
        return int(self.keys[0])

    def __len__(self) -> int:
        """The number of deals."""
        return len(self.keys)

    def __getitem__(self, part: slice) -> Self:
        """Some of the deals."""
        return type(self)(*(getattr(self, each.name)[part] for each in fields(self)))
