"""Strength: what many programs reach against other programs, on the same deals that no evolution has seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.statistics import Interval
from gpkit.evolution.game_problem import SECONDS_PER_GAME
from gpkit.evolution.problem import Executor, none_lost
from gpkit.gamekit.game import Game
from gpkit.genomes.tree import TreeProgram
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_program
from gpkit_experiments.papers.units import mean_interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pairing:
    """A program, and the opponent that sits in all the other seats."""

    program: TreeProgram
    opponent: TreeProgram


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A game by its rules, and the held-out deals on which everybody meets.

    Attributes:
        seed: of the deals.
        games: how many games a pairing plays, rounded up to whole deals, each in every seating.
    """

    game: Game
    rules: Any
    seed: int
    games: int

    @property
    def even(self) -> float:
        """The score of a program among its likes, where one of the players wins."""
        return 1.0 / self.game.players(self.rules)

    def by_deal(self, pairings: Sequence[Pairing], executor: Executor) -> Floats:
        """The score of the program of each pairing on each deal: float64 (pairings, deals), seatings averaged.

        Raises:
            GpkitError: a pairing kills its worker again and again.
        """
        different = list(dict.fromkeys(pairings))
        seconds = [
            self.games * SECONDS_PER_GAME * (1.0 + (len(pair.program) + len(pair.opponent)) / 50.0)
            for pair in different
        ]
        scores = none_lost(executor.run(partial(_play, self), different, seconds))
        found = dict(zip(different, scores, strict=True))
        return np.stack([found[pair] for pair in pairings])


def _play(held_out: HeldOut, pairings: Sequence[Pairing]) -> list[Floats]:
    return [_scores(held_out, pair) for pair in pairings]


def _scores(held_out: HeldOut, pair: Pairing) -> Floats:
    program, opponent = (
        player_of_program(each, held_out.game, name)
        for each, name in ((pair.program, "program"), (pair.opponent, "opponent"))
    )
    result = play_match(
        held_out.game, program, [opponent], rules=held_out.rules, seed=held_out.seed, games=held_out.games
    )
    return result.by_deal


@dataclass(frozen=True, slots=True, eq=False)
class Strength:
    """Strength of the programs of several runs, averaged in each run: float64 (runs, deals).

    The mean over everything has two intervals. By deal it is about these programs, whoever else might have evolved; by
    run it is about the algorithm, as the runs are what was drawn independently.
    """

    values: Floats
    support: tuple[float, float]

    @property
    def runs(self) -> Floats:
        """The mean of each run: float64 (runs,)."""
        means: Floats = self.values.mean(axis=1)
        return means

    @property
    def by_run(self) -> Interval:
        """The mean with the run as the unit."""
        return mean_interval(self.runs, support=self.support)

    @property
    def by_deal(self) -> Interval:
        """The mean with the deal as the unit."""
        return mean_interval(self.values.mean(axis=0), support=self.support)


def strength(held_out: HeldOut, pairings: Sequence[Sequence[Pairing]], executor: Executor) -> Strength:
    """The strength of the pairings of each run."""
    flat = held_out.by_deal([pair for run in pairings for pair in run], executor)
    edges = np.cumsum([len(run) for run in pairings])[:-1]
    means = np.stack([part.mean(axis=0) for part in np.split(flat, edges)])
    return Strength(means, held_out.game.metric(held_out.rules).support)


def against(programs: Sequence[Sequence[TreeProgram]], opponent: TreeProgram) -> list[list[Pairing]]:
    """The pairings of every program of every run with one opponent."""
    return [[Pairing(program, opponent) for program in run] for run in programs]
