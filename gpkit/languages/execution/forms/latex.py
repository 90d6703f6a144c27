"""Plans as lines of words and conditions, indented."""

from collections.abc import Iterator, Mapping

from gpkit.export.request import Document, Subject
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.plan import (
    Chance,
    Decide,
    Do,
    Merge,
    Repeat,
    Step,
    Test,
    Use,
    Wait,
    While,
)
from gpkit.genomes.plan import Sequence as Steps
from gpkit.languages.execution.printer import number_text

MODES = ("equations",)

_SIGNS: Mapping[str, str] = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "==": "=", "<": "<", ">": ">"}


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """A line for each step."""
    return (Document(".tex", latex_text(subject)),)


def latex_text(subject: Subject) -> str:
    """``align*`` with a line for each step of all plans."""
    lines: list[str] = []
    for name, plan in zip(subject.program.names, subject.program.plans, strict=True):
        lines += [f"{_bold('plan')} {_word(name)}:"] if name else []
        lines += _lines(plan, 1 if name else 0)
    body = " \\\\\n".join(f"  & {line}" for line in lines)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}\n"


def _lines(sequence: Steps, level: int) -> Iterator[str]:
    indent = r"\quad " * level
    for step in sequence:
        yield indent + head(step)
        match step:
            case Decide() | Chance():
                for word, branch in (("yes", step.yes), ("no", step.no)):
                    yield f"{indent}\\quad {_bold(word)}:"
                    yield from _lines(branch, level + 2)
            case Merge():
                for word, branch in zip(step.names, step.branches, strict=True):
                    yield f"{indent}\\quad {_bold('from')} {_word(word)}:"
                    yield from _lines(branch, level + 2)
            case _:
                for inner in step.held:
                    yield from _lines(inner, level + 1)


def head(step: Step) -> str:
    r"""A step without what it holds.

    >>> head(Do("spawning_pool"))
    '\\textbf{do } \\mathit{spawning\\_pool}'
    """
    match step:
        case Do():
            return f"{_bold('do')} {_word(step.action)}"
        case Use():
            return f"{_bold('use')} {_word(step.plan)}"
        case Wait():
            return (
                f"{_bold('wait until')} {_test(step.test)} {_bold(' at most')} {step.most} {_bold(' ticks')}"
            )
        case Repeat():
            return f"{_bold('repeat')} {step.times}"
        case While():
            return f"{_bold('while')} {_test(step.test)} {_bold(' at most')} {step.most} {_bold(' times')}"
        case Decide():
            return f"{_bold('if')} {_test(step.test)}"
        case Merge():
            return _bold("merge")
        case Chance():
            return f"{_bold('with probability')} {_number(step.probability)}"


def _bold(words: str) -> str:
    return rf"\textbf{{{words} }}"


def _test(test: Test) -> str:
    return rf" \text{{ {test.join} }} ".join(map(_comparison, test.comparisons))


def _comparison(comparison: Comparison) -> str:
    return f"{_word(comparison.feature)} {_SIGNS[comparison.sign]} {_number(comparison.threshold)}"


def _number(value: float) -> str:
    """Every digit of a number."""
    digits, _, exponent = number_text(value).partition("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}" if exponent else digits


def _word(name: str) -> str:
    escaped = name.removeprefix("env.").replace("_", r"\_")
    return rf"\mathit{{{escaped}}}"
