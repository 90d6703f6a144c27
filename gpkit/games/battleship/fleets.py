"""Fleets: placements of ships, which fleets are legal, and the keys from which one is drawn.

A placement is a number: 2 · square + 1 for a vertical ship, 2 · square for a horizontal one, where the square, row by
row from the top left, is the ship's top or left end. ``kernel/fleets.py`` draws fleets; its readable twin is
``gpkit_experiments.readable.fleets``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.gamekit import deals
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.options import Rules
from gpkit.vm.keyed import HALF

_EXTRA = HALF >> at.SHIP_BITS
"""The bits of a fleet's key that stand beside the number of a ship in one counter."""


@dataclass(frozen=True, slots=True)
class Deals(deals.Deals):
    """The keys from which fleets and shots are drawn.

    Attributes:
        keys: int64 (deals, 2, 3): for each seat the key of its fleet, more bits of that, and the key of its shots; of
            at least 0 and below 2^26, 2^19 (``_EXTRA``) and 2^26.
    """

    def key(self, seat: int) -> int:
        """The key of the shots of a seat in the first deal."""
        return int(self.keys[0, seat, at.SHOT_KEY])

    def seat(self, deal: int, seat: int) -> tuple[int, int, int]:
        """The keys of a seat in a deal."""
        fleet, extra, shots = self.keys[deal, seat].tolist()
        return fleet, extra, shots


def draw_deals(rng: np.random.Generator, count: int) -> Deals:
    """``count`` deals; the first of them are the same for any larger count."""
    return Deals((rng.random((count, 2, at.KEYS)) * (HALF, _EXTRA, HALF)).astype(np.int64))


Placements = tuple[int, ...]
"""The placement of each ship, in the order of the fleet."""

Redraw = Literal["fleet", "ship"]
"""Redrawn part of a fleet in which a ship cannot lie where it was drawn: all, or this ship alone."""


def squares_of(placement: int, length: int, rules: Rules) -> tuple[int, ...]:
    """The squares of a ship, from its top or left end."""
    step = rules.width if placement & 1 else 1
    return tuple((placement >> 1) + k * step for k in range(length))


def fleet_squares(fleet: Sequence[int], rules: Rules) -> frozenset[int]:
    """The squares of the first ships of a fleet, whose placements these are."""
    laid = zip(fleet, rules.fleet, strict=False)
    return frozenset(square for placement, length in laid for square in squares_of(placement, length, rules))


def is_on_board(placement: int, length: int, rules: Rules) -> bool:
    """Whether a ship stays on the board."""
    y, x = divmod(placement >> 1, rules.width)
    return y + length <= rules.height if placement & 1 else x + length <= rules.width


@lru_cache(maxsize=256)
def placements_of(length: int, rules: Rules) -> tuple[int, ...]:
    """The placements of a ship on the board, ascending; a ship of one square has horizontal ones alone."""
    return tuple(
        placement
        for placement in range(2 * rules.squares)
        if is_on_board(placement, length, rules) and not (length == 1 and placement & 1)
    )


@lru_cache(maxsize=256)
def _ways(length: int, rules: Rules) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The placements of a ship on the board, each with its squares."""
    return tuple((each, squares_of(each, length, rules)) for each in placements_of(length, rules))


def surroundings(squares: Sequence[int], rules: Rules) -> frozenset[int]:
    """The squares and those beside them, corner to corner included; only the squares where ships may touch."""
    if rules.touch:
        return frozenset(squares)
    around = set()
    for square in squares:
        y, x = divmod(square, rules.width)
        for row, column in product((y - 1, y, y + 1), (x - 1, x, x + 1)):
            if 0 <= row < rules.height and 0 <= column < rules.width:
                around.add(row * rules.width + column)
    return frozenset(around)


def is_legal(placements: Sequence[int], rules: Rules) -> bool:
    """Whether all ships are on the board and none overlaps another, or touches one where they may not."""
    taken: set[int] = set()
    for placement, length in zip(placements, rules.fleet, strict=True):
        squares = squares_of(placement, length, rules)
        if not is_on_board(placement, length, rules) or taken & surroundings(squares, rules):
            return False
        taken.update(squares)
    return True


def fleet_through(
    rng: np.random.Generator, hits: Sequence[int], rules: Rules, missed: Sequence[int]
) -> Placements | None:
    """A legal fleet at random that covers these squares and none of the missed ones; None if it did not turn out so.

    The ships are laid in random order, each through as many hits as it can that no ship before it covers.
    """
    fleet: dict[int, int] = {}
    left, taken = set(hits), set(missed)
    for ship in rng.permutation(len(rules.fleet)).tolist():
        length = rules.fleet[ship]
        best = [
            (len(left.intersection(squares)), placement)
            for placement, squares in _ways(length, rules)
            if taken.isdisjoint(squares)
        ]
        if not best:
            return None
        most = max(covered for covered, _ in best)
        found = [placement for covered, placement in best if covered == most]
        fleet[ship] = found[int(rng.integers(len(found)))]
        squares = squares_of(fleet[ship], length, rules)
        left.difference_update(squares)
        taken.update(surroundings(squares, rules))
    return None if left else tuple(fleet[ship] for ship in range(len(rules.fleet)))


def no_fleet(rules: Rules) -> UsageError:
    """The error about a fleet for which no room was found."""
    message = ",".join(map(str, rules.fleet))
    apart = "" if rules.touch else " without touching"
    return UsageError(
        f"no layout was found for the ships {message} on {rules.width}x{rules.height}{apart}; choose a larger "
        "board, fewer ships or another placement"
    )
