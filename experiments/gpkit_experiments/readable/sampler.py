"""The belief-state agent's sampler in plain Python: the meaning of ``gpkit.games.battleship.kernel.samples``.

See ``gpkit.games.battleship.monte_carlo`` for how the source is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gpkit.core.rng import Draws
from gpkit.games.battleship.fleets import (
    Placements,
    fleet_squares,
    is_on_board,
    squares_of,
    surroundings,
)
from gpkit.games.battleship.monte_carlo import BACKTRACKS, Method
from gpkit.games.battleship.options import Rules
from gpkit.vm.keyed import HALF, KeyedDraws, keyed_uniform_readable, keyed_word_readable

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


def draw_sample(rng: Draws, known: Sequence[Known], method: Method, rules: Rules) -> FleetSample:
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


def _valid_locations(length: int, known: Sequence[Known], method: Method, room: Rules) -> list[list[int]]:
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
    known: Sequence[Known], method: Method, rules: Rules, number: int, key: int, turn: int
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
