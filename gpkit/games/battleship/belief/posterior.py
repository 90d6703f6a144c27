"""A shooter's posterior: the chance of a ship on each square if all fleets that fit the facts are equally likely.

The module counts the fleets if it expects that to take at most a fixed number of operations. Otherwise, the module
estimates the chances from weighted samples. If no sample is consistent with the facts, which can happen if there are
many hits to explain, it counts the fleets after all. If counting would exceed the limit, or the board is large, the
module uses a mean-field approximation.

The facts contain all information about the fleet in the answers to the shots. The order of the shots matters only for
the hits before each sinking. The facts do not use ``Board.known``, because if ships may touch, it only guesses the
squares of a sunk ship.

The mean-field approximation treats ships that cover no hit as independent of each other. Each placement has the weight
exp(−m), where m is the mean number of other ships in its way. A few rounds of fixed-point iteration determine m. The
approximation lists all ways to explain the hits. The weight of a way is the product of its ships' weights. The
approximation splits the hits into clusters that no ship can connect.

On boards from 10x10 to 22x22 where exact counts are possible, the mean error of a chance is at most .0042, and the
largest error is .31 (``experiments/data/beliefs-battleship.json``).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, inf, nan, prod

import numpy as np

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.games.battleship.kernel.counting import (
    FIRST_SUNK,
    HIT,
    TOO_MANY,
    WORD,
    FleetTable,
    Nodes,
    Question,
    Ships,
    ShipStack,
    compare_rollouts,
    count_fleets,
    estimate_fleets,
    list_fleets,
)
from gpkit.games.battleship.rules import (
    BattleshipRules,
    Board,
    announced,
    is_on_board,
    placements_of,
    squares_of,
    surroundings,
)


@dataclass(frozen=True, slots=True, order=True)
class Sinking:
    """An announcement that a ship sank.

    Attributes:
        square: the square of the shot that sank the ship.
        length: the length of the ship, or 0 if the length is not announced.
        within: all squares hit up to this shot, including its square, in ascending order; the ship lies within them.
    """

    square: int
    length: int
    within: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """A shooter's knowledge of a fleet.

    Attributes:
        rules: the rules.
        missed: the squares of all misses, in ascending order.
        hit: the squares of all hits, in ascending order.
        sinkings: the announced sinkings, in ascending order.
    """

    rules: BattleshipRules
    missed: tuple[int, ...] = ()
    hit: tuple[int, ...] = ()
    sinkings: tuple[Sinking, ...] = ()

    @classmethod
    def of(cls, board: Board) -> "Facts":
        """The facts that the shots at a board reveal."""
        missed, hit, sinkings = set[int](), set[int](), []
        for shot in board.shots:
            if shot.known or shot.square < 0:
                continue
            (hit if shot.hit else missed).add(shot.square)
            told = announced(shot, board.rules)
            if told is not None:
                sinkings.append(Sinking(shot.square, told, tuple(sorted(hit))))
        return cls(board.rules, tuple(sorted(missed)), tuple(sorted(hit)), tuple(sorted(sinkings)))

    @property
    def unshot(self) -> tuple[int, ...]:
        """The unshot squares in ascending order."""
        shot = {*self.missed, *self.hit}
        return tuple(square for square in range(self.rules.squares) if square not in shot)


Bits = Ints
"""Sets of placements: int64 (..., words), with a bit for each of ``WORD`` placements in a word."""

_POWERS = 1 << np.arange(WORD, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Geometry:
    """All placements of ships, the longest ships first.

    The placements of each length begin at the first bit of a word, so some numbers before the next length are unused.
    All arrays are read-only.

    Attributes:
        lengths: the different lengths of ships, longest first.
        counts: int64 (lengths,): the number of ships of each length.
        placements: int64 (numbers,): the placement for each number, or −1 if there is none.
        sizes: int64 (numbers,): the length of each placement's ship, or 0 if there is none.
        covers: bool (numbers, squares): whether each placement covers each square.
        cells: int64 (2, cells): ``covers`` as pairs of a number and a square, sorted by number.
        through: int64 (squares, words): the set of placements that cover each square.
        ships: arrays for the kernels: the first word of each length and the number of words, int64 (lengths + 1,), and
            the placements compatible with each placement, int64 (numbers, words).
    """

    lengths: tuple[int, ...]
    counts: Ints
    placements: Ints
    sizes: Ints
    covers: Flags
    cells: Ints
    through: Bits
    ships: Ships


def sums_by_square(weights: Floats, board: Geometry) -> Floats:
    """For each square, the total weight of the placements that cover it, added in the order of their numbers.

    A matrix product would add the weights in an order that depends on the machine. If other programs are running, the
    threads of a matrix product would also wait for each other much longer than the sums take.

    Args:
        weights: float64 (rows, numbers).
        board: the placements.

    Returns:
        float64 (rows, squares).
    """
    numbers, squares = board.cells
    rows, size = len(weights), board.covers.shape[1]
    places = squares + size * np.arange(rows)[:, None]
    sums = np.bincount(places.ravel(), weights[:, numbers].ravel(), rows * size).astype(np.float64)
    return sums.reshape(rows, size)


def bits_of(members: Flags) -> Bits:
    """Sets of numbers, bool (..., words · WORD), packed into bits: int64 of shape (..., words)."""
    words: Bits = members.reshape(*members.shape[:-1], -1, WORD) @ _POWERS
    return words


@lru_cache(maxsize=16)
def geometry(rules: BattleshipRules) -> Geometry:
    """The placements of all ships under these rules."""
    lengths = tuple(sorted(set(rules.fleet), reverse=True))
    placements: list[int] = []
    sizes: list[int] = []
    firsts = [0]
    for length in lengths:
        found = placements_of(length, rules)
        gap = -len(found) % WORD
        placements += [*found, *[-1] * gap]
        sizes += [length] * len(found) + [0] * gap
        firsts.append(len(placements) // WORD)
    covers = np.zeros((len(placements), rules.squares), dtype=np.bool_)
    around = np.zeros_like(covers)
    for number, (placement, size) in enumerate(zip(placements, sizes, strict=True)):
        squares = squares_of(placement, size, rules) if size else ()
        covers[number, list(squares)] = True
        around[number, list(surroundings(squares, rules))] = True
    beside = around.astype(np.float32) @ covers.T.astype(np.float32) == 0.0
    exists = np.array(sizes) > 0
    arrays = (
        np.array([rules.fleet.count(length) for length in lengths]),
        np.array(placements),
        np.array(sizes),
        covers,
        np.stack(np.nonzero(covers)),
        bits_of(np.ascontiguousarray(covers.T)),
    )
    ships = Ships(np.array(firsts), bits_of(beside & exists))
    for array in (*arrays, *ships):
        array.flags.writeable = False
    return Geometry(lengths, *arrays, ships)


def question_of(facts: Facts) -> Question:
    """The placements consistent with the facts.

    A fleet is consistent with the facts if its ships do not conflict and cover every hit, and if each ship is
    consistent on its own. A consistent ship covers no misses. If sinkings are announced and all squares of a ship are
    hit, the last of these hits must have been announced as its sinking. If a ship covers the square of an announced
    sinking, it must lie within the hits up to that shot and have the announced length.
    """
    board = geometry(facts.rules)
    through = board.through
    missed = np.bitwise_or.reduce(through[list(facts.missed)], axis=0, initial=0)
    told = [sinking.square for sinking in facts.sinkings]
    sunk = np.bitwise_or.reduce(through[told], axis=0, initial=0)
    free = bits_of(board.sizes > 0) & ~missed & ~sunk
    if facts.rules.announce != "hit":
        free &= ~_within(facts.hit, board)
    reasons = []
    for sinking in facts.sinkings:
        others = [square for square in told if square != sinking.square]
        reason = through[sinking.square] & _within(sinking.within, board)
        reason &= ~np.bitwise_or.reduce(through[others], axis=0, initial=0)
        if sinking.length:
            reason &= bits_of(board.sizes == sinking.length)
        reasons.append(reason)
    rest = sorted(set(facts.hit) - set(told))
    squares = [*told, *rest]
    any_reason = np.bitwise_or.reduce([free, *reasons], axis=0)
    reasons += [through[square] & any_reason for square in rest]
    table, covering = np.array(reasons, dtype=np.int64), through[squares]
    return Question(board.counts, free, *(each.reshape(-1, through.shape[1]) for each in (table, covering)))


def _within(squares: tuple[int, ...], board: Geometry) -> Bits:
    """The placements that lie entirely within these squares."""
    return bits_of((board.covers[:, list(squares)].sum(axis=1) == board.sizes) & (board.sizes > 0))


def zeros(*shape: int) -> Ints:
    """A scratch array of zeros with this shape: int64."""
    return np.zeros(shape, dtype=np.int64)


def stack_of(rules: BattleshipRules) -> ShipStack:
    """Scratch arrays for a fleet search."""
    board = geometry(rules)
    depth, words, lengths = len(rules.fleet) + 2, board.ships.apart.shape[1], len(board.lengths)
    return ShipStack(
        zeros(depth, words), zeros(depth, words), zeros(depth, lengths), *(zeros(depth) for _ in range(4))
    )


Lying = tuple[int, int]
"""A ship on the board: its length and its placement."""

Way = tuple[float, tuple[Lying, ...], frozenset[int], frozenset[int]]
"""A way to explain some hits: its weight, its ships, their squares, and the squares that other ships may not use."""

MOST_WAYS = 5_000
"""The maximum number of ways to explain a cluster that the field considers; further ways are ignored."""


@dataclass(frozen=True, slots=True)
class Hits:
    """Hits that are still to be explained.

    Attributes:
        rules: the rules.
        reasons: the ships that may explain each hit.
        squares: the square of each hit.
        afloat: the number of ships of each length that are not settled.
    """

    rules: BattleshipRules
    reasons: tuple[tuple[Lying, ...], ...]
    squares: tuple[int, ...]
    afloat: Mapping[int, int]


def hits_of(facts: Facts) -> Hits:
    """The hits that are still to be explained; a sunk ship is settled if only one placement of it is possible."""
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


def _squares(ship: Lying, rules: BattleshipRules) -> tuple[int, ...]:
    return squares_of(ship[1], ship[0], rules)


def _through(square: int, length: int, rules: BattleshipRules) -> Iterator[Lying]:
    """The ships of a given length that cover a square."""
    for vertical, step in ((0, 1), (1, rules.width)):
        if length == 1 and vertical:
            continue
        for start in range(square - (length - 1) * step, square + 1, step):
            placement = 2 * start + vertical
            if start < 0 or not is_on_board(placement, length, rules):
                continue
            if square in squares_of(placement, length, rules):
                yield length, placement


def _sunk(sinking: Sinking, announced_squares: set[int], rules: BattleshipRules) -> Iterator[Lying]:
    """The ships to which this announcement may refer."""
    within, others = set(sinking.within), announced_squares - {sinking.square}
    for length in (sinking.length,) if sinking.length else sorted(set(rules.fleet), reverse=True):
        for each in _through(sinking.square, length, rules):
            covered = _squares(each, rules)
            if within.issuperset(covered) and others.isdisjoint(covered):
                yield each


def clusters_of(hits: Hits) -> list[list[int]]:
    """Clusters of hits, as indices; ships that explain hits in different clusters never conflict."""
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
    """The mean numbers of ships that explain the hits.

    Each way to explain all hits is weighted by the product of its ships' weights.

    Args:
        hits: the hits to explain.
        weight: the weight of a ship, which counts once for each remaining ship of the same length.

    Returns:
        The mean numbers of ships that explain hits, by square and by length.
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
    """The ways to explain a cluster, with their weights and ships."""
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
"""The lower bound on the total of free places for ships of a length, which prevents division by zero."""


