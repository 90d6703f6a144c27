"""Plans as JSON: lists of objects, one for each step."""

import math
import re
from collections.abc import Mapping
from typing import Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export.json import document
from gpkit.export.request import Subject
from gpkit.genomes.plan import (
    MAIN,
    MAX_NESTING,
    MAX_STEPS,
    MOST_REPEATS,
    MOST_TICKS,
    SIGNS,
    Chance,
    Comparison,
    Decide,
    Do,
    Merge,
    PlanProgram,
    Repeat,
    Step,
    Test,
    Use,
    Wait,
    While,
)
from gpkit.genomes.plan import Sequence as Steps
from gpkit.languages.execution.parser import RESERVED

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
    return {MEMBER: {name or MAIN_NAME: _values(plan) for name, plan in plans}}


def _values(sequence: Steps) -> list[dict[str, Any]]:
    return list(map(_value, sequence))


def _value(step: Step) -> dict[str, Any]:
    match step:
        case Merge():
            if len(set(step.names)) < len(step.names):
                raise UsageError("two branches of a `merge` have one name; JSON keeps one of them")
            return {"merge": dict(zip(step.names, map(_values, step.branches), strict=True))}
        case Do():
            return {"do": step.action}
        case Use():
            return {"use": step.plan}
        case Wait():
            return {"wait": _test_value(step.test), "max": step.most}
        case Repeat():
            return {"repeat": step.times, "body": _values(step.body)}
        case While():
            return {"while": _test_value(step.test), "max": step.most, "body": _values(step.body)}
        case Decide():
            return {"decide": _test_value(step.test), "yes": _values(step.yes), "no": _values(step.no)}
        case Chance():
            return {"chance": step.probability, "yes": _values(step.yes), "no": _values(step.no)}


def _test_value(test: Test) -> dict[str, Any]:
    """A test: ``all`` or ``any`` of some comparisons."""
    rows = [{"feature": c.feature, "comparison": c.sign, "threshold": c.threshold} for c in test.comparisons]
    return {"any" if test.join == "or" else "all": rows}


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[PlanProgram, Mapping[str, str]]:
    """The program of the plans."""
    plans = value.get(MEMBER)
    if not isinstance(plans, dict) or next(iter(plans), None) != MAIN_NAME:
        raise UsageError(f"a program has `{MEMBER}`, an object of lists of steps, `{MAIN_NAME}` first")
    names = tuple(plans)[1:]
    if not all(_NAME.fullmatch(name) and name not in RESERVED for name in names):
        raise UsageError(
            "the name of a plan is a word of letters, digits and `_`, none of the language's own"
        )
    sequences = tuple(_sequence(name, each, 0) for name, each in plans.items())
    program = PlanProgram((MAIN, *names), sequences, header.get("direction") == "up")
    if not any(program.plans):
        raise UsageError("the program has no step")
    if len(program) > MAX_STEPS:
        raise LimitError(f"the program has more than {MAX_STEPS} steps")
    return program, {}


def _sequence(name: str, value: object, depth: int) -> Steps:
    """The steps of a list; a decision can only be the last."""
    if not isinstance(value, list):
        raise _not_a_step(name)
    if depth > MAX_NESTING + 1:
        raise LimitError(f"the plan `{name}` nests deeper than {MAX_NESTING}")
    steps = tuple(_step(name, each, depth) for each in value)
    if any(isinstance(step, Decide | Chance | Merge) for step in steps[:-1]):
        raise UsageError(f"the plan `{name}` goes on behind a decision; write what follows in both branches")
    return steps


def _step(name: str, value: object, depth: int) -> Step:
    if not isinstance(value, dict) or depth > MAX_NESTING:
        raise (
            _not_a_step(name)
            if depth <= MAX_NESTING
            else LimitError(f"the plan `{name}` nests deeper than {MAX_NESTING}")
        )

    def inner(key: str) -> Steps:
        return _sequence(name, value.get(key), depth + 1)

    def count(key: str, least: int, most: int) -> int:
        found = value.get(key)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise UsageError(f"the plan `{name}`: `{key}` is a whole number of {least} to {most}")
        return found

    match next(iter(value), ""):
        case "do" if _is_word(value["do"]):
            return Do(value["do"])
        case "use" if _is_word(value["use"]):
            return Use(value["use"])
        case "wait":
            return Wait(_test(name, value["wait"]), count("max", 0, MOST_TICKS))
        case "repeat":
            return Repeat(count("repeat", 1, MOST_REPEATS), inner("body"))
        case "while":
            return While(_test(name, value["while"]), count("max", 1, MOST_TICKS), inner("body"))
        case "decide":
            return Decide(_test(name, value["decide"]), inner("yes"), inner("no"))
        case "merge" if _are_branches(value["merge"]):
            branches = (_sequence(name, each, depth + 1) for each in value["merge"].values())
            return Merge(tuple(value["merge"]), tuple(branches))
        case "chance" if _is_number(value["chance"]) and 0.0 <= value["chance"] <= 1.0:
            return Chance(float(value["chance"]) + 0.0, inner("yes"), inner("no"))
    raise _not_a_step(name)


def _test(name: str, value: object) -> Test:
    if isinstance(value, dict) and len(value) == 1:
        ((join, rows),) = value.items()
        if join in ("all", "any") and isinstance(rows, list) and 1 <= len(rows) <= 2:
            comparisons = tuple(_comparison(name, row) for row in rows)
            if len(rows) == 2:
                return Test(comparisons, "or" if join == "any" else "and")
            return Test(comparisons)
    raise UsageError(f"the plan `{name}`: a test is `all` or `any` of one or two comparisons")


def _comparison(name: str, value: object) -> Comparison:
    if isinstance(value, dict):
        feature, sign, threshold = (value.get(key) for key in ("feature", "comparison", "threshold"))
        if _is_word(feature) and sign in SIGNS and _is_number(threshold):
            return Comparison(str(feature), sign, float(threshold or 0.0) + 0.0)
    raise UsageError(f"the plan `{name}`: a comparison has a `feature`, a `comparison` and a `threshold`")


def _not_a_step(name: str) -> UsageError:
    return UsageError(
        f"the plan `{name}` is no list of objects that begin with `do`, `use`, `wait`, `repeat`, `while`, `decide` or "
        "`chance`"
    )


def _are_branches(value: object) -> bool:
    return isinstance(value, dict) and bool(value) and all(map(_NAME.fullmatch, value))


def _is_word(value: object) -> bool:
    return isinstance(value, str) and _FEATURE.fullmatch(value) is not None and value not in RESERVED


def _is_number(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no double holds
        return False
