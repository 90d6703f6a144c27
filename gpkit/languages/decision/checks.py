"""Static checks of a program that parses: names, sections, the header, leaves, and branches that have no effect."""

from collections.abc import Iterator

from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.genomes.decision import DecisionTree, Leaf
from gpkit.genomes.tree import functions_in, sensors_of
from gpkit.langkit.findings import beyond_alphabet, checker, finding, header_findings, unknown_sensor
from gpkit.languages.decision.simplify import first_unreached
from gpkit.languages.decision.text import READING, SECTIONS, DecisionSource

NAME = "decision"
"""The name that games use for this language."""


def _findings(source: DecisionSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    yield from header_findings(
        source, primitives, unknown_game="E363", other_game="W385", unknown_alphabet="E364"
    )
    if primitives is not None:
        yield from SECTIONS.findings(source, primitives, READING)
        yield from _names(source, primitives)
        if primitives.actions:
            yield from _moments(source, primitives)
        else:
            yield from SECTIONS.ties(source, primitives, "test a sensor of the candidate")
    sensors = () if primitives is None else primitives.sensor_names
    yield from source.defined.findings(functions_in(*source.program.trees), sensors)
    for tree, spans in zip(source.program.trees, source.spans, strict=True):
        yield from _branches(tree, spans, primitives)
        if tree.draws:
            place = next(k for k, node in tree.inner if not node.feature)
            yield finding(
                "I386",
                "this tree draws random numbers: the same position can get different decisions",
                spans[place],
            )


check = checker(NAME, "E365", lambda source: source.spans[0][0], _findings)
"""The findings in a program, in the order of its text."""


def _names(source: DecisionSource, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    alphabet = primitives.alphabet(source.header.get("alphabet", ""))
    for node, span in source.nodes():
        if isinstance(node, Leaf):
            if primitives.actions and node not in primitives.actions:
                yield finding(
                    "E367",
                    f"`{primitives.game}` asks for an action, and `{node}` is not one",
                    span,
                    suggestion(str(node), primitives.actions),
                )
            elif isinstance(node, str) and not primitives.actions:
                message = f"`{primitives.game}` ranks candidates by values, and `{node}` is not one"
                yield finding("E366", message, span, "a leaf is a number here")
            continue
        for name in sensors_of(node.feature) if node.feature else (RANDOM,):
            if node.feature and primitives.sensor(name) is None:
                yield unknown_sensor("E360", primitives, name, span)
            elif alphabet is not None and name not in alphabet.sensors:
                shown = f"`{name}`" if node.feature else "a chance"
                yield beyond_alphabet("W384", shown, alphabet, span)


def _moments(source: DecisionSource, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    """Findings about tests of features of a single candidate, in trees that are evaluated once for all candidates."""
    apart = {sensor.name for sensor in primitives.sensors if not sensor.shared}
    for node, span in source.nodes():
        for name in sorted(apart.intersection(sensors_of(getattr(node, "feature", "")))):
            message = f"`{name}` describes one action, but the tree is evaluated once for all of them"
            yield finding("E368", message, span, "test a sensor of the position")


def _branches(
    tree: DecisionTree, spans: tuple[Span, ...], primitives: PrimitiveSet | None
) -> Iterator[Diagnostic]:
    """Findings about branches that are never taken, and about nodes with equal branches."""
    sensors = primitives.sensors if primitives is not None else ()
    for position, above in first_unreached(tree, sensors):
        if above.feature:
            yield finding(
                "W380",
                "this branch is never taken: the tests above it and the bounds of the features exclude it",
                spans[position],
            )
    for position, node in tree.inner:
        first, *others = (tree.subtree(child) for child in tree.children(position))
        if all(other == first for other in others):
            yield finding("W381", "all branches are the same, so this has no effect", spans[position])
        elif not node.feature and node.bounds[0] in (0.0, 1.0):
            yield finding(
                "W382", f"this chance always says {'yes' if node.bounds[0] else 'no'}", spans[position]
            )
