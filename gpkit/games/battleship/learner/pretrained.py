"""Pre-trained populations, with which the adaptive player meets a new opponent.

They ship in ``programs/battleship/adaptive``; ``pretraining`` has made them.
"""

from functools import cache, lru_cache
from typing import Any

from gpkit.core.json_values import parse_json
from gpkit.core.registry import data_folder
from gpkit.core.rng import stream
from gpkit.gamekit.players import LearningPlayer
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.experience import Experience
from gpkit.games.battleship.learner.sinkers import mutants
from gpkit.games.battleship.learner.stored import decode_programs, decode_waves
from gpkit.games.battleship.learner.targeting import training_density
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.waves.fourier_placement import evolve_waves
from gpkit.games.battleship.waves.wave import Wave
from gpkit.genomes.linear import LinearProgram

FILE = "pretrained.json"

GENERATIONS = 30
"""Generations in which waves are fitted to the density of training on boards for which none ship."""


def new_experience(player: LearningPlayer, rules: Rules) -> Experience:
    """Experience with a new opponent: pre-trained waves, the player's program, slight mutants of pre-trained ones."""
    programs = mutants(stream(0, "new opponent"), (player.policy.program, *pretrained_programs()))
    return Experience.none(rules, pretrained_waves(rules), programs)


def pretrained_programs() -> tuple[LinearProgram, ...]:
    """Sinking programs that ship, the best first."""
    return decode_programs(_shipped()["programs"])


@lru_cache(maxsize=16)
def pretrained_waves(rules: Rules) -> tuple[Wave, ...]:
    """Waves that fit the density of training, the best first: those that ship, or for another board new ones.

    Raises:
        UsageError: no legal fleet was found.
    """
    options = rules.to_options()
    for board in _shipped()["boards"]:
        if all(options[name] == value for name, value in board["rules"].items()):
            return decode_waves(board["waves"])
    population = evolve_waves(training_density(rules), GENERATIONS, 0)
    return tuple(individual.genome for individual in population)


@cache
def _shipped() -> Any:
    return parse_json((data_folder("programs") / GAME.name / "adaptive" / FILE).read_bytes())
