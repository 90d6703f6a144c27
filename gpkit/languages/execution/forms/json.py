"""Plans as JSON: lists of objects, one for each step."""

import re
from collections.abc import Mapping
from typing import Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export import json as document
from gpkit.export.registry import Subject
from gpkit.genomes.comparisons import SIGNS, Comparison
from gpkit.genomes.plan import MAIN, MAX_NESTING, MAX_STEPS, Chance, Decide, Merge, PlanProgram, Step, Test
from gpkit.genomes.plan import Sequence as Steps
from gpkit.langkit.nodes import NodeKind
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
    return {MEMBER: {name or MAIN_NAME: _values(plan) for name, plan in plans}}


def _values(sequence: Steps) -> list[dict[str, Any]]:
    return list(map(_value, sequence))


def _value(step: Step) -> dict[str, Any]:
    if isinstance(step, Merge):
        if len(set(step.names)) < len(step.names):
            raise UsageError("two branches of a `merge` have one name; JSON keeps one of them")
        return {"merge": dict(zip(step.names, map(_values, step.branches), strict=True))}
    return STEPS.kind(step).json(step, _field_value, map(_values, step.held))


def _field_value(value: Any) -> Any:
    """A field; a test is ``all`` or ``any`` of some comparisons."""
    if not isinstance(value, Test):
        return value
    rows = [{"feature": c.feature, "comparison": c.sign, "threshold": c.threshold} for c in value.comparisons]
    return {"any" if value.join == "or" else "all": rows}


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
        raise UsageError(f"the plan `{name}` continues after a decision; write what follows in both branches")
    return steps


def _step(name: str, value: object, depth: int) -> Step:
    if depth > MAX_NESTING:
        raise LimitError(f"the plan `{name}` nests deeper than {MAX_NESTING}")
    kind = STEPS.named.get(next(iter(value), "")) if isinstance(value, dict) else None
    if kind is None or not isinstance(value, dict):
        raise _not_a_step(name)
    if kind.make is Merge:
        named = value["merge"]
        if not (isinstance(named, dict) and named and all(map(_NAME.fullmatch, named))):
            raise _not_a_step(name)
        return Merge(tuple(named), tuple(_sequence(name, each, depth + 1) for each in named.values()))
    fields = [_field(name, kind, key, value.get(key)) for key in kind.fields]
    step: Step = kind.make(*fields, *(_sequence(name, value.get(key), depth + 1) for key in kind.branches))
    return step


def _field(plan: str, kind: NodeKind, key: str, value: Any) -> object:
    name = kind.fields[key]
    if name == "test":
        return _test(plan, value)
    if name in kind.limits:
        least, most = kind.limits[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise UsageError(f"the plan `{plan}`: `{key}` is a whole number from {least} to {most}")
        return value
    if name == "probability" and document.is_number(value) and 0.0 <= value <= 1.0:
        return float(value) + 0.0
    if name != "probability" and _is_word(value):
        return value
    raise _not_a_step(plan)


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
        if _is_word(feature) and sign in SIGNS and document.is_number(threshold):
            return Comparison(str(feature), sign, float(threshold or 0.0) + 0.0)
    raise UsageError(f"the plan `{name}`: a comparison has a `feature`, a `comparison` and a `threshold`")


def _not_a_step(name: str) -> UsageError:
    return UsageError(
        f"the plan `{name}` is not a list of objects that begin with `do`, `use`, `wait`, `repeat`, `while`, "
        "`decide` or `chance`"
    )


def _is_word(value: object) -> bool:
    return isinstance(value, str) and _FEATURE.fullmatch(value) is not None and value not in RESERVED
