"""Rubbish that public functions are given is a mistake that is explained, never a fault of gpkit."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from own_use import GAME, SMALL

import gpkit
from gpkit.api.games import commands_of_games
from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES

RUBBISH = (None, object(), "nosuch", -1, 0.5, [], {"a": 1}, [object()], "", True, float("nan"), b"x")

QUICK = {"games": 2, "repeat": 1, "generations": 0, "time_limit": 60.0, "evaluations": 2, "seed": 0}
"""Small values of what else would make a call long."""

QUICK_PROBLEM = gpkit.problem(
    lambda program: program(x=1.0),
    name="quick",
    sensors="x",
    settings={"population": {"size": 6}, "stop": {"generations": 0}},
)

RIGHT: dict[str, dict[str, Any]] = {
    "play": {"program": "simple", "opponent": "random", "game": "sevens"},
    "run": {"programs": "simple", "opponents": "random", "game": "sevens"},
    "compare": {"first": "simple", "second": "random", "opponents": "random", "game": "sevens"},
    "tournament": {"programs": ["simple", "random"], "game": "sevens"},
    "balance": {"game": "dots_and_boxes", "games": 2},
    "roster": {"what": "nosuch"},
    "series": {"first": "hunt", "second": "random", "game": "battleship"},
    "ladder": {"program": "rush", "game": "build_order"},
    "trace": {"program": "simple", "opponents": "random", "game": "sevens"},
    "load": {"path": "hunt", "game": "battleship"},
    "parse": {"text": "x"},
    "list": {"kind": "games"},
    "check": {"paths": "hunt"},
    "explain": {"code": "E010"},
    "new": {"what": "arithmetic"},
    "drawing": {"subject": "hunt", "game": "battleship"},
    "report": {"run": "nosuch"},
    "doctor": {},
    "fit": {"data": {"x": [1.0, 2.0, 3.5], "y": [2.0, 1.0, 5.5]}, "target": "y", "population": 30},
    "predict": {"program": gpkit.parse("2 * x"), "data": {"x": [1.0]}},
    "evolve": {"what": GAME, "settings": SMALL},
    "primitive": {"formula": "f(a) = a"},
    "problem": {"score": abs, "sensors": "x"},
    "study": {"configurations": {"usual": {}}, "problems": QUICK_PROBLEM, "seeds": 1},
    "search": {"what": gpkit.problem(sensors="x", settings={"population": {"size": 6}})},
    "add_sensors": {"path": "mine.py", "game": "sevens"},
    "solve": {"board": "1x1"},
    "match": {"program": "greedy", "board": "1x1"},
    "agent": {"action": "show", "opponent": "nobody"},
    "exports": {"programs": "simple", "to": "python", "game": "sevens"},
    "fmt": {"paths": "hunt", "check": True},
}
"""Arguments with which each function is called, but for the one that is rubbish."""


def calls() -> Iterator[tuple[str, Callable[..., object], str, dict[str, Any]]]:
    """Every argument of every function, with right values for the others."""
    program = gpkit.parse("x * 2")
    methods = {"export": program.export, "check_export": program.check_export, "save": program.save}
    for name, function in {**{each: getattr(gpkit, each) for each in RIGHT}, **methods}.items():
        known = inspect.signature(function).parameters
        for each in known:
            others = {**{key: value for key, value in QUICK.items() if key in known}, **RIGHT.get(name, {})}
            yield name, function, each, {key: value for key, value in others.items() if key != each}


@pytest.mark.parametrize(
    ("function", "argument", "others"),
    [
        pytest.param(*rest, id=f"{name}-{rest[1]}", marks=[pytest.mark.release] * (number % 4 > 0))
        for number, (name, *rest) in enumerate(calls())
    ],
)
def test_rubbish_is_explained(
    function: Callable[..., object],
    argument: str,
    others: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = 0
    for value in RUBBISH:
        try:
            function(**{argument: value}, **others)
        except gpkit.GpkitError as error:
            refused += 1
            assert str(error)
    assert refused, "some of it must be wrong"


def test_every_function_is_tried() -> None:
    others = {
        "game",
        "kernel",
        "option",
        "fact",
        "progress",
        "sensor",
    }  # with tests of their own
    others |= {"actions", "language", "register", "registered", "rivals", "unregister", "learn"}
    functions = {name for name in [*gpkit.__all__, "list"] if inspect.isfunction(getattr(gpkit, name))}
    functions |= {each.__name__ for _, found in commands_of_games(GAMES) for each in found}
    assert functions - others == RIGHT.keys()


def evolved(**more: Any) -> object:
    """A run on a problem."""
    return gpkit.evolve(gpkit.problem(lambda program: 0.0, sensors="x"), generations=0, **more)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda: gpkit.play("simple", "random", gmae="sevens"),
            "play has no argument `gmae`; did you mean `game`?",
        ),
        (lambda: gpkit.play("simple"), "missing a required argument: 'opponent'"),
        (
            lambda: gpkit.play("simple", "random", game="sevens", seed=-1),
            "seed=-1: expected a whole number of at least 0",
        ),
        (lambda: gpkit.run("simple", game="sevens", exact="yes"), "exact='yes': expected True or False"),
        (
            lambda: gpkit.run([3], game="sevens"),
            "expected a program, a file, the name of a player, or several",
        ),
        (lambda: gpkit.run([], game="sevens"), "name a program file, or a player such as simple"),
        (lambda: gpkit.parse("x").export(tests=None), "tests=None: expected True or False"),
        (
            lambda: gpkit.play("simple", "random", rules={"players": None}),
            "rules={'players': None}: expected a mapping",
        ),
        (lambda: gpkit.evolve(abs), "gpkit.problem(function, sensors={'x': (-5, 5)}) returns"),
        (
            lambda: gpkit.problem(abs, operators=["+", np.sign]),
            "your own functions from gpkit.primitive",
        ),  # type: ignore[list-item]
        (
            lambda: gpkit.problem(abs, sensors={"x": 3}),
            "sensors={'x': 3}: expected the smallest and largest",
        ),
        (lambda: gpkit.problem(abs, sensors=3), "sensors=3: expected names such as"),  # type: ignore[arg-type]
        (lambda: gpkit.parse("x + y")(1, 2), "by name: expected program(x=..., y=...)"),
        (
            lambda: evolved(callback=lambda summary: None),
            "takes (summary); expected a function of (summary, champion)",
        ),
        (lambda: evolved(callbacks=[lambda: None]), "the callback `lambda` takes (); expected a function of"),
        (
            lambda: evolved(stop=lambda: None),
            "the stopping rule `lambda` takes (); expected a function of (state)",
        ),
        (lambda: evolved(initialiser=lambda rng: "x"), "takes (rng); expected a function of (rng, index)"),
    ],
)
def test_wrong_arguments_say_what_was_expected(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        wrong()
    assert message in str(raised.value)


def test_numbers_of_numpy_are_numbers() -> None:
    result = gpkit.play("simple", "random", game="sevens", games=np.int64(3), seed=np.uint8(1))
    assert result.to_json() == gpkit.play("simple", "random", game="sevens", games=3, seed=1).to_json()
