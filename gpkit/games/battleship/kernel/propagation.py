"""Belief propagation, compiled; ``games/battleship/propagation.py`` is the readable twin that says what it means."""

from typing import Any, NamedTuple

from numpy.typing import NDArray

from gpkit.core.compiled import inlined
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.aiming import is_afloat, lies_alone, may_lie

# kinds: int64 (KIND_FACTS, kinds), the ships afloat of each length
LENGTH, SHIPS, WAYS, KIND_FACTS = range(4)
"""Their length, how many they are, and in how many ways one may lie."""

SINKING, LEFTWARD, RIGHTWARD, UPWARD, DOWNWARD, DETAILS = range(6)
"""Rows of ``details``."""


class BeliefScratch(NamedTuple):
    """Scratch arrays of belief propagation.

    Attributes:
        kinds: int64 (KIND_FACTS, kinds).
        ways: int64 (kinds, 2 · squares): the placements in which a ship of each kind may lie.
        factors, odds: float64 (kinds, squares), as of ``propagation.Kind``.
        covers: float64 (squares,): the weight of placements that cover each square.
        total: float64 (squares,): the sum of all odds.
        details: float64 (DETAILS, squares).
    """

    kinds: NDArray[Any]
    ways: NDArray[Any]
    factors: NDArray[Any]
    odds: NDArray[Any]
    covers: NDArray[Any]
    total: NDArray[Any]
    details: NDArray[Any]


@inlined
def sense_beliefs(memory, used, board, beliefs, rules):  # type: ignore[no-untyped-def]
    """Write the sensors of beliefs of all unshot squares, where a formula reads them; those of others mean nothing.

    Arguments as of ``formulas.sense``, and the scratch ``beliefs``, changed.
    """
    if used >> at.CHANCE:
        propagate(board, beliefs, rules)
        for square in range(board.shape[1]):
            memory[at.CHANCE, square] = beliefs.total[square] / (1.0 + beliefs.total[square])
    if used >> at.SINKS == 0:
        return
    known = board[at.KNOWN]
    details, kinds = beliefs.details, beliefs.kinds
    details[:] = 0.0
    for kind in range(kinds.shape[1]):
        if kinds[SHIPS, kind] > 0:
            add_details(kind, known, beliefs, rules)
    for square in range(known.shape[0]):
        odds, chance = beliefs.total[square], memory[at.CHANCE, square]
        sinks = min(details[SINKING, square] / (1.0 + odds), chance)
        best = max(
            max(details[LEFTWARD, square], details[RIGHTWARD, square]),
            max(details[UPWARD, square], details[DOWNWARD, square]),
        )
        miss, stays = 1.0 - chance, chance - sinks
        memory[at.SINKS, square] = sinks
        memory[at.FOLLOW, square] = min(best / odds, 1.0) if odds > 0.0 else 0.0
        memory[at.FLEETS, square] = miss * miss + sinks * sinks + stays * stays


@inlined
def propagate(board, beliefs, rules):  # type: ignore[no-untyped-def]
    """Run all rounds; ``total`` is then the sum of the odds by square."""
    known, total, factors, odds = board[at.KNOWN], beliefs.total, beliefs.factors, beliefs.odds
    count = list_kinds(board, beliefs, rules)
    total[:] = 0.0
    for turn in range(at.ROUNDS):
        for kind in range(count):
            if turn > 0:  # factors go half the way to what the odds of the other ships say
                for square in range(known.shape[0]):
                    if known[square] == at.UNSHOT or known[square] == at.OPEN:
                        none = 1.0 if known[square] == at.UNSHOT else 0.0
                        others = total[square] - odds[kind, square] + none
                        others = min(max(others, 1.0 / at.LARGEST_FACTOR), at.LARGEST_FACTOR)
                        factors[kind, square] = (factors[kind, square] + 1.0 / others) * 0.5
            weight = weigh(kind, beliefs, rules)
            ships = beliefs.kinds[SHIPS, kind]
            for square in range(known.shape[0]):
                if known[square] == at.UNSHOT or known[square] == at.OPEN:
                    new = 0.0
                    if weight > 0.0:
                        cover = beliefs.covers[square]
                        rest = max(weight - cover, weight * at.SMALLEST_REST)
                        new = cover / rest / factors[kind, square]
                    total[square] = max(total[square] + ships * (new - odds[kind, square]), 0.0)
                    odds[kind, square] = new


