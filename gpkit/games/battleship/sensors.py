"""Sensors for formulas that evaluate squares, based only on the shooter's knowledge.

Belief propagation computes the chances of ships; ``kernel.games`` has the compiled version. In the model of belief
propagation, every ship afloat has one of its possible placements. An unshot square contains at most one ship, and an
open hit exactly one. For each ship and square, a factor measures how well the square suits the ship, given the likely
positions of the other ships: the smaller their odds on the square, the larger the factor. The weight of a placement is
the product of the factors of its squares. For a few rounds, the weights determine new odds, and the odds determine new
factors (J. Pearl, "Probabilistic Reasoning in Intelligent Systems", 1988; for graphs with loops: F. Kschischang, B.
Frey, H.-A. Loeliger, "Factor Graphs and the Sum-Product Algorithm", 2001).

Ships of the same length are treated together. The order of the operations is fixed, so the results are identical on
every machine, to the last bit.

Sensors depend on the results of the player's shots and on the ships that may be afloat. If announcements do not say
which ship sank, any ship may be afloat. ``kernel.games`` and ``lua/battleship_sensors.lua`` compute the same sensors;
``kernel.layout`` defines their slots.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import prod
from typing import NamedTuple

from gpkit.gamekit.sensors import declared, sensed, sensor
from gpkit.games.battleship.aiming import STEPS, open_runs, possible_placements, squares_beside
from gpkit.games.battleship.kernel.layout import (
    FIRST_FACTOR,
    KINDS_OF_COVER,
    LARGEST_FACTOR,
    ROUNDS,
    SMALLEST_REST,
)
from gpkit.games.battleship.rules import MAX_SHIPS, MAX_SIDE, Board, squares_of, surroundings

Lists = list[list[float]]


@dataclass(frozen=True, slots=True)
class Kind:
    """The ships of one length that are still afloat.

    Attributes:
        ships: the number of these ships.
        ways: the squares of each possible placement of such a ship.
        factors: for each square, a measure of how well the square suits such a ship, given the likely positions of the
            other ships.
        odds: for each square, the odds that such a ship lies there, excluding the square's factor.
    """

    ships: int
    ways: tuple[tuple[int, ...], ...]
    factors: list[float]
    odds: list[float]


@dataclass(frozen=True, slots=True)
class Beliefs:
    """The beliefs about each unshot square.

    Attributes:
        chance: the probability that a ship lies on the square.
        sinks: the probability that a shot at the square sinks a ship, if sinkings are announced.
        follow: if a ship lies on the square, the probability that the likeliest neighbouring square belongs to the same
            ship.
        fleets: the expected share of fleets that remain possible after the answer to a shot at the square.
    """

    chance: list[float] = field(default_factory=list)
    sinks: list[float] = field(default_factory=list)
    follow: list[float] = field(default_factory=list)
    fleets: list[float] = field(default_factory=list)


def beliefs(board: Board) -> Beliefs:
    """The shooter's beliefs about the squares of a board, with 0 for squares that have been shot."""
    kinds, total = propagated(board)
    sinking, *beside = _details(kinds, board)
    found = Beliefs()
    for square, known in enumerate(board.known):
        odds = total[square] if known == "unshot" else 0.0
        chance = odds / (1.0 + odds)
        sinks = min(sinking[square] / (1.0 + odds), chance)
        best = max(each[square] for each in beside)
        found.chance.append(chance)
        found.sinks.append(sinks)
        found.follow.append(min(best / odds, 1.0) if odds > 0.0 else 0.0)
        miss, stays = 1.0 - chance, chance - sinks
        found.fleets.append(miss * miss + sinks * sinks + stays * stays)
    return found


