"""The adaptive player: a fleet where the opponent shoots late, targets where its ships lay, an evolved sinking program.

After J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and Placement
Strategies". ``ADAPTIVE`` implements ``gpkit.games.battleship.sides.Learning``.
"""

from dataclasses import dataclass

from gpkit.core.rng import stream
from gpkit.gamekit.players import LearningPlayer
from gpkit.games.battleship.arena import shots_at
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.learner.experience import Experience, experienced
from gpkit.games.battleship.learner.pretrained import new_experience
from gpkit.games.battleship.learner.rehearsal import hardest
from gpkit.games.battleship.learner.settings import DEFAULTS, Settings
from gpkit.games.battleship.learner.sinkers import shooter_of
from gpkit.games.battleship.learner.targeting import aim_of
from gpkit.games.battleship.learner.turns import Answers, cleared_by_turns
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.placing import drawn_fleets, square_weights
from gpkit.games.battleship.rules import Board
from gpkit.games.battleship.sides import Keys, drawn_fleet, shot_at


@dataclass(frozen=True, slots=True)
class AdaptiveSide:
    """The adaptive player in one game."""

    player: LearningPlayer
    keys: Keys
    rules: Rules
    experience: Experience
    settings: Settings

    def fleet(self) -> Placements:
        """The hardest of some fleets by Sequential Monte Carlo, or one by the placement that the player names.

        Raises:
            UsageError: no legal fleet was found.
        """
        if self.player.policy.placement:
            return drawn_fleet(self.player.policy.placement, self.keys, self.rules)
        settings = self.settings
        weights = square_weights(
            self.experience.received, self.rules, prior=settings.prior, caution=settings.caution
        )
        rng = stream(self.keys[0], "fleet", self.keys[1])
        drawn = drawn_fleets(rng, weights, self.rules, settings.particles)[: settings.rehearsed].tolist()
        fleets = tuple(dict.fromkeys(map(tuple, drawn)))
        return fleets[0] if len(fleets) == 1 else hardest(fleets, self.rules, settings.rehearsals)

    def clear(self, fleet: Placements) -> Board:
        """The board after the shots of its sinking program."""
        known, settings = self.experience, self.settings
        if settings.turn_generations or settings.parity != "any":
            answers = Answers(known, self.keys[2], self.rules, settings)
            return cleared_by_turns(fleet, known.programs[0], self.keys[2], self.rules, answers)
        aim = aim_of(known.seen, known.waves[0], known.logs, self.rules, settings)
        player = shooter_of(known.programs[0], aim)
        return shot_at(fleet, shots_at(fleet, player, self.keys[2], self.rules, aim), self.rules)

    def remember(self, board: Board, home: Board | None) -> Experience:
        """Experience after the game, with populations that were evolved for the next one."""
        return experienced(self.experience, board, home, self.seed, self.settings)

    @property
    def seed(self) -> int:
        """Seed of all chance after the game."""
        return (self.keys[0] << 26) + self.keys[2]


@dataclass(frozen=True, slots=True)
class Adaptive:
    """The adaptive player with its settings."""

    settings: Settings = DEFAULTS

    def begin(self, player: LearningPlayer, rules: Rules) -> Experience:
        """Experience with a new opponent: pre-trained populations, of which the programs are slightly mutated."""
        return new_experience(player, rules)

    def side(self, player: LearningPlayer, keys: Keys, rules: Rules, memory: Experience) -> AdaptiveSide:
        """The player in one game of a series."""
        return AdaptiveSide(player, keys, rules, memory, self.settings)


ADAPTIVE = Adaptive()