@dataclass(frozen=True, slots=True)
class Field:
    """Ships placed independently of each other.

    Attributes:
        rules: the rules.
        lengths: the different lengths of ships.
        factors: float64 (lengths, 2, height, width): exp(−m) for each first square of a ship, horizontal before
            vertical; 0 if the ship does not fit on the board.
        free: bool (lengths, 2, height, width): whether a ship that covers no hit may begin at each square.
        places: float64 (lengths,): the sum of the free factors.
    """

    rules: BattleshipRules
    lengths: tuple[int, ...]
    factors: Floats
    free: Flags
    places: Floats

    @classmethod
    def of(cls, rules: BattleshipRules, lengths: tuple[int, ...], factors: Floats, free: Flags) -> "Field":
        """The field with these factors, float64 (lengths, 2, height, width), and ``free``, bool of the same shape."""
        return cls(
            rules, lengths, factors, free, np.maximum((factors * free).sum(axis=(1, 2, 3)), LEAST_PLACES)
        )

    @property
    def shares(self) -> Floats:
        """The distribution of the first square of a ship that covers no hit: float64 (lengths, 2, height, width)."""
        shares: Floats = self.factors * self.free / self.places[:, None, None, None]
        return shares

    def covers(self) -> Floats:
        """The chance that a ship placed according to ``shares`` covers each square: float64 (lengths, squares)."""
        pairs = zip(self.shares, self.lengths, strict=True)
        return np.stack(
            [_covered(ways[0], length, 0) + _covered(ways[1], length, 1) for ways, length in pairs]
        ).reshape(len(self.lengths), -1)

    def weight(self, ship: Lying) -> float:
        """The weight of a ship that explains a hit, which equals the weight of a free ship in the same place."""
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
    chances = np.clip(chances, 0.0, 1.0)  # differences of sums may be a little below 0
    chances[list(facts.hit)], chances[list(facts.missed)] = 1.0, 0.0
    return chances