def propagated(board: Board) -> tuple[list[Kind], list[float]]:
    """The ships afloat after all rounds of belief propagation, and the sum of their odds on each square."""
    kinds = [kind_of(length, len(list(same)), board) for length, same in groupby(board.afloat)]
    total = [0.0] * board.rules.squares
    # the odds that no ship lies there: 1, as odds of ships count against it; 0 on an open hit
    empty = {square: float(known == "unshot") for square, known in enumerate(board.known) if known in _FREE}
    for turn in range(ROUNDS):
        for kind in kinds:
            if turn > 0:  # factors move halfway to the odds of all other ships of any length
                for square, none in empty.items():
                    others = total[square] - kind.odds[square] + none
                    others = min(max(others, 1.0 / LARGEST_FACTOR), LARGEST_FACTOR)
                    kind.factors[square] = (kind.factors[square] + 1.0 / others) * 0.5
            weight, covers = _weigh(kind)
            least = weight * SMALLEST_REST
            for square in empty:
                rest = max(weight - covers[square], least)
                odds = covers[square] / rest / kind.factors[square] if weight > 0.0 else 0.0
                total[square] = max(total[square] + kind.ships * (odds - kind.odds[square]), 0.0)
                kind.odds[square] = odds
    return kinds, total


_FREE = ("unshot", "open")
"""The squares on which ships afloat may lie."""


def kind_of(length: int, ships: int, board: Board) -> Kind:
    """The ships of a given length before the first round of belief propagation.

    A placement is possible if it covers no misses and no ships known to be sunk. If ships may not touch, a possible
    placement is not beside a hit that it does not cover. If announcements name the ship that sank, a possible placement
    covers an unshot square.
    """
    rules = board.rules
    ways = []
    for placement in possible_placements(length, board):
        squares = squares_of(placement, length, rules)
        hits = sum(board.known[square] == "open" for square in squares)
        is_sunk = hits == length and rules.announce == "ship"
        around = sum(board.known[each] in ("open", "sunk") for each in surroundings(squares, rules))
        if not is_sunk and around == hits:
            ways.append(squares)
    factors = [FIRST_FACTOR if known == "open" else 1.0 for known in board.known]
    return Kind(ships, tuple(ways), factors, [0.0] * rules.squares)


def _weigh(kind: Kind) -> tuple[float, list[float]]:
    """The total weight of a ship's placements, and the weight of the placements that cover each square."""
    total, covers, factors = 0.0, [0.0] * len(kind.odds), kind.factors
    for squares in kind.ways:
        weight = prod(factors[square] for square in squares)
        total += weight
        for square in squares:
            covers[square] += weight
    return total, covers


def _details(kinds: Sequence[Kind], board: Board) -> Lists:
    """For each square, the odds that a shot sinks a ship, and that a ship extends to each of the four sides."""
    width, known = board.rules.width, board.known
    is_told = board.rules.announce != "hit"
    found = [[0.0] * board.rules.squares for _ in range(5)]
    for kind in kinds:
        _, covers = _weigh(kind)
        for squares in kind.ways:
            weight = prod((kind.factors[square] for square in squares), start=1.0)
            is_vertical = squares[-1] - squares[0] >= width
            is_last = is_told and sum(known[square] == "open" for square in squares) == len(squares) - 1
            for place, square in enumerate(squares):
                if known[square] != "unshot" or covers[square] <= 0.0:
                    continue
                share = kind.ships * kind.odds[square] / covers[square] * weight
                if is_last:
                    found[0][square] += share
                for near in squares[max(place - 1, 0) : place + 2]:
                    if near != square and known[near] == "unshot":
                        found[1 + (near > square) + 2 * is_vertical][square] += share
    return found


MOST = 2 * MAX_SIDE * MAX_SHIPS
"""The maximum number of placements that can cover a square."""


class Seen(NamedTuple):
    """The shooter's view of a board, the number of placements that cover each square, and the beliefs."""

    board: Board
    covers: Sequence[Sequence[int]]
    believed: Beliefs


@sensor(0, MOST, "placements of ships afloat that cover the square and no open hit")
def cover(seen: Seen, square: int) -> float:
    return seen.covers[square][0]


@sensor(0, MOST, "placements that cover the square and one open hit")
def cover1(seen: Seen, square: int) -> float:
    return seen.covers[square][1]


@sensor(0, MOST, "placements that cover the square and two open hits")
def cover2(seen: Seen, square: int) -> float:
    return seen.covers[square][2]


@sensor(0, MOST, "placements that cover the square and three open hits or more")
def cover3(seen: Seen, square: int) -> float:
    return seen.covers[square][3]


@sensor(0, 1, "0 and 1, alternating as on a chessboard")
def parity(seen: Seen, square: int) -> float:
    return sum(_place(seen, square)) % 2


