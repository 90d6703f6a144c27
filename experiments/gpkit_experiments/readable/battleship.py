"""Random fleets, and the sampler of the belief-state agent, in plain Python: what the kernels of Battleship mean.

See ``gpkit.games.battleship.agents`` for how the source of the sampler is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from gpkit.core.arrays import Floats
from gpkit.core.rng import Draws
from gpkit.games.battleship.agents import BACKTRACKS, Method
from gpkit.games.battleship.kernel.layout import ATTEMPTS, RESTARTS, SHIP_BITS, SWEEPS, TRIES
from gpkit.games.battleship.rules import (
    BattleshipRules,
    Placements,
    Redraw,
    fleet_squares,
    is_on_board,
    no_fleet,
    squares_of,
    surroundings,
)
from gpkit.vm.keyed import HALF, KeyedDraws, keyed_uniform_readable, keyed_word_readable


def draw_fleet(
    key: int, extra: int, sums: Floats, rules: BattleshipRules, redraw: Redraw = "fleet"
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


def can_join(placement: int, ship: int, others: Sequence[int], rules: BattleshipRules) -> bool:
    """Whether a ship can lie there beside the ships before it."""
    around = _around(placement, rules.fleet[ship], rules)
    laid = zip(others, rules.fleet, strict=False)
    return all(around.isdisjoint(squares_of(other, length, rules)) for other, length in laid)


@lru_cache(maxsize=4_096)
def _around(placement: int, length: int, rules: BattleshipRules) -> frozenset[int]:
    """The squares on which no other ship can lie."""
    return surroundings(squares_of(placement, length, rules), rules)


def moved_fleet(
    key: int, extra: int, sums: Floats, rules: BattleshipRules, sweeps: int = SWEEPS
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


def _drawn(sums: Floats, key: int, attempt: int, extra: int, ship: int) -> int:
    """The first placement whose running sum exceeds a random part of the total."""
    u = keyed_uniform_readable(key, attempt, (extra << SHIP_BITS) + ship)
    return int(sums.searchsorted(u * sums[-1], side="right"))


Known = Literal["unshot", "miss", "hit"]
"""Knowledge of a square by a player who is not told which ship sank."""


@dataclass(frozen=True, slots=True)
class FleetSample:
    """A fleet drawn from the belief state.

    Attributes:
        fleet: its placements; None if it was given up.
        popped: how often a ship was taken up again.
    """

    fleet: Placements | None
    popped: int


def draws_of(key: int, turn: int, number: int) -> KeyedDraws:
    """The random numbers of a sample.

    Args:
        key: of the player's shots, 26 bits.
        turn: the turns taken.
        number: of the sample.
    """
    word = keyed_word_readable(key, turn, number)
    return KeyedDraws(word // HALF, word % HALF)


def draw_sample(rng: Draws, known: Sequence[Known], method: Method, rules: BattleshipRules) -> FleetSample:
    """Draw one fleet.

    Args:
        rng: of the sample.
        known: by square.
        method: how the source is read.
        rules: the board and the fleet.
    """
    room = method.room(rules)
    hits = known.count("hit")
    lists = [_valid_locations(rules.fleet[0], known, method, room)]
    fleet: list[int] = []
    covered = [0]
    popped = 0
    while len(fleet) < len(rules.fleet):
        ship = len(fleet)
        mine = lists[-1]
        rest = sum(rules.fleet[ship + 1 :])
        least = hits - covered[-1] - rest if method.hits == "required" else 0
        while mine and not mine[-1]:
            mine.pop()
        if not mine or len(mine) - 1 < least:
            if ship == 0 or popped == BACKTRACKS:
                return FleetSample(None, popped)
            lists.pop()
            covered.pop()
            popped += 1
            _remove(lists[-1][-1], lists[-1][-1].index(fleet.pop()))
            continue
        place = int(rng.random() * len(mine[-1]))
        location = mine[-1][place]
        around = surroundings(squares_of(location, rules.fleet[ship], rules), room)
        if around & fleet_squares(fleet, rules):
            _remove(mine[-1], place)
            continue
        fleet.append(location)
        if ship + 1 < len(rules.fleet):
            length = rules.fleet[ship + 1]
            same = length == rules.fleet[ship]
            lists.append([*map(list, mine)] if same else _valid_locations(length, known, method, room))
            covered.append(covered[-1] + len(mine) - 1)
    return FleetSample(tuple(fleet), popped)


def _valid_locations(
    length: int, known: Sequence[Known], method: Method, room: BattleshipRules
) -> list[list[int]]:
    """The locations of a ship that cover no miss, by the number of hits that they cover."""
    lists: list[list[int]] = [[] for _ in range(length + 1)]
    for location in range(2 * room.squares):
        if not is_on_board(location, length, room) or (length == 1 and location & 1):
            continue
        squares = squares_of(location, length, room)
        found = [known[square] for square in squares]
        around = sum(known[square] == "hit" for square in surroundings(squares, room))
        if "miss" in found or (method.hits == "required" and around > found.count("hit")):
            continue
        lists[found.count("hit")].append(location)
    return lists


def _remove(locations: list[int], place: int) -> None:
    """Remove a location; the last one takes its place."""
    last = locations.pop()
    if place < len(locations):
        locations[place] = last


@dataclass(frozen=True, slots=True)
class Votes:
    """Votes of samples.

    Attributes:
        squares: by square the samples that have a ship there.
        complete: the samples that were not given up.
        inconsistent: those of them that leave a hit out.
        popped: how often a ship was taken up again, in all samples.
    """

    squares: tuple[int, ...]
    complete: int
    inconsistent: int
    popped: int


def votes_readable(
    known: Sequence[Known], method: Method, rules: BattleshipRules, number: int, key: int, turn: int
) -> Votes:
    """The votes of ``number`` samples at a turn, of which each has its own random numbers."""
    hits = {square for square, what in enumerate(known) if what == "hit"}
    votes = [0] * rules.squares
    complete = inconsistent = popped = 0
    for each in range(number):
        sample = draw_sample(draws_of(key, turn, each), known, method, rules)
        popped += sample.popped
        if sample.fleet is not None:
            squares = fleet_squares(sample.fleet, rules)
            complete += 1
            inconsistent += not hits <= squares
            for ship, length in zip(sample.fleet, rules.fleet, strict=True):
                for square in squares_of(ship, length, rules):
                    votes[square] += 1
    return Votes(tuple(votes), complete, inconsistent, popped)


def most_votes(votes: Sequence[int], known: Sequence[Known], key: int, turn: int) -> int:
    """The unshot square with most votes; of equals, which are frequent where samples are few, one drawn by the key."""
    unshot = [square for square, what in enumerate(known) if what == "unshot"]
    most = max(votes[square] for square in unshot)
    equal = [square for square in unshot if votes[square] == most]
    return equal[int(keyed_uniform_readable(key, turn, HALF - 1) * len(equal))]