def relaxed(facts: Facts, lengths: tuple[int, ...], counts: Floats) -> Field:
    """The field for ships of these lengths; ``counts`` is the number of each: float64 (lengths,)."""
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
    """The factor exp(−m) for each first square of a ship, where m is the mean number of other ships in its way.

    In any window, the visible part of a ship has one more square than it has pairs of neighbouring squares. The number
    of ships in a window is therefore the number of their squares minus the number of these pairs.

    Args:
        field: the field with the other ships.
        counts: float64 (lengths,): the number of ships of each length.

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
        squares, across, down = np.tensordot(counts - (np.arange(len(counts)) == place), table, axes=1)
        for way, (rows, columns) in enumerate(((1, length), (length, 1))):
            found = _window(squares, margin, rows, columns, margin)
            found -= _window(across, margin, rows, columns - 1, margin)
            factors[place, way] = np.exp(_window(down, margin, rows - 1, columns, margin) - found)
    return factors


def _window(grid: Floats, before: int, rows: int, columns: int, after: int) -> Floats:
    """For each square, the sum over a window of this size that begins there, extended by a margin before and after."""
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
    """For each square, the sum over the squares of a ship that begins there."""
    return _window(grid, 0, length if way else 1, 1 if way else length, 0)


def _covered(starts: Floats, length: int, way: int) -> Floats:
    """For each square, the sum over the ships that cover it; ``starts`` contains the ships' values by first square."""
    return _run(starts[::-1, ::-1], length, way)[::-1, ::-1]


