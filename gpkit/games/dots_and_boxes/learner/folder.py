"""The folder of a learner: that of long work, and at the end rules and curves; and how strong its best rule list is.

``run.json`` and ``state.json`` as of ``gpkit.core.work_folder`` · ``config.toml`` ·
``population.rules`` and ``best.rules`` · ``curves.json`` and ``curves.svg``.

A checkpoint holds all that the further course of a learner depends on, between batches. What the learner remembers of
classes that it met is left out: it is found again when they are met again.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.analysis.evaluation import HeldOut, table_of_run
from gpkit.core.codec import Count, codec
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.plain_files import write_plain
from gpkit.core.registry import game_of
from gpkit.core.settings import check_same, print_config, to_data
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
from gpkit.games.dots_and_boxes.learner.config import GAME, Config, config_from_data
from gpkit.games.dots_and_boxes.learner.curves import LearningCourse, Point
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.learner import RULES, Learner
from gpkit.games.dots_and_boxes.learner.slotted_rules import BOXES
from gpkit.genomes.graph import Rule, RuleList, faults
from gpkit.languages.rulegraph.printer import print_program
from gpkit.playing.evaluation import Ground, HeldOutTable, Training, non_default_rules
from gpkit.playing.named import opponent
from gpkit.playing.results import Strength

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
        "title": f"learned in {counted(games, 'game')} against {config.against}, seed {config.seed}",
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
    return chart(
        f"Learning against {config.against}",
        lines,
        x="games",
        y="share of games or decisions",
        zero=True,
        width=WIDE,
    )


@dataclass(frozen=True, slots=True)
class Learned:
    """A learner and what its best rule list reaches, computed, against each opponent and in quick trials besides."""

    folder: Path
    config: Config
    learner: Learner
    course: LearningCourse
    strengths: Sequence[Strength]
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
    strengths = computed.strengths([course.best], 0)
    table = table_of_run(computed, training_of(config), str(folder / BEST), course.best, strengths)
    return Learned(folder, config, learner, course, strengths, table)


# Checkpoints: a learner between two batches, as JSON values.


Arrays = Mapping[str, Mapping[str, str]]

LEARNED = ("quality", "access", "uses")
"""The arrays of what is learned of rules."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A learner between two batches, with its course; the numbers are in packed arrays."""

    config: Mapping[str, Any]
    games: Count
    met: Count
    rules: tuple[Rule, ...]
    points: tuple[Point, ...]
    best: RuleList
    arrays: Arrays


def encode(learner: Learner, course: LearningCourse) -> dict[str, Any]:
    """A learner between two batches, with its course, as JSON values."""
    rules, critic = learner.rules, learner.critic
    slots = rules.live()
    arrays = {
        "slots": slots,
        "free": np.array(rules.free, dtype=np.int64),
        **{name: getattr(rules.arrays, name)[slots] for name in LEARNED},
        **critic._asdict(),
        "recent": learner.recent,
        "totals": learner.record.totals,
        "measured": course.totals,
    }
    stored = Stored(
        to_data(learner.config),
        learner.games,
        learner.met,
        tuple(rule for rule in rules.rules if rule is not None),
        course.points,
        course.best,
        {name: pack(array) for name, array in arrays.items()},
    )
    data: dict[str, Any] = codec(Stored).write(stored)
    return data


def decode(data: Mapping[str, Any], config: Config) -> tuple[Learner, LearningCourse]:
    """The learner of JSON values and its course; it goes on as if it had never stopped.

    Args:
        data: of ``encode``.
        config: that of the learner.

    Raises:
        ValueError: the values are not those of a learner.
        UsageError: they are those of one with another configuration.
    """
    stored = codec(Stored).read(data)
    check_same(stored.config, to_data(config))
    for rule in (*stored.rules, *(named.rule for named in stored.best.rules)):
        _check(rule)
    learner = _learner(config, stored)
    return learner, _course(learner, stored)


def _check(rule: Rule) -> None:
    """Check that a learner can have a rule: it is valid, of level 0, and not too large.

    Raises:
        ValueError: a learner cannot have this rule.
    """
    graph = rule.graph
    fits = 1 <= len(graph.nodes) <= BOXES and all(node.length <= BOXES for node in graph.nodes)
    if rule.level or not fits or len(graph.grounds) != len(graph.nodes):
        raise ValueError("a rule is not of level 0, or too large")
    for wrong in faults(rule):
        raise ValueError(wrong)


