"""Optimal play on small boards of Battleship: the fewest shots that a shooter can expect.

The module uses compiled dynamic programming over beliefs (``gpkit.games.battleship.belief.player``). A belief is a bit
set over a list of equally likely fleets. A belief and the squares that were shot at contain everything that matters for
the rest of a game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.games.battleship.belief.player import (
    HIT,
    MISS,
    SUNK,
    Best,
    searched,
    table_of,
    tokens_of,
    ways_of,
)
from gpkit.games.battleship.kernel.optimal_search import OPENED, BeliefTable, FleetArrays
from gpkit.games.battleship.rules import BattleshipRules, Placements, is_on_board, no_fleet, squares_of
from gpkit_experiments.readable.battleship import can_join


@dataclass(frozen=True, slots=True, order=True)
class Ship:
    """A ship at a place on the board.

    Attributes:
        squares: the squares that the ship covers.
        answer: the answer to the shot that sinks the ship; ``HIT`` if sinking is not announced.
    """

    squares: tuple[int, ...]
    answer: int


@dataclass(frozen=True)
class PossibleFleets:
    """The fleets that are possible before the first shot.

    Attributes:
        squares: the number of squares of the board.
        ships: every ship at every place, once; ships of the same length are interchangeable.
        fleets: for each fleet, the indices of its ships in ``ships``.
        symmetries: the images of the squares under mappings that preserve the list of fleets; the first mapping is the
            identity.
        separable: whether the answer that sinks a ship shows which hits belong to the ship, or sinkings are not
            announced. This is the case if ships may not touch.
    """

    squares: int
    ships: tuple[Ship, ...]
    fleets: tuple[tuple[int, ...], ...]
    symmetries: tuple[tuple[int, ...], ...]
    separable: bool

    @property
    def to_hit(self) -> int:
        """The number of squares with ships, which is the same for all fleets."""
        return sum(len(self.ships[ship].squares) for ship in self.fleets[0])

    @property
    def everything(self) -> int:
        """The belief before the first shot."""
        return (1 << len(self.fleets)) - 1

    @cached_property
    def through(self) -> tuple[tuple[tuple[Ship, int], ...], ...]:
        """For each square, the ships that may cover it, each with the set of fleets that contain the ship."""
        having = [0] * len(self.ships)
        for number, fleet in enumerate(self.fleets):
            for ship in fleet:
                having[ship] |= 1 << number
        found: list[list[tuple[Ship, int]]] = [[] for _ in range(self.squares)]
        for each, its in zip(self.ships, having, strict=True):
            for square in each.squares:
                found[square].append((each, its))
        return tuple(map(tuple, found))

    @cached_property
    def covering(self) -> tuple[int, ...]:
        """For each square, the set of fleets that have a ship there."""
        return tuple(reduce(or_, (having for _, having in ships), 0) for ships in self.through)

    def answers(self, belief: int, shot: int, square: int) -> dict[int, int]:
        """The beliefs after a shot, by answer, for answers that are possible.

        Args:
            belief: the belief before the shot.
            shot: the set of squares that were shot at before.
            square: the square of this shot.
        """
        found: dict[int, int] = {}
        if missed := belief & ~self.covering[square]:
            found[MISS] = missed
        for ship, having in self.through[square]:
            if hit := belief & having:
                sinks = all(other == square or shot >> other & 1 for other in ship.squares)
                answer = ship.answer if sinks else HIT
                found[answer] = found.get(answer, 0) | hit
        return found


def fleets_of(rules: BattleshipRules, most: int) -> PossibleFleets:
    """Every legal fleet of a board; fleets that differ only in the order of ships of the same length count once.

    Args:
        rules: the board, the fleet, whether ships may touch, and what is announced.
        most: the number of fleets beyond which the board is too large.

    Raises:
        UsageError: there are more fleets, or none.
    """
    numbers: dict[Ship, int] = {}
    found: list[tuple[int, ...]] = []
    for placements in legal_fleets(rules):
        if len(found) == most:
            told = ",".join(map(str, rules.fleet))
            raise UsageError(
                f"the ships {told} can lie on {rules.width}x{rules.height} in more than {most:,} ways; "
                "choose a smaller board or fewer ships"
            )
        ships = [_ship(placement, ship, rules) for ship, placement in enumerate(placements)]
        found.append(tuple(numbers.setdefault(ship, len(numbers)) for ship in ships))
    if not found:
        raise no_fleet(rules)
    separable = rules.announce == "hit" or not rules.touch
    return PossibleFleets(rules.squares, tuple(numbers), tuple(found), symmetries(rules), separable)


def legal_fleets(rules: BattleshipRules, others: Placements = ()) -> Iterator[Placements]:
    """All legal fleets that begin with these ships; the places of ships of the same length are in ascending order."""
    ship = len(others)
    if ship == len(rules.fleet):
        yield others
        return
    length = rules.fleet[ship]
    first = others[-1] + 1 if others and rules.fleet[ship - 1] == length else 0
    for placement in range(first, 2 * rules.squares):
        again = length == 1 and placement & 1
        if not again and is_on_board(placement, length, rules) and can_join(placement, ship, others, rules):
            yield from legal_fleets(rules, (*others, placement))


def _ship(placement: int, ship: int, rules: BattleshipRules) -> Ship:
    answer = HIT
    if rules.announce != "hit":
        lengths = sorted(set(rules.fleet))
        answer = SUNK + (lengths.index(rules.fleet[ship]) if rules.announce == "ship" else 0)
    return Ship(squares_of(placement, rules.fleet[ship], rules), answer)


def symmetries(rules: BattleshipRules) -> tuple[tuple[int, ...], ...]:
    """The images of the squares under the rotations and reflections of the board; the first is the identity."""
    width, height = rules.width, rules.height
    found = []
    for turned in (False, True) if width == height else (False,):
        for flipped in (False, True):
            for mirrored in (False, True):
                image = []
                for square in range(width * height):
                    y, x = divmod(square, width)
                    y, x = (x, y) if turned else (y, x)
                    y, x = height - 1 - y if flipped else y, width - 1 - x if mirrored else x
                    image.append(y * width + x)
                found.append(tuple(image))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class SearchMemory:
    """The memory shared by the searches in one list of fleets; each search adds to it.

    Attributes:
        fleets: the fleets that are possible before the first shot.
        problem: the same fleets in the form that the kernel reads.
        table: the beliefs that the searches have met.
    """

    fleets: PossibleFleets
    problem: FleetArrays
    table: BeliefTable

    @classmethod
    def of(cls, fleets: PossibleFleets, places: int) -> "SearchMemory":
        """An empty memory for this many beliefs, a power of two; each belief takes 20 bytes."""
        return cls(fleets, problem_of(fleets), table_of(places))

    @property
    def opened(self) -> int:
        """The number of searches of beliefs so far; a belief counts each time that it is searched."""
        return int(self.table.counts[OPENED])

    def best(self, belief: int, shot: int) -> Best | None:
        """The best shot, with square −1 if no square is left to hit; None if the memory is too small to find it.

        Args:
            belief: the set of possible fleets.
            shot: the set of squares that were shot at.
        """
        members = np.array([n for n in range(len(self.fleets.fleets)) if belief >> n & 1], dtype=np.int64)
        problem = self.problem._replace(
            fleets=self.problem.fleets[members], unions=self.problem.unions[members]
        )
        known = np.array([shot >> square & 1 for square in range(self.fleets.squares)], dtype=np.int8)
        return searched(problem, known, self.table)

    def misses(self, belief: int, shot: int, square: int) -> int | None:
        """The future misses after a shot at this square, summed over a belief; None if the memory is too small."""
        total = 0
        for answer, after in self.fleets.answers(belief, shot, square).items():
            total += after.bit_count() if answer == MISS else 0
            best = self.best(after, shot | 1 << square)
            if best is None:
                return None
            total += best.misses
        return total


def expected_shots(fleets: PossibleFleets, misses: int) -> Fraction:
    """The expected number of shots if there are this many misses in all fleets together."""
    return fleets.to_hit + Fraction(misses, len(fleets.fleets))


def problem_of(fleets: PossibleFleets) -> FleetArrays:
    """The fleets in the form that the kernel reads."""
    longest = max(len(ship.squares) for ship in fleets.ships)
    ships = np.full((len(fleets.ships), longest), -1, dtype=np.int16)
    for number, ship in enumerate(fleets.ships):
        ships[number, : len(ship.squares)] = ship.squares
    answers = np.array([ship.answer for ship in fleets.ships], dtype=np.int16)
    unions: dict[frozenset[int], int] = {}
    covered = [frozenset(s for ship in fleet for s in fleets.ships[ship].squares) for fleet in fleets.fleets]
    return FleetArrays(
        np.array(fleets.fleets, dtype=np.int16),
        ships,
        answers,
        np.array([unions.setdefault(squares, len(unions)) for squares in covered], dtype=np.int16),
        tokens_of(ships, answers, np.array(fleets.symmetries)),
        ways_of(fleets.to_hit, fleets.squares),
        np.array([fleets.separable], dtype=np.int64),
    )
