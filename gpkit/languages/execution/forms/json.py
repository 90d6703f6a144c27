"""Plans as JSON: lists of objects, one for each step."""

import re
from collections.abc import Mapping
from typing import Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export import json as document
from gpkit.export.json import number, share, sign
from gpkit.export.registry import Subject
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.plan import MAIN, MAX_NESTING, MAX_STEPS, PlanProgram, Test
from gpkit.langkit.nodes import NodeReader
from gpkit.languages.execution.parser import RESERVED
from gpkit.languages.execution.printer import STEPS

MODES = ("program",)
MEMBER = "plans"
MAIN_NAME = "main"
"""The name of the plan that is executed; no other plan has it in JSON."""

documents, check = document.documents, document.check

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)
_FEATURE = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(\.[A-Za-z_][A-Za-z_0-9]*)*", re.ASCII)


def members(subject: Subject) -> dict[str, Any]:
    """The plans by name, in their order.

    Raises:
        UsageError: a plan has the name of the one that is executed.
    """
    program: PlanProgram = subject.program
    if MAIN_NAME in program.names:
        raise UsageError(
            f"in JSON `{MAIN_NAME}` is the plan that is executed; give the other one another name"
        )
    plans = zip(program.names, program.plans, strict=True)
    return {MEMBER: {name or MAIN_NAME: STEPS.json(plan, {Test: _test_value}) for name, plan in plans}}


def _test_value(test: Test) -> dict[str, Any]:
    """A test: ``all`` or ``any`` of some comparisons."""
    rows = [{"feature": c.feature, "comparison": c.sign, "threshold": c.threshold} for c in test.comparisons]
    return {"any" if test.join == "or" else "all": rows}


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[PlanProgram, Mapping[str, str]]:
    """The program of the plans.

    Raises:
        UsageError: it is not a program of plans.
        LimitError: it has too many steps.
    """
    plans = value.get(MEMBER)
    if not isinstance(plans, dict) or next(iter(plans), None) != MAIN_NAME:
        raise UsageError(f"a program has `{MEMBER}`, an object of lists of steps, `{MAIN_NAME}` first")
    names = tuple(plans)[1:]
    if not all(_NAME.fullmatch(name) and name not in RESERVED for name in names):
        raise UsageError(
            "the name of a plan is a word of letters, digits and `_`, and not one of the language's own words"
        )
    sequences = tuple(tuple(_READER.nodes(name, each)) for name, each in plans.items())
    program = PlanProgram((MAIN, *names), sequences, header.get("direction") == "up")
    if not any(program.plans):
        raise UsageError("the program has no step")
    if len(program) > MAX_STEPS:
        raise LimitError(f"the program has more than {MAX_STEPS} steps")
    return program, {}


def _test(value: object) -> Test:
    if isinstance(value, dict) and len(value) == 1:
        ((join, rows),) = value.items()
        if join in ("all", "any") and isinstance(rows, list) and 1 <= len(rows) <= 2:
            comparisons = tuple(map(_comparison, rows))
            if len(rows) == 2:
                return Test(comparisons, "or" if join == "any" else "and")
            return Test(comparisons)
    raise UsageError("a test is `all` or `any` of one or two comparisons")


def _comparison(value: object) -> Comparison:
    if isinstance(value, dict):
        feature, said = _word(value.get("feature")), sign(value.get("comparison"))
        threshold = number(value.get("threshold"))
        if feature is not None and said is not None and threshold is not None:
            return Comparison(feature, said, threshold)
    raise UsageError("a comparison has a `feature`, a `comparison` and a `threshold`")


def _word(value: object) -> str | None:
    """A name that is no word of the language, or None."""
    fits = isinstance(value, str) and _FEATURE.fullmatch(value) is not None and value not in RESERVED
    return str(value) if fits else None


_READER = NodeReader(
    STEPS,
    "plan",
    "is not a list of objects that begin with `do`, `use`, `wait`, `repeat`, `while`, `decide` or `chance`",
    MAX_NESTING,
    f"nests deeper than {MAX_NESTING}",
    {"action": _word, "plan": _word, "test": _test, "probability": share},
    ends="continues after a decision; write what follows in both branches",
    is_word=_NAME.fullmatch,
)
