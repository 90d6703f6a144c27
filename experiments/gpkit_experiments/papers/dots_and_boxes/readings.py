"""Readings of the source where it can be read in several ways: who the parents of new rules are, and the rate of Q.

"Reproduction is performed every 10 games, 4 agents are selected from the available population according to the same
probabilistic distribution used for action selection described previously, new agents are produced as mutations of these
agents." That is literally Boltzmann's distribution over all rules (``population``); or it is that over those that
matched, as they were drawn to act (``niche``). The rate is not printed. Of the first runs, on which the source says
little, the same two readings are tried at one rate.

``FURTHER`` are runs that were named, with their criteria (``further_rows``), before any of them was made.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Literal

from gpkit.games.dots_and_boxes.learner.config import PRESETS, Config

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

APART, TOGETHER = "f apart from Q", "f apart from Q: deletion by Q"
"""The run of constant beta, and the same but that the rules of least Q are deleted: by seed they are pairs."""

LITERAL: Mapping[str, str] = {preset: f"parents drawn from all rules, {preset}" for preset in SCHEDULES}
"""By schedule the name of its runs whose parents are read literally."""

EASE: Mapping[str, str] = {name: f"against {name} alone" for name in ("greedy", "chain+ex12")}
"""By opponent, an easier and a harder one, the name of the runs of constant beta against it."""

TABLED, EMPTIED = "ours on other seeds", "ours, its table emptied after every ten games"
"""Ours, and ours without its memory of what classes are worth: by seed they are pairs."""

BEGINNINGS: Mapping[float, str] = {begin: f"rules begin with {begin:g} boxes" for begin in (-5.0, 0.0, 5.0)}
"""By the quality with which rules begin the name of its runs: by seed they are pairs with those of ``APART``."""

FURTHER: Mapping[str, Config] = {
    APART: PRESETS["constant"],
    TOGETHER: PRESETS["quality-only"],
    **{name: replace(PRESETS["constant"], opponent=opponent) for opponent, name in EASE.items()},
    TABLED: PRESETS["ours"],
    EMPTIED: PRESETS["ours"],
    **{name: reading(preset, "population", RATES[0]) for preset, name in LITERAL.items()},
    **{
        name: replace(PRESETS["constant"], reward=replace(PRESETS["constant"].reward, begin=begin))
        for begin, name in BEGINNINGS.items()
    },
}
