"""The state of a learner as the JSON values of a checkpoint: all that its further course depends on, between batches.

What the learner remembers of classes that it met is left out: it is found again when they are met again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError
from gpkit.core.json_values import items, member, number, table, whole
from gpkit.core.settings import check_same, to_data
from gpkit.games.dots_and_boxes.learner.config import Config
from gpkit.games.dots_and_boxes.learner.curves import LearningCourse, Point
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.games.dots_and_boxes.learner.packed_arrays import pack, unpack
from gpkit.games.dots_and_boxes.learner.slotted_rules import BOXES
from gpkit.genomes.graph import (
    SYMBOLS,
    WILD,
    Action,
    Graph,
    Link,
    NamedRule,
    Node,
    Rule,
    RuleList,
    faults,
)

Arrays = Mapping[str, Any]

POINT = tuple(field.name for field in fields(Point))

LEARNED = ("quality", "access", "uses", "ordered")
"""The arrays of what is learned of rules."""

MOST = 99
"""No number in a rule is larger."""


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
    return {
        "config": to_data(learner.config),
        "games": learner.games,
        "met": learner.met,
        "rules": _lists([astuple(rule) for rule in rules.rules if rule is not None]),
        "points": [asdict(point) for point in course.points],
        "best": _lists([(astuple(named.rule), named.q, named.f) for named in course.best.rules]),
        "arrays": {name: pack(array) for name, array in arrays.items()},
    }


def _lists(value: Any) -> Any:
    """The value with lists instead of tuples, as JSON has them."""
    return [_lists(each) for each in value] if isinstance(value, list | tuple) else value


def decode(data: Mapping[str, Any], config: Config) -> tuple[Learner, LearningCourse]:
    """The learner of JSON values and its course; it goes on as if it had never stopped.

    Args:
        data: of ``encode``.
        config: that of the learner.

    Raises:
        CheckpointError: the values are not those of a learner.
        UsageError: they are those of one with another configuration.
    """
    try:
        stored, arrays = table(member(data, "config")), table(member(data, "arrays"))
        check_same(stored, to_data(config))
        learner = _learner(config, data, arrays)
        return learner, _course(learner, data, arrays)
    except ValueError as error:
        raise CheckpointError(f"the checkpoint does not hold a learner: {error}") from error


def _learner(config: Config, data: Mapping[str, Any], arrays: Arrays) -> Learner:
    learner = Learner(config)
    learner.games, learner.met = whole(member(data, "games")), whole(member(data, "met"))
    critic, totals = learner.critic, learner.record.totals
    for name, array in (critic._asdict() | {"recent": learner.recent, "totals": totals}).items():
        _fill(name, array, arrays)
    if learner.games > config.games or totals[at.GAMES] != learner.games:
        raise ValueError(f"it has {learner.games} games, and the run {config.games}")
    if not ((learner.recent >= 0) & (learner.recent < len(critic.own))).all():
        raise ValueError("it has unknown classes")
    if (critic.met < 0).any() or (np.delete(totals, at.REWARDS) < 0).any():
        raise ValueError("it has a negative count")
    _fill_population(learner, [_rule(each) for each in items(member(data, "rules"))], arrays)
    return learner


def _fill_population(learner: Learner, found: Sequence[Rule], arrays: Arrays) -> None:
    population = learner.rules
    room = len(population.rules)
    slots, free = (_read(name, "<i8", room, arrays).tolist() for name in ("slots", "free"))
    if sorted([*slots, *free]) != list(range(room)) or len(set(found)) < len(found):
        raise ValueError("its rules are not each in a slot of their own")
    columns = [_read(name, getattr(population.arrays, name).dtype.str, room, arrays) for name in LEARNED]
    uses, ordered = columns[2:]
    if {len(found), *map(len, columns)} != {len(slots)}:
        raise ValueError("its arrays do not match its number of rules")
    if (uses < 0).any() or (ordered.view(np.uint8) > 1).any():
        raise ValueError("it has a negative number of uses")
    values = (column.tolist() for column in columns)
    for slot, rule, *known, its_place in zip(slots, found, *values, strict=True):
        population.free.append(slot)
        population.add(rule, *known, ordered=its_place)
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
        array = unpack(member(arrays, name), kind, most)
    except ValueError as error:
        raise ValueError(f"the array {name}: {error}") from error
    if not np.isfinite(array).all():
        raise ValueError(f"the array {name} has values that are not numbers")
    return array


def _course(learner: Learner, data: Mapping[str, Any], arrays: Arrays) -> LearningCourse:
    best = (_row(each, 3) for each in items(member(data, "best")))
    course = LearningCourse(
        points=tuple(_point(each, learner.games) for each in items(member(data, "points"))),
        best=RuleList(tuple(NamedRule(_rule(rule), q=number(q), f=number(f)) for rule, q, f in best)),
    )
    _fill("measured", course.totals, arrays)
    games = [0, *(point.games for point in course.points)]
    if sorted(set(games)) != games or course.totals[at.GAMES] != games[-1]:
        raise ValueError("its points are not in order")
    return course


def _point(data: Any, games: int) -> Point:
    counts: dict[str, Any] = {
        "games": whole(member(data, "games"), 1, games),
        "rules": whole(member(data, "rules")),
    }
    return Point(**{name: number(member(data, name)) for name in POINT} | counts)


def _rule(data: Any) -> Rule:
    """The rule of JSON values, with the numbers of its nodes as they were: mutations depend on them."""
    graph, action, absent, comparisons = _row(data, 4)
    nodes, links, grounds = _row(graph, 3)
    if absent or comparisons or not 1 <= len(items(nodes)) <= BOXES or len(items(grounds)) != len(nodes):
        raise ValueError("a rule is not of level 0, or too large")
    rule = Rule(
        Graph(
            tuple(_node(node) for node in nodes),
            tuple(Link(*_numbers(link, 3)) for link in items(links)),
            _numbers(grounds, len(nodes)),
        ),
        Action(*_numbers(action, 3)),
    )
    for wrong in faults(rule):
        raise ValueError(wrong)
    return rule


def _node(data: Any) -> Node:
    symbol, length, at_least = _row(data, 3)
    if symbol not in SYMBOLS or type(at_least) is not bool:
        raise ValueError(f"{shortened(repr(data))} is not a node")
    return Node(symbol, whole(length, 0, BOXES), at_least)


def _numbers(data: Any, count: int) -> tuple[int, ...]:
    """So many numbers of nodes, edges or boxes, or what stands instead of a node."""
    return tuple(whole(value, WILD, MOST) for value in _row(data, count))


def _row(data: Any, count: int) -> Sequence[Any]:
    """So many values."""
    if len(items(data)) != count:
        raise ValueError(f"{shortened(repr(data))}: expected {count} values")
    return items(data)
