"""Mean field: chances on boards that are too large for sets of placements, without samples.

Ships that cover no hit are taken to lie independently of each other: each placement has the weight exp(−m), where m is
the mean number of other ships that would lie in its way, found in a few rounds. Around hits the ways to explain them
are listed, each with the product of the weights of its ships, in clusters apart from each other where no ship can join
them.

Against exact counts, on boards of 10x10 to 22x22 squares where these can be made, the mean error of a chance is .0042
or less and the largest .31 (``python -m gpkit_experiments.battleship_beliefs field``,
``experiments/data/beliefs-battleship.json``).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.games.battleship.belief.facts import Facts, Sinking
from gpkit.games.battleship.fleets import is_on_board, squares_of, surroundings
from gpkit.games.battleship.options import Rules

Lying = tuple[int, int]
"""A ship as it lies: its length and its placement."""

Way = tuple[float, tuple[Lying, ...], frozenset[int], frozenset[int]]
"""A way to explain some hits: its weight, its ships, the squares that they cover, and those where no other may lie."""

MOST_WAYS = 5_000
"""Ways to explain one cluster that are listed; of more, the first."""


@dataclass(frozen=True, slots=True)
class Hits:
    """Hits that are still to be explained.

    Attributes:
        rules: the rules.
        reasons: for each of them the ships that may explain it.
        squares: of each of them.
        afloat: by length the ships that are not settled.
    """

    rules: Rules
    reasons: tuple[tuple[Lying, ...], ...]
    squares: tuple[int, ...]
    afloat: Mapping[int, int]


def hits_of(facts: Facts) -> Hits:
    """The hits that are still to be explained: those of ships that sank are settled where there is one way."""
    rules = facts.rules
    afloat = {length: rules.fleet.count(length) for length in rules.fleet}
    announced_squares = {sinking.square for sinking in facts.sinkings}
    taken: set[int] = set()
    reasons: list[tuple[Lying, ...]] = []
    squares: list[int] = []
    for sinking in facts.sinkings:
        sunk = tuple(_sunk(sinking, announced_squares, rules))
        if len(sunk) == 1:
            afloat[sunk[0][0]] -= 1
            taken |= set(_squares(sunk[0], rules))
        else:
            reasons.append(sunk)
            squares.append(sinking.square)
    barred = surroundings(sorted(taken), rules) | taken | set(facts.missed)
    whole = frozenset(facts.hit if rules.announce != "hit" else ())
    pending = [each for sunk in reasons for each in sunk]
    for square in sorted(set(facts.hit) - taken - set(squares)):
        lying = [each for length, left in afloat.items() if left for each in _through(square, length, rules)]
        found = [
            each
            for each, covered in ((each, _squares(each, rules)) for each in lying)
            if barred.isdisjoint(covered)
            and announced_squares.isdisjoint(covered)
            and not whole.issuperset(covered)
        ]
        found += [each for each in pending if square in _squares(each, rules)]
        reasons.append(tuple(found))
        squares.append(square)
    return Hits(rules, tuple(reasons), tuple(squares), afloat)


def _squares(ship: Lying, rules: Rules) -> tuple[int, ...]:
    return squares_of(ship[1], ship[0], rules)


def _through(square: int, length: int, rules: Rules) -> Iterator[Lying]:
    """The ships of a length that cover a square."""
    for vertical, step in ((0, 1), (1, rules.width)):
        if length == 1 and vertical:
            continue
        for start in range(square - (length - 1) * step, square + 1, step):
            placement = 2 * start + vertical
            if start < 0 or not is_on_board(placement, length, rules):
                continue
            if square in squares_of(placement, length, rules):
                yield length, placement


def _sunk(sinking: Sinking, announced_squares: set[int], rules: Rules) -> Iterator[Lying]:
    """The ships that may have sunk."""
    within, others = set(sinking.within), announced_squares - {sinking.square}
    for length in (sinking.length,) if sinking.length else sorted(set(rules.fleet), reverse=True):
        for each in _through(sinking.square, length, rules):
            covered = _squares(each, rules)
            if within.issuperset(covered) and others.isdisjoint(covered):
                yield each


def clusters_of(hits: Hits) -> list[list[int]]:
    """The hits, as their places, in clusters: ships that explain hits of two clusters are never in each other's way."""
    reach: list[tuple[set[int], set[int], list[int]]] = []
    for place, reasons in enumerate(hits.reasons):
        covered = {square for each in reasons for square in _squares(each, hits.rules)}
        around = set(surroundings(sorted(covered), hits.rules)) | covered
        members = [place]
        apart = []
        for other in reach:
            if other[0].isdisjoint(around):
                apart.append(other)
            else:
                covered, around, members = covered | other[0], around | other[1], other[2] + members
        reach = [*apart, (covered, around, members)]
    return [sorted(members) for _, _, members in reach]


