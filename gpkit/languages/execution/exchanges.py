"""Exchanges between a game and a program that asks for one action after another, to compare exported programs by."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpkit.core.primitives import PrimitiveSet, Sensor
from gpkit.core.registry import game_of
from gpkit.core.rng import below, stream
from gpkit.core.version import VERSION
from gpkit.export.conformance import SCHEMA, SEMANTICS
from gpkit.export.registry import Subject
from gpkit.gamekit.game import Game
from gpkit.gamekit.view import view_of
from gpkit.genomes.plan import PlanProgram, compared, downward, leaves, steps
from gpkit.languages.execution.forms.playing import follow, planned_game
from gpkit.languages.execution.interpreter import interpret
from gpkit.vm.keyed import CHANCES, KeyedDraws

TICK = "tick"
"""The word by which exported plans let a tick pass."""

RUNS = 10
"""Runs of each kind that are kept for tests of an exported program."""

LONGEST = 60
"""The most exchanges of a run on sensors at random."""


@dataclass(frozen=True, slots=True)
class PlanRun:
    """A run of a plan.

    Attributes:
        key: of its random numbers.
        start: the leaf at which it begins, of a plan that goes up; else empty.
        features: names of the features that the plan reads.
        values: of each exchange those of the features, before the plan is asked.
        words: of each exchange what the plan asks for; empty where the plan is over.
    """

    key: int
    start: str
    features: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    words: tuple[str, ...]


def features_of(program: PlanProgram) -> dict[str, list[float]]:
    """The features that a program reads, in the order of the text, each with the numbers that it is compared with."""
    found: dict[str, list[float]] = {}
    for each in (each for plan in program.plans for step in steps(plan) for each in compared(step)):
        found.setdefault(each.feature, []).append(each.threshold)
    return found


def random_runs(subject: Subject, amount: int, purpose: str = "vectors") -> tuple[PlanRun, ...]:
    """Runs on sensors at random, near what the plan compares them with: they go where no game leads."""
    rng = stream(subject.seed, purpose)
    return tuple(_random_run(rng, subject.program, subject.primitives, key) for key in range(1, amount + 1))


def _random_run(
    rng: np.random.Generator, program: PlanProgram, primitives: PrimitiveSet | None, key: int
) -> PlanRun:
    features = features_of(program)
    starts = leaves(program) if program.goes_up else ()
    start = starts[key % len(starts)] if starts else ""
    present: dict[str, float] = {}

    def renew() -> tuple[float, ...]:
        for name, thresholds in features.items():
            present[name] = _value(rng, primitives.sensor(name) if primitives else None, thresholds)
        return tuple(present.values())

    values, words = [renew()], []
    for executed in interpret(downward(program, start), present.__getitem__, KeyedDraws(key, CHANCES).random):
        if executed.asks:
            words.append(executed.step.asks or TICK)
            if len(words) == LONGEST:
                break
            values.append(renew())
    else:
        words.append("")
    return PlanRun(key, start, tuple(features), tuple(values), tuple(words))


def _value(rng: np.random.Generator, sensor: Sensor | None, thresholds: list[float]) -> float:
    """A value around one of the thresholds; within the bounds of the sensor."""
    value = thresholds[below(rng, len(thresholds))] + below(rng, 5) - 2
    if sensor is None:
        return float(value)
    if sensor.integer:
        value = round(value)
    return float(min(max(value, sensor.low), sensor.high))


def played_runs(subject: Subject, amount: int, first: int = 1) -> tuple[PlanRun, ...]:
    """Runs in games of the subject's rules; none where the game is not known or is not played by plans."""
    game: Game | None = game_of(subject.game) if subject.game else None
    if game is None or game.plans is None:
        return ()
    rules = game.make_rules(subject.rules)
    deals = game.deal(stream(subject.seed, "deals"), first + amount, rules)
    return tuple(
        _played_run(subject.program, game, deals[k : k + 1], rules) for k in range(first, first + amount)
    )


def _played_run(program: PlanProgram, game: Game, deal: Any, rules: Any) -> PlanRun:
    features, view = tuple(features_of(program)), view_of(game.name)
    values: list[tuple[float, ...]] = []
    words: list[str] = []
    for moment in follow(program, game, view, game.begin([], deal, rules), deal):
        executed = moment.executed
        if executed is not None and not executed.asks:
            continue
        sensors: Mapping[str, float] = (
            view.sensors(moment.before, moment.before.legal_actions()[0]) if features else {}
        )
        values.append(tuple(sensors[name] for name in features))
        words.append("" if executed is None else executed.step.asks or TICK)
        if executed is None:
            break
    plans = planned_game(game)
    found, said = leaves(program) if program.goes_up else (), plans.start_of(rules)
    start = said if said in found else "".join(found[:1])
    return PlanRun(int(deal.keys[0]), start, features, tuple(values), tuple(words))


def recorded(subject: Subject) -> tuple[PlanRun, ...]:
    """Runs for tests of an exported program: on sensors at random, and in games where the game is known."""
    return (*random_runs(subject, RUNS), *played_runs(subject, RUNS))


def conformance_lines(subject: Subject, runs: tuple[PlanRun, ...]) -> str:
    """The file of conformance: a line for the program, and one for each run."""
    head = {"schema": SCHEMA, "semantics": SEMANTICS, "program": subject.name, "game": subject.game}
    lines: list[Mapping[str, object]] = [{**head, "gpkit": VERSION}]
    for run in runs:
        rows = [dict(zip(run.features, row, strict=True)) for row in run.values]
        said = {"kind": "run", "key": run.key, "start": run.start, "sensors": rows, "asks": run.words}
        lines.append(said)
    return "".join(f"{json.dumps(each)}\n" for each in lines)
