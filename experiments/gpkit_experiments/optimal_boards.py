"""Optimal play on small boards of Battleship: the fewest shots that a shooter can expect.

By dynamic programming over beliefs, compiled (``gpkit.games.battleship.belief.player``). A belief is a bit set
over a list of fleets, all equally likely. Together with the squares that were shot it says all that matters for the
rest of a game.
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
    """A ship in a place.

    Attributes:
        squares: that it covers.
        answer: to the shot that sinks it; ``HIT`` if that is not announced.
    """

    squares: tuple[int, ...]
    answer: int


@dataclass(frozen=True)
class PossibleFleets:
    """The fleets that are possible before the first shot.

    Attributes:
        squares: number of squares of the board.
        ships: every ship in every place, once; ships of one length are alike.
        fleets: by fleet the numbers of its ships in ``ships``.
        symmetries: images of the squares under mappings that keep the list of fleets; the first one moves nothing.
        separable: whether the answer that sinks a ship tells which of the hits belong to it, or sinkings are not
            announced; so it is where ships may not touch.
    """

    squares: int
    ships: tuple[Ship, ...]
    fleets: tuple[tuple[int, ...], ...]
    symmetries: tuple[tuple[int, ...], ...]
    separable: bool

    @property
    def to_hit(self) -> int:
        """Number of squares with ships, the same for all fleets."""
        return sum(len(self.ships[ship].squares) for ship in self.fleets[0])

    @property
    def everything(self) -> int:
        """The belief before the first shot."""
        return (1 << len(self.fleets)) - 1

    @cached_property
    def through(self) -> tuple[tuple[tuple[Ship, int], ...], ...]:
        """By square the ships that may lie on it, each with the set of fleets that have it."""
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
        """By square the set of fleets that have a ship there."""
        return tuple(reduce(or_, (having for _, having in ships), 0) for ships in self.through)

    def answers(self, belief: int, shot: int, square: int) -> dict[int, int]:
        """The beliefs after a shot, by answer; only answers that are possible.

        Args:
            belief: before it.
            shot: the set of squares that were shot before it.
            square: the one that is shot at.
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
    """Every legal fleet of a board; of those that differ in the order of ships of one length one.

    Args:
        rules: the board, the fleet, whether ships may touch, and what is announced.
        most: number of fleets beyond which the board is too large.

    Raises:
        UsageError: there are more, or there is none.
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
    """All legal fleets that begin with these ships; the places of ships of one length ascend."""
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
    """The images of the squares under the rotations and reflections of the board; the first one moves nothing."""
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
    """Memory of the searches in one list of fleets; each of them adds to it.

    Attributes:
        fleets: that are possible before the first shot.
        problem: the same, as the kernel reads them.
        table: beliefs that were met.
    """

    fleets: PossibleFleets
    problem: FleetArrays
    table: BeliefTable

    @classmethod
    def of(cls, fleets: PossibleFleets, places: int) -> "SearchMemory":
        """An empty one for so many beliefs, a power of two; it takes 20 bytes for each."""
        return cls(fleets, problem_of(fleets), table_of(places))

    @property
    def opened(self) -> int:
        """Number of beliefs that were searched so far, each as often as it was."""
        return int(self.table.counts[OPENED])

    def best(self, belief: int, shot: int) -> Best | None:
        """The best shot, at square −1 if none is left to hit; None if the memory is too small to find it.

        Args:
            belief: the set of fleets that are possible.
            shot: the set of squares that were shot.
        """
        members = np.array([n for n in range(len(self.fleets.fleets)) if belief >> n & 1], dtype=np.int64)
        problem = self.problem._replace(
            fleets=self.problem.fleets[members], unions=self.problem.unions[members]
        )
        known = np.array([shot >> square & 1 for square in range(self.fleets.squares)], dtype=np.int8)
        return searched(problem, known, self.table)

    def misses(self, belief: int, shot: int, square: int) -> int | None:
        """The misses to come, summed over a belief, with a shot at this square; None as of ``best``."""
        total = 0
        for answer, after in self.fleets.answers(belief, shot, square).items():
            total += after.bit_count() if answer == MISS else 0
            best = self.best(after, shot | 1 << square)
            if best is None:
                return None
            total += best.misses
        return total


def expected_shots(fleets: PossibleFleets, misses: int) -> Fraction:
    """The expected number of shots if there are so many misses in all fleets together."""
    return fleets.to_hit + Fraction(misses, len(fleets.fleets))


def problem_of(fleets: PossibleFleets) -> FleetArrays:
    """The fleets as the kernel reads them."""
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
