"""Courses: populations in some generations of a run, no champion being chosen; and how strong many programs are."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.statistics import Interval
from gpkit.evolution.game_subject import SECONDS_PER_GAME
from gpkit.evolution.loop import initial, next_generation
from gpkit.evolution.problem import Executor, Genome, Population, none_lost
from gpkit.evolution.search import Search
from gpkit.gamekit.game import Game
from gpkit.genomes.tree import TreeProgram
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_program
from gpkit_experiments.papers.paper import Watch, ignore
from gpkit_experiments.papers.units import mean_interval


@dataclass(frozen=True, slots=True)
class Course(Generic[Genome]):
    """One run.

    Attributes:
        seed: of the run.
        sizes: the mean number of nodes in every generation, from generation 0 on.
        populations: the populations of the generations that were asked for, each best first.
    """

    seed: int
    sizes: tuple[float, ...]
    populations: dict[int, Population[Genome]]


def follow(
    search: Search[Genome], generations: Collection[int], executor: Executor, watch: Watch = ignore
) -> Course[Genome]:
    """The course of a search on one island up to the last of these generations.

    A shorter run of the same seed is the beginning of a longer one, so one course has the populations of all lengths.
    """
    assert search.islands.count == 1
    sizes: list[float] = []
    populations = {}
    for generation, population in enumerate(populations_of(search, max(generations), executor)):
        sizes.append(sum(individual.size for individual in population) / len(population))
        if generation in generations:
            populations[generation] = population
        watch(f"generation {generation} of {max(generations)}, mean size {sizes[-1]:.1f}")
    return Course(search.seed, tuple(sizes), populations)


def populations_of(search: Search[Genome], last: int, executor: Executor) -> Iterator[Population[Genome]]:
    """The populations of a search on one island, of the generations 0 to ``last``, each made when it is asked for."""
    population = initial(search, executor)
    yield population
    for generation in range(1, last + 1):
        population = next_generation(search, population, generation, executor)
        yield population


def fittest(population: Population[Genome], count: int) -> list[Genome]:
    """The genomes of the fittest individuals, the best first, no two alike; at most ``count``."""
    return _distinct(population)[:count]


def middling(population: Population[Genome], count: int) -> list[Genome]:
    """The genomes around the median of fitness, no two alike, of ``count`` different ones (or all) from the middle."""
    genomes = _distinct(population)
    start = max(0, (len(genomes) - count) // 2)
    return genomes[start : start + count]


def _distinct(population: Population[Genome]) -> list[Genome]:
    return list(dict.fromkeys(individual.genome for individual in population))


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
