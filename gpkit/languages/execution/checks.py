"""Static checks of a program that parses: names, the header, cycles, and branches that have no effect."""

from collections import Counter
from collections.abc import Iterator

from gpkit.core.diagnostics import Diagnostic, Span, nearest, suggestion
from gpkit.core.header import header_span
from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.plan import (
    Chance,
    Sequence,
    Step,
    compared,
    cycle,
    expanded,
    leaves,
    steps,
)
from gpkit.genomes.tree import functions_in, sensors_of
from gpkit.langkit.findings import (
    KEYS,
    beyond_alphabet,
    checker,
    finding,
    header_findings,
    suggestions,
    unknown_sensor,
)
from gpkit.langkit.reading import token_span
from gpkit.languages.execution.compiler import MOST_EXPANDED
from gpkit.languages.execution.simplify import bounds_of, dead
from gpkit.languages.execution.text import READING, PlanSource, heading_word

NAME = "execution"
"""The name that games use for this language."""

_WHY = "the tests above it and the bounds of the features exclude it"


def _findings(source: PlanSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    yield from header_findings(
        source,
        primitives,
        unknown_game="E324",
        other_game="W345",
        unknown_alphabet="E325",
        keys=(*KEYS, "direction"),
    )
    yield from _plans(source)
    yield from _direction(source, primitives)
    called = functions_in(*(each.tree for each in source.program.computed))
    yield from source.defined.findings(called, () if primitives is None else primitives.sensor_names)
    if primitives is not None:
        yield from _names(source, primitives)
    if not source.program.goes_up:
        yield from _branches(source, primitives)
    yield from _indents(source)
    for span in [span for step, span in _steps(source) if isinstance(step, Chance)][:1]:
        yield finding("I346", "this plan draws random numbers: the same game can go differently", span)


check = checker(NAME, "E326", lambda source: next(span for _, span in _steps(source)), _findings)
"""The findings in a program, in the order of its text."""


def _plans(source: PlanSource) -> Iterator[Diagnostic]:
    """Findings about plans that are missing, are never used, use each other in a cycle, or are too large."""
    program = source.program
    used = {step.uses for step, _ in _steps(source) if step.uses}
    unknown = used - set(program.names[1:])
    near = suggestions(program.names[1:])
    for step, span in _steps(source):
        if step.uses in unknown:
            yield finding(
                "E322",
                f"there is no plan `{step.uses}`",
                span,
                near(step.uses) if program.names[1:] else "add `plan NAME:` below",
            )
    for name, span in zip(program.names[1:], source.headings, strict=True):
        if name not in {*used, *(nearest(each, program.names[1:]) for each in unknown)}:
            yield finding("W342", f"the plan `{name}` is never used", span)
    circle = cycle(program)
    if circle:
        span = next(span for step, span in _steps(source) if step.uses == circle[0])
        yield finding(
            "E323",
            f"plans use each other in a cycle: {' → '.join(circle)}",
            span,
            "repeat steps with `while` or `repeat`",
        )
    elif not unknown and expanded(program) > MOST_EXPANDED:
        yield finding(
            "E327",
            f"with all used plans inserted the plan has more than {MOST_EXPANDED} steps",
            next(span for _, span in _steps(source)),
        )


def _direction(source: PlanSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    """Findings about the direction of a program, and about steps that the direction does not allow."""
    said = source.header.get("direction", "down")
    if said not in ("up", "down"):
        place = header_span(source.text, "direction")
        yield finding("E318", f"there is no direction `{said}`", place, "write `up` or `down`")
    for number, (plan, spans) in enumerate(zip(source.program.plans, source.spans, strict=True)):
        for step, span in zip(steps(plan), spans, strict=True):
            if step.meeting and (not source.program.goes_up or number):
                yield finding(
                    "E317",
                    "branches meet only in the main plan of a program that is executed upwards",
                    span,
                    "add the line `// direction: up` above",
                )
            elif step.decides and source.program.goes_up:
                yield finding(
                    "E319",
                    "there are no decisions on the way from a leaf to the root",
                    span,
                    "write `merge` with a branch `from NAME:` for each beginning",
                )
    if source.program.goes_up:
        yield from _leaves(source, primitives)


def _leaves(source: PlanSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    """Findings about the names of leaves."""
    found, first = leaves(source.program), next(span for _, span in _steps(source))
    branches = [token for token in READING.tokens(source.text) if token.type == "FROM"]
    places = {heading_word(token): token_span(token) for token in branches}
    for name, count in Counter(found).items():
        place = places.get(name, first)
        if count > 1:
            yield finding("E328", f"two leaves have the name `{name}`", place)
        elif primitives is not None and name not in primitives.starts:
            yield finding(
                "W347",
                f"`{primitives.game}` never starts at the leaf `{name}`",
                place,
                suggestion(name, primitives.starts),
            )


def _names(source: PlanSource, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    actions = [instruction.name for instruction in primitives.instructions]
    near = suggestions(actions)
    alphabet = primitives.alphabet(source.header.get("alphabet", ""))
    for step, span in _steps(source):
        if step.asks and step.asks not in actions:
            yield finding("E321", f"`{primitives.game}` has no action `{step.asks}`", span, near(step.asks))
        elif step.asks and alphabet is not None and step.asks not in alphabet.instructions:
            yield beyond_alphabet("W344", f"`{step.asks}`", alphabet, span)
        for feature in dict.fromkeys(name for each in compared(step) for name in sensors_of(each.feature)):
            if primitives.sensor(feature) is None:
                yield unknown_sensor("E320", primitives, feature, span)
            elif alphabet is not None and feature not in alphabet.sensors:
                yield beyond_alphabet("W344", f"`{feature}`", alphabet, span)


def _branches(source: PlanSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    """Findings about branches that are never taken, decisions with equal branches, and loops with an empty body."""
    bounds = bounds_of(primitives)
    for plan, spans in zip(source.program.plans, source.spans, strict=True):
        for found in dead(plan, bounds):
            yield finding(
                "W340",
                {
                    "wait": "this test never holds, so it waits for all ticks: the bounds of the features exclude it",
                    "body": f"this loop is never entered: {_WHY}",
                }.get(found.branch, f"the branch `{found.branch}` is never taken: {_WHY}"),
                spans[found.number],
            )
        for step, span in zip(steps(plan), spans, strict=True):
            if step.decides and step.held[0] == step.held[1]:
                yield finding("W341", "both branches are the same, so this has no effect", span)
            elif step.asked and step.held == ((),):
                yield finding("W343", "the body is empty, so the loop does nothing", span)


def _indents(source: PlanSource) -> Iterator[Diagnostic]:
    """Findings about steps that are not indented below their decision, at most one for each branch."""
    for plan, spans in zip(source.program.plans, source.spans, strict=True):
        for number, step in enumerate(steps(plan)):
            if step.decides:
                first = number + 1
                for name, branch in zip(step.HELD, step.held, strict=True):
                    yield from _outside(branch, name, first, spans[number], spans)
                    first += sum(1 for _ in steps(branch))


def _outside(
    branch: Sequence, name: str, first: int, owner: Span, spans: tuple[Span, ...]
) -> Iterator[Diagnostic]:
    """A finding about the first step of a branch that is not indented below its decision.

    The steps of the branch are numbered from ``first``.
    """
    number = first
    for step in branch:
        span = spans[number]
        if span.line > owner.line and span.column <= owner.column:
            yield finding(
                "W348",
                f"this step belongs to the branch `{name}` above: a decision is the last of its sequence",
                span,
                "indent it; a step of both branches goes into each, or into a plan that both `use`",
            )
            return
        number += 1 + sum(1 for inner in step.held for _ in steps(inner))


def _steps(source: PlanSource) -> Iterator[tuple[Step, Span]]:
    for plan, spans in zip(source.program.plans, source.spans, strict=True):
        yield from zip(steps(plan), spans, strict=True)