@dataclass(frozen=True, slots=True)
class PosteriorLimits:
    """Limits on the work for a posterior.

    Attributes:
        operations: the maximum number of operations on 64-bit words for a count; a billion of them take about a second.
        samples: the number of fleets to draw if a count would take more operations than that.
    """

    operations: int = 3_000_000_000
    samples: int = 10_000


@dataclass(frozen=True, slots=True)
class Posterior:
    """A belief about a fleet.

    Attributes:
        chances: float64 (squares,): the probability of a ship on each square, which is 0 or 1 if the square is known.
        fleets: the number of fleets consistent with the facts; ships of the same length are not distinguished. The
            number is an estimate unless ``exact`` is true, and infinite for the mean field.
        exact: whether the chances come from exact counts rather than estimates.
        error: the largest standard error of a probability: 0 if exact, and NaN for the mean field, which does not
            estimate its error.
    """

    chances: Floats
    fleets: float
    exact: bool
    error: float = 0.0


def posterior_of(facts: Facts, key: int = 0, effort: PosteriorLimits = PosteriorLimits()) -> Posterior:
    """The belief of a shooter with this knowledge of a fleet.

    Args:
        facts: the shooter's knowledge.
        key: the key for drawing samples, 26 bits.
        effort: the limits on the work.
    """
    found = None
    if 2 * facts.rules.squares * len(set(facts.rules.fleet)) <= MOST_PLACEMENTS:
        shots = len(facts.missed) + len(facts.hit)
        found = (
            (_remembered if shots <= OPENING else _promised)(facts, effort.operations)
            or _sampled(facts, key, effort.samples)
            or _counted(question_of(facts), facts, effort.operations)
        )
    return found or Posterior(mean_field(facts), inf, exact=False, error=nan)


MOST_PLACEMENTS = 3_000
"""The maximum number of placements of different ships; on larger boards, the chances come from the mean field."""

OPENING = 20
"""The maximum number of shots for which counts are cached; early counts take the longest, and games often share
them."""