def _learner(config: Config, stored: Stored) -> Learner:
    learner = Learner(config)
    learner.games, learner.met = stored.games, stored.met
    critic, totals = learner.critic, learner.record.totals
    for name, array in (critic._asdict() | {"recent": learner.recent, "totals": totals}).items():
        _fill(name, array, stored.arrays)
    if learner.games > config.games or totals[at.GAMES] != learner.games:
        raise ValueError(f"it has {learner.games} games, and the run {config.games}")
    if not ((learner.recent >= 0) & (learner.recent < len(critic.own))).all():
        raise ValueError("it has unknown classes")
    if (critic.met < 0).any() or (np.delete(totals, at.REWARDS) < 0).any():
        raise ValueError("it has a negative count")
    _fill_population(learner, stored.rules, stored.arrays)
    return learner


def _fill_population(learner: Learner, found: Sequence[Rule], arrays: Arrays) -> None:
    population = learner.rules
    room = len(population.rules)
    slots, free = (_read(name, "<i8", room, arrays).tolist() for name in ("slots", "free"))
    if sorted([*slots, *free]) != list(range(room)) or len(set(found)) < len(found):
        raise ValueError("its rules are not each in a slot of their own")
    columns = [_read(name, getattr(population.arrays, name).dtype.str, room, arrays) for name in LEARNED]
    if {len(found), *map(len, columns)} != {len(slots)}:
        raise ValueError("its arrays do not match its number of rules")
    if (columns[2] < 0).any():
        raise ValueError("it has a negative number of uses")
    values = (column.tolist() for column in columns)
    for slot, rule, *known in zip(slots, found, *values, strict=True):
        population.free.append(slot)
        population.add(rule, *known)
    population.free[:] = free


def _fill(name: str, target: NDArray[Any], arrays: Arrays) -> None:
    """Fill an array with the one of that name.

    Raises:
        ValueError: it is of another kind or size, or holds what is not finite.
    """
    source = _read(name, target.dtype.str, len(target), arrays)
    if len(source) != len(target):
        raise ValueError(f"the array {name} has {len(source):,} numbers, not {len(target):,}")
    target[...] = source


def _read(name: str, kind: str, most: int, arrays: Arrays) -> NDArray[Any]:
    """The array of that name.

    Raises:
        ValueError: there is none, it is of another kind, there is more of it, or it holds what is not finite.
    """
    try:
        array = unpack(arrays.get(name, {}), kind, most)
    except ValueError as error:
        raise ValueError(f"the array {name}: {error}") from error
    if not np.isfinite(array).all():
        raise ValueError(f"the array {name} has values that are not numbers")
    return array


def _course(learner: Learner, stored: Stored) -> LearningCourse:
    course = LearningCourse(points=stored.points, best=stored.best)
    _fill("measured", course.totals, stored.arrays)
    games = [0, *(point.games for point in course.points)]
    if sorted(set(games)) != games or course.totals[at.GAMES] != games[-1] or games[-1] > learner.games:
        raise ValueError("its points are not in order")
    return course


# Vectors of numbers among JSON values: nothing is taken in that is larger than the reader expects.


def pack(array: NDArray[Any]) -> dict[str, str]:
    """A vector of shape (numbers,) as JSON values: its dtype in numpy's words, and its bytes, deflated, in base 64."""
    ordered = array.astype(array.dtype.newbyteorder("<"))
    packed = base64.b64encode(zlib.compress(ordered.tobytes())).decode("ascii")
    return {"type": ordered.dtype.str, "numbers": packed}


def unpack(value: Mapping[str, str], kind: str, most: int) -> NDArray[Any]:
    """The vector of JSON values of ``pack``, of shape (numbers,) and dtype ``kind``; at most ``most`` are inflated.

    Args:
        value: of ``pack``.
        kind: the type of the numbers, as numpy calls it.
        most: how many there are at most.

    Raises:
        ValueError: it is damaged, or of another type, or there are more.
    """
    dtype = np.dtype(kind).newbyteorder("<")
    if value.get("type") != dtype.str:
        raise ValueError(f"it is of {shortened(repr(value.get('type')))}, not of {dtype.str!r}")
    inflating = zlib.decompressobj()
    try:
        packed = base64.b64decode(value.get("numbers", ""), validate=True)
        content = inflating.decompress(packed, most * dtype.itemsize + 1)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(f"it is damaged: {error}") from error
    if len(content) > most * dtype.itemsize:
        raise ValueError(f"it has more than {most:,} numbers")
    if not inflating.eof or inflating.unused_data or len(content) % dtype.itemsize:
        raise ValueError("it is damaged: its bytes are not whole numbers")
    return np.frombuffer(content, dtype)
