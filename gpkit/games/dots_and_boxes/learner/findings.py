"""Strength of the best rule list of a learner: where it was trained, and where it was not."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpkit.app.evaluation import Computed, Measured, table_of_run
from gpkit.app.named import opponent
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of
from gpkit.gamekit.game import Game
from gpkit.games.dots_and_boxes.learner.config import GAME, Config
from gpkit.games.dots_and_boxes.learner.curves import Course
from gpkit.games.dots_and_boxes.learner.folder import BEST, read_learner, training_of
from gpkit.games.dots_and_boxes.learner.learner import RULES, Learner
from gpkit.playing.evaluation import HeldOutTable
from gpkit.playing.exact import ExactResult


@dataclass(frozen=True, slots=True)
class Learned:
    """A learner and what its best rule list reaches, computed, against each opponent and in quick trials besides."""

    folder: Path
    config: Config
    learner: Learner
    course: Course
    strengths: tuple[ExactResult, ...]
    table: HeldOutTable

    def to_json(self) -> dict[str, Any]:
        """The learner in numbers, as JSON values."""
        return {
            "folder": str(self.folder),
            "game": GAME,
            "seed": self.config.seed,
            "games": self.learner.games,
            "points": [point.to_json() for point in self.course.points],
            "exact": [result.to_json() for result in self.strengths],
            "table": self.table.to_json(),
        }


def find_learned(folder: Path, *, opponents: Sequence[str] = ()) -> Learned:
    """The learner in a folder, with the exact results of its best list.

    Args:
        folder: of the learner.
        opponents: by name, in place of the configuration's.

    Raises:
        CheckpointError: the folder is damaged.
        UsageError: nothing is learned yet, or an opponent does not exist or cannot be computed.
    """
    config, learner, course = read_learner(folder)
    if not course.points or not course.best.rules:
        raise UsageError(f"the learner in {folder} has no rules yet")
    game: Game = game_of(GAME)
    players = tuple(opponent(name, game) for name in opponents or config.opponents)
    computed = Computed(game, RULES.to_options(), players, config.seed)
    strengths = tuple(computed.strengths(course.best, 0))
    best = Measured(str(folder / BEST), course.best, strengths)
    table = table_of_run(computed, training_of(config), best)
    return Learned(folder, config, learner, course, strengths, table)
