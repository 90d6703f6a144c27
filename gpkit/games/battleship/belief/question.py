"""Sets of placements that agree with the facts of a shooter: the question that the kernels answer."""

from functools import lru_cache

import numpy as np

from gpkit.games.battleship.belief.facts import Facts
from gpkit.games.battleship.belief.geometry import Bits, Geometry, bits_of, geometry_of
from gpkit.games.battleship.belief.kernel.search import Question, Ships, Stack
from gpkit.games.battleship.options import Rules


def geometry(rules: Rules) -> Geometry:
    """The placements of the ships of these rules."""
    return geometry_of(rules.width, rules.height, rules.fleet, rules.touch)


def question_of(facts: Facts) -> Question:
    """The placements that agree with some facts.

    A fleet agrees with the facts if its ships lie beside each other, cover every hit, and each of them agrees by
    itself: it covers no miss; if it lies within the hits, and sinkings are told, then one was told of its last square;
    if it covers the square of a sinking, it lies within the hits until then and has the length that was told.
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
    width = through.shape[1]
    return Question(
        board.counts,
        free,
        np.array(reasons, dtype=np.int64).reshape(-1, width),
        through[squares].reshape(-1, width),
    )


def _within(squares: tuple[int, ...], board: Geometry) -> Bits:
    """The placements that lie within some squares."""
    covered = board.covers[:, list(squares)].sum(axis=1)
    return bits_of((covered == board.sizes) & (board.sizes > 0))


@lru_cache(maxsize=16)
def ships_of(rules: Rules) -> Ships:
    """The placements of the ships as the kernels read them."""
    board = geometry(rules)
    return Ships(board.firsts, board.apart)


def stack_of(rules: Rules) -> Stack:
    """Scratch arrays for a search."""
    board = geometry(rules)
    depth, words, lengths = len(rules.fleet) + 2, board.apart.shape[1], len(board.lengths)

    def table(*shape: int) -> Bits:
        return np.zeros(shape, dtype=np.int64)

    return Stack(
        table(depth, words), table(depth, words), table(depth, lengths), *(table(depth) for _ in range(4))
    )
