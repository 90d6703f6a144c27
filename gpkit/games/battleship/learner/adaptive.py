"""The adaptive player: a fleet where the opponent shoots late, targets where its ships lay, an evolved sinking program.

After J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and Placement
Strategies". Two things go beyond the source:

- It meets a new opponent with pre-trained populations, which ship in ``programs/battleship/adaptive``;
  ``gpkit_experiments.adaptive_pretraining`` has made them.
- It rehearses: of several fleets of its own it lays the one that hard-coded players need the most shots to clear. The
  source pre-trains shots against hard-coded players, and fleets against none. Weights of squares cannot say what costs
  such players most: ships that touch, whose hits they take for one ship.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.json_values import parse_json
from gpkit.core.registry import data_folder
from gpkit.core.rng import stream
from gpkit.gamekit.players import Player, by_program
from gpkit.games.battleship.arena import shots_at, sums_of, turns_at
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.fourier_placement import evolve_waves
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.experience import PROGRAMS, WAVES, Experience, experienced
from gpkit.games.battleship.learner.sinkers import mutants, shooter_of
from gpkit.games.battleship.learner.targeting import (
    DEFAULTS,
    LearnerSettings,
    target_answers,
    training_density,
)
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.placing import drawn_fleets, square_weights
from gpkit.games.battleship.rules import Board
from gpkit.games.battleship.sides import Keys, drawn_fleet, shot_at
from gpkit.games.battleship.waves import Wave
from gpkit.genomes.linear import LinearProgram
from gpkit.playing.players import player_of_name, player_of_program, program_of_name

FILE = "pretrained.json"

GENERATIONS = 30
"""Generations in which waves are fitted to the density of training on boards for which none ship."""


def pretrained_programs() -> tuple[LinearProgram, ...]:
    """Sinking programs that ship, the best first."""
    return PROGRAMS.read(_shipped()["programs"])


@lru_cache(maxsize=16)
def pretrained_waves(rules: Rules) -> tuple[Wave, ...]:
    """Waves that fit the density of training, the best first: those that ship, or for another board new ones.

    Raises:
        UsageError: no legal fleet was found.
    """
    options = rules.to_options()
    for board in _shipped()["boards"]:
        if all(options[name] == value for name, value in board["rules"].items()):
            return WAVES.read(board["waves"])
    population = evolve_waves(training_density(rules), GENERATIONS, 0)
    return tuple(individual.genome for individual in population)


@cache
def _shipped() -> Any:
    return parse_json((data_folder("programs") / GAME.name / "adaptive" / FILE).read_bytes())


FOLLOWERS = ("hunt", "density")
"""Opponents that rehearse beside the corrected Figure 8."""


@cache
def rehearsing() -> tuple[Player, ...]:
    """Hard-coded players that sink what they hit."""
    corrected = player_of_program(
        program_of_name("corrected", GAME), GAME, "corrected", {"sunk": "reset", "target": "checkerboard"}
    )
    return (corrected, *(player_of_name(name, GAME) for name in FOLLOWERS))


def hardest(fleets: Sequence[Placements], rules: Rules, games: int) -> Placements:
    """The fleet that takes the most shots; every player counts alike, by its standard deviation over the fleets.

    Args:
        fleets: at least one.
        rules: the board and the fleet.
        games: of each player against each fleet; they are the same for all fleets.
    """
    total = np.zeros(len(fleets))
    for player in rehearsing():
        shots = shots_needed(fleets, player, rules, games)
        total += (shots - shots.mean()) / (shots.std() or 1.0)
    return fleets[int(total.argmax())]


def shots_needed(
    fleets: Sequence[Placements], player: Player, rules: Rules, games: int
) -> NDArray[np.float64]:
    """By fleet the mean number of shots until it is cleared: float64 (fleets,)."""
    sums = np.stack([[sums_of(fleet, rules)] * 2 for fleet in fleets]).repeat(games, axis=0)
    keys = np.tile(np.arange(games), len(fleets))
    shots = np.array(turns_at(sums, player, keys, rules)).reshape(len(fleets), games)
    return np.asarray(shots.mean(axis=1))


@dataclass(frozen=True, slots=True)
class AdaptiveSide:
    """The adaptive player in one game."""

    player: Player
    keys: Keys
    rules: Rules
    experience: Experience
    settings: LearnerSettings

    def fleet(self) -> Placements:
        """The hardest of some fleets by Sequential Monte Carlo, or one by the placement that the player names.

        Raises:
            UsageError: no legal fleet was found.
        """
        if self.player.placement:
            return drawn_fleet(self.player.placement, self.keys, self.rules)
        settings = self.settings
        weights = square_weights(self.experience.received, self.rules, caution=settings.caution)
        rng = stream(self.keys[0], "fleet", self.keys[1])
        drawn = drawn_fleets(rng, weights, self.rules, settings.particles)[: settings.rehearsed].tolist()
        fleets = tuple(dict.fromkeys(map(tuple, drawn)))
        return fleets[0] if len(fleets) == 1 else hardest(fleets, self.rules, settings.rehearsals)

    def clear(self, fleet: Placements) -> Board:
        """The board after the shots of its sinking program."""
        known, settings = self.experience, self.settings
        answers = target_answers(known.seen, known.waves[0], known.logs, self.rules, settings)
        player = shooter_of(known.programs[0], answers)
        return shot_at(fleet, shots_at(fleet, player, self.keys[2], self.rules, answers), self.rules)

    def remember(self, board: Board, home: Board | None) -> Experience:
        """Experience after the game, with populations that were evolved for the next one."""
        seed = (self.keys[0] << 26) + self.keys[2]
        return experienced(self.experience, board, home, seed, self.settings)


@dataclass(frozen=True, slots=True)
class Adaptive:
    """The adaptive player with its settings."""

    settings: LearnerSettings = DEFAULTS

    def begin(self, player: Player, rules: Rules) -> Experience:
        """Experience with a new opponent: pre-trained waves, the player's program, mutants of pre-trained ones."""
        programs = mutants(stream(0, "new opponent"), (by_program(player).program, *pretrained_programs()))
        return Experience.none(rules, pretrained_waves(rules), programs)

    def side(self, player: Player, keys: Keys, rules: Rules, memory: Experience) -> AdaptiveSide:
        """The player in one game of a series."""
        return AdaptiveSide(player, keys, rules, memory, self.settings)


ADAPTIVE = Adaptive()
