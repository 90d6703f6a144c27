"""Plans as lines of words and conditions, indented."""

import re
from collections.abc import Iterator

from gpkit.export.latex import SIGNS, aligned, name_text, number
from gpkit.export.registry import Document, Subject
from gpkit.genomes.plan import Sequence as Steps
from gpkit.genomes.plan import Step, Test
from gpkit.langkit.nodes import Texts, filled
from gpkit.languages.execution.printer import STEPS, number_text

MODES = ("equations",)

_HEADS = {
    "wait": "wait until {test} at most {most} ticks",
    "while": "while {test} at most {most} times",
    "decide": "if {test}",
    "chance": "with probability {probability}",
}
"""Steps that read otherwise than in their own text."""

_FIELD = re.compile(r"({\w+})")


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
    kind = STEPS.kind(step)
    pieces = _FIELD.split(_HEADS.get(kind.word, kind.head))  # words and fields in turn
    return " ".join(
        filled(piece, step, _TEXTS) if piece.startswith("{") else _bold(piece.rstrip())
        for piece in filter(None, pieces)
    )


def _number(value: float) -> str:
    return number(number_text(value))


def _bold(words: str) -> str:
    return rf"\textbf{{{words} }}"


def _test(test: Test) -> str:
    return rf" \text{{ {test.join} }} ".join(
        f"{name_text(each.feature)} {SIGNS[each.sign]} {_number(each.threshold)}" for each in test.comparisons
    )


_TEXTS: Texts = {str: name_text, float: _number, Test: _test}