def _promised(facts: Facts, operations: int) -> Posterior | None:
    """The exact posterior, or None if ``operations_for`` expects too many operations."""
    question = question_of(facts)
    return _counted(question, facts, operations) if operations_for(question, facts) <= operations else None


_remembered = lru_cache(maxsize=1 << 14)(_promised)


def _counted(question: Question, facts: Facts, operations: int) -> Posterior | None:
    """The exact posterior, or None if the count takes too many operations."""
    board = geometry(facts.rules)
    weights = np.zeros(len(board.sizes), dtype=np.int64)
    fleets, _ = count_fleets(board.ships, question, stack_of(facts.rules), weights, operations)
    if fleets == TOO_MANY:
        return None
    assert fleets > 0, "some fleet agrees with the facts"
    chances = sums_by_square(weights.astype(np.float64)[None], board)[0] / fleets
    chances.flags.writeable = False
    return Posterior(chances, float(fleets), exact=True)


def operations_for(question: Question, facts: Facts) -> float:
    """A rough upper bound on the operations for a count.

    The bound is the product of the numbers of placements of all ships except two. Sunk ships come first, then a ship
    that covers the first open hit, and then the free ships. Further open hits can only reduce the number of placements.
    """
    board = geometry(facts.rules)
    sizes = _sizes(question.free, board)
    counts = question.counts.tolist()
    ways = 1.0
    for sinking, reason in zip(facts.sinkings, question.reasons, strict=False):
        ways *= max(sum(_sizes(reason, board)), 1)
        left = [board.lengths.index(sinking.length) if sinking.length else 0, *range(len(counts))]
        counts[next(length for length in left if counts[length])] -= 1
    if len(question.reasons) == len(facts.sinkings):
        return ways * _free_operations(sizes, counts, board)
    first = _sizes(question.reasons[len(facts.sinkings)], board)
    total = 0.0
    for length, size in enumerate(first):
        if counts[length]:
            rest = [count - (other == length) for other, count in enumerate(counts)]
            total += size * _free_operations(sizes, rest, board)
    return ways * total


def _sizes(bits: Ints, board: Geometry) -> list[int]:
    """The number of placements of each length in a set of placements."""
    return [
        sum(map(int.bit_count, bits[low:high].tolist()))
        for low, high in zip(board.ships.firsts.tolist(), board.ships.firsts[1:].tolist(), strict=False)
    ]


def _free_operations(sizes: list[int], counts: list[int], board: Geometry) -> float:
    """The number of operations for ships that explain no hit, longest first; the last two are counted in pairs."""
    ships = [length for length, count in enumerate(counts) for _ in range(count)]
    words = np.diff(board.ships.firsts).tolist()
    orders = prod(factorial(count) for count in counts) if len(ships) > 2 else 1
    if len(ships) < 2:
        return float(board.ships.firsts[-1])
    one, other = ships[-2:]
    pairs = sizes[one] * words[other] + (0 if one == other else sizes[other] * words[one])
    return float(prod(sizes[ship] for ship in ships[:-2]) * (pairs + int(board.ships.firsts[-1])) / orders)


BATCHES = 16
"""The number of batches of samples; the differences between batches determine the standard error."""


