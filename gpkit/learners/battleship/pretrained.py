"""Pre-trained populations, with which the adaptive player meets a new opponent."""

from functools import lru_cache

from gpkit.core.rng import stream
from gpkit.evolution.waves import evolve_waves
from gpkit.games.battleship.options import Rules
from gpkit.games.players import LearningPlayer
from gpkit.genomes.wave import Wave
from gpkit.learners.battleship.experience import Experience
from gpkit.learners.battleship.settings import Settings
from gpkit.learners.battleship.sinking import mutants
from gpkit.learners.battleship.targeting import training_density

GENERATIONS = 50
"""Generations in which waves are fitted to the density of training."""


def new_experience(player: LearningPlayer, rules: Rules, settings: Settings) -> Experience:
    """Experience with a new opponent: the player's program and slight mutants of the pre-trained ones."""
    programs = mutants(stream(0, "new opponent"), [player.policy.program] * 20)
    return Experience.none(rules, trained_waves(rules), programs)


@lru_cache(maxsize=16)
def trained_waves(rules: Rules) -> tuple[Wave, ...]:
    """Waves fitted to the density of training, the best first."""
    population = evolve_waves(training_density(rules), GENERATIONS, 0)
    return tuple(individual.genome for individual in population)
