"""Plans to text: one step a line, branches and bodies indented below their step."""

from collections.abc import Iterator, Mapping

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
from gpkit.langkit.nodes import NodeKind, NodeTable, Texts

INDENT = "  "


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
    lines = print_header(header)
    lines += _lines(program.plans[0], 0)
    for name, plan in zip(program.names[1:], program.plans[1:], strict=True):
        lines += [*([""] if lines else []), f"plan {name}:", *_lines(plan, 1)]
    return "\n".join(lines) + "\n"


def print_sequence(sequence: Sequence) -> str:
    """Steps, each on a line of its own, and those below it indented.

    >>> print(print_sequence((Do("drone"), Repeat(2, (Do("zerglings"),)))))
    do drone
    repeat 2
      do zerglings
    end
    """
    return "\n".join(_lines(sequence, 0))


def marked_text(program: PlanProgram, place: tuple[int, int]) -> str:
    """The text of one of the plans with a mark at a step: its number is that in the order of the text."""
    plan, number = place
    lines, steps = [], -1
    for line in print_sequence(program.plans[plan]).split("\n"):
        steps += line.strip() != "end" and not line.endswith(":")
        lines.append(f"{'> ' if steps == number else '  '}{line}")
        number = -2 if steps == number else number
    name = program.names[plan]
    return "\n".join([*([f"plan {name}:"] if name else []), *lines])


STEPS = NodeTable(
    NodeKind(Do, "do {action}", "{action}"),
    NodeKind(Use, "use {plan}", "{plan}"),
    NodeKind(
        Wait, "wait {test} max {most}", "wait: {test}, at most {most}", limits={"most": (0, MOST_TICKS)}
    ),
    NodeKind(Repeat, "repeat {times}", "{times:time}", ("body",), limits={"times": (1, MOST_REPEATS)}),
    NodeKind(
        While,
        "while {test} max {most}",
        "while {test}, at most {most:time}",
        ("body",),
        limits={"most": (1, MOST_TICKS)},
    ),
    NodeKind(Decide, "decide {test}", "{test}", ("yes", "no")),
    NodeKind(Chance, "chance {probability}", "{probability}", ("yes", "no")),
    NodeKind(Merge, "merge", "merge"),
)


def head_text(step: Step) -> str:
    """The line of a step, without what it holds."""
    return STEPS.head(step, _TEXTS)


def branch_names(step: Step) -> tuple[str, ...]:
    """The names of the branches of a decision, or of those that meet; the body of a loop has an empty one."""
    if isinstance(step, Merge):
        return step.names
    return step.HELD if len(step.HELD) > 1 else ("",) * len(step.HELD)


def test_text(test: Test) -> str:
    """A test as it is written."""
    return f" {test.join} ".join(
        f"{each.feature} {each.sign} {number_text(each.threshold)}" for each in test.comparisons
    )


def number_text(value: float) -> str:
    """The shortest text of a number: whole ones without a point."""
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


_TEXTS: Texts = {Test: test_text, float: number_text}


def _lines(sequence: Sequence, level: int) -> Iterator[str]:
    indent = INDENT * level
    for step in sequence:
        yield indent + head_text(step)
        for name, inner in zip(branch_names(step), step.held, strict=True):
            if name:
                yield f"{indent}{INDENT}{'from ' * isinstance(step, Merge)}{name}:"
            yield from _lines(inner, level + (2 if name else 1))
        if isinstance(step, Repeat | While | Merge):
            yield f"{indent}end"