def explain(hits: Hits, weight: Callable[[Lying], float]) -> tuple[dict[int, float], dict[int, float]]:
    """The ways to explain all hits, each in proportion to the product of the weights of its ships.

    Args:
        hits: to be explained.
        weight: the weight of a ship for each one of its length that is left.

    Returns:
        By square that is not hit the mean number of ships there that explain hits, and by length that of such ships.
    """
    chances: dict[int, float] = {}
    used: dict[int, float] = {}
    for cluster in clusters_of(hits):
        ways = list(_ways(hits, cluster, weight))
        total = sum(way[0] for way in ways)
        for share, ships in ways if total > 0.0 else []:
            for ship in ships:
                used[ship[0]] = used.get(ship[0], 0.0) + share / total
                for square in _squares(ship, hits.rules):
                    chances[square] = chances.get(square, 0.0) + share / total
    return chances, used


def _ways(
    hits: Hits, cluster: list[int], weight: Callable[[Lying], float]
) -> Iterator[tuple[float, tuple[Lying, ...]]]:
    """The ways to explain a cluster, each with its weight."""
    found = 0
    nothing: Way = (1.0, (), frozenset(), frozenset())
    open_ways = [nothing]
    while open_ways and found < MOST_WAYS:
        share, ships, covered, around = open_ways.pop()
        place = next((place for place in cluster if hits.squares[place] not in covered), None)
        if place is None:
            found += 1
            yield share, ships
            continue
        for each in hits.reasons[place]:
            squares = _squares(each, hits.rules)
            left = hits.afloat[each[0]] - sum(ship[0] == each[0] for ship in ships)
            if left > 0 and around.isdisjoint(squares):
                now, beside = covered | set(squares), surroundings(squares, hits.rules) | set(squares)
                open_ways.append((share * left * weight(each), (*ships, each), now, around | beside))


ROUNDS = 3

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
        """The field with these factors, float64 (lengths, 2, height, width), and ``free``, bool of the same shape."""
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
        explained, used = explain(hits, field.weight)
        for square, chance in explained.items():
            chances[square] = min(chance, 1.0)
        left = np.maximum(counts - [used.get(length, 0.0) for length in lengths], 0.0)
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
    empty = np.ones(closed.shape)
    fits = np.stack([[_run(empty, length, way) == length for way in (0, 1)] for length in lengths])
    fits[[length == 1 for length in lengths], 1] = False  # a ship of one square is counted once
    shut = closed.astype(float)
    is_free = np.stack([[_run(shut, length, way) < 0.5 for way in (0, 1)] for length in lengths])
    field = Field.of(rules, lengths, fits.astype(float), fits & is_free)
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


def _window(grid: Floats, before: int, rows: int, columns: int, after: int) -> Floats:
    """At each square the sum over the window of so many rows and columns that begins there, wider by a margin."""
    height, width = grid.shape
    # above and left of each corner
    sums: Floats = np.pad(grid, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    y, x = np.arange(height), np.arange(width)
    top, bottom = np.clip(y - before, 0, height), np.clip(y + rows + after, 0, height)
    left, right = np.clip(x - before, 0, width), np.clip(x + columns + after, 0, width)
    bottom, right = np.maximum(bottom, top), np.maximum(right, left)
    above, below = sums[top], sums[bottom]
    return below[:, right] - above[:, right] - below[:, left] + above[:, left]


def _run(grid: Floats, length: int, way: int) -> Floats:
    """At each square the sum over a ship that begins there."""
    return _window(grid, 0, length if way else 1, 1 if way else length, 0)


def _covered(starts: Floats, length: int, way: int) -> Floats:
    """At each square the sum over the ships that cover it, by the squares where they begin."""
    return _run(starts[::-1, ::-1], length, way)[::-1, ::-1]
