"""Plans as lines of words and conditions, indented."""

from collections.abc import Callable, Iterator, Mapping
from string import Formatter
from typing import Any

from gpkit.export.latex import SIGNS, aligned, name_text, number
from gpkit.export.registry import Document, Subject
from gpkit.genomes.plan import Chance, Decide, Merge, Step, Test, Wait, While
from gpkit.genomes.plan import Sequence as Steps
from gpkit.languages.execution.printer import STEPS, branch_names, number_text

MODES = ("equations",)

_HEADS = {
    Wait: "wait until {test} at most {most} ticks",
    While: "while {test} at most {most} times",
    Decide: "if {test}",
    Chance: "with probability {probability}",
}
"""Steps that read otherwise than in their own text."""


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """A line for each step."""
    lines: list[str] = []
    for name, plan in zip(subject.program.names, subject.program.plans, strict=True):
        lines += [f"{_bold('plan')} {name_text(name)}:"] if name else []
        lines += _lines(plan, 1 if name else 0)
    return (Document(".tex", aligned(f"& {line}" for line in lines)),)


def _lines(sequence: Steps, level: int) -> Iterator[str]:
    indent = r"\quad " * level
    for step in sequence:
        yield indent + head(step)
        for name, inner in zip(branch_names(step), step.held, strict=True):
            if name:
                words = f"{_bold('from')} {name_text(name)}" if isinstance(step, Merge) else _bold(name)
                yield f"{indent}\\quad {words}:"
            yield from _lines(inner, level + (2 if name else 1))


def head(step: Step) -> str:
    r"""A step without what it holds.

    >>> from gpkit.genomes.plan import Do
    >>> head(Do("spawning_pool"))
    '\\textbf{do } \\mathit{spawning\\_pool}'
    """
    parts = []
    for words, field, _, _ in Formatter().parse(_HEADS.get(type(step), STEPS.kind(step).head)):
        parts += [_bold(words.rstrip())] if words else []
        if field:
            value = getattr(step, field)
            parts.append(_TEXTS.get(type(value), str)(value))
    return " ".join(parts)


def _number(value: float) -> str:
    return number(number_text(value))


def _bold(words: str) -> str:
    return rf"\textbf{{{words} }}"


def _test(test: Test) -> str:
    return rf" \text{{ {test.join} }} ".join(
        f"{name_text(each.feature)} {SIGNS[each.sign]} {_number(each.threshold)}" for each in test.comparisons
    )


_TEXTS: Mapping[type, Callable[[Any], str]] = {str: name_text, float: _number, Test: _test}
