"""Optimal play in plain Python: the meaning of ``kernel``, for boards of a few squares."""

from functools import cache

from gpkit.games.battleship.optimal.beliefs import MISS, Fleets


def fewest_misses(fleets: Fleets) -> int:
    """The least number of misses, summed over all fleets, with which a shooter can clear them.

    The dynamic programme over beliefs, from its definition: a shot that may be answered by a miss costs one miss in
    each fleet for which it is; then the shooter goes on with what the answer left.
    """

    @cache
    def least(belief: int, hits: int) -> int:
        open_squares = [
            square
            for square in range(fleets.squares)
            if not hits >> square & 1 and belief & fleets.covering[square]
        ]
        return min((cost(belief, hits, square) for square in open_squares), default=0)

    def cost(belief: int, hits: int, square: int) -> int:
        total = 0
        for answer, after in fleets.answers(belief, hits, square).items():
            if answer == MISS:
                total += after.bit_count() + least(after, hits)
            else:
                total += least(after, hits | 1 << square)
        return total

    return least(fleets.everything, 0)
