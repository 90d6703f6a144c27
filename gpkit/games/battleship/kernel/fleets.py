"""Drawing fleets: whole-fleet rejection, and for dense boards a chain of single ships."""

from gpkit.core.compiled import inlined, kernel
from gpkit.games.battleship.kernel import layout as at
from gpkit.vm.keyed import keyed_uniform


@inlined
def window_of(placement, length, margin, width, height):  # type: ignore[no-untyped-def]
    """The rows and columns of a placement, wider by a margin as far as the board goes: (top, bottom, left, right).

    Those of the bottom and of the right do not belong to it.
    """
    square = placement >> 1
    x, y = square % width, square // width
    right, bottom = (x + 1, y + length) if placement & 1 else (x + length, y + 1)
    top, left = max(y - margin, 0), max(x - margin, 0)
    return top, min(bottom + margin, height), left, min(right + margin, width)


@inlined
def can_lie(ships, placement, length, rules):  # type: ignore[no-untyped-def]
    """Whether no ship lies on the squares of a placement nor, where ships may not touch, beside them.

    Args:
        ships: int16 (squares,): the ship on each square or -1.
        placement: 2 · first square + 1 if vertical; it is on the board.
        length: squares of the ship.
        rules: int64, see ``layout``.
    """
    width, margin = rules[at.WIDTH], 0 if rules[at.TOUCH] else 1
    top, bottom, left, right = window_of(placement, length, margin, width, rules[at.HEIGHT])
    for row in range(top, bottom):
        for column in range(left, right):
            if ships[row * width + column] != at.NO_SHIP:
                return False
    return True


@inlined
def put(ships, placement, length, ship, rules):  # type: ignore[no-untyped-def]
    """Write ``ship`` (-1 takes it away) on the squares of a placement."""
    step = rules[at.WIDTH] if placement & 1 else 1
    square = placement >> 1
    for k in range(length):
        ships[square + k * step] = ship


@inlined
def drawn(sums, u):  # type: ignore[no-untyped-def]
    """The first index whose running sum of weights exceeds u times their total, by halving."""
    wanted = u * sums[-1]
    low, high = 0, sums.shape[0] - 1
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def draw_fleet(ships, placements, sums, redraw, keys, rules):  # type: ignore[no-untyped-def]
    """Draw a fleet onto an empty board; returns whether one was found.

    Args:
        ships: int16 (squares,), all -1; written.
        placements: int64 (ships,), written: the placement of each ship.
        sums: float64 (ships, 2 · squares): running sums of the weights of each ship's placements.
        redraw: what is drawn anew where a ship cannot lie, ``WHOLE_FLEET`` or ``SHIP_ALONE``.
        keys: int64 (KEYS,).
        rules: int64, see ``layout``.
    """
    count = rules[at.SHIPS_COUNT]
    if redraw == at.SHIP_ALONE:
        return move_fleet(ships, placements, sums, 0, keys, rules)
    for attempt in range(at.ATTEMPTS):
        lying = 0
        while lying < count:
            u = keyed_uniform(keys[at.FLEET_KEY], attempt, (keys[at.FLEET_EXTRA] << at.SHIP_BITS) + lying)
            placement = drawn(sums[lying], u)
            length = rules[at.LENGTHS + lying]
            if not can_lie(ships, placement, length, rules):
                break
            put(ships, placement, length, lying, rules)
            placements[lying] = placement
            lying += 1
        if lying == count:
            return True
        for ship in range(lying):
            put(ships, placements[ship], rules[at.LENGTHS + ship], at.NO_SHIP, rules)
    return move_fleet(ships, placements, sums, at.SWEEPS, keys, rules)


@inlined
def move_fleet(ships, placements, sums, sweeps, keys, rules):  # type: ignore[no-untyped-def]
    """Draw a fleet onto an empty board ship by ship, and move each ship so many times; as of ``draw_fleet``."""
    attempt = at.ATTEMPTS
    restarts = 0
    sweep = 0
    while sweep <= sweeps:
        for ship in range(rules[at.SHIPS_COUNT]):
            length = rules[at.LENGTHS + ship]
            if sweep > 0:
                put(ships, placements[ship], length, at.NO_SHIP, rules)
            found = False
            for _ in range(at.TRIES):
                u = keyed_uniform(keys[at.FLEET_KEY], attempt, (keys[at.FLEET_EXTRA] << at.SHIP_BITS) + ship)
                placement = drawn(sums[ship], u)
                attempt += 1
                if can_lie(ships, placement, length, rules):
                    placements[ship] = placement
                    found = True
                    break
            if not found and sweep == 0:
                ships[:] = at.NO_SHIP
                restarts += 1
                sweep = -1
                if restarts > at.RESTARTS:
                    return False
                break
            put(ships, placements[ship], length, ship, rules)
        sweep += 1
    return True


@kernel
def draw_fleets(found, ships, sums, redraw, keys, rules):  # type: ignore[no-untyped-def]
    """Draw the fleet of each key; returns for how many one was found, after which it ends.

    Args:
        found: int64 (fleets, ships), written: the placements of each fleet.
        ships: int16 (squares,), scratch.
        sums: float64 (ships, 2 · squares): running sums of the weights of each ship's placements.
        redraw: as of ``draw_fleet``.
        keys: int64 (fleets, KEYS).
        rules: int64, see ``layout``.
    """
    for k in range(keys.shape[0]):
        ships[:] = at.NO_SHIP
        if not draw_fleet(ships, found[k], sums, redraw, keys[k], rules):
            return k
    return keys.shape[0]
