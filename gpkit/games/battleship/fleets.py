"""Fleets: placements of ships, which fleets are legal, and how one is drawn from the keys of a deal.

A placement is a number: 2 · square + 1 for a vertical ship, 2 · square for a horizontal one, where the square, row by
row from the top left, is the ship's top or left end. ``kernel/fleets.py`` is the compiled twin.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.layout import ATTEMPTS, RESTARTS, SHIP_BITS, SWEEPS, TRIES
from gpkit.games.battleship.options import Rules
from gpkit.vm.keyed import HALF, keyed_uniform_readable

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


def draw_fleet(
    key: int, extra: int, sums: NDArray[np.float64], rules: Rules, redraw: Redraw = "fleet"
) -> Placements:
    """The fleet of a key: whole fleets are drawn until one is legal.

    Ship by ship a placement is drawn in proportion to its weight; at the first ship that cannot lie there the whole
    fleet is drawn anew, so that every legal fleet comes in proportion to the product of its weights: with equal weights
    all are equally likely. On boards so full that no attempt succeeds, ``moved_fleet`` comes near to that.

    If only a ship is drawn anew, each is laid in proportion to the weights of the placements that those before it leave
    it: the first round of ``moved_fleet``.

    Args:
        key: of at least 0 and below 2^26.
        extra: more bits of the key, of at least 0 and below 2^19.
        sums: float64 (ships, 2 · squares): running sums of the weights of each ship's placements.
        rules: the board and the fleet.
        redraw: what is drawn anew.

    Raises:
        UsageError: no legal fleet was found.
    """
    if redraw == "ship":
        return moved_fleet(key, extra, sums, rules, sweeps=0)
    for attempt in range(ATTEMPTS):
        fleet: list[int] = []
        for ship in range(len(rules.fleet)):
            placement = _drawn(sums[ship], key, attempt, extra, ship)
            if not can_join(placement, ship, fleet, rules):
                break
            fleet.append(placement)
        else:
            return tuple(fleet)
    return moved_fleet(key, extra, sums, rules)


def can_join(placement: int, ship: int, others: Sequence[int], rules: Rules) -> bool:
    """Whether a ship can lie there beside the ships before it."""
    around = _around(placement, rules.fleet[ship], rules)
    return not any(
        square in around
        for other, length in zip(others, rules.fleet, strict=False)
        for square in squares_of(other, length, rules)
    )


@lru_cache(maxsize=1024)
def _around(placement: int, length: int, rules: Rules) -> frozenset[int]:
    """Squares around a ship, where no other one can lie."""
    return surroundings(squares_of(placement, length, rules), rules)


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
        best: list[tuple[int, int]] = []
        for placement in placements_of(length, rules):
            squares = squares_of(placement, length, rules)
            others = (squares_of(place, rules.fleet[other], rules) for other, place in fleet.items())
            around = _around(placement, length, rules)
            if not taken.intersection(squares) and not any(around.intersection(each) for each in others):
                best.append((len(left.intersection(squares)), placement))
        if not best:
            return None
        most = max(covered for covered, _ in best)
        found = [placement for covered, placement in best if covered == most]
        fleet[ship] = found[int(rng.integers(len(found)))]
        left.difference_update(squares_of(fleet[ship], length, rules))
    return None if left else tuple(fleet[ship] for ship in range(len(rules.fleet)))


def moved_fleet(
    key: int, extra: int, sums: NDArray[np.float64], rules: Rules, sweeps: int = SWEEPS
) -> Placements:
    """A fleet for boards that are too full for ``draw_fleet``: approximately in proportion to the weights.

    The ships are laid one by one, each drawn until it can lie beside those before it; then, ``sweeps`` times, each is
    taken up and drawn again until it can lie beside all the others (Gibbs sampling, whose fleets come in proportion to
    their weights in the limit). Draws are numbered on from ``ATTEMPTS``. A ship that finds no place in ``TRIES`` draws
    stays where it was; on its first time the whole fleet starts again, at most ``RESTARTS`` times. ``sums`` is float64
    (ships, 2 · squares), as for ``draw_fleet``.

    Raises:
        UsageError: no fleet was found, so there may be none.
    """
    attempt = ATTEMPTS
    fleet: dict[int, int] = {}
    sweep = restarts = 0
    while sweep <= sweeps:
        for ship in range(len(rules.fleet)):
            taken = fleet.pop(ship, None)
            others = {
                square
                for other, placement in fleet.items()
                for square in squares_of(placement, rules.fleet[other], rules)
            }
            for _ in range(TRIES):
                placement = _drawn(sums[ship], key, attempt, extra, ship)
                attempt += 1
                if not others & _around(placement, rules.fleet[ship], rules):
                    break
            else:
                if taken is None:
                    fleet.clear()
                    restarts += 1
                    sweep = -1
                    if restarts > RESTARTS:
                        raise no_fleet(rules)
                    break
                placement = taken
            fleet[ship] = placement
        sweep += 1
    return tuple(fleet[ship] for ship in range(len(rules.fleet)))


def no_fleet(rules: Rules) -> UsageError:
    """The error about a fleet for which no room was found."""
    message = ",".join(map(str, rules.fleet))
    apart = "" if rules.touch else " without touching"
    return UsageError(
        f"no layout was found for the ships {message} on {rules.width}x{rules.height}{apart}; choose a larger "
        "board, fewer ships or another placement"
    )


def _drawn(sums: NDArray[np.float64], key: int, attempt: int, extra: int, ship: int) -> int:
    """The first placement whose running sum exceeds a random part of the total."""
    u = keyed_uniform_readable(key, attempt, (extra << SHIP_BITS) + ship)
    return int(np.searchsorted(sums, u * sums[-1], side="right"))
