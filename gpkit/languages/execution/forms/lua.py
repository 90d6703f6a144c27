"""Plans as Lua: rows of data with a stepper that goes on until the plan asks for something, and can be stored there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gpkit.core.check_report import FIRST_KEY, CheckReport
from gpkit.export.lua.hosts import run_everywhere
from gpkit.export.lua.layout import field_of, key, module_of, opening, quoted, records, runtime, table
from gpkit.export.lua.runner import replayed
from gpkit.export.registry import CONFORMANCE, Document, Subject
from gpkit.genomes.plan import PlanProgram, Test, downward, leaves
from gpkit.genomes.plan import Sequence as Steps
from gpkit.langkit.nodes import Texts, filled
from gpkit.languages.execution.exchanges import (
    TICK,
    PlanRun,
    conformance_lines,
    features_of,
    played_runs,
    random_runs,
    recorded,
)
from gpkit.languages.execution.printer import STEPS, number_text

MODES = ("module",)

LUA = Path(__file__).parents[1] / "lua"
"""The folder of the hand-written parts."""

_SIGNS = {"!=": "~="}


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Lua file of a plan, and the file of its conformance."""
    runs = recorded(subject)
    return (
        Document(".lua", plan_text(subject, runs)),
        Document(CONFORMANCE, conformance_lines(subject, runs)),
    )


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Runs on sensors at random and whole games, in every Lua, exchange by exchange."""
    more = (*random_runs(subject, evaluations, "check"), *played_runs(subject, games, FIRST_KEY))
    text, replay = plan_text(subject, recorded(subject)), runtime("plan_replay", LUA)
    runs, played = {"replay": runs_table("return ", more)}, len(more) - evaluations
    return run_everywhere(
        (evaluations, played), lambda host: replayed(host, text, replay, runs, subject.carries_tests)
    )


def plan_text(subject: Subject, runs: Sequence[PlanRun]) -> str:
    """The text of the Lua file."""
    rows = _Rows.of(subject.program)
    parts = [
        *_opening(subject),
        f"M.TICK = {quoted(TICK)}",
        "\n".join(
            table("M.STARTS = ", [f"{key(name)} = {row}" for name, row in rows.starts.items() if name])
        ),
        "\n".join(["local PLAN = {", *rows.texts, "}"]),
        runtime("keyed_uniform", LUA),
        runtime("plan", LUA),
    ]
    if subject.carries_tests:
        parts += [
            runs_table("local RUNS = ", runs),
            runtime("plan_replay", LUA),
            runtime("plan_selftest", LUA),
        ]
    else:
        parts.append(runtime("no_selftest", LUA))
    return module_of(parts)


def runs_table(start: str, runs: Sequence[PlanRun]) -> str:
    """Recorded runs as a Lua table."""
    fields = (
        {
            "key": run.key,
            "start": run.start or None,
            "features": tuple(map(_field, run.features)),
            "asks": run.words,
            "sensors": run.values,
        }
        for run in runs
    )
    return records(start, fields)


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


@dataclass(slots=True)
class _Rows:
    """The rows of a table while it grows: plans one after another, each with its end.

    Attributes:
        lines: comments, and rows as lists of fields; a field None stands for the row to jump to.
        targets: the rows to jump to, by line.
        count: the number of rows.
        slots: the number of loops.
        starts: the first row for each leaf; for plans that go down, the row for no leaf.
        waiting: the plans that rows use before their place is known, by line.
    """

    lines: list[str | tuple[str | None, ...]] = field(default_factory=list)
    targets: dict[int, int] = field(default_factory=dict)
    count: int = 0
    slots: int = 0
    starts: dict[str, int] = field(default_factory=dict)
    waiting: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, program: PlanProgram) -> "_Rows":
        """The rows of a program."""
        rows = cls()
        begins: dict[str, int] = {}
        starts = leaves(program) if program.goes_up else ()
        for start in starts or ("",):
            begun = downward(program, start)
            rows.lines.append(f"\t-- {f'from {start}' if start else 'the plan'}")
            rows.starts[start] = rows.count + 1
            rows.sequence(begun.plans[0])
            rows.row("over")
        for name, plan in zip(begun.names[1:], begun.plans[1:], strict=True):
            rows.lines.append(f"\t-- {name}")
            begins[name] = rows.count + 1
            rows.sequence(plan)
            rows.row("back")
        for line, name in rows.waiting.items():
            rows.targets[line] = begins[name]
        return rows

    @property
    def texts(self) -> Iterator[str]:
        """The lines of the table, including comments."""
        number = 0
        for place, line in enumerate(self.lines):
            if isinstance(line, str):
                yield line
                continue
            number += 1
            fields = [f"to = {self.targets[place]}" if each is None else each for each in line]
            yield from table("\t", fields, f", -- {number}")

    def row(self, word: str, *fields: str | None) -> int:
        """Add a row; the number of its line."""
        self.count += 1
        self.lines.append((quoted(word), *fields))
        return len(self.lines) - 1

    def land(self, line: int) -> None:
        """Point the row of a line behind the last row."""
        self.targets[line] = self.count + 1

    def slot(self) -> str:
        """The field of a new count."""
        self.slots += 1
        return f"slot = {self.slots}"

    def sequence(self, sequence: Steps) -> None:
        """Add the rows of a sequence."""
        for step in sequence:
            word, begin = STEPS.kind(step).word, self.count + 1
            fields = [filled(field, step, _TEXTS) if field else None for field in _FIELDS[word]]
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


_FIELDS = {
    "do": ("action = {action}",),
    "use": ("",),
    "wait": ("most = {most}", "{test}"),
    "repeat": ("most = {times}", ""),
    "while": ("most = {most}", "", "{test}"),
    "decide": ("", "{test}"),
    "chance": ("", "p = {probability}"),
}
"""The fields of the rows of steps; an empty one is the row to jump to."""


def _test(test: Test) -> str:
    """A test as a function."""
    comparisons = [
        f"{field_of('env', _field(c.feature))} {_SIGNS.get(c.sign, c.sign)} {number_text(c.threshold)}"
        for c in test.comparisons
    ]
    return f"test = function(env) return {f' {test.join} '.join(comparisons)} end"


_TEXTS: Texts = {"action": quoted, "test": _test, "probability": number_text}
