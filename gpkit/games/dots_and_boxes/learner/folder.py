"""The folder of a learner: that of long work, and at the end rules and curves; and how strong its best rule list is.

``run.json`` and ``state.json`` as of ``gpkit.core.work_folder`` · ``config.toml`` ·
``population.rules`` and ``best.rules`` · ``curves.json`` and ``curves.svg``.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from gpkit.analysis.evaluation import HeldOut, table_of_run
from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.plain_files import write_plain
from gpkit.core.registry import game_of
from gpkit.core.settings import print_config, to_data
from gpkit.core.version import versions
from gpkit.core.wording import counted
from gpkit.core.work_folder import (
    Description,
    check_unused,
    check_work,
    opened_work,
    read_description,
    restored,
)
from gpkit.draw.chart import WIDE, Series, chart
from gpkit.gamekit.game import Game
from gpkit.games.dots_and_boxes.learner.checkpoint import decode
from gpkit.games.dots_and_boxes.learner.config import GAME, Config, config_from_data
from gpkit.games.dots_and_boxes.learner.curves import LearningCourse
from gpkit.games.dots_and_boxes.learner.learner import RULES, Learner
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.printer import print_program
from gpkit.playing.evaluation import Ground, HeldOutTable, Training, non_default_rules
from gpkit.playing.named import opponent
from gpkit.playing.results import ExactResult

KIND = "gpkit.learner/5"
SCHEMA = "gpkit/learn/1"
CONFIG, POPULATION, BEST = "config.toml", "population.rules", "best.rules"
CURVES, CHART = "curves.json", "curves.svg"

DIGITS = 6
"""Significant digits of what was learned about a rule, in files for people."""


def stored_config(folder: Path) -> Config:
    """The configuration of the learner in a folder.

    Raises:
        CheckpointError: there is none, or its description is damaged.
        UsageError: the configuration is one of another version.
    """
    description = read_description(folder, KIND)
    return description.read_config(folder, lambda data: config_from_data(data, Config()))


def check_folder(folder: Path, config: Config, *, resume: bool) -> None:
    """Refuse what ``opened`` would refuse but for a damaged checkpoint, and store nothing.

    Raises:
        CheckpointError: as for ``opened``.
        UsageError: as for ``opened``.
    """
    if resume:
        check_work(folder, _described(config), (CONFIG, POPULATION, BEST, CURVES, CHART))
    else:
        check_unused(folder)


@contextmanager
def opened(
    folder: Path, config: Config, *, resume: bool, arguments: Sequence[str] = ()
) -> Iterator[tuple[Learner, LearningCourse]]:
    """The folder of a new learner, or with ``resume`` of an existing one, held against other processes.

    Gives the learner of the checkpoint with its course; before the first checkpoint a new one. Of a new one the command
    line, ``arguments``, is stored.

    Raises:
        CheckpointError: the folder is in use, or for a new learner not empty, or its checkpoint is damaged.
        UsageError: the learner to be resumed has another configuration.
    """
    with opened_work(folder, _described(config, arguments), resume=resume):
        yield restored(folder, partial(decode, config=config)) or (Learner(config), LearningCourse())


def _described(config: Config, arguments: Sequence[str] = ()) -> Description:
    return Description(KIND, to_data(config), config.seed, versions(GAME), tuple(arguments))


def write_results(
    folder: Path, learner: Learner, course: LearningCourse, fields: Mapping[str, object]
) -> list[str]:
    """Write what was learned; gives the names of the files. A list without rules is not a program and has no file."""
    config, last, best = learner.config, learner.rules.as_list(), course.best
    points = [asdict(point) for point in course.points]
    texts = {
        CONFIG: print_config(config),
        POPULATION: rule_list_text(last, learner.games, config) if last.rules else "",
        BEST: rule_list_text(best, course.best_point.games, config) if best.rules else "",
        CURVES: json.dumps({"schema": SCHEMA, **fields, "points": points}, indent=1) + "\n",
        CHART: course_chart(course, config) + "\n",
    }
    written = {name: text for name, text in texts.items() if text}
    for name, text in written.items():
        write_plain(folder / name, text)
    return list(written)


def opponents(config: Config) -> str:
    """All opponents of the learner, for people."""
    return " and ".join(config.opponents)


def read_learner(folder: Path) -> tuple[Config, Learner, LearningCourse]:
    """The learner of the checkpoint in a folder with its configuration and course, read without touching anything.

    Raises:
        CheckpointError: there is none, or its checkpoint is missing or damaged.
        UsageError: its configuration is not a valid one.
    """
    config = stored_config(folder)
    found = restored(folder, partial(decode, config=config))
    if found is None:
        raise CheckpointError(f"the learner in {folder} has learned nothing yet")
    return config, *found


def training_of(config: Config) -> Training:
    """The training of the rules of a learner."""
    return Training((Ground(config.opponents, non_default_rules(RULES.to_options(), game_of(GAME))),))


def rule_list_text(rule_list: RuleList, games: int, config: Config) -> str:
    """The text of a file with a rule list learned in so many games."""
    header = {
        "game": GAME,
        "title": f"learned in {counted(games, 'game')} against {opponents(config)}, seed {config.seed}",
        "rules": " ".join(f"{name}={value}" for name, value in RULES.to_options().items()),
        "trained": str(training_of(config)),
        "learned": f"q is quality, by which the rules are sorted, f accessibility; both to {DIGITS} digits",
    }
    rounded = (replace(named, q=_round(named.q), f=_round(named.f)) for named in rule_list.rules)
    return print_program(RuleList(tuple(rounded)), header)


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")


def course_chart(course: LearningCourse, config: Config) -> str:
    """The course of a learner as an SVG document."""
    points = course.points
    lines = (
        Series(f"greedy against {config.opponent}, exact", tuple((p.games, p.greedy) for p in points)),
        Series("while learning", tuple((p.games, p.online) for p in points)),
        Series("activity", tuple((p.games, p.activity) for p in points)),
    )
    title = f"Learning against {opponents(config)}"
    return chart(title, lines, x="games", y="share of games or decisions", zero=True, width=WIDE)


@dataclass(frozen=True, slots=True)
class Learned:
    """A learner and what its best rule list reaches, computed, against each opponent and in quick trials besides."""

    folder: Path
    config: Config
    learner: Learner
    course: LearningCourse
    strengths: tuple[ExactResult, ...]
    table: HeldOutTable

    def to_json(self) -> dict[str, Any]:
        """The learner in numbers, as JSON values."""
        return {
            "folder": str(self.folder),
            "game": GAME,
            "seed": self.config.seed,
            "games": self.learner.games,
            "points": [asdict(point) for point in self.course.points],
            "exact": [result.to_json() for result in self.strengths],
            "table": self.table.to_json(),
        }


def find_learned(folder: Path, *, opponents: Sequence[str] = ()) -> Learned:
    """The learner in a folder, with the exact results of its best list.

    Args:
        folder: of the learner.
        opponents: by name, instead of the configuration's.

    Raises:
        CheckpointError: the folder is damaged.
        UsageError: nothing is learned yet, or an opponent does not exist or cannot be computed.
    """
    config, learner, course = read_learner(folder)
    if not course.points or not course.best.rules:
        raise UsageError(f"the learner in {folder} has no rules yet")
    game: Game = game_of(GAME)
    players = tuple(opponent(name, game) for name in opponents or config.opponents)
    computed = HeldOut(game, RULES.to_options(), players, config.seed, exact=True)
    found = computed.strengths([course.best], 0)
    strengths = tuple(each for each in found if isinstance(each, ExactResult))
    table = table_of_run(computed, training_of(config), str(folder / BEST), course.best, strengths)
    return Learned(folder, config, learner, course, strengths, table)
