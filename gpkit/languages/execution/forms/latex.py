"""Plans as lines of words and conditions, indented."""

from collections.abc import Callable, Iterator, Mapping
from string import Formatter
from typing import Any

from gpkit.export.latex import SIGNS, aligned, name_text, number
from gpkit.export.registry import Document, Subject
from gpkit.genomes.plan import Sequence as Steps
from gpkit.genomes.plan import Step, Test
from gpkit.languages.execution.printer import STEPS, number_text

MODES = ("equations",)

_HEADS = {
    "wait": "wait until {test} at most {most} ticks",
    "while": "while {test} at most {most} times",
    "decide": "if {test}",
    "chance": "with probability {probability}",
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
    for depth, words, step in STEPS.outline(sequence, level):
        *before, name = words.removesuffix(":").split(" ")
        if step is not None:
            yield r"\quad " * depth + head(step)
        elif words.endswith(":"):
            said = f"{_bold(*before)} {name_text(name)}" if before else _bold(name)
            yield r"\quad " * depth + f"{said}:"


def head(step: Step) -> str:
    r"""A step without what it holds.

    >>> from gpkit.genomes.plan import Do
    >>> head(Do("spawning_pool"))
    '\\textbf{do } \\mathit{spawning\\_pool}'
    """
    kind, parts = STEPS.kind(step), []
    for words, field, _, _ in Formatter().parse(_HEADS.get(kind.word, kind.head)):
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
