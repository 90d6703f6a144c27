"""Checkpoints of a learner: between two batches everything that its further course depends on, as bytes.

The bytes are those of a numpy archive without objects: arrays, and JSON text for the rest. What the learner remembers
of classes that it met is left out: it is found again when they are met again.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np
from numpy.lib.format import read_array
from numpy.typing import NDArray

from gpkit.agents.dots_and_boxes.config import parse_config, print_config
from gpkit.agents.dots_and_boxes.curves import Course, Point
from gpkit.agents.dots_and_boxes.learner import Learner
from gpkit.agents.dots_and_boxes.slotted_rules import BOXES
from gpkit.core.errors import CheckpointError, GpkitError
from gpkit.genomes.graph import Action, Edge, Graph, NamedRule, Node, Rule, RuleList, faults

SCHEMA = "gpkit.learner/2"


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


def decode(content: bytes) -> tuple[Learner, Course]:
    """The learner of a checkpoint and its course; it goes on as if it had never stopped.

    Raises:
        CheckpointError: the bytes are not a whole checkpoint of a learner.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            arrays: dict[str, NDArray[Any]] = {
                name.removesuffix(".npy"): read_array(archive.open(name), allow_pickle=False)
                for name in archive.namelist()
            }
        document = json.loads(arrays["text"].tobytes())
        if document["schema"] != SCHEMA:
            raise ValueError(f"it is of another kind, {document['schema']!r}; expected {SCHEMA!r}")
        return _learner(document, arrays), _course(document, arrays["measured"])
    except (
        *(OSError, EOFError, zipfile.BadZipFile, zlib.error),
        *(KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, GpkitError),
    ) as error:
        raise CheckpointError(f"the checkpoint does not hold a learner: {error}") from error


def _learner(document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Learner:
    learner = Learner(parse_config(document["config"], {}))
    learner.games, learner.met = int(document["games"]), int(document["met"])
    _fill(learner.critic.own, arrays["own"])
    _fill(learner.critic.other, arrays["other"])
    _fill(learner.critic.met, arrays["met"])
    _fill(learner.recent, arrays["recent"])
    _fill(learner.record.totals, arrays["totals"])
    if not 0 <= learner.games <= learner.config.games or learner.met < 0:
        raise ValueError(f"it is of {learner.games} games of {learner.config.games}")
    if not all(0 <= number < len(learner.critic.own) for number in learner.recent.tolist()):
        raise ValueError("it has met classes that there are not")
    _fill_population(learner, [_rule(data) for data in document["rules"]], arrays)
    return learner


def _fill_population(learner: Learner, found: Sequence[Rule], arrays: Mapping[str, NDArray[Any]]) -> None:
    population = learner.rules
    slots, free = arrays["slots"].tolist(), arrays["free"].tolist()
    if sorted([*slots, *free]) != list(range(len(population.rules))) or len(set(found)) < len(found):
        raise ValueError("its rules are not each in a slot of their own")
    columns = (arrays[name].tolist() for name in ("quality", "access", "uses"))
    for slot, rule, quality, access, uses in zip(slots, found, *columns, strict=True):
        population.free.append(slot)
        population.place(rule)
        population.announce(slot, quality, access, uses)
    population.arrays.ordered[slots] = arrays["ordered"]
    population.free[:] = free


def _fill(target: NDArray[Any], source: NDArray[Any]) -> None:
    if (target.shape, target.dtype) != (source.shape, source.dtype):
        raise ValueError(f"an array is {source.dtype} {source.shape}, not {target.dtype} {target.shape}")
    target[...] = source


def _course(document: Mapping[str, Any], measured: NDArray[Any]) -> Course:
    course = Course(
        points=tuple(Point(**fields) for fields in document["points"]),
        best=RuleList(tuple(NamedRule(_rule(data), q=q, f=f) for data, q, f in document["best"])),
    )
    _fill(course.totals, measured)
    return course


def _rule(data: Sequence[Any]) -> Rule:
    """The rule of JSON values, with the numbers of its nodes as they were: mutations depend on them."""
    (nodes, edges, grounds), action, absent, comparisons = data
    graph = Graph(
        tuple(Node(*node) for node in nodes), tuple(Edge(*edge) for edge in edges), tuple(map(int, grounds))
    )
    rule = Rule(graph, Action(*action))
    wrong = next(faults(rule), None)
    if wrong is not None or absent or comparisons or len(nodes) > BOXES:
        raise ValueError(wrong or "a rule is not of level 0, or too large")
    return rule
