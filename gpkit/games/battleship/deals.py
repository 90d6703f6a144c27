"""Deals of Battleship: the keys from which fleets and shots are drawn."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.kernel import layout as at
from gpkit.vm.keyed import HALF

_EXTRA = HALF >> at.SHIP_BITS
"""The bits of a fleet's key that stand beside the number of a ship in one counter."""


@dataclass(frozen=True, slots=True)
class Deals:
    """The keys from which fleets and shots are drawn.

    Attributes:
        keys: int64 (deals, 2, 3): for each seat the key of its fleet, more bits of that, and the key of its shots; of
            at least 0 and below 2^26, 2^19 (``_EXTRA``) and 2^26.
    """

    keys: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of deals."""
        return len(self.keys)

    def __getitem__(self, part: slice) -> "Deals":
        """Some of the deals."""
        return Deals(self.keys[part])

    def seat(self, deal: int, seat: int) -> tuple[int, int, int]:
        """The keys of a seat in a deal."""
        fleet, extra, shots = self.keys[deal, seat].tolist()
        return fleet, extra, shots


def draw_deals(rng: np.random.Generator, count: int) -> Deals:
    """``count`` deals; the first of them are the same for any larger count."""
    return Deals((rng.random((count, 2, at.KEYS)) * (HALF, _EXTRA, HALF)).astype(np.int64))