@inlined
def list_kinds(board, beliefs, rules):  # type: ignore[no-untyped-def]
    """Write the kinds of ships afloat, their ways to lie, factors and odds before the first round; returns how many.

    A ship afloat may lie there as of ``propagation.kind_of``.
    """
    known, kinds = board[at.KNOWN], beliefs.kinds
    kinds[:] = 0
    count = 0
    for ship in range(rules[at.SHIPS_COUNT]):
        if not is_afloat(board, ship, rules):
            continue
        length = rules[at.LENGTHS + ship]
        if count > 0 and kinds[LENGTH, count - 1] == length:
            kinds[SHIPS, count - 1] += 1
            continue
        kinds[LENGTH, count] = length
        kinds[SHIPS, count] = 1
        kinds[WAYS, count] = 0
        for square in range(known.shape[0]):
            beliefs.factors[count, square] = at.FIRST_FACTOR if known[square] == at.OPEN else 1.0
            beliefs.odds[count, square] = 0.0
            for vertical in range(2 if length > 1 else 1):
                hits = may_lie(known, square, vertical, length, rules)
                if hits < 0 or (hits == length and rules[at.NAMED]):
                    continue
                if lies_alone(known, 2 * square + vertical, length, hits, rules):
                    beliefs.ways[count, kinds[WAYS, count]] = 2 * square + vertical
                    kinds[WAYS, count] += 1
        count += 1
    return count


@inlined
def weigh(kind, beliefs, rules):  # type: ignore[no-untyped-def]
    """Write by square the weight of the placements of a kind that cover it; returns that of all placements."""
    covers, length = beliefs.covers, beliefs.kinds[LENGTH, kind]
    total = 0.0
    covers[:] = 0.0
    for place in range(beliefs.kinds[WAYS, kind]):
        way = beliefs.ways[kind, place]
        square, step = way >> 1, rules[at.WIDTH] if way & 1 else 1
        weight = weight_of(kind, square, step, length, beliefs)
        total += weight
        for k in range(length):
            covers[square + k * step] += weight
    return total


@inlined
def weight_of(kind, square, step, length, beliefs):  # type: ignore[no-untyped-def]
    """The weight of a placement: the product of the factors of its squares."""
    weight = 1.0
    for k in range(length):
        weight *= beliefs.factors[kind, square + k * step]
    return weight


@inlined
def add_details(kind, known, beliefs, rules):  # type: ignore[no-untyped-def]
    """Add to ``details`` the odds that a shot sinks a ship of a kind, and that one goes on to each side."""
    details, covers, length = beliefs.details, beliefs.covers, beliefs.kinds[LENGTH, kind]
    weigh(kind, beliefs, rules)
    for place in range(beliefs.kinds[WAYS, kind]):
        way = beliefs.ways[kind, place]
        first, vertical = way >> 1, way & 1
        step = rules[at.WIDTH] if vertical else 1
        weight = weight_of(kind, first, step, length, beliefs)
        hits = 0
        for k in range(length):
            hits += known[first + k * step] == at.OPEN
        is_last = rules[at.TOLD] and hits == length - 1
        for k in range(length):
            square = first + k * step
            if known[square] != at.UNSHOT or covers[square] <= 0.0:
                continue
            share = beliefs.kinds[SHIPS, kind] * beliefs.odds[kind, square] / covers[square] * weight
            if is_last:
                details[SINKING, square] += share
            if k > 0 and known[square - step] == at.UNSHOT:
                details[UPWARD if vertical else LEFTWARD, square] += share
            if k < length - 1 and known[square + step] == at.UNSHOT:
                details[DOWNWARD if vertical else RIGHTWARD, square] += share
