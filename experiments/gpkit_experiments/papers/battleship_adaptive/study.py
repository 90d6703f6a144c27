"""Settings that all tables of the adaptive player's paper share, and what a part of it gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gpkit.core.registry import game_of
from gpkit.gamekit.game import Game
from gpkit_experiments.papers import paper
from gpkit_experiments.papers.paper import Row

GAME: Game = game_of("battleship")


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort of measuring.

    Attributes:
        fleets: of every density.
        runs: of the evolution of waves, for each density and reading.
        generations: of each run.
        deals: of every duel, each in both seats.
        draws: of fleets by Sequential Monte Carlo, and as many of uniform ones.
        series: in which placement learns, against each player.
    """

    fleets: int
    runs: int
    generations: int
    deals: int
    draws: int
    series: int


@dataclass(frozen=True, slots=True)
class Study(paper.Study[Effort]):
    """One reproduction of the adaptive player's paper."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Findings of one part: its rows, and the files that came of it."""

    rows: tuple[Row, ...]
    files: Mapping[str, str] = field(default_factory=dict)


Part = Callable[[Study], Measured]
"""Part of the paper; it depends on the study alone."""
