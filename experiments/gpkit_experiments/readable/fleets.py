"""Fleets drawn from keys in plain Python; ``gpkit.games.battleship.kernel.fleets`` is the compiled twin."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.fleets import Placements, Redraw, no_fleet, squares_of, surroundings
from gpkit.games.battleship.kernel.layout import ATTEMPTS, RESTARTS, SHIP_BITS, SWEEPS, TRIES
from gpkit.games.battleship.options import Rules
from gpkit.vm.keyed import keyed_uniform_readable


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
    laid = zip(others, rules.fleet, strict=False)
    return all(around.isdisjoint(squares_of(other, length, rules)) for other, length in laid)


@lru_cache(maxsize=4_096)
def _around(placement: int, length: int, rules: Rules) -> frozenset[int]:
    """The squares on which no other ship can lie."""
    return surroundings(squares_of(placement, length, rules), rules)


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


def _drawn(sums: NDArray[np.float64], key: int, attempt: int, extra: int, ship: int) -> int:
    """The first placement whose running sum exceeds a random part of the total."""
    u = keyed_uniform_readable(key, attempt, (extra << SHIP_BITS) + ship)
    return int(sums.searchsorted(u * sums[-1], side="right"))
