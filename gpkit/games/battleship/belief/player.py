"""The player ``belief``: the likeliest square, and once all fleets can be listed the one that rollouts find best.

On boards of few squares more can be computed: rollouts of rollouts, and near the end optimal play.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.games.battleship.belief.facts import Facts, geometry
from gpkit.games.battleship.belief.optimal_search import best_square
from gpkit.games.battleship.belief.posterior import Posterior, PosteriorLimits, posterior_of
from gpkit.games.battleship.belief.rollouts import RolloutStage, answers_of, compare, fleets_of
from gpkit.games.battleship.rules import Board


@dataclass(frozen=True, slots=True)
class SmallBoard:
    """Work of the player on small boards.

    Attributes:
        squares: of a board that is small, at most.
        stage: rollouts over all fleets.
        exact_fleets: once so few are left the shot is optimal, if that can be found.
        beliefs: that are remembered in search of it, a power of two.
    """

    squares: int = 25
    stage: RolloutStage = field(
        default_factory=lambda: RolloutStage(1_000, squares=25, margin=1.0, nested=True)
    )
    exact_fleets: int = 100
    beliefs: int = 1 << 10


def shot_on_small_board(fleets: NDArray[np.int64], facts: Facts, small: SmallBoard) -> int | None:
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


@dataclass(frozen=True, slots=True)
class BeliefSettings:
    """Work of the player before a shot.

    Attributes:
        effort: limits of the posterior.
        stages: rollouts that choose, by the fleets that are left, the fewest first; before, the likeliest square.
        small: work on small boards; None as on all others.
    """

    effort: PosteriorLimits = field(default_factory=PosteriorLimits)
    stages: tuple[RolloutStage, ...] = (
        RolloutStage(100, squares=16, margin=0.4, nested=True),
        RolloutStage(300, squares=16, margin=0.4),
        RolloutStage(20_000, sample=20_000),
    )
    small: SmallBoard | None = field(default_factory=SmallBoard)

    def stage(self, fleets: float) -> RolloutStage | None:
        """The rollouts for so many fleets; None if there are too many."""
        return next((stage for stage in self.stages if fleets <= stage.fleets), None)


DEFAULT = BeliefSettings()

OPERATIONS_PER_MS = 500_000
SAMPLES_PER_MS = 150
NESTED_FLEETS_PER_MS, WIDE_FLEETS_PER_MS, SAMPLED_FLEETS_PER_MS, LISTED_FLEETS_PER_MS = 4, 100, 200, 2_000
"""Work that takes half a millisecond or less on a core of 2.6 GHz; a shot takes a count and, or, one of the others."""

MOST_FLEETS = 100_000
"""Fleets that are listed at most, whatever the time."""


def within(milliseconds: int) -> BeliefSettings:
    """Settings for a time a shot: they depend on the time that is given and not on the time that is taken.

    What comes before a count takes about a millisecond, so that with one a shot may take two.
    """
    nested, wide, narrow = DEFAULT.stages
    sample = milliseconds * SAMPLED_FLEETS_PER_MS
    stages = (
        replace(nested, fleets=min(milliseconds * NESTED_FLEETS_PER_MS, MOST_FLEETS)),
        replace(wide, fleets=min(milliseconds * WIDE_FLEETS_PER_MS, MOST_FLEETS)),
        replace(narrow, fleets=min(milliseconds * LISTED_FLEETS_PER_MS, MOST_FLEETS)),
    )
    return BeliefSettings(
        PosteriorLimits(milliseconds * OPERATIONS_PER_MS, milliseconds * SAMPLES_PER_MS),
        tuple(replace(stage, sample=sample) for stage in stages),
        small=None,
    )


def shot_at(facts: Facts, key: int, settings: BeliefSettings) -> tuple[int, Posterior]:
    """The shot of a player who knows these facts, of which some square is unshot; the posterior that led to it."""
    belief = posterior_of(facts, key, settings.effort)
    stage = settings.stage(belief.fleets) if belief.exact and belief.fleets > 1.0 else None
    if stage is not None:
        fleets = fleets_of(facts, int(belief.fleets))
        if settings.small is not None and facts.rules.squares <= settings.small.squares:
            square = shot_on_small_board(fleets, facts, settings.small)
            if square is not None:
                return square, belief
        found = compare(fleets, facts, stage)
        if found is not None:
            return found.best, belief
    unshot = np.array(facts.unshot)
    return int(unshot[np.argmax(belief.chances[unshot])]), belief


@dataclass(frozen=True, slots=True)
class BeliefAgent:
    """The agent of the posterior.

    Attributes:
        settings: what it does if no time is given.
    """

    settings: BeliefSettings = field(default_factory=BeliefSettings)

    def chances(self, board: Board, number: int, key: int) -> Floats:
        """By square the probability of a ship, 0 or 1 where it is known: float64 (squares,)."""
        return posterior_of(Facts.of(board), key, self._settings(number).effort).chances

    def consider(self, board: Board, number: int, key: int) -> tuple[int, Floats]:
        """The square and the probabilities, float64 (squares,), of a posterior that is computed once.

        ``number`` is the time that it has in milliseconds, 0 for as long as it takes.
        """
        square, belief = shot_at(Facts.of(board), key, self._settings(number))
        return square, belief.chances

    def _settings(self, number: int) -> BeliefSettings:
        return within(number) if number else self.settings


AGENT = BeliefAgent()