@sensor(0, 4, "open hits beside the square")
def beside(seen: Seen, square: int) -> float:
    return sum(run > 0 for run in open_runs(square, seen.board))


@sensor(0, MAX_SIDE, "open hits in a row that starts beside the square, in any direction")
def line(seen: Seen, square: int) -> float:
    return max(open_runs(square, seen.board))


@sensor(0, 2 * MAX_SIDE, "columns and rows to the nearest open hit; 0 if there is none")
def near(seen: Seen, square: int) -> float:
    x, y = _place(seen, square)
    hits = [_place(seen, other) for other, known in enumerate(seen.board.known) if known == "open"]
    return min((abs(row - y) + abs(column - x) for column, row in hits), default=0)


@sensor(0, MAX_SIDE // 2, "squares between this one and the nearest edge")
def edge(seen: Seen, square: int) -> float:
    x, y = _place(seen, square)
    rules = seen.board.rules
    return min(x, y, rules.width - 1 - x, rules.height - 1 - y)


@sensor(0, 4, "squares beside it that are off the board, misses, or parts of ships known to be sunk")
def blocked(seen: Seen, square: int) -> float:
    near = squares_beside(square, seen.board.rules)
    return len(STEPS) - sum(seen.board.known[each] in ("unshot", "open") for each in near)


@sensor(0, MAX_SIDE**2, "open hits on the board: hits on ships not known to be sunk")
def open_(seen: Seen) -> float:
    return seen.board.known.count("open")


@sensor(0, MAX_SIDE, "length of the longest ship afloat")
def longest(seen: Seen) -> float:
    return max(seen.board.afloat, default=0)


@sensor(0, MAX_SIDE, "length of the shortest ship afloat")
def shortest(seen: Seen) -> float:
    return min(seen.board.afloat, default=0)


@sensor(0, MAX_SHIPS, "ships afloat")
def afloat(seen: Seen) -> float:
    return len(seen.board.afloat)


@sensor(1, MAX_SIDE**2, "squares not yet shot at")
def left(seen: Seen) -> float:
    return seen.board.known.count("unshot")


@sensor(0, 2 * MAX_SIDE**2, "turns taken")
def turns(seen: Seen) -> float:
    return seen.board.turns


COUNTING = declared(globals())
"""The sensors that count squares and placements, in the order of their slots."""


@sensor(0, 1, "chance that a ship lies on the square, given all that is known", integer=False)
def chance(seen: Seen, square: int) -> float:
    return seen.believed.chance[square]


@sensor(0, 1, "chance that a shot at it sinks a ship, where sinking is announced", integer=False)
def sinks(seen: Seen, square: int) -> float:
    return seen.believed.sinks[square]


@sensor(
    0, 1, "chance that the likeliest square beside it holds the same ship, if it holds one", integer=False
)
def follow(seen: Seen, square: int) -> float:
    return seen.believed.follow[square]


@sensor(0, 1, "share of the possible fleets expected to be left after the answer", integer=False)
def fleets(seen: Seen, square: int) -> float:
    return seen.believed.fleets[square]


BELIEVING = declared(globals())[len(COUNTING) :]
"""The belief sensors, in the slots after ``COUNTING``."""


def sense(board: Board) -> dict[int, dict[str, float]]:
    """The value of every sensor, by name, for each unshot square."""
    seen = Seen(board, placements_by_hits(board), beliefs(board))
    return {
        square: sensed((*COUNTING, *BELIEVING), seen, square)
        for square, known in enumerate(board.known)
        if known == "unshot"
    }


def placements_by_hits(board: Board) -> list[list[int]]:
    """For each square, the numbers of possible placements that cover it and 0, 1, 2, or more open hits."""
    covers = [[0] * KINDS_OF_COVER for _ in board.known]
    for length in board.afloat:
        for placement in possible_placements(length, board):
            squares = squares_of(placement, length, board.rules)
            hits = sum(board.known[square] == "open" for square in squares)
            for square in squares:
                covers[square][min(hits, KINDS_OF_COVER - 1)] += 1
    return covers


def _place(seen: Seen, square: int) -> tuple[int, int]:
    """The column and the row of a square."""
    return square % seen.board.rules.width, square // seen.board.rules.width
