"""Evolution of waves without one of its parts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Child
from gpkit.evolution.schemes import Pairs
from gpkit.evolution.search import Parameters, Search
from gpkit.games.battleship.fourier_placement import (
    SETTINGS,
    Correlation,
    WaveRepresentation,
    WaveSettings,
)
from gpkit.games.battleship.waves import Wave, mutate, random_wave
from gpkit_experiments.papers.battleship_adaptive.study import Floats
from gpkit_experiments.papers.courses import populations_of

Way = Literal["whole", "no crossover", "no mutation", "exchange", "random"]
"""Ways in which children come about.

``whole``: as in the source. ``no crossover``: they are a parent, half of them mutated. ``no mutation``: each comes
twice. ``exchange``: each harmonic is of either parent. ``random``: they are random waves.
"""


@dataclass(frozen=True, slots=True)
class Bred(WaveRepresentation):
    """Waves whose children come about in another way than the source's."""

    way: Way = "whole"

    def vary(self, rng: np.random.Generator, operator: str, parents: Sequence[Wave]) -> Child[Wave]:
        """The child that an operator makes of its parents."""
        if self.way in ("whole", "no mutation") or operator == "clone":
            return WaveRepresentation.vary(self, rng, operator, parents)
        if self.way == "random":
            return Child(random_wave(rng, self.squares, self.settings.harmonics))
        child = parents[0] if self.way == "no crossover" else exchanged(rng, *parents)
        return Child(
            child if operator == "cross" else mutate(rng, child, self.squares, self.settings.rate)[0]
        )


def exchanged(rng: np.random.Generator, first: Wave, second: Wave) -> Wave:
    """A wave of which each harmonic is that of either parent, drawn by lot."""
    pairs = zip(first.harmonics, second.harmonics, strict=True)
    return Wave(tuple([pair[int(rng.integers(2))] for pair in pairs]))


def bred_waves(
    target: Floats, generations: int, seed: int, way: Way, settings: WaveSettings = SETTINGS
) -> float:
    """The highest correlation after so many generations."""
    settings = replace(settings, rate=0.0) if way == "no mutation" else settings
    scheme = Pairs((("cross", 0.5), ("cross+mutate", 0.5)), settings.elites)
    loop = Search(
        Correlation(target),
        Bred(len(target), settings, way=way),
        Parameters(settings.size, scheme),
        seed,
    )
    *_, last = populations_of(loop, generations, SerialExecutor())
    return last[0].score
