"""Readings of the source where it can be read in several ways: who the parents of new rules are, and the rate of Q.

"4 agents are selected from the available population according to the same probabilistic distribution used for action
selection": by Boltzmann's distribution over all rules (``population``), or over those that matched, as they were drawn
to act (``niche``). The rate is not printed. Of the first runs, on which the source says little, the same two readings
are tried at one rate.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Literal

from gpkit.games.dots_and_boxes.learner.config import Config
from gpkit.games.dots_and_boxes.learner.presets import PRESETS

SCHEDULES = ("constant", "rising-20", "rising-10")
"""Presets whose schedules of beta are those of the source, in its order."""

ABLATIONS = ("quality-only", "combined")
"""Presets of the source's first runs, which delete rules by Q alone."""

PARENTS: tuple[Literal["population", "niche"], ...] = ("population", "niche")
RATES = (0.02, 0.1)


def reading(preset: str, parents: Literal["population", "niche"], rate: float) -> Config:
    """The source's run with a preset, read in one way."""
    config = PRESETS[preset]
    return replace(
        config,
        reproduction=replace(config.reproduction, parents=parents),
        reward=replace(config.reward, rate=rate),
    )


READINGS: Mapping[str, Config] = {
    f"{parents}, rate {rate:g}, {preset}": reading(preset, parents, rate)
    for parents, rate, preset in [
        *product(PARENTS, RATES, SCHEDULES),
        *product(PARENTS, RATES[:1], ABLATIONS),
    ]
}

CHOSEN = "niche, rate 0.02, constant"
"""The reading of ``constant``."""
