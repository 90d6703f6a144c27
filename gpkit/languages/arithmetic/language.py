"""Defines the arithmetic language for the registry, and the names in formulas: sections, sensors and operators."""

import re
import textwrap
from collections.abc import Iterator
from functools import partial

from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.core.wording import first_line
from gpkit.genomes.tree import TreeProgram
from gpkit.langkit.formulas import evaluate, executed_nodes, node_values, print_formula
from gpkit.langkit.language import Language, Valuing
from gpkit.langkit.naming import Naming, Word, line_names
from gpkit.langkit.operators import NOTATIONS
from gpkit.langkit.recovery import Recovery
from gpkit.langkit.sections import compile_sections, printed_sections, sensor_lines
from gpkit.languages.arithmetic import forms
from gpkit.languages.arithmetic.checks import NAME, check, errors
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.simplify import folded, simplify
from gpkit.languages.arithmetic.text import READING, format_source, parse, print_program

_MEANINGS = {
    "+": "The sum.",
    "-": "The difference.",
    "*": "The product.",
    "/": "The quotient; 1 where b is 0.",
    "min": "The smaller of two values.",
    "max": "The larger of two values.",
    "neg": "The value with its sign changed.",
    "abs": "The value without its sign.",
    "sqrt": "The square root; 0 if it is not positive.",
    "floor": "The largest whole number that is at most a.",
    "ifle": "x if a <= b, else y.",
    "log": "The natural logarithm; 0 if a is not positive.",
    "exp": "e to the power of a.",
    "sin": "The sine of a in radians; 0 if a is infinite.",
    "cos": "The cosine of a in radians; 0 if a is infinite.",
    "tanh": "The hyperbolic tangent, from -1 to 1.",
    "square": "a times a.",
    "pow": "a to the power of b; 1 if a is 0 and b < 0, and 0 if a is negative and b a fraction.",
}


def words(primitives: PrimitiveSet | None) -> Iterator[Word]:
    """The words for all operators, including infix operators."""
    for notation in NOTATIONS:
        yield Word(notation.name, "operator", notation.usage, _MEANINGS[notation.name])
    yield Word(RANDOM, "operator", f"{RANDOM}()", "A fresh random number, at least 0 and below 1.")


NAMING = Naming(
    line_names(
        {"SECTION": ("section", ""), "FUNCTION": ("operator", "")},
        lambda before, own, behind: "sensor",
    ),
    words,
    {"sensor": ("E010", "sensor")},
)


def template(primitives: PrimitiveSet | None) -> str:
    """A small program with explanatory comments; it passes ``check`` for its game."""
    if primitives is None:
        return "\n".join([*_NOTATION, "", "A + B * 7", ""])
    example = next((s for s in primitives.sensors if not s.shared), primitives.sensors[0])
    return "\n".join(
        [
            f"// game: {primitives.game}",
            "//",
            *_NOTATION,
            "// Each section scores one candidate of a decision; the highest score is chosen, the first of equal ones.",
            "//",
            *sensor_lines(primitives),
            "",
            *(f"{section}: {example.name}" for section in primitives.sections),
            "",
        ]
    )


_NOTATION = (
    *(
        f"// {line}"
        for line in textwrap.wrap(f"Operators are {', '.join(each.usage for each in NOTATIONS)};", 108)
    ),
    "// math.random() is a fresh random number, at least 0 and below 1.",
    "// a / b is 1 where b is 0; ifle(a, b, x, y) is x if a <= b, else y.",
)


_OPERATORS = tuple(
    {"name": each.name, "written": each.usage, "meaning": first_line(each.meaning)} for each in NOTATIONS
)

RECOVERY = Recovery(
    reading=READING,
    local=frozenset(["E006", "E007", "E008", "E009", "E010", "E012", "E013", "E014", "E016"]),
    heading=re.compile(r"[ \t]*[A-Za-z_][A-Za-z_0-9]*[ \t]*(\([\w \t,]*\)[ \t]*)?:"),
    headings=("SECTION", "FUNCTION"),
    patches=("- 1", "- 1 -", "- 1)", "- (1", "- (1 -", "- 1) -", "- 1,", ", 1", ", 1 -", ", 1)", "- 1))"),
)

LANGUAGE = Language(
    recovery=RECOVERY,
    naming=NAMING,
    name=NAME,
    suffix=".tree",
    parse=parse,
    print_program=print_program,
    format_source=format_source,
    check=check,
    errors=errors,
    compile=partial(compile_sections, compile_part=compile_tree),
    template=template,
    parts=lambda source: printed_sections(source.program, print_formula),
    simplify=lambda program, header, primitives: TreeProgram(
        program.names, tuple(map(folded if primitives is None else simplify, program.trees))
    ),
    valuing=Valuing(
        evaluate,
        node_values,
        executed_nodes,
    ),
    listed={"operators": _OPERATORS},
    draw=lambda: forms.draw.DRAWING,
    evolution=lambda: forms.evolution,
    fitting=lambda: forms.fitting,
    functions=lambda: forms.exports.WRITER,
    json=lambda: forms.exports.JSON,
    latex=lambda: forms.exports.LATEX,
    sympy=lambda: forms.exports.expression,
    elsewhere=lambda: forms.elsewhere.read,
    code=lambda program: forms.joining.code(program),
    rows=lambda program, given: forms.joining.rows(program, given),
)
