"""Defines the language of decision trees for the registry, and its names: sections, features, actions and classes."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.decision import DecisionProgram
from gpkit.langkit.language import Language, Valuing
from gpkit.langkit.naming import Naming, keywords, line_names
from gpkit.langkit.recovery import Recovery
from gpkit.langkit.sections import compile_sections, printed_sections, sensor_lines
from gpkit.languages.decision import forms
from gpkit.languages.decision.checks import NAME, check
from gpkit.languages.decision.compiler import classify, compile_tree
from gpkit.languages.decision.interpreter import evaluate, node_values, valued
from gpkit.languages.decision.simplify import simplify
from gpkit.languages.decision.text import READING, format_source, parse, print_program, print_tree
from gpkit.vm.program import Program

_MEANINGS = {
    "test": "test FEATURE <= NUMBER | Continues in the branch `yes:` if the comparison holds, else in `no:`.",
    "switch": "switch FEATURE | Continues in the first branch `below NUMBER:` whose bound the feature is below, "
    "else in `else:`.",
    "chance": "chance PROBABILITY | Continues in the branch `yes:` with this probability, else in `no:`.",
    "below": "below NUMBER: | The branch of a switch for values below the number and not below the one before.",
}


NAMING = Naming(
    line_names(
        {"SECTION": ("section", ""), "FUNCTION": ("operator", "")},
        lambda before, own, behind: "sensor" if before in ("TEST", "SWITCH") else "action",
        _MEANINGS,
    ),
    lambda primitives: keywords(_MEANINGS),
    {"sensor": ("E360", "sensor")},
)


def compile_for(
    program: DecisionProgram, header: Mapping[str, str], primitives: PrimitiveSet
) -> tuple[Program, ...]:
    """A machine program for each section of the game; it does not depend on the header.

    If trees name actions, a candidate's value depends on whether the leaf that the tree reaches names the candidate's
    action.

    Raises:
        KeyError: a section is missing; a tree tests a feature that the game does not have; or a leaf is neither a value
            nor, if the game has actions, one of its actions.
    """
    if not primitives.actions:
        return compile_sections(program, header, primitives, compile_tree)
    choosing = replace(program, trees=tuple(map(valued, program.trees)))
    return compile_sections(choosing, header, primitives, partial(compile_tree, once=True))


def template(primitives: PrimitiveSet | None) -> str:
    """A small program with explanatory comments; it passes ``check`` for its game."""
    if primitives is None:
        return "\n".join([*_notation("numbers"), "", *_example("", "A", 3.0, ("1.0", "2.0")), ""])
    once = bool(primitives.actions)
    example = next(
        (s for s in primitives.sensors if s.shared == once and s.high - s.low >= 1), primitives.sensors[0]
    )
    middle = float((example.low + example.high) // 2)
    leaves = (primitives.actions[0], primitives.actions[-1]) if once else ("1.0", "2.0")
    trees = [
        line
        for section in primitives.sections
        for line in _example(f"{section}: ", example.name, middle, leaves)
    ]
    return "\n".join(
        [
            f"// game: {primitives.game}",
            "//",
            *_notation("actions" if once else "numbers"),
            *(_choice(primitives) if once else _CANDIDATES),
            "//",
            *sensor_lines(primitives),
            "",
            *trees,
            "",
        ]
    )


_CANDIDATES = (
    "// Each section scores one candidate of a decision by the leaf that it reaches; the highest is chosen,",
    "// the first of equal ones.",
)


def _choice(primitives: PrimitiveSet) -> list[str]:
    return [
        "// A section is evaluated once and names an action; if that is not legal, the nearest other leaf "
        "is tried:",
        "// those of the sibling branches, then those beside the parent, and so on.",
        f"// Actions: {', '.join(primitives.actions)}.",
    ]


def _notation(leaves: str) -> list[str]:
    return [
        "// Inner nodes are `test SENSOR <= NUMBER` (or < > >= == !=) and `chance PROBABILITY`, with the branches yes:",
        "// and no:, and `switch SENSOR` with up to five branches below NUMBER: and one else:. Leaves are "
        f"{leaves}.",
    ]


def _example(before: str, feature: str, threshold: float, leaves: tuple[str, str]) -> list[str]:
    return [f"{before}test {feature} <= {threshold!r}", f"  yes: {leaves[0]}", f"  no: {leaves[1]}"]


RECOVERY = Recovery(
    reading=READING,
    local=frozenset(["E354", "E355", "E358", "E360", "E362", "E363", "E364", "E366", "E367", "E368"]),
    within=frozenset({"E356", "E357"}),
    heading=re.compile(
        r"(?!(yes|no|else|below|test|switch|chance)[ \t]*:)[A-Za-z_][A-Za-z_0-9]*[ \t]*(\([\w \t,]*\)[ \t]*)?:"
    ),
    headings=("SECTION", "FUNCTION"),
    patches=(
        *("1", "yes: 1", "no: 1", "else: 1", "test x < 1", "no: test x < 1", "yes: test x < 1"),
        *("below 1: 1", "yes:", "no:", "else:", "switch x", "switch x below 1: 1", "below 1: test x < 1"),
        *("else: test x < 1", "yes: switch x", "no: switch x"),
    ),
)


def simplified(
    program: DecisionProgram, header: Mapping[str, str], primitives: PrimitiveSet | None
) -> DecisionProgram:
    """A program, perhaps smaller, that reaches the same leaves within the bounds of its game's sensors."""
    sensors = () if primitives is None else primitives.sensors
    return replace(program, trees=tuple(simplify(tree, sensors) for tree in program.trees))


LANGUAGE = Language(
    simplify=simplified,
    recovery=RECOVERY,
    naming=NAMING,
    name=NAME,
    suffix=".decide",
    parse=parse,
    print_program=print_program,
    format_source=format_source,
    check=check,
    compile=compile_for,
    template=template,
    parts=lambda source: printed_sections(source.program, print_tree),
    classify=classify,
    valuing=Valuing(evaluate, node_values, lambda tree, values: frozenset(values)),
    draw=lambda: forms.draw.DRAWING,
    evolution=lambda: forms.evolution,
    fitting=lambda: forms.fitting,
    functions=lambda: forms.exports.WRITER,
    json=lambda: forms.exports.JSON,
    latex=lambda: forms.exports.LATEX,
    sympy=lambda: forms.exports.expression,
)