def _sampled(facts: Facts, key: int, samples: int) -> Posterior | None:
    """The posterior from weighted samples, or None if no sample is consistent with the facts."""
    board, question = geometry(facts.rules), question_of(facts)
    numbers = len(board.sizes)
    draws = -(-samples // BATCHES)
    turn = len(facts.missed) + len(facts.hit)
    units = np.array(_sizes(question.free, board)) + 1.0
    totals, weights, shares = np.zeros(BATCHES), np.zeros((BATCHES, numbers)), np.zeros(numbers)
    stack = stack_of(facts.rules)
    estimate_fleets(key, turn, draws, board.ships, question, units, stack, shares, totals, weights)
    total = float(totals.sum())
    if total == 0.0:
        return None
    sums = sums_by_square(weights, board)
    chances = sums.sum(axis=0) / total
    spread = ((sums - totals[:, None] * chances) ** 2).sum(axis=0) * BATCHES / (BATCHES - 1)
    chances[list(facts.hit)], chances[list(facts.missed)] = 1.0, 0.0
    chances.flags.writeable = False
    ships = zip(units.tolist(), question.counts.tolist(), strict=True)
    fleets = total / (draws * BATCHES) * prod(unit**count for unit, count in ships)
    return Posterior(chances, fleets, exact=False, error=float(np.sqrt(spread.max())) / total)


MOST_SQUARES = 2 * WORD
"""The maximum number of squares that may contain a ship in rollouts."""


@dataclass(frozen=True, slots=True)
class RolloutStage:
    """Settings for rollouts when few fleets are left.

    Attributes:
        fleets: the maximum number of fleets that may be left.
        squares: the number of squares to compare, likeliest first.
        margin: the maximum difference between the chance of a compared square and the best chance.
        nested: whether the shots within a rollout are chosen by further rollouts rather than greedily.
        sample: the maximum number of fleets that rollouts use; if the list is longer, they are spread evenly over it.
    """

    fleets: int
    squares: int = 6
    margin: float = 0.1
    nested: bool = False
    sample: int = 3_000


@dataclass(frozen=True, slots=True)
class RolloutResult:
    """Squares compared by rollouts.

    Attributes:
        squares: the compared squares, likeliest first.
        misses: int64 (squares,): the number of misses after a shot at each square, summed over all fleets. The number
            is exact for the best square. For other squares, the number may be too low, but it is not lower than for the
            best square.
    """

    squares: tuple[int, ...]
    misses: Ints

    @property
    def best(self) -> int:
        """The square with the fewest misses; ties go to the likelier square."""
        return self.squares[int(np.argmin(self.misses))]


def fleets_of(facts: Facts, room: int) -> Ints:
    """The first fleets that are consistent with the facts, at most ``room`` of them.

    Returns:
        int64 (fleets, ships): the numbers of placements, see ``Geometry``; sunk ships come first.
    """
    found = np.empty((room, len(facts.rules.fleet)), dtype=np.int64)
    return found[: list_fleets(geometry(facts.rules).ships, question_of(facts), stack_of(facts.rules), found)]


def compare(fleets: Ints, facts: Facts, stage: RolloutStage) -> RolloutResult | None:
    """Compare the likeliest squares by rollouts.

    Args:
        fleets: int64 (fleets, ships): numbers of placements.
        facts: the facts with which the fleets are consistent.
        stage: the settings of the rollouts.

    Returns:
        The comparison, or None if too many squares may contain a ship.
    """
    board = geometry(facts.rules)
    fleets = fleets[:: -(-len(fleets) // stage.sample)]
    unshot = np.array(facts.unshot)
    used = np.zeros(len(board.sizes), dtype=np.bool_)
    used[fleets] = True
    live = unshot[board.covers[used][:, unshot].any(axis=0)]
    if len(live) > MOST_SQUARES:
        return None
    covers = np.zeros((len(board.sizes), MOST_SQUARES), dtype=np.bool_)
    covers[:, : len(live)] = board.covers[:, live]
    bits = bits_of(covers)[fleets]
    afloat = (bits != 0).any(axis=(0, 2))
    told = answers_of(facts)
    table = FleetTable(
        np.bitwise_or.reduce(bits, axis=1),
        np.ascontiguousarray(bits[:, afloat]),
        np.ascontiguousarray(told[board.sizes[fleets[:, afloat]]]),
        np.arange(len(fleets)),
        zeros(len(fleets)),
        zeros(len(fleets)),
        zeros(int(told.max()) + 2),
    )
    # as many nodes as there can be at once: a split leaves at most one for each answer
    room = min(len(fleets), len(live) * len(table.ends)) + 2
    nodes = [
        Nodes(zeros(room), zeros(room), zeros(room, 2), np.zeros((room, len(live)), dtype=np.int32))
        for _ in range(3)
    ]
    nodes[0].unshot[0] = bits_of(np.arange(MOST_SQUARES) < len(live))
    squares, misses = zeros(2, stage.squares), zeros(stage.squares)
    found = compare_rollouts(stage.nested, stage.margin, table, *nodes, squares, misses)
    return RolloutResult(tuple(live[squares[0, :found]].tolist()), misses[:found])


def answers_of(facts: Facts) -> Ints:
    """The answer when a ship of each length sinks: int64 (longest + 1,)."""
    lengths = sorted(set(facts.rules.fleet))
    answers = np.full(lengths[-1] + 1, HIT)
    for place, length in enumerate(lengths):
        if facts.rules.announce != "hit":
            answers[length] = FIRST_SUNK + (place if facts.rules.announce == "ship" else 0)
    return answers
