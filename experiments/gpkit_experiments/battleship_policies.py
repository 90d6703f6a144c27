"""Expected misses of Battleship's shooters over every fleet of a small board, exactly."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from gpkit.core.statistics import Interval, mean_interval
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import empty_memory, play_compiled, sums_of
from gpkit.games.battleship.belief.optimal_search import MISS
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.players import Agent
from gpkit.games.battleship.rules import Board
from gpkit_experiments.optimal_boards import PossibleFleets

Choose = Callable[[int, int], Sequence[int]]
"""The squares that a shooter finds equally good, by the fleets that are possible and the squares that were hit."""

Cost = Callable[[int, int, int], float]
"""The misses to come with a shot at a square, summed over the possible fleets; arguments as of ``Choose``."""


def cost_of(choose: Choose, fleets: PossibleFleets) -> Cost:
    """Expected cost of a shot if a shooter goes on; of squares that it finds equally good it takes each equally often.

    With one square left to hit the likeliest squares come first, whatever the shooter.
    """

    @cache
    def misses(belief: int, hits: int) -> float:
        if fleets.to_hit - hits.bit_count() == 1:
            counts = sorted(chances(belief, hits, fleets).values(), reverse=True)
            return float(sum(before * count for before, count in enumerate(counts)))
        squares = choose(belief, hits) if belief & belief - 1 else ()
        return sum(cost(belief, hits, square) for square in squares) / max(1, len(squares))

    def cost(belief: int, hits: int, square: int) -> float:
        total = 0.0
        for answer, after in fleets.answers(belief, hits, square).items():
            if answer == MISS:
                total += after.bit_count() + misses(after, hits)
            else:
                total += misses(after, hits | 1 << square)
        return total

    return cost


def first_cost(choose: Choose, fleets: PossibleFleets) -> float:
    """Expected misses of a shooter in a game."""
    squares = choose(fleets.everything, 0)
    cost = cost_of(choose, fleets)
    return sum(cost(fleets.everything, 0, square) for square in squares) / len(squares) / len(fleets.fleets)


def chances(belief: int, hits: int, fleets: PossibleFleets) -> dict[int, int]:
    """By square that is not known the number of possible fleets with a ship there, where there are any."""
    counts = {s: (belief & covering).bit_count() for s, covering in enumerate(fleets.covering)}
    return {square: count for square, count in counts.items() if count and not hits >> square & 1}


def greedy(fleets: PossibleFleets) -> Choose:
    """Squares where a ship is most likely."""

    def choose(belief: int, hits: int) -> list[int]:
        counts = chances(belief, hits, fleets)
        best = max(counts.values(), default=0)
        return [square for square, count in counts.items() if count == best]

    return choose


def first_of(choose: Choose) -> Choose:
    """The first of the squares that another shooter finds equally good."""
    return lambda belief, hits: choose(belief, hits)[:1]


def rollouts(base: Choose, fleets: PossibleFleets, most: int, margin: float) -> Choose:
    """Squares of the fewest misses to come if another shooter takes over after this shot; of equals the likeliest one,
    then the first.

    Args:
        base: the other shooter.
        fleets: all that are possible.
        most: at most so many squares are tried, of equally likely ones the first.
        margin: no square is tried whose probability is lower than the best by more than this.
    """
    cost = cost_of(base, fleets)

    def choose(belief: int, hits: int) -> list[int]:
        counts = chances(belief, hits, fleets)
        ranked = sorted(counts, key=lambda square: -counts[square])[:most]
        least = max(counts.values(), default=0) - margin * belief.bit_count()
        tried = [square for square in ranked if counts[square] >= least]
        return [min(tried, key=lambda square: cost(belief, hits, square))] if tried else []

    return choose


def misses_of_program(player: Player, keys: Sequence[int], fleets: PossibleFleets, rules: Rules) -> Interval:
    """Expected misses of a program, with the interval of a mean over keys, as those decide between equal squares.

    Each key is played against every fleet.
    """
    table = np.zeros((len(keys), 2, at.KEYS), dtype=np.int64)
    table[:, 0, at.SHOT_KEY] = keys
    memory = empty_memory([player], (len(keys), 1), rules)
    shots = np.zeros(len(keys))
    for fleet in range(len(fleets.fleets)):
        sums = np.stack([sums_of(placements_of(fleet, fleets, rules), rules)] * 2)
        shots += play_compiled([player, player], table, rules, memory, sums=sums).scores[:, 0, at.SCORE]
    return mean_interval(shots / len(fleets.fleets) - fleets.to_hit)


def misses_of_agent(agent: Agent, number: int, key: int, fleets: PossibleFleets, rules: Rules) -> Fraction:
    """Expected misses of an agent with one key: as long as fleets answer alike, it is asked once for all of them."""

    def misses(belief: int, squares: tuple[int, ...]) -> int:
        first = (belief & -belief).bit_length() - 1
        board = Board.of(placements_of(first, fleets, rules), rules)
        for square in squares:
            board = board.shoot(square)
        if board.status == "cleared":
            return 0
        shot = sum(1 << square for square in squares)
        square = agent.consider(board, number, key)[0]
        return sum(
            misses(after, (*squares, square)) + (after.bit_count() if answer == MISS else 0)
            for answer, after in fleets.answers(belief, shot, square).items()
        )

    return Fraction(misses(fleets.everything, ()), len(fleets.fleets))


def placements_of(fleet: int, fleets: PossibleFleets, rules: Rules) -> Placements:
    """The placements of the fleet of this number."""
    ships = [fleets.ships[ship].squares for ship in fleets.fleets[fleet]]
    return tuple(
        2 * squares[0] + (len(squares) > 1 and squares[1] - squares[0] == rules.width) for squares in ships
    )
