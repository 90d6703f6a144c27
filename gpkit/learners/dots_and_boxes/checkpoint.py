"""Checkpoints of a learner: between two batches everything that its further course depends on, as bytes.

The bytes are those of a numpy archive without objects: arrays, and JSON text for the rest. What the learner remembers
of classes that it met is left out: it is found again when they are met again.
"""

import io
import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import astuple, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError, GpkitError
from gpkit.core.json_values import items, member, number, parse_json, text, whole
from gpkit.core.npz import Archive
from gpkit.evolve.settings import print_config
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
from gpkit.learners.dots_and_boxes.config import Config, parse_config
from gpkit.learners.dots_and_boxes.curves import Course, Point
from gpkit.learners.dots_and_boxes.kernel import arrays as at
from gpkit.learners.dots_and_boxes.learner import Learner
from gpkit.learners.dots_and_boxes.slotted_rules import BOXES

SCHEMA = "gpkit.learner/2"

POINT = tuple(field.name for field in fields(Point))
"""Measurements of a point."""

MAX_TEXT = 1 << 26
"""Bytes of the text of a checkpoint, at most."""

MOST = 99
"""No number in a rule is larger."""


def encode(learner: Learner, course: Course) -> bytes:
    """A learner between two batches, with its course."""
    rules, critic = learner.rules, learner.critic
    slots = rules.live()
    document = {
        "schema": SCHEMA,
        "config": print_config(learner.config),
        "games": learner.games,
        "met": learner.met,
        "rules": [astuple(rule) for rule in rules.rules if rule is not None],
        "points": [point.to_json() for point in course.points],
        "best": [(astuple(named.rule), named.q, named.f) for named in course.best.rules],
    }
    content = io.BytesIO()
    np.savez_compressed(
        content,
        text=np.frombuffer(json.dumps(document, allow_nan=False).encode(), dtype=np.uint8),
        slots=slots,
        free=np.array(rules.free, dtype=np.int64),
        quality=rules.arrays.quality[slots],
        access=rules.arrays.access[slots],
        uses=rules.arrays.uses[slots],
        ordered=rules.arrays.ordered[slots],
        own=critic.own,
        other=critic.other,
        met=critic.met,
        recent=learner.recent,
        totals=learner.record.totals,
        measured=course.totals,
    )
    return content.getvalue()


def decode(content: bytes, check: Callable[[Config], None] = lambda config: None) -> tuple[Learner, Course]:
    """The learner of a checkpoint and its course; it goes on as if it had never stopped.

    Args:
        content: the bytes.
        check: looks at the configuration before a learner is made of it.

    Raises:
        CheckpointError: the bytes are not a whole checkpoint of a learner.
        Exception: what ``check`` raised.
    """
    with ExitStack() as stack:
        try:
            archive = stack.enter_context(Archive(content))
            document = parse_json(archive.read("text", "u1", MAX_TEXT).tobytes())
            schema = member(document, "schema")
            if schema != SCHEMA:
                raise ValueError(f"it is of another kind, {schema!r}; expected {SCHEMA!r}")
            config = parse_config(text(member(document, "config")), {})
        except (ValueError, GpkitError) as error:
            raise _damaged(error) from error
        check(config)
        try:
            learner = _learner(config, document, archive)
            return learner, _course(learner, document, archive)
        except ValueError as error:
            raise _damaged(error) from error


def _damaged(error: Exception) -> CheckpointError:
    return CheckpointError(f"the checkpoint does not hold a learner: {error}")


def _learner(config: Config, document: Any, archive: Archive) -> Learner:
    learner = Learner(config)
    learner.games, learner.met = whole(member(document, "games")), whole(member(document, "met"))
    critic, totals = learner.critic, learner.record.totals
    for name, array in (("own", critic.own), ("other", critic.other), ("met", critic.met)):
        _fill(name, array, archive)
    _fill("recent", learner.recent, archive)
    _fill("totals", totals, archive)
    if learner.games > config.games or totals[at.GAMES] != learner.games:
        raise ValueError(f"it is of {learner.games} games of {config.games}")
    if not ((learner.recent >= 0) & (learner.recent < len(critic.own))).all():
        raise ValueError("it has met classes that there are not")
    if (critic.met < 0).any() or (np.delete(totals, at.REWARDS) < 0).any():
        raise ValueError("it has counted less than nothing")
    _fill_population(learner, [_rule(data) for data in items(member(document, "rules"))], archive)
    return learner


def _fill_population(learner: Learner, found: Sequence[Rule], archive: Archive) -> None:
    population = learner.rules
    room = len(population.rules)
    slots, free = (archive.read(name, "<i8", room).tolist() for name in ("slots", "free"))
    if sorted([*slots, *free]) != list(range(room)) or len(set(found)) < len(found):
        raise ValueError("its rules are not each in a slot of their own")
    quality, access = (_finite(name, archive.read(name, "<f8", room)) for name in ("quality", "access"))
    uses, ordered = archive.read("uses", "<i8", room), archive.read("ordered", "|b1", room)
    if {len(column) for column in (found, quality, access, uses, ordered)} != {len(slots)}:
        raise ValueError("it has not as much of everything as it has rules")
    if (uses < 0).any() or (ordered.view(np.uint8) > 1).any():
        raise ValueError("it has used rules less than never")
    for slot, rule, *known in zip(
        slots, found, quality.tolist(), access.tolist(), uses.tolist(), strict=True
    ):
        population.free.append(slot)
        population.place(rule)
        population.announce(slot, *known)
    population.arrays.ordered[slots] = ordered
    population.free[:] = free


def _fill(name: str, target: NDArray[Any], archive: Archive) -> None:
    """Fill an array with the one of that name in the archive.

    Raises:
        ValueError: it is of another kind or size, or holds what is not finite.
    """
    source = _finite(name, archive.read(name, target.dtype.newbyteorder("<").str, len(target)))
    if len(source) != len(target):
        raise ValueError(f"the array {name} has {len(source):,} numbers, not {len(target):,}")
    target[...] = source


def _finite(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if not np.isfinite(array).all():
        raise ValueError(f"the array {name} holds what is no number")
    return array


def _course(learner: Learner, document: Any, archive: Archive) -> Course:
    course = Course(
        points=tuple(_point(data, learner.games) for data in items(member(document, "points"))),
        best=RuleList(tuple(_named(data) for data in items(member(document, "best")))),
    )
    _fill("measured", course.totals, archive)
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


def _named(data: Any) -> NamedRule:
    rule, q, f = _row(data, 3)
    return NamedRule(_rule(rule), q=number(q), f=number(f))


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
        raise ValueError(f"{shortened(repr(data))} is no node")
    return Node(symbol, whole(length, 0, BOXES), at_least)


def _numbers(data: Any, count: int) -> tuple[int, ...]:
    """So many numbers of nodes, edges or boxes, or what stands in place of a node."""
    return tuple(whole(value, WILD, MOST) for value in _row(data, count))


def _row(data: Any, count: int) -> Sequence[Any]:
    """So many values."""
    if len(items(data)) != count:
        raise ValueError(f"{shortened(repr(data))}: expected {count} values")
    return items(data)
