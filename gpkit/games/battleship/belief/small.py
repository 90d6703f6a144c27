"""Shots on boards of few squares, where more can be computed: rollouts of rollouts, and near the end optimal play."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.belief.facts import Facts
from gpkit.games.battleship.belief.lists import Stage, answers_of, compare
from gpkit.games.battleship.belief.question import geometry
from gpkit.games.battleship.optimal.endgame import best_square


@dataclass(frozen=True, slots=True)
class Small:
    """Work of the player on small boards.

    Attributes:
        squares: of a board that is small, at most.
        stage: rollouts over all fleets.
        exact_fleets: once so few are left the shot is optimal, if that can be found.
        beliefs: that are remembered in search of it, a power of two.
    """

    squares: int = 25
    stage: Stage = field(default_factory=lambda: Stage(1_000, squares=25, margin=1.0, nested=True))
    exact_fleets: int = 100
    beliefs: int = 1 << 10


def shot_on_small_board(fleets: NDArray[np.int64], facts: Facts, small: Small) -> int | None:
    """The best square as far as can be found; None if there are too many fleets for that.

    Args:
        fleets: int64 (fleets, ships): all that agree with the facts, numbers of placements; two or more.
        facts: what the shooter knows.
        small: the limits.
    """
    if len(fleets) <= small.exact_fleets:
        board = geometry(facts.rules)
        unshot = np.zeros(facts.rules.squares, dtype=np.bool_)
        unshot[list(facts.unshot)] = True
        separable = not facts.rules.touch or facts.rules.announce == "hit"
        answers = answers_of(facts)[board.sizes]
        best = best_square(fleets, board.covers & unshot, answers, separable=separable, places=small.beliefs)
        if best is not None:
            return best.square
    found = compare(fleets, facts, small.stage) if len(fleets) <= small.stage.fleets else None
    return found.best if found is not None else None
