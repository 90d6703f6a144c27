"""Plans to text: one step a line, branches and bodies indented below their step."""

from collections.abc import Iterable, Mapping
from typing import Any

from gpkit.core.header import print_header
from gpkit.genomes.plan import (
    MOST_REPEATS,
    MOST_TICKS,
    Chance,
    Decide,
    Do,
    Merge,
    PlanProgram,
    Repeat,
    Sequence,
    Step,
    Test,
    Use,
    Wait,
    While,
)
from gpkit.langkit.nodes import INDENT, NodeKind, NodeTable


def print_program(program: PlanProgram, header: Mapping[str, str] | None = None) -> str:
    """The text of a ``.plan`` file: the header as comments, the plan that is executed, then the named ones.

    Raises:
        ValueError: a header key is not one word of letters, digits, ``_`` and ``-``.
    """
    header = dict(header or {})
    if program.goes_up:
        header["direction"] = "up"
    elif header.get("direction") == "up":
        del header["direction"]
    lines = [*print_header(header), *STEPS.written(program.plans[0])]
    for name, plan in zip(program.names[1:], program.plans[1:], strict=True):
        lines += [*([""] if lines else []), f"plan {name}:", *STEPS.written(plan, 1)]
    return "\n".join(lines) + "\n"


def print_sequence(sequence: Sequence) -> str:
    """Steps, each on a line of its own, and those below it indented.

    >>> print(print_sequence((Do("drone"), Repeat(2, (Do("zerglings"),)))))
    do drone
    repeat 2
      do zerglings
    end
    """
    return "\n".join(STEPS.written(sequence))


def marked_text(program: PlanProgram, place: tuple[int, int]) -> str:
    """The text of one of the plans with a mark at a step: its number is that in the order of the text."""
    plan, number = place
    lines, steps = [], -1
    for level, words, step in STEPS.outline(program.plans[plan]):
        steps += step is not None
        mark = "> " if step is not None and steps == number else "  "
        lines.append(f"{mark}{INDENT * level}{words}{'' if step is None else head_text(step)}")
    name = program.names[plan]
    return "\n".join([*([f"plan {name}:"] if name else []), *lines])


def test_text(test: Test) -> str:
    """A test as it is written."""
    return f" {test.join} ".join(
        f"{each.feature} {each.sign} {number_text(each.threshold)}" for each in test.comparisons
    )


def number_text(value: float) -> str:
    """The shortest text of a number: whole ones without a point."""
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _made(kind: NodeKind, fields: Iterable[Any], branches: Iterable[Iterable[Step]]) -> tuple[Step]:
    """The step of a kind; branches that meet are one field."""
    held = tuple(map(tuple, branches))
    return (kind.make(*fields, *((held,) if kind.is_named else held)),)


STEPS = NodeTable(
    NodeKind("do {action}", "{action}", Do),
    NodeKind("use {plan}", "{plan}", Use),
    NodeKind(
        "wait {test} max {most}", "wait: {test}, at most {most}", Wait, limits={"most": (0, MOST_TICKS)}
    ),
    NodeKind(
        "repeat {times}",
        "{times:time}",
        Repeat,
        ("body",),
        limits={"times": (1, MOST_REPEATS)},
        closing="end",
    ),
    NodeKind(
        "while {test} max {most}",
        "while {test}, at most {most:time}",
        While,
        ("body",),
        limits={"most": (1, MOST_TICKS)},
        closing="end",
    ),
    NodeKind("decide {test}", "{test}", Decide, ("yes", "no")),
    NodeKind("chance {probability}", "{probability}", Chance, ("yes", "no")),
    NodeKind(
        "merge", "merge", Merge, ("merge",), words=lambda step: step.names, before="from ", closing="end"
    ),
    texts={Test: test_text, float: number_text},
    held=lambda step, rest: step.held,
    make=_made,
)

head_text = STEPS.head
"""The line of a step, without what it holds."""
