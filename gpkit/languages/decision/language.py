"""The language of decision trees as the registry knows it."""

from collections.abc import Mapping

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.decision import DecisionProgram
from gpkit.languages.decision.checks import NAME, check
from gpkit.languages.decision.compiler import compile_tree
from gpkit.languages.decision.explanations import EXPLANATIONS
from gpkit.languages.decision.formatter import format_source
from gpkit.languages.decision.interpreter import evaluate, node_values
from gpkit.languages.decision.parser import Source, parse
from gpkit.languages.decision.printer import print_program, print_tree
from gpkit.languages.decision.rows import classify
from gpkit.languages.language import Language, Valuing
from gpkit.languages.sections import compile_sections, sensor_lines
from gpkit.vm.program import Program


def compile_for(
    program: DecisionProgram, header: Mapping[str, str], primitives: PrimitiveSet
) -> tuple[Program, ...]:
    """A program of the machine for each section of the game; the header says nothing about it.

    Raises:
        KeyError: a section is missing, a tree tests a feature that the game does not have, or a leaf is no value.
    """
    return compile_sections(program, primitives, compile_tree)


def parts(source: Source) -> dict[str, str]:
    """The trees by section."""
    program = source.program
    return {name: print_tree(tree) for name, tree in zip(program.names, program.trees, strict=True)}


def template(primitives: PrimitiveSet | None) -> str:
    """A small program with comments that say what there is; it passes ``check`` for its game."""
    if primitives is None:
        return "\n".join([*_notation(), "", *_example("", "A", 3.0), ""])
    example = next(
        (s for s in primitives.sensors if not s.shared and s.high - s.low >= 1), primitives.sensors[0]
    )
    middle = float((example.low + example.high) // 2)
    trees = [
        line for section in primitives.sections for line in _example(f"{section}: ", example.name, middle)
    ]
    return "\n".join(
        [
            f"// game: {primitives.game}",
            "//",
            *_notation(),
            "// Each section values one candidate of a decision by the leaf that it comes to; the highest is chosen,",
            "// the first of equal ones.",
            "//",
            *sensor_lines(primitives),
            "",
            *trees,
            "",
        ]
    )


def _notation() -> list[str]:
    return [
        "// Inner nodes are `test SENSOR <= NUMBER` (or < > >= == !=) and `chance PROBABILITY`, with the branches yes:",
        "// and no:, and `switch SENSOR` with up to five branches below NUMBER: and one else:. Leaves are numbers.",
    ]


def _example(before: str, feature: str, threshold: float) -> list[str]:
    return [f"{before}test {feature} <= {threshold!r}", "  yes: 1.0", "  no: 2.0"]


LANGUAGE = Language(
    name=NAME,
    suffix=".decide",
    parse=parse,
    print_program=print_program,
    format_source=format_source,
    check=check,
    compile=compile_for,
    template=template,
    parts=parts,
    explanations=EXPLANATIONS,
    classify=classify,
    valuing=Valuing(evaluate, node_values, lambda tree, values: frozenset(values)),
)
