"""Pre-training of the adaptive player against hard-coded placements: the populations that a new opponent meets.

After J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and Placement
Strategies", section III: the pre-trained sinking programs come from random ones. Ours have the programs that ship with
gpkit among them, as 20 random ones alone do not get to the level of the better of those.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpkit.core.rng import stream
from gpkit.games.battleship.arena import fleets_of, running_sums
from gpkit.games.battleship.fleets import Placements, draw_deals
from gpkit.games.battleship.fourier_placement import evolve_waves
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.sinkers import (
    SIZE,
    SavedGames,
    dialect,
    evolved_programs,
    representation,
)
from gpkit.games.battleship.learner.targeting import (
    DEFAULTS,
    LESSON_PATTERNS,
    PREDICTORS,
    target_answers,
    training_density,
)
from gpkit.games.battleship.memory import Memory
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.waves import Wave
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.linear_operators import random_program
from gpkit.languages.sinking.compiler import simplify
from gpkit.playing.players import program_of_name

STARTERS = ("density", "corrected", "champion", "runner-up", "textbook")
"""Programs among those that pre-training begins with."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Work of pre-training.

    Attributes:
        wave_generations: of waves.
        rounds: generations of sinking programs.
        boards: of each placement, on which they are measured.
    """

    wave_generations: int = 100
    rounds: int = 200
    boards: int = 25


def pretrained_waves(rules: Rules, effort: Effort, seed: int) -> tuple[Wave, ...]:
    """Waves fitted to the density of training, the best first."""
    population = evolve_waves(training_density(rules), effort.wave_generations, seed)
    return tuple(individual.genome for individual in population)


def pretrained_programs(
    rules: Rules, waves: Sequence[Wave], effort: Effort, seed: int
) -> tuple[LinearProgram, ...]:
    """Sinking programs evolved against hard-coded placements, the best first, without lines that have no effect.

    Each is told once, and the starters stand at the end, so that their blocks are not lost.

    Args:
        rules: of the games.
        waves: the best of them helps to answer ``Target``.
        effort: of pre-training.
        seed: of all chance.
    """
    answers = target_answers(Memory.empty(rules), waves[0], (0.0,) * len(PREDICTORS), rules, DEFAULTS)
    problem = SavedGames.of(training_fleets(rules, effort.boards, seed), answers, rules)
    start = [program_of_name(name, GAME) for name in STARTERS]
    start += random_sinkers(stream(seed, "pre-training"), SIZE - len(start))
    population = evolved_programs(problem, start, effort.rounds, seed)
    found = [simplified(individual.genome) for individual in population]
    return tuple(dict.fromkeys([*found, *map(simplified, start[: len(STARTERS)])]))[:SIZE]


def training_fleets(rules: Rules, count: int, seed: int) -> tuple[Placements, ...]:
    """Fleets of each hard-coded placement.

    Raises:
        UsageError: no legal fleet was found.
    """
    keys = draw_deals(stream(seed, "training fleets"), count).keys[:, 0]
    found = [fleets_of(keys, running_sums(pattern, rules), rules) for pattern in LESSON_PATTERNS]
    return tuple(tuple(fleet) for fleet in np.concatenate(found).tolist())


def random_sinkers(rng: np.random.Generator, count: int) -> list[LinearProgram]:
    """Random programs of full blocks, as those of the source."""
    settings = representation().settings
    return [
        random_program(rng, representation().domain, settings.low_lines, settings.high_lines)
        for _ in range(count)
    ]


def simplified(program: LinearProgram) -> LinearProgram:
    """The program without the lines that have no effect in the dialect of the player."""
    return simplify(program, dialect(), PRIMITIVES)
