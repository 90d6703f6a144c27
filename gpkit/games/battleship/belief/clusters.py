"""Clusters of hits: the ways to explain hits by ships, apart from each other where no ship can join them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Explained:
    """Explanations of all hits, by their weights.

    Attributes:
        chances: by square that is not hit the mean number of ships there that explain hits.
        used: by length the mean number of such ships.
    """

    chances: Mapping[int, float]
    used: Mapping[int, float]


def hits_of(facts: Facts) -> Hits:
    """The hits that are still to be explained: those of ships that sank are settled where there is one way."""
    rules = facts.rules
    afloat = {length: rules.fleet.count(length) for length in rules.fleet}
    told = {sinking.square for sinking in facts.sinkings}
    taken: set[int] = set()
    reasons: list[tuple[Lying, ...]] = []
    squares: list[int] = []
    for sinking in facts.sinkings:
        sunk = tuple(_sunk(sinking, told, rules))
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
            if barred.isdisjoint(covered) and told.isdisjoint(covered) and not whole.issuperset(covered)
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


def _sunk(sinking: Sinking, told: set[int], rules: Rules) -> Iterator[Lying]:
    """The ships that may have sunk."""
    within, others = set(sinking.within), told - {sinking.square}
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


def explain(hits: Hits, weight: Callable[[Lying], float]) -> Explained:
    """The ways to explain all hits, each in proportion to the product of the weights of its ships.

    Args:
        hits: to be explained.
        weight: the weight of a ship for each one of its length that is left.
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
    return Explained(chances, used)


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
                beside = surroundings(squares, hits.rules) | set(squares)
                open_ways.append(
                    (share * left * weight(each), (*ships, each), covered | set(squares), around | beside)
                )
