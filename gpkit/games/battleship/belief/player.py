"""The player ``belief``: the likeliest square, and once all fleets can be listed the one that rollouts find best."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.belief.facts import Facts
from gpkit.games.battleship.belief.lists import compare, fleets_of
from gpkit.games.battleship.belief.posterior import Posterior, posterior_of
from gpkit.games.battleship.belief.settings import Settings, within
from gpkit.games.battleship.belief.small import shot_on_small_board
from gpkit.games.battleship.rules import Board

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot and the belief that led to it.

    Attributes:
        square: that is shot at.
        belief: the posterior before it.
    """

    square: int
    belief: Posterior


def shot_at(facts: Facts, key: int, settings: Settings) -> Shot:
    """The shot of a player who knows these facts, of which some square is unshot."""
    belief = posterior_of(facts, key, settings.effort)
    stage = settings.stage(belief.fleets) if belief.exact and belief.fleets > 1.0 else None
    if stage is not None:
        fleets = fleets_of(facts, int(belief.fleets))
        if settings.small is not None and facts.rules.squares <= settings.small.squares:
            square = shot_on_small_board(fleets, facts, settings.small)
            if square is not None:
                return Shot(square, belief)
        found = compare(fleets, facts, stage)
        if found is not None:
            return Shot(found.best, belief)
    return Shot(likeliest(belief.chances, facts, settings.information), belief)


def likeliest(chances: Floats, facts: Facts, information: float) -> int:
    """The unshot square with the highest chance of a ship, the first of equals.

    Args:
        chances: float64 (squares,).
        facts: which squares are unshot.
        information: what a bit is worth: to each chance is added that much for each bit by which the answer, hit or
            miss, is uncertain.
    """
    unshot = np.array(facts.unshot)
    found = chances[unshot]
    if information:
        inside = np.clip(found, 1e-12, 1.0 - 1e-12)
        found = found - information * (inside * np.log2(inside) + (1.0 - inside) * np.log2(1.0 - inside))
    return int(unshot[np.argmax(found)])


@dataclass(frozen=True, slots=True)
class BeliefAgent:
    """The agent of the posterior.

    Attributes:
        settings: what it does if no time is given.
    """

    settings: Settings = field(default_factory=Settings)

    def choose(self, board: Board, number: int, key: int) -> int:
        """The unshot square that it shoots at; ``number`` is the time that it has in milliseconds, 0 for as long as it
        takes.
        """
        return shot_at(Facts.of(board), key, self._settings(number)).square

    def chances(self, board: Board, number: int, key: int) -> Floats:
        """By square the probability of a ship, 0 or 1 where it is known: float64 (squares,)."""
        return posterior_of(Facts.of(board), key, self._settings(number).effort).chances

    def consider(self, board: Board, number: int, key: int) -> tuple[int, Floats]:
        """The square and the probabilities, of which the posterior is computed once."""
        shot = shot_at(Facts.of(board), key, self._settings(number))
        return shot.square, shot.belief.chances

    def _settings(self, number: int) -> Settings:
        return within(number) if number else self.settings


AGENT = BeliefAgent()
