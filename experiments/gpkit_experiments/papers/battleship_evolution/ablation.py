"""The preset ``battleship`` without one of its parts at a time."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from gpkit.evolution.config import Config, GuideSettings, SelectionSettings
from gpkit.games.battleship.presets import BATTLESHIP, BRIDON


def reduced(size: int, generations: int) -> Config:
    """The preset with one population of a size, with one case for each exercise, and without the refinement."""
    return replace(
        BATTLESHIP,
        population=replace(BATTLESHIP.population, size=size),
        scheme=replace(BATTLESHIP.scheme, elites=max(1, size // 50)),
        fitness=replace(BATTLESHIP.fitness, blocks=1, candidates=4),
        guide=replace(BATTLESHIP.guide, blocks=1),
        islands=replace(BATTLESHIP.islands, count=1),
        refinement=replace(BATTLESHIP.refinement, finish=False),
        stop=replace(BATTLESHIP.stop, generations=generations),
    )


def _by_score(config: Config) -> Config:
    return replace(config, selection=SelectionSettings(name="tournament", size=5))


def _in_blocks(config: Config) -> Config:
    return replace(config, fitness=replace(config.fitness, blocks=5), guide=replace(config.guide, blocks=5))


def _unguided(config: Config) -> Config:
    return replace(config, guide=GuideSettings())


def _like_the_source(config: Config) -> Config:
    full = replace(config.representation, low_lines=20, high_lines=20)
    return replace(_by_score(_unguided(config)), representation=full, operators=BRIDON.operators)


ARMS: Mapping[str, Callable[[Config], Config]] = {
    "the preset": lambda config: config,
    "tournaments on the weighted score in place of lexicase": _by_score,
    "five cases for each exercise, and for whole games": _in_blocks,
    "a tenth of the tolerance": lambda config: replace(
        config, selection=replace(config.selection, tolerance=config.selection.tolerance / 10)
    ),
    "no exercises": lambda config: replace(config, guide=replace(config.guide, exercises=())),
    "no grades, only shots": lambda config: replace(config, guide=replace(config.guide, grade=0.0)),
    "neither exercises nor grades": _unguided,
    "neither, and tournaments on shots": lambda config: _by_score(_unguided(config)),
    "neither, tournaments on shots, chunks of full blocks as in the source": _like_the_source,
    "no crossover": lambda config: replace(config, operators={"change": 1.0}),
    "the same boards in all generations": lambda config: replace(
        config, fitness=replace(config.fitness, fresh=False)
    ),
}
"""Arms of the ablation: the configuration that each makes of the preset."""
