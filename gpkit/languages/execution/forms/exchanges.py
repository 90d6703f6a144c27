"""Records exchanges between a game and a plan, which requests one action after another, to test exported plans."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpkit.core.primitives import PrimitiveSet, Sensor
from gpkit.core.registry import game_of
from gpkit.core.rng import below, stream
from gpkit.core.wording import VERSION
from gpkit.export.conformance import SCHEMA, SEMANTICS, conformance
from gpkit.export.subject import Document, Subject
from gpkit.gamekit.game import Game
from gpkit.genomes.plan import PlanProgram, compared, downward, leaves, steps
from gpkit.genomes.tree import sensors_of
from gpkit.languages.execution.forms.playing import follow, planned_game
from gpkit.languages.execution.interpreter import interpret
from gpkit.vm.keyed import CHANCES, KeyedDraws

TICK = "tick"
"""The word with which an exported plan requests that a tick pass."""

RUNS = 10
"""The number of runs of each kind that test an exported program."""

LONGEST = 60
"""The maximum number of exchanges in a run on random sensor values."""


@dataclass(frozen=True, slots=True)
class PlanRun:
    """A run of a plan.

    Attributes:
        key: the key of its random numbers.
        start: the leaf at which the plan begins if it goes up; empty for other plans.
        features: the names of the features that the plan reads.
        values: the values of the features in each exchange.
        words: the plan's request in each exchange; empty after the end of the plan.
    """

    key: int
    start: str
    features: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    words: tuple[str, ...]


def features_of(program: PlanProgram) -> dict[str, list[float]]:
    """The sensors that a program reads, in the order of the text, with the thresholds of the tests that read them."""
    found: dict[str, list[float]] = {}
    for each in (each for plan in program.plans for step in steps(plan) for each in compared(step)):
        for name in sensors_of(each.feature):
            found.setdefault(name, []).append(each.threshold)
    return found


def random_runs(subject: Subject, amount: int, purpose: str = "vectors") -> tuple[PlanRun, ...]:
    """Runs on random sensor values near the plan's thresholds, which may never occur in games."""
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
    """A value near one of the thresholds, within the bounds of the sensor."""
    value = thresholds[below(rng, len(thresholds))] + below(rng, 5) - 2
    if sensor is None:
        return float(value)
    if sensor.integer:
        value = round(value)
    return float(min(max(value, sensor.low), sensor.high))


def played_runs(subject: Subject, amount: int, first: int = 1) -> tuple[PlanRun, ...]:
    """Runs in games under the subject's rules; empty if the game is unknown or plans cannot play it."""
    game: Game | None = game_of(subject.game) if subject.game else None
    if game is None or game.plans is None:
        return ()
    rules = game.make_rules(subject.rules)
    deals = game.deal(stream(subject.seed, "deals"), first + amount, rules)
    return tuple(
        _played_run(subject.program, game, deals[k : k + 1], rules) for k in range(first, first + amount)
    )


def _played_run(program: PlanProgram, game: Game, deal: Any, rules: object) -> PlanRun:
    features, view = tuple(features_of(program)), game.view
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
    """The runs that test an exported program: some on random sensor values, and some in games if the game is known."""
    return (*random_runs(subject, RUNS), *played_runs(subject, RUNS))


def conformance_of(subject: Subject, runs: tuple[PlanRun, ...]) -> Document:
    """The conformance file: one line for the program, and one for each run."""
    head = {"schema": SCHEMA, "semantics": SEMANTICS, "program": subject.name, "game": subject.game}
    lines: list[Mapping[str, object]] = [{**head, "gpkit": VERSION}]
    for run in runs:
        rows = [dict(zip(run.features, row, strict=True)) for row in run.values]
        lines.append({"kind": "run", "key": run.key, "start": run.start, "sensors": rows, "asks": run.words})
    return conformance(lines)
