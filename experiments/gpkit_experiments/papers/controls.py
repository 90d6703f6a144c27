"""Controls, where a mechanism is switched off and the criterion that holds has to fail, and longer runs of open rows.

A paper names them as ``CONTROLS`` in ``controls.py`` beside its ``paper.py``. Their record is made by

    python -m gpkit_experiments.papers.controls NAME [--quick] [WORDS...]

in ``experiments/data/controls-NAME.json``, their values by unit in ``values/controls-NAME.npz``; the criterion is that
of the row in ``paper-NAME.json``. In a longer run nothing is switched off: its seed and the number of its units are
named before it, and the row is judged by it alone. Below are ways to
take selection, or an operator, from evolution: whatever still rises then is no merit of it.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Generic, Self

from gpkit.core.plugins import Entry
from gpkit.core.registry import find
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval
from gpkit.evolution.config import Config
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Evaluation, Executor, Genome, Problem
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.paper import Row
from gpkit_experiments.papers.registry import PAPERS
from gpkit_experiments.papers.units import read_record, write_record


@dataclass(frozen=True, slots=True)
class Control:
    """Control of a row: its measure with a mechanism switched off.

    Attributes:
        table, quantity: the row, whose criterion has to fail on what is measured.
        off: what is switched off, in words; empty where an open row is measured again with more units.
        unit: the units of the interval.
        seed: of all chance; no other run has it.
        measure: makes the interval.
        is_slow: it takes more than some seconds.
        units: how many a longer run has, at least; 0 for a control.
    """

    table: str
    quantity: str
    off: str
    unit: str
    seed: int
    measure: Callable[[int, Executor], Interval]
    is_slow: bool = False
    units: int = 0

    def to_json(self, executor: Executor) -> dict[str, Any]:
        """Measurement as JSON values, by the names that rows have."""
        row = Row(self.table, self.quantity, self.measure(self.seed, executor), self.unit).to_json("full")
        names = ("table", "quantity", "measured", "ci95", "units", "unit", "values")
        return {**{name: row[name] for name in names if name in row}, "off": self.off, "seed": self.seed}


def picked(rows: Iterable[Row], table: str, quantity: str) -> Interval:
    """The interval of the row of that table and quantity."""
    (found,) = [row.measured for row in rows if (row.table, row.quantity) == (table, quantity)]
    return found


def controls_of(entry: Entry) -> tuple[Control, ...]:
    """The controls that a paper names; none if it has no such file."""
    module = f"{entry.module.rpartition('.')[0]}.controls"
    if find_spec(module) is None:
        return ()
    found: tuple[Control, ...] = import_module(module).CONTROLS
    return found


def main(name: str, *words: str) -> None:
    """Make the record of the controls of a paper, control by control; those that are there stay.

    Args:
        name: of the paper.
        words: ``--quick`` leaves out the slow ones that are not there yet. Of the others, only those with all further
            words in their table or quantity are made.
    """
    wanted = set(words) - {"--quick"}
    path = DATA / f"controls-{name}.json"
    kept = read_record(path)["controls"] if path.is_file() else []
    there = {(made["table"], made["quantity"], made["off"], made["seed"]): made for made in kept}
    record: dict[str, Any] = {
        "schema": "gpkit/controls/1",
        "paper": name,
        "command": f"python -m gpkit_experiments.papers.controls {name}",
    }
    controls = {
        (each.table, each.quantity, each.off, each.seed): each
        for each in controls_of(find(PAPERS, name, "paper"))
    }
    for key, control in controls.items():
        if key in there or (control.is_slow and "--quick" in words):
            continue
        if not all(word in f"{control.table}: {control.quantity}" for word in wanted):
            continue
        there[key] = control.to_json(SerialExecutor())
        record["controls"] = [there[each] for each in controls if each in there]
        write_record(path, record)


@dataclass(frozen=True, slots=True)
class Shuffled(Generic[Genome]):
    """A problem that gives the right evaluations to the wrong genomes, in every generation anew."""

    problem: Problem[Genome]

    @property
    def changes(self) -> bool:
        """Survivors are evaluated again: another genome's luck is not kept."""
        return True

    def evaluate(
        self, genomes: Sequence[Genome], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes, in random order."""
        found = self.problem.evaluate(genomes, seed, generation, executor)
        order = stream(seed, "shuffle", generation).permutation(len(found))
        return [found[place] for place in order]

    def validate(
        self, genomes: Sequence[Genome], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The true evaluations."""
        return self.problem.validate(genomes, seed, occasion, executor)

    def facing(self, hall: Sequence[Genome]) -> Self:
        """The same with former champions as further opposition."""
        return type(self)(self.problem.facing(hall))


def by_chance(config: Config) -> Config:
    """The configuration with the same operators and parents drawn uniformly from the whole population."""
    return replace(
        config,
        scheme=replace(config.scheme, name="generational", elites=0),
        selection=replace(config.selection, name="truncation", share=1.0),
    )


def without(config: Config, operator: str) -> Config:
    """The configuration without one operator; the others take over its share in proportion."""
    return replace(
        config, operators={name: share for name, share in config.operators.items() if name != operator}
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
