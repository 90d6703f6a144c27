"""The folder of a learner: its configuration, a checkpoint to go on from, and at the end rules and curves.

``config.toml`` · ``state.npz`` (checkpoint) · ``population.rules`` and ``best.rules`` · ``curves.json`` and
``curves.svg`` · ``run.lock`` and ``run.pid`` (held while somebody writes, and who it is).
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from gpkit.core.errors import CheckpointError
from gpkit.core.plain_files import is_there, read_plain, write_plain
from gpkit.core.wording import counted
from gpkit.core.work_folder import check_work, opened_work
from gpkit.draw.chart import WIDE, Series, chart
from gpkit.evolve.run_folder import RUN
from gpkit.evolve.settings import check_same, print_config, to_data
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.printer import print_program
from gpkit.learners.dots_and_boxes.checkpoint import decode, encode
from gpkit.learners.dots_and_boxes.config import GAME, Config, parse_config
from gpkit.learners.dots_and_boxes.curves import Course
from gpkit.learners.dots_and_boxes.learner import RULES, Learner
from gpkit.learners.dots_and_boxes.presets import PRESETS

SCHEMA = "gpkit/learn/1"
CONFIG, STATE, POPULATION, BEST = "config.toml", "state.npz", "population.rules", "best.rules"
CURVES, CHART = "curves.json", "curves.svg"
MARKS = (CONFIG, RUN)
"""The files of which one says that a folder is a learner's, or that of a run of evolution."""

MAX_CONFIG, MAX_STATE = 1_000_000, 1 << 28
"""The largest configuration and the largest checkpoint that are read, in bytes."""

DIGITS = 6
"""Significant digits of what was learned about a rule, in files for people."""


def is_learner(folder: Path) -> bool:
    """Whether a folder is that of a learner, or what says it is one."""
    return os.path.lexists(folder / CONFIG)


def stored_config(folder: Path) -> Config:
    """The configuration of the learner in a folder.

    Raises:
        CheckpointError: there is none.
        UsageError: it is not a valid one.
    """
    path = folder / CONFIG
    if not is_there(path):
        raise CheckpointError(f"{folder} is not the folder of a learner: it has no {CONFIG}")
    try:
        text = read_plain(path, MAX_CONFIG).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CheckpointError(f"{path} is damaged: {error}") from error
    return parse_config(text, PRESETS, str(path))


def check_folder(folder: Path, config: Config, *, resume: bool) -> None:
    """Refuse what ``opened`` would refuse, but for a damaged checkpoint, and store nothing.

    Raises:
        CheckpointError: as for ``opened``.
        UsageError: as for ``opened``.
    """
    if resume:
        _check_same(stored_config(folder), config)
    check_work(folder, MARKS, (CONFIG, STATE, POPULATION, BEST, CURVES, CHART), resume=resume)


@contextmanager
def opened(folder: Path, config: Config, *, resume: bool) -> Iterator[tuple[Learner, Course]]:
    """The folder of a new learner, or with ``resume`` of an existing one, held against other processes.

    Gives the learner of the checkpoint with its course; before the first checkpoint a new one.

    Raises:
        CheckpointError: the folder is in use, or for a new learner not empty, or its checkpoint is damaged.
        UsageError: the learner to be resumed has another configuration.
    """
    if resume:
        _check_same(stored_config(folder), config)
    with opened_work(folder, MARKS, resume=resume):
        if not resume:
            write_plain(folder / CONFIG, print_config(config))
        yield _restored(folder, config)


def write_checkpoint(folder: Path, learner: Learner, course: Course) -> None:
    """Store a learner between two batches."""
    write_plain(folder / STATE, encode(learner, course))


def write_results(folder: Path, learner: Learner, course: Course, fields: Mapping[str, object]) -> list[str]:
    """Write what was learned; gives the names of the files. A list without rules is no program and has no file."""
    config, last, best = learner.config, learner.rules.as_list(), course.best
    points = [point.to_json() for point in course.points]
    texts = {
        CONFIG: print_config(config),
        POPULATION: rule_list_text(last, learner.games, config) if last.rules else "",
        BEST: rule_list_text(best, course.best_point.games, config) if best.rules else "",
        CURVES: json.dumps({"schema": SCHEMA, **fields, "points": points}, indent=1) + "\n",
        CHART: _chart(course, config) + "\n",
    }
    written = {name: text for name, text in texts.items() if text}
    for name, text in written.items():
        write_plain(folder / name, text)
    return list(written)


def opponents(config: Config) -> str:
    """All opponents of the learner, for people."""
    return " and ".join(config.opponents)


def read_learner(folder: Path) -> tuple[Config, Learner, Course]:
    """The learner of the checkpoint in a folder with its configuration and course, read without touching anything.

    Raises:
        CheckpointError: there is none, or its checkpoint is missing or damaged.
        UsageError: its configuration is not a valid one.
    """
    config = stored_config(folder)
    if not is_there(folder / STATE):
        raise CheckpointError(f"the learner in {folder} has learned nothing yet")
    return config, *_restored(folder, config)


def _restored(folder: Path, config: Config) -> tuple[Learner, Course]:
    path = folder / STATE
    if not is_there(path):
        return Learner(config), Course()
    content = read_plain(path, MAX_STATE)
    try:
        return decode(content, lambda stored: _check_same(stored, config))
    except CheckpointError as error:
        raise CheckpointError(f"{path}: {error}") from error


def _check_same(stored: Config, given: Config) -> None:
    """Let a learner go on with its own configuration alone.

    Raises:
        UsageError: something differs; the message names it.
    """
    check_same(to_data(stored), to_data(given))


def rule_list_text(rule_list: RuleList, games: int, config: Config) -> str:
    """The text of a file with a rule list learned in so many games."""
    header = {
        "game": GAME,
        "title": f"learned in {counted(games, 'game')} against {opponents(config)}, seed {config.seed}",
        "rules": " ".join(f"{name}={value}" for name, value in RULES.to_options().items()),
        "learned": f"q is quality, by which the rules are in order, f accessibility; both to {DIGITS} digits",
    }
    return print_program(_rounded(rule_list), header)


def _rounded(rule_list: RuleList) -> RuleList:
    """The rules in their order, with fewer digits of what was learned."""
    return RuleList(tuple(replace(named, q=_round(named.q), f=_round(named.f)) for named in rule_list.rules))


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")


def _chart(course: Course, config: Config) -> str:
    points = course.points
    lines = (
        Series(f"greedy against {config.opponent}, exact", tuple((p.games, p.greedy) for p in points)),
        Series("while learning", tuple((p.games, p.online) for p in points)),
        Series("activity", tuple((p.games, p.activity) for p in points)),
    )
    return chart(
        f"Learning against {opponents(config)}",
        lines,
        x="games",
        y="share of games or decisions",
        zero=True,
        width=WIDE,
    )
