"""Waves under the shared engine: evolution that fits a wave to a density over the squares of a board.

The targeting of J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and
Placement Strategies", section III.B: of 100 waves the first generation has 80 at random and 20 at regular intervals of
the problem space; the ten of highest correlation stay, and each of their 45 pairs has a child by crossover and one by
crossover with mutation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.individual import Evaluation, Population
from gpkit.evolution.loop import evolved
from gpkit.evolution.problem import Child, Executor, Problem
from gpkit.evolution.schemes import Pairs
from gpkit.evolution.search import Parameters, Search
from gpkit.evolution.section_operators import Operated, clone, shipped_operators
from gpkit.games.battleship.waves import (
    HARMONICS,
    SUFFIX,
    Spectrum,
    Wave,
    crossover,
    mutate,
    parse_wave,
    print_wave,
    random_wave,
    regular_wave,
    wave_values,
)

EXACT = 12
"""Decimals of a correlation; further ones depend on the processor."""


@dataclass(frozen=True, slots=True)
class WaveSettings:
    """Settings of the evolution of waves; the defaults are the source's.

    Attributes:
        random: waves of the first generation that are random.
        regular: waves of the first generation at regular intervals of the problem space.
        elites: the waves that stay; all their pairs have children.
        rate: the probability that a coefficient of a mutated child is a random one.
        keep: the Fourier components that crossover keeps.
        harmonics: of each wave; only those with as many as in the source have a text.
    """

    random: int = 80
    regular: int = 20
    elites: int = 10
    rate: float = 0.25
    keep: Spectrum = "bins"
    harmonics: int = HARMONICS

    @property
    def size(self) -> int:
        """The number of waves in the first generation."""
        return self.random + self.regular


SETTINGS = WaveSettings()


def correlations(signals: Floats, target: Floats) -> Floats:
    """Normalised discrete cross-correlation of signals with a target, at no lag: float64 (signals,), of −1 … 1.

    With a and b the signal and the target less their means it is Σab / √(Σa² Σb²). Of a target that is the sum of three
    different harmonics of equal amplitude, one of them sin t, the signal sin t has 1/√3 = .5774, sin t + cos 2t (where
    cos 2t is none of the three) 1/√6 = .4082, and the target itself 1: the three values of the source's Figure 5. A
    constant signal or target has none, told as 0.

    Args:
        signals: float64 (signals, squares).
        target: float64 (squares,).
    """
    a = signals - signals.mean(axis=1, keepdims=True)
    b = target - target.mean()
    scale = np.sqrt((a * a).sum(axis=1) * (b * b).sum())
    shared = (a * b).sum(axis=1)
    found: Floats = np.divide(shared, scale, out=np.zeros(len(a)), where=scale > _CONSTANT * len(target))
    return found.round(EXACT)


_CONSTANT = 1e-20
"""Product of standard deviations below which one of two signals is taken for a constant."""


@dataclass(frozen=True, slots=True, eq=False)
class Correlation(Problem[Wave]):
    """Problem of fitting a density; the score is the correlation with it.

    Attributes:
        target: float64 (squares,).
    """

    target: Floats

    def evaluate(
        self, genomes: Sequence[Wave], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """Evaluations of waves; neither chance nor the executor has a part in it."""
        signals = wave_values(genomes, len(self.target))
        return [Evaluation(score) for score in correlations(signals, self.target).tolist()]


def _crossed(space: Any, _: np.random.Generator, parents: Sequence[Wave]) -> Child[Wave]:
    return Child(crossover(parents[0], parents[1], space.squares, space.settings.keep))


def _mutated(space: Any, rng: np.random.Generator, parents: Sequence[Wave]) -> Child[Wave]:
    child = crossover(parents[0], parents[1], space.squares, space.settings.keep)
    mutant, changed = mutate(rng, child, space.squares, space.settings.rate)
    return Child(mutant, tuple([("coefficient", number) for number in changed]))


OPERATORS = shipped_operators(
    "wave", {"clone": (1, clone), "cross": (2, _crossed), "cross+mutate": (2, _mutated)}
)
"""Every operator by name: how many parents it takes, and what it does."""


@dataclass(frozen=True, slots=True)
class WaveRepresentation(Operated[Wave]):
    """Waves over the squares of a board.

    Attributes:
        squares: of the board.
        settings: of their creation and variation.
        start: waves that stand in for the first of those that would be made anew.
    """

    squares: int
    settings: WaveSettings = SETTINGS
    start: tuple[Wave, ...] = ()
    suffix: str = field(default=SUFFIX, init=False)
    table = OPERATORS

    def create(self, rng: np.random.Generator, index: int) -> Wave:
        """The wave of an index in the first generation: one to start from, a random one, then a regular one."""
        if index < len(self.start):
            return self.start[index]
        settings = self.settings
        if index < settings.random:
            return random_wave(rng, self.squares, settings.harmonics)
        return regular_wave(index - settings.random, settings.regular, self.squares, settings.harmonics)

    def admits(self, genome: Wave) -> bool:
        """Whether a wave may live: each may."""
        return True

    print = staticmethod(print_wave)

    parse = staticmethod(parse_wave)

    def tweak(self, rng: np.random.Generator, genome: Wave, step: float) -> Wave:
        """The wave after a mutation; there is no smaller step."""
        return mutate(rng, genome, self.squares, self.settings.rate)[0]

    def simplify(self, genome: Wave) -> Wave:
        """The wave itself: every harmonic counts."""
        return genome


def wave_loop(
    target: Floats, seed: int, *, start: Sequence[Wave] = (), settings: WaveSettings = SETTINGS
) -> Search[Wave]:
    """The search that fits waves to a target; scores are correlations with it.

    Args:
        target: float64 (squares,): any density; its mean and scale do not matter.
        seed: of all chance.
        start: waves to start from, instead of as many random ones and then regular ones.
        settings: of evolution.
    """
    scheme = Pairs((("cross", 0.5), ("cross+mutate", 0.5)), settings.elites)
    assert scheme.size == settings.size, "every generation has as many waves"
    representation = WaveRepresentation(len(target), settings, tuple(start[: settings.size]))
    return Search(Correlation(target), representation, Parameters(settings.size, scheme), seed)


def evolve_waves(
    target: Floats,
    generations: int,
    seed: int,
    *,
    start: Sequence[Wave] = (),
    settings: WaveSettings = SETTINGS,
) -> Population[Wave]:
    """The population after some generations, the best first; ``target``: float64 (squares,), as for ``wave_loop``."""
    return evolved(wave_loop(target, seed, start=start, settings=settings), generations, SerialExecutor())
