"""Plans to text: one step a line, branches and bodies indented below their step."""

from collections.abc import Iterator, Mapping

from gpkit.core.header import print_header
from gpkit.genomes.plan import (
    Chance,
    Comparison,
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


def head_text(step: Step) -> str:
    """The line of a step, without what it holds."""
    match step:
        case Do():
            return f"do {step.action}"
        case Use():
            return f"use {step.plan}"
        case Wait():
            return f"wait {test_text(step.test)} max {step.most}"
        case Repeat():
            return f"repeat {step.times}"
        case While():
            return f"while {test_text(step.test)} max {step.most}"
        case Decide():
            return f"decide {test_text(step.test)}"
        case Chance():
            return f"chance {number_text(step.probability)}"
        case Merge():
            return "merge"


def test_text(test: Test) -> str:
    """A test as it is written."""
    return f" {test.join} ".join(map(comparison_text, test.comparisons))


def comparison_text(comparison: Comparison) -> str:
    """A comparison as it is written."""
    return f"{comparison.feature} {comparison.sign} {number_text(comparison.threshold)}"


def number_text(value: float) -> str:
    """The shortest text of a number: whole ones without a point."""
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _lines(sequence: Sequence, level: int) -> Iterator[str]:
    indent = INDENT * level
    for step in sequence:
        yield indent + head_text(step)
        match step:
            case Repeat() | While():
                yield from _lines(step.body, level + 1)
                yield f"{indent}end"
            case Decide() | Chance():
                yield f"{indent}{INDENT}yes:"
                yield from _lines(step.yes, level + 2)
                yield f"{indent}{INDENT}no:"
                yield from _lines(step.no, level + 2)
            case Merge():
                for name, branch in zip(step.names, step.branches, strict=True):
                    yield f"{indent}{INDENT}from {name}:"
                    yield from _lines(branch, level + 2)
                yield f"{indent}end"
