"""Random numbers of a deal, which are a function of its key, computed many at once."""

import numpy as np
from numpy.typing import NDArray

from gpkit.user_games.kernel.numbers import fill
from gpkit.vm.keyed import keyed_uniform_readable

PREPARED = 48
"""Numbers of each purpose that are computed before they are asked for."""


class Numbers:
    """Random numbers of one deal: number n of purpose p is ``keyed_uniform(key, n, p)``.

    Attributes:
        key: of the deal.
    """

    def __init__(self, key: int) -> None:
        self.key = key
        self._prepared: dict[int, list[float]] = {}

    def get(self, purpose: int, number: int) -> float:
        """A number of [0, 1)."""
        if number >= PREPARED:
            return keyed_uniform_readable(self.key, number, purpose)
        prepared = self._prepared.get(purpose)
        if prepared is None:
            row: NDArray[np.float64] = np.empty((1, PREPARED))
            fill(np.array([self.key]), purpose, row)
            prepared = self._prepared[purpose] = row[0].tolist()
        return prepared[number]
