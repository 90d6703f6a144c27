"""Exports plans to Lua: rows of data, and a function that runs a plan until it makes a request."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from gpkit.core.check_report import FIRST_KEY, CheckReport
from gpkit.export.lua.hosts import replayed, run_everywhere
from gpkit.export.lua.layout import field_of, key, module_of, opening, quoted, records, runtime, table
from gpkit.export.lua.module import operator_texts
from gpkit.export.statements import Body, call_of
from gpkit.export.subject import Document, Exporting, Subject
from gpkit.genomes.plan import PlanProgram, downward, leaves
from gpkit.genomes.plan import Sequence as Steps
from gpkit.genomes.tree import Computed, sensors_of
from gpkit.langkit.nodes import Texts, filler
from gpkit.languages.execution.forms.exchanges import (
    TICK,
    PlanRun,
    conformance_of,
    features_of,
    played_runs,
    random_runs,
    recorded,
)
from gpkit.languages.execution.text import STEPS, number_text, testing

LUA = Path(__file__).parents[1] / "lua"
"""The folder with the hand-written Lua parts."""


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Lua file of a plan, and its conformance file."""
    runs = recorded(subject)
    return (Document(".lua", plan_text(subject, runs)), conformance_of(subject, runs))


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Compare runs on random sensor values, and whole games, in every Lua interpreter, exchange by exchange."""
    more = (*random_runs(subject, evaluations, "check"), *played_runs(subject, games, FIRST_KEY))
    text, replay = plan_text(subject, recorded(subject)), runtime("plan_replay", LUA)
    runs, played = {"replay": runs_table("return ", more)}, len(more) - evaluations
    return run_everywhere(
        (evaluations, played), lambda host: replayed(host, text, replay, runs, subject.carries_tests)
    )


def plan_text(subject: Subject, runs: Sequence[PlanRun]) -> str:
    """The text of the Lua file."""
    rows = _Rows(subject.program)
    parts = [
        *_opening(subject),
        f"M.TICK = {quoted(TICK)}",
        "\n".join(
            table("M.STARTS = ", [f"{key(name)} = {row}" for name, row in rows.starts.items() if name])
        ),
        *_functions(subject.program),
        "\n".join(["local PLAN = {", *rows.texts, "}"]),
        runtime("keyed_uniform", LUA),
        runtime("plan", LUA),
    ]
    tests = [runs_table("local RUNS = ", runs), runtime("plan_replay", LUA), runtime("plan_selftest", LUA)]
    return module_of(subject, parts, tests)


def _functions(program: PlanProgram) -> list[str]:
    """The functions that tests call, and the operators that they need."""
    called = frozenset(each.function for each in program.computed)
    return operator_texts([Body((), called)])


def runs_table(start: str, runs: Sequence[PlanRun]) -> str:
    """Recorded runs as a Lua table."""
    return records(
        start,
        (
            {
                "key": run.key,
                "start": run.start or None,
                "features": tuple(map(_field, run.features)),
                "asks": run.words,
                "sensors": run.values,
            }
            for run in runs
        ),
    )


def _opening(subject: Subject) -> list[str]:
    read = ", ".join(_field(name) for name in features_of(subject.program))
    sensors = f"env has the fields {read}." if read else "It does not read env."
    how = (
        "S = M.new(key); action = M.next(S, env): an action to begin as soon as possible, M.TICK to let a tick "
        f"pass, or nil at the end. {sensors} S is plain numbers and tables, to be stored and loaded as the host likes."
    )
    return opening(subject, "a plan", how)


def _field(name: str) -> str:
    return name.removeprefix("env.")


class _Rows:
    """The rows of a Lua table under construction: one plan after another, each followed by a row that ends it.

    Attributes:
        lines: comments, and rows as lists of fields; a None field stands for the row to jump to.
        targets: the rows to jump to, by line.
        count: the number of rows.
        slots: the number of loops.
        starts: the first row for each leaf; a plan that goes down has only one start, with an empty name.
        waiting: for each line that uses a plan, the name of that plan, until the first row of the plan is known.
    """

    def __init__(self, program: PlanProgram) -> None:
        self.lines: list[str | tuple[str | None, ...]] = []
        self.targets: dict[int, int] = {}
        self.count = self.slots = 0
        self.starts: dict[str, int] = {}
        self.waiting: dict[int, str] = {}
        begins: dict[str, int] = {}
        starts = leaves(program) if program.goes_up else ()
        for start in starts or ("",):
            begun = downward(program, start)
            self.lines.append(f"\t-- {f'from {start}' if start else 'the plan'}")
            self.starts[start] = self.count + 1
            self.sequence(begun.plans[0])
            self.row("over")
        for name, plan in zip(begun.names[1:], begun.plans[1:], strict=True):
            self.lines.append(f"\t-- {name}")
            begins[name] = self.count + 1
            self.sequence(plan)
            self.row("back")
        self.targets |= {line: begins[name] for line, name in self.waiting.items()}

    @property
    def texts(self) -> Iterator[str]:
        """The lines of the table, including comments."""
        number = 0
        for place, line in enumerate(self.lines):
            if isinstance(line, str):
                yield line
            else:
                number += 1
                fields = [f"to = {self.targets[place]}" if each is None else each for each in line]
                yield from table("\t", fields, f", -- {number}")

    def row(self, word: str, *fields: str | None) -> int:
        """Add a row and return the index of its line."""
        self.count += 1
        self.lines.append((quoted(word), *fields))
        return len(self.lines) - 1

    def land(self, line: int) -> None:
        """Make the jump in a line's row lead to the row after the last one."""
        self.targets[line] = self.count + 1

    def slot(self) -> str:
        """The field that names a new loop counter."""
        self.slots += 1
        return f"slot = {self.slots}"

    def sequence(self, sequence: Steps) -> None:
        """Add the rows of a sequence."""
        for step in sequence:
            word, begin = STEPS.kind(step).word, self.count + 1
            fields = [filler(field, _TEXTS)(step) if field else None for field in _FIELDS[word]]
            head = self.row(word, *([self.slot()] if step.COUNT else []), *fields)
            if step.uses:
                self.waiting[head] = step.uses
            if step.held:
                body, *others = step.held
                self.sequence(body)
                over = self.row("go", None if others else f"to = {begin}")
                self.land(head)
                for other in others:
                    self.sequence(other)
                    self.land(over)


_TEST = "test = function(env) return {test} end"
_FIELDS = {
    "do": ("action = {action}",),
    "use": ("",),
    "wait": ("most = {most}", _TEST),
    "repeat": ("most = {times}", ""),
    "while": ("most = {most}", "", _TEST),
    "decide": ("", _TEST),
    "chance": ("", "p = {probability}"),
}
"""The fields of each kind of step in the Lua table; an empty string stands for the row to jump to."""


def _feature(feature: str) -> str:
    """The expression of a feature."""
    read = {name: field_of("env", _field(name)) for name in sensors_of(feature)}
    return call_of(feature, read) if isinstance(feature, Computed) else read[feature]


_COMPARISONS: Texts = {
    "feature": _feature,
    "sign": lambda sign: sign.replace("!", "~"),
    "threshold": number_text,
}
_TEXTS: Texts = {"action": quoted, "test": testing(_COMPARISONS), "probability": number_text}


EXPORTING = Exporting(documents, check)
