"""Settings of the adaptive player; the defaults are those of the player ``adaptive``."""

from dataclasses import dataclass
from typing import Literal

from gpkit.games.battleship.placing import Prior

Targeting = Literal["mixture", "waves", "counts", "filter"]
"""Answers to ``Target``.

``waves``: the best square by the wave of those where the largest ship left may lie, see ``SOURCE``. ``counts``: the
expected ships by smoothed counts of earlier games. ``mixture``: the same by counts and waves, each as far as it has
foretold the games so far. ``filter``: any square where the largest ship left may lie; nothing is learned.
"""

Parity = Literal["any", "checkerboard"]
"""Squares that ``waves`` takes first: ``any``, or those of a ``checkerboard`` whose period is the largest ship left."""

Choice = Literal["best", "proved"]
"""Sinking programs that take over: the ``best`` on the saved games, or only one that is ``proved`` better there.

Proved means that it needs fewer shots, paired over saved games, by two standard errors.
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the adaptive player.

    Attributes:
        prior: the random fleets whose inverse density is where its own fleet lies.
        caution: how much shots received lower the weight of a square.
        particles: of Sequential Monte Carlo.
        rehearsed: particles of which the one that hard-coded players clear latest is laid; with 1 the first is.
        rehearsals: games of each of them against each fleet.
        targeting: who answers ``Target``.
        parity: squares that waves take first.
        training: games that the density of training is worth to the waves.
        generations: of waves before a game.
        turn_generations: of waves before each shot of all games but the first.
        rounds: generations of sinking programs before a game.
        saved: the most recent games on which they are measured.
        choice: of the program that plays.
    """

    prior: Prior = "fleets"
    caution: float = 32.0
    particles: int = 100
    rehearsed: int = 30
    rehearsals: int = 4
    targeting: Targeting = "mixture"
    parity: Parity = "any"
    training: float = 1.0
    generations: int = 10
    turn_generations: int = 0
    rounds: int = 20
    saved: int = 50
    choice: Choice = "best"


DEFAULTS = Settings()

SOURCE = Settings(targeting="waves", parity="checkerboard", turn_generations=1)
"""Targeting as in the source: waves on a checkerboard of the largest ship left, which evolve at every shot."""
