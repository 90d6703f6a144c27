"""The posterior counted cheaply: chances of squares by belief propagation; ``kernel/propagation.py`` is the compiled
twin.

Every ship afloat lies in one of its possible placements. A square that was not shot holds one ship at most, an open hit
exactly one. For each ship and each square a factor says how well the square suits that ship by what the other ships are
likely to do: the smaller their odds there, the larger it is. The weight of a placement is the product of the factors of
its squares, weights give odds, and odds give factors again, a few rounds long (J. Pearl, "Probabilistic Reasoning in
Intelligent Systems", 1988; for graphs with loops: F. Kschischang, B. Frey, H.-A. Loeliger, "Factor Graphs and the
Sum-Product Algorithm", 2001).

Ships of one length are alike and are counted together. The operations and their order are part of the meaning, so that
the numbers are the same everywhere, to the last bit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import prod

from gpkit.games.battleship.aiming import possible_placements
from gpkit.games.battleship.fleets import squares_of, surroundings
from gpkit.games.battleship.kernel.layout import FIRST_FACTOR, LARGEST_FACTOR, ROUNDS, SMALLEST_REST
from gpkit.games.battleship.rules import Board

Lists = list[list[float]]


@dataclass(frozen=True, slots=True)
class Kind:
    """The ships afloat of one length.

    Attributes:
        ships: how many there are.
        ways: the squares of each placement in which one may lie.
        factors: by square how well it suits such a ship, by what the other ships are likely to do.
        odds: by square the odds that one such ship lies there, by everything but its own factor.
    """

    ships: int
    ways: tuple[tuple[int, ...], ...]
    factors: list[float]
    odds: list[float]


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Beliefs about the squares not yet shot at, by square.

    Attributes:
        chance: the probability that a ship lies there.
        sinks: that a shot there sinks a ship, where that is told.
        follow: that the likeliest square beside it belongs to the same ship, if a ship lies there.
        fleets: the share of fleets that is expected to be left after the answer to a shot there.
    """

    chance: list[float] = field(default_factory=list)
    sinks: list[float] = field(default_factory=list)
    follow: list[float] = field(default_factory=list)
    fleets: list[float] = field(default_factory=list)


def beliefs(board: Board) -> Beliefs:
    """The beliefs of who shoots at a board; 0 for squares that have been shot."""
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
    """The ships afloat after all rounds, and by square the sum of their odds."""
    kinds = [kind_of(length, len(list(same)), board) for length, same in groupby(board.afloat)]
    total = [0.0] * board.rules.squares
    # the odds that no ship lies there: 1, as odds of ships count against it; 0 on an open hit
    empty = {square: float(known == "unshot") for square, known in enumerate(board.known) if known in _FREE}
    for turn in range(ROUNDS):
        for kind in kinds:
            if turn > 0:  # factors go half the way to the odds of all other ships, also of this length
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
"""Squares on which ships afloat may lie."""


def kind_of(length: int, ships: int, board: Board) -> Kind:
    """The ships of a length before the first round.

    A ship lies where it covers no miss and no ship that is known to be sunk; nor beside a hit where ships may not
    touch; nor on open hits alone where it would have been told that it sank.
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
    """The weight of all placements of a ship, and by square that of those that cover it."""
    total, covers, factors = 0.0, [0.0] * len(kind.odds), kind.factors
    for squares in kind.ways:
        weight = 1.0
        for square in squares:
            weight *= factors[square]
        total += weight
        for square in squares:
            covers[square] += weight
    return total, covers


def _details(kinds: Sequence[Kind], board: Board) -> Lists:
    """Odds, by square: that a shot there sinks a ship, and that a ship goes on to the left, right, up and down."""
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
