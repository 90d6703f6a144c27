"""Exports plans as JSON and LaTeX."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export.formulas import SIGNS, aligned, feature_text, function_texts, name_text, tex_number
from gpkit.export.json import (
    Membership,
    feature_value,
    function_members,
    own_among,
    read_again,
    read_feature,
    read_functions,
    read_number,
    share,
    sign,
)
from gpkit.export.subject import Document, Exporting, Subject
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.plan import MAIN, MAX_NESTING, MAX_STEPS, PlanProgram, Step, Test
from gpkit.genomes.plan import Sequence as Steps
from gpkit.genomes.tree import Computed, Function
from gpkit.langkit.nodes import NodeReader, Texts, filler
from gpkit.languages.execution.text import (
    MAIN_NAME,
    RESERVED,
    STEPS,
    number_text,
    parse,
    print_program,
    testing,
)

MEMBER = "plans"
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)
_FEATURE = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(\.[A-Za-z_][A-Za-z_0-9]*)*", re.ASCII)


def members(subject: Subject) -> dict[str, Any]:
    """The plans by name, in order.

    Raises:
        UsageError: a plan has the name that is reserved for the main plan.
    """
    program: PlanProgram = subject.program
    if MAIN_NAME in program.names:
        raise UsageError(f"in JSON, `{MAIN_NAME}` is the main plan; rename the other plan")
    plans = zip(program.names, program.plans, strict=True)
    found = {name or MAIN_NAME: STEPS.json(plan, {Test: _test_value}) for name, plan in plans}
    return {MEMBER: found} | function_members(program.functions)


def _test_value(test: Test) -> dict[str, Any]:
    """The JSON value of a test: its comparisons under ``all`` or ``any``."""
    rows = [
        {"feature": feature_value(c.feature), "comparison": c.sign, "threshold": c.threshold}
        for c in test.comparisons
    ]
    return {"any" if test.join == "or" else "all": rows}


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[PlanProgram, Mapping[str, str]]:
    """The program with the plans of a JSON object.

    Raises:
        UsageError: the object is not a program of plans.
        LimitError: the program has too many steps.
    """
    plans = value.get(MEMBER)
    if not isinstance(plans, dict) or next(iter(plans), None) != MAIN_NAME:
        raise UsageError(
            f"a program needs `{MEMBER}`, an object of lists of steps that begins with `{MAIN_NAME}`"
        )
    names = tuple(plans)[1:]
    if not all(_NAME.fullmatch(name) and name not in RESERVED for name in names):
        raise UsageError(
            "the name of a plan must be a word of letters, digits and `_`, but not a reserved word"
        )
    functions = read_functions(value)
    own = own_among(functions)
    reader = replace(_READER, fields={**_READER.fields, "test": partial(_test, functions)})
    sequences = tuple(tuple(reader.nodes(name, each)) for name, each in plans.items())
    program = PlanProgram((MAIN, *names), sequences, header.get("direction") == "up", own)
    if not any(program.plans):
        raise UsageError("the program has no steps")
    if len(program) > MAX_STEPS:
        raise LimitError(f"the program has more than {MAX_STEPS} steps")
    return read_again(program, print_program, parse) if own else program, {}


def _test(functions: Mapping[str, Function], value: object) -> Test:
    if isinstance(value, dict) and len(value) == 1:
        ((join, rows),) = value.items()
        if join in ("all", "any") and isinstance(rows, list) and 1 <= len(rows) <= 2:
            comparisons = tuple(_comparison(functions, row) for row in rows)
            if len(rows) == 2:
                return Test(comparisons, "or" if join == "any" else "and")
            return Test(comparisons)
    raise UsageError("a test is `all` or `any` of one or two comparisons")


def _comparison(functions: Mapping[str, Function], value: object) -> Comparison:
    if isinstance(value, dict):
        feature, said = read_feature(functions, _word, value.get("feature")), sign(value.get("comparison"))
        threshold = read_number(value.get("threshold"))
        if feature is not None and said is not None and threshold is not None:
            return Comparison(feature, said, threshold)
    raise UsageError("a comparison has a `feature`, a `comparison` and a `threshold`")


def _word(value: object) -> str | None:
    """The value if it is a name and not a reserved word; else None."""
    return value if isinstance(value, str) and _FEATURE.fullmatch(value) and value not in RESERVED else None


_READER = NodeReader(
    STEPS,
    "plan",
    "is not a list of objects that begin with `do`, `use`, `wait`, `repeat`, `while`, `decide` or `chance`",
    MAX_NESTING,
    f"nests deeper than {MAX_NESTING}",
    {"action": _word, "plan": _word, "probability": share},
    ends="continues after a decision; write what follows in both branches",
    is_word=_NAME.fullmatch,
)


JSON = Membership(MEMBER, members, read)


_HEADS = {
    "wait": "wait until {test} at most {most} ticks",
    "while": "while {test} at most {most} times",
    "decide": "if {test}",
    "chance": "with probability {probability}",
}
"""The patterns of the steps for which LaTeX uses different words from those in programs."""

_FIELD = re.compile(r"({\w+})")


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The LaTeX file, which has a line for each step."""
    functions = function_texts(subject.program.functions)
    lines = [f"{head} = {text}" for head, text in functions]
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
    r"""The LaTeX text of a step, without the sequences inside it.

    >>> from gpkit.genomes.plan import Do
    >>> head(Do("spawning_pool"))
    '\\textbf{do } \\mathit{spawning\\_pool}'
    """
    kind = STEPS.kind(step)
    pieces = _FIELD.split(_HEADS.get(kind.word, kind.head))  # words and fields alternate
    return " ".join(
        filler(piece, _STEP_TEXTS)(step) if piece.startswith("{") else _bold(piece.rstrip())
        for piece in filter(None, pieces)
    )


def _bold(words: str) -> str:
    return rf"\textbf{{{words} }}"


_TEXTS: Texts = {
    "sign": SIGNS.__getitem__,
    str: name_text,
    Computed: feature_text,
    float: lambda value: tex_number(number_text(value)),
}
_STEP_TEXTS: Texts = {**_TEXTS, Test: testing(_TEXTS, between=r" \text{{ {} }} ")}


LATEX = Exporting(documents)
