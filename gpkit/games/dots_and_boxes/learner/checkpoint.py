"""The state of a learner as the JSON values of a checkpoint: all that its further course depends on, between batches.

What the learner remembers of classes that it met is left out: it is found again when they are met again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.codec import Count, codec
from gpkit.core.settings import check_same, to_data
from gpkit.games.dots_and_boxes.learner.config import Config
from gpkit.games.dots_and_boxes.learner.curves import LearningCourse, Point
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.games.dots_and_boxes.learner.packed_arrays import pack, unpack
from gpkit.games.dots_and_boxes.learner.slotted_rules import BOXES
from gpkit.genomes.graph import Rule, RuleList, faults

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
