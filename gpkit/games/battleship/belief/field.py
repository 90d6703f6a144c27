"""Mean field: chances on boards that are too large for sets of placements, without samples.

Ships that cover no hit are taken to lie independently of each other: each placement has the weight exp(−m), where m is
the mean number of other ships that would lie in its way, found in a few rounds. Around hits the ways to explain them
are listed (``clusters``), each with the product of the weights of its ships.

Against exact counts, on boards of 10x10 to 22x22 squares where these can be made, the mean error of a chance is .0042
or less and the largest .31 (``python -m gpkit_experiments.battleship_beliefs field``,
``experiments/data/beliefs-battleship.json``).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.belief.clusters import Lying, explain, hits_of
from gpkit.games.battleship.belief.facts import Facts
from gpkit.games.battleship.options import Rules

Floats = NDArray[np.float64]

ROUNDS = 3
"""Rounds of the mean field."""

LEAST_PLACES = 0.01
"""Ships without a free place count as if they had so much of one."""


@dataclass(frozen=True, slots=True)
class Field:
    """Ships that lie independently of each other.

    Attributes:
        rules: the rules.
        lengths: the different lengths.
        factors: float64 (lengths, 2, height, width): by the place where a ship begins, horizontal before vertical,
            exp(−m); 0 where it does not fit on the board.
        free: bool (lengths, 2, height, width): where a ship that covers no hit may begin.
        places: float64 (lengths,): the sum of the free factors.
    """

    rules: Rules
    lengths: tuple[int, ...]
    factors: Floats
    free: NDArray[np.bool_]
    places: Floats

    @classmethod
    def of(cls, rules: Rules, lengths: tuple[int, ...], factors: Floats, free: NDArray[np.bool_]) -> "Field":
        """The field with these factors."""
        places = np.maximum((factors * free).sum(axis=(1, 2, 3)), LEAST_PLACES)
        return cls(rules, lengths, factors, free, places)

    @property
    def shares(self) -> Floats:
        """Chance that a ship that covers no hit begins at each square: float64 (lengths, 2, height, width)."""
        shares: Floats = self.factors * self.free / self.places[:, None, None, None]
        return shares

    def covers(self) -> Floats:
        """Chance that one such ship covers each square: float64 (lengths, squares)."""
        pairs = zip(self.shares, self.lengths, strict=True)
        covers = [_covered(ways[0], length, 0) + _covered(ways[1], length, 1) for ways, length in pairs]
        return np.stack(covers).reshape(len(self.lengths), -1)

    def weight(self, ship: Lying) -> float:
        """The weight of a ship that explains a hit: as likely as it would be in a free place."""
        length, (start, vertical) = self.lengths.index(ship[0]), divmod(ship[1], 2)
        y, x = divmod(start, self.rules.width)
        return float(self.factors[length, vertical, y, x] / self.places[length])


def mean_field(facts: Facts) -> Floats:
    """The chance of a ship on each square, estimated without samples: float64 (squares,)."""
    rules, hits = facts.rules, hits_of(facts)
    lengths = tuple(length for length in sorted(set(rules.fleet), reverse=True) if hits.afloat[length])
    counts = np.array([float(hits.afloat[length]) for length in lengths])
    chances = np.zeros(rules.squares)
    if lengths:
        field = relaxed(facts, lengths, counts)
        explained = explain(hits, field.weight)
        for square, chance in explained.chances.items():
            chances[square] = min(chance, 1.0)
        left = np.maximum(counts - [explained.used.get(length, 0.0) for length in lengths], 0.0)
        chances += (1.0 - chances) * (left @ field.covers())
    chances = np.minimum(chances, 1.0)
    chances[list(facts.hit)], chances[list(facts.missed)] = 1.0, 0.0
    return chances


def relaxed(facts: Facts, lengths: tuple[int, ...], counts: Floats) -> Field:
    """The field of ships of these lengths, of which there are so many (float64 (lengths,))."""
    rules = facts.rules
    shot = np.zeros(rules.squares, dtype=np.bool_)
    shot[list(facts.missed)] = shot[list(facts.hit)] = True
    closed = shot.reshape(rules.height, rules.width)
    hit = np.zeros(rules.squares, dtype=np.bool_)
    hit[list(facts.hit)] = True
    margin = 0 if rules.touch else 1
    closed = closed | (_window(hit.reshape(closed.shape).astype(float), margin, 1, 1, margin) > 0.5)
    fits = np.stack([[_fits(length, way, rules) for way in (0, 1)] for length in lengths])
    open_squares = np.stack(
        [[_run(closed.astype(float), length, way) < 0.5 for way in (0, 1)] for length in lengths]
    )
    field = Field.of(rules, lengths, fits.astype(float), fits & open_squares)
    for _ in range(ROUNDS):
        field = Field.of(rules, lengths, _factors(field, counts) * fits, field.free)
    return field


def _factors(field: Field, counts: Floats) -> Floats:
    """By the place where a ship begins exp(−m), where m is the mean number of others in its way.

    A ship that lies in a window has one square more in it than pairs of neighbours: so ships in a window are counted
    as their squares less their pairs.

    Args:
        field: where the others lie.
        counts: float64 (lengths,): the ships of each length.

    Returns:
        float64 (lengths, 2, height, width).
    """
    margin = 0 if field.rules.touch else 1
    parts = [np.zeros((3, *field.factors.shape[2:])) for _ in field.lengths]
    for part, ways, length in zip(parts, field.shares, field.lengths, strict=True):
        for way in (0, 1):
            part[0] += _covered(ways[way], length, way)
            if length > 1:
                part[1 + way] += _covered(ways[way], length - 1, way)
    table = np.stack(parts)
    factors = np.empty_like(field.factors)
    for place, length in enumerate(field.lengths):
        others = counts - (np.arange(len(counts)) == place)
        squares, across, down = np.tensordot(others, table, axes=1)
        for way, (rows, columns) in enumerate(((1, length), (length, 1))):
            found = _window(squares, margin, rows, columns, margin)
            found -= _window(across, margin, rows, columns - 1, margin)
            factors[place, way] = np.exp(_window(down, margin, rows - 1, columns, margin) - found)
    return factors


def _sums(grid: Floats) -> Floats:
    """Sums over all squares above and left of each corner: float64 (height + 1, width + 1)."""
    return np.pad(grid, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)


def _window(grid: Floats, before: int, rows: int, columns: int, after: int) -> Floats:
    """At each square the sum over the window of so many rows and columns that begins there, wider by a margin."""
    height, width = grid.shape
    sums = _sums(grid)
    y, x = np.arange(height), np.arange(width)
    top, bottom = np.clip(y - before, 0, height), np.clip(y + rows + after, 0, height)
    left, right = np.clip(x - before, 0, width), np.clip(x + columns + after, 0, width)
    bottom, right = np.maximum(bottom, top), np.maximum(right, left)
    return (
        sums[np.ix_(bottom, right)]
        - sums[np.ix_(top, right)]
        - sums[np.ix_(bottom, left)]
        + sums[np.ix_(top, left)]
    )


def _run(grid: Floats, length: int, way: int) -> Floats:
    """At each square the sum over a ship that begins there."""
    return _window(grid, 0, length if way else 1, 1 if way else length, 0)


def _covered(starts: Floats, length: int, way: int) -> Floats:
    """At each square the sum over the ships that cover it, by the squares where they begin."""
    reverse = starts[::-1, ::-1]
    return _run(reverse, length, way)[::-1, ::-1]


def _fits(length: int, way: int, rules: Rules) -> NDArray[np.bool_]:
    """Squares where a ship may begin on the empty board: bool (height, width)."""
    fits = np.zeros((rules.height, rules.width), dtype=np.bool_)
    if way and length > 1:
        fits[: max(rules.height - length + 1, 0)] = True
    elif not way:
        fits[:, : max(rules.width - length + 1, 0)] = True
    return fits
