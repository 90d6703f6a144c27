"""A learner that is stored and restored goes on as if nothing had happened; what is damaged is refused."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpkit.core.errors import CheckpointError
from gpkit.learners.dots_and_boxes.checkpoint import decode, encode
from gpkit.learners.dots_and_boxes.config import Config, config_from_data
from gpkit.learners.dots_and_boxes.curves import Course, learn
from gpkit.learners.dots_and_boxes.learner import Learner
from gpkit.learners.dots_and_boxes.presets import PRESETS

GAMES = 120
MARKS = (40, GAMES)
ORDERING = {"every": 20, "decisions": 50}
SMALL = {"games": GAMES, "seed": 7, "population": {"size": 40}, "reproduction": {"children": 4}}

Change = Callable[[dict[str, Any], dict[str, Any]], object]


def config_of(preset: str) -> Config:
    """The preset with few games, and with so few rules that slots are freed and taken again."""
    ordering = {"ordering": ORDERING} if preset == "ordered" else {}
    return config_from_data(SMALL | ordering, PRESETS[preset])


def after(batches: int, config: Config) -> tuple[Learner, Course]:
    """A learner that was stopped after so many batches, and its course."""
    learner = Learner(config)
    left = iter([False] * batches)
    return learner, learn(learner, MARKS, stop=lambda: next(left, True))


@pytest.mark.parametrize(
    ("preset", "batches"), [("constant", 7), ("combined", 4), ("ours", 5), ("ordered", 0), ("ordered", 5)]
)
def test_goes_on_as_if_it_had_never_stopped(preset: str, batches: int) -> None:
    config = config_of(preset)
    straight = Learner(config)
    course = learn(straight, MARKS)
    learner, begun = after(batches, config)
    assert learner.games == batches * config.reproduction.every
    stored = encode(learner, begun)
    restored, known = decode(stored)
    assert encode(restored, known) == stored
    end = learn(restored, MARKS, course=known)
    assert restored.games == GAMES
    assert end.points == course.points
    assert end.best == course.best
    assert encode(restored, end) == encode(straight, course)


def test_the_numbers_of_nodes_are_kept() -> None:
    """A mutation depends on them, and rules are not all in their canonical order."""
    learner, course = after(10, config_of("constant"))
    restored, _ = decode(encode(learner, course))
    assert restored.rules.rules == learner.rules.rules
    assert restored.rules.free == learner.rules.free
    assert list(restored.rules.named()) == list(learner.rules.named())


def rewritten(content: bytes, change: Change) -> bytes:
    """The checkpoint with its document and its arrays changed."""
    with np.load(io.BytesIO(content)) as archive:
        arrays: dict[str, Any] = dict(archive)
    document = json.loads(arrays.pop("text").tobytes())
    change(document, arrays)
    file = io.BytesIO()
    np.savez(file, text=np.frombuffer(json.dumps(document).encode(), dtype=np.uint8), **arrays)
    return file.getvalue()


CHANGES: Mapping[str, tuple[Change, str]] = {
    "kind": (lambda d, a: d.update(schema="gpkit.checkpoint/1"), "another kind"),
    "config": (lambda d, a: d.update(config="games = 0"), "games"),
    "games": (lambda d, a: d.update(games=GAMES + 1), "121 games of 120"),
    "missing": (lambda d, a: a.pop("own"), "own"),
    "shape": (lambda d, a: a.update(own=a["own"][:-1]), "own has 195,550 numbers, not 195,551"),
    "kind of numbers": (lambda d, a: a.update(met=a["met"] + 0.5), "met is of '<f8', not of '<i8'"),
    "classes": (lambda d, a: a.update(recent=a["recent"] + 10**6), "classes that there are not"),
    "slots": (lambda d, a: a.update(slots=a["slots"] + 1), "slot of their own"),
    "twice": (lambda d, a: d.update(rules=[d["rules"][0]] * len(d["rules"])), "slot of their own"),
    "too few": (lambda d, a: a.update(quality=a["quality"][1:]), "as much of everything"),
    "node": (lambda d, a: d["rules"][0][0][0][0].__setitem__(0, "z"), "is no node"),
    "action": (lambda d, a: d["rules"][0].__setitem__(1, [50, 51, 0]), "nodes that are not there"),
    "objects": (lambda d, a: a.update(own=np.array([{}], dtype=object)), "own is not a vector of numbers"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_damaged_is_refused(name: str) -> None:
    change, words = CHANGES[name]
    learner, course = after(3, config_of("ours"))
    with pytest.raises(CheckpointError, match=words):
        decode(rewritten(encode(learner, course), change))


def test_what_is_no_archive_is_refused() -> None:
    content = encode(Learner(replace(PRESETS["constant"], games=10)), Course())
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 255
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("letter.txt", "dear")
    for wrong in (b"", b"text", content[:-30], bytes(flipped), other.getvalue()):
        with pytest.raises(CheckpointError, match="does not hold a learner"):
            decode(wrong)
