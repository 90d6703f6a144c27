"""A learner that is stored and restored goes on as if nothing had happened; what is damaged is refused."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.learner.folder import LearningCourse, decode, encode, learn, pack, unpack
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.games.dots_and_boxes.learning import PRESETS, Config, config_from_data

GAMES = 120
MARKS = (40, GAMES)
SMALL = {"games": GAMES, "seed": 7, "population": {"size": 40}, "reproduction": {"children": 4}}

Change = Callable[[dict[str, Any], dict[str, Any]], object]


def config_of(preset: str) -> Config:
    """The preset with few games, and with so few rules that slots are freed and taken again."""
    return config_from_data(SMALL, PRESETS[preset])


def after(batches: int, config: Config) -> tuple[Learner, LearningCourse]:
    """A learner that was stopped after so many batches, and its course."""
    learner = Learner(config)
    left = iter([False] * batches)
    return learner, learn(learner, MARKS, stop=lambda: next(left, True))


@pytest.mark.parametrize(
    ("preset", "batches"),
    [
        ("constant", 7),
        pytest.param("combined", 4, marks=pytest.mark.release),
        pytest.param("ours", 5, marks=pytest.mark.release),
        pytest.param("ours", 0, marks=pytest.mark.release),
    ],
)
def test_goes_on_as_if_it_had_never_stopped(preset: str, batches: int) -> None:
    config = config_of(preset)
    straight = Learner(config)
    course = learn(straight, MARKS)
    learner, begun = after(batches, config)
    assert learner.games == batches * config.reproduction.every
    stored = encode(learner, begun)
    restored, known = decode(stored, config)
    assert encode(restored, known) == stored
    end = learn(restored, MARKS, course=known)
    assert restored.games == GAMES
    assert end.points == course.points
    assert end.best == course.best
    assert encode(restored, end) == encode(straight, course)


def test_the_numbers_of_nodes_are_kept() -> None:
    """A mutation depends on them, and rules are not all in their canonical order."""
    learner, course = after(10, config_of("constant"))
    restored, _ = decode(encode(learner, course), learner.config)
    assert restored.rules.rules == learner.rules.rules
    assert restored.rules.free == learner.rules.free
    assert list(restored.rules.as_list().rules) == list(learner.rules.as_list().rules)


def put(arrays: dict[str, Any], name: str, change: Callable[[NDArray[Any]], NDArray[Any]]) -> None:
    """Change an array of a checkpoint."""
    arrays[name] = pack(change(unpack(arrays[name], arrays[name]["type"], 10**6)))


CHANGES: Mapping[str, tuple[Change, str]] = {
    "nothing": (lambda d, a: d.clear(), "config is missing"),
    "games": (lambda d, a: d.update(games=GAMES + 1), "121 games, but the run has 120"),
    "missing": (lambda d, a: a.pop("own"), "own"),
    "shape": (lambda d, a: put(a, "own", lambda own: own[:-1]), "own has 195,550 numbers, not 195,551"),
    "too many": (
        lambda d, a: put(a, "own", lambda own: np.append(own, 1.0)),
        "own: it has more than 195,551",
    ),
    "kind of numbers": (
        lambda d, a: put(a, "met", lambda met: met + 0.5),
        "met: its type is '<f8', not '<i8'",
    ),
    "no numbers": (
        lambda d, a: put(a, "own", lambda own: own * np.nan),
        "the array own has numbers that are not finite",
    ),
    "classes": (lambda d, a: put(a, "recent", lambda recent: recent + 10**6), "unknown classes"),
    "slots": (lambda d, a: put(a, "slots", lambda slots: slots + 1), "separate slot"),
    "twice": (lambda d, a: d.update(rules=[d["rules"][0]] * len(d["rules"])), "separate slot"),
    "too few": (lambda d, a: put(a, "quality", lambda quality: quality[1:]), "do not match"),
    "node": (
        lambda d, a: d["rules"][0]["graph"]["nodes"][0].update(symbol="z"),
        r"rules\[0\]\.graph\.nodes\[0\]\.symbol",
    ),
    "action": (lambda d, a: d["rules"][0].update(action=[50, 51, 0]), "nodes that are not there"),
    "no base 64": (lambda d, a: a["own"].update(numbers="ä"), "own: "),
    "cut": (lambda d, a: a["own"].update(numbers=a["own"]["numbers"][:-8]), "own: it is damaged"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_damaged_is_refused(name: str) -> None:
    change, words = CHANGES[name]
    config = config_of("ours")
    data = encode(*after(3, config))
    change(data, data["arrays"])
    with pytest.raises(ValueError, match=words):
        decode(data, config)


def test_the_learner_of_another_configuration_is_refused() -> None:
    data = encode(Learner(config_of("ours")), LearningCourse())
    with pytest.raises(UsageError, match="seed was 7 and is now 8"):
        decode(data, replace(config_of("ours"), seed=8))
