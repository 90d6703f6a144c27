"""The arithmetic language as the registry knows it, and the names in formulas: sections, sensors and operators."""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.core.wording import first_line
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.langkit.language import Language, Valuing
from gpkit.langkit.naming import Name, Naming, Word, heading_name
from gpkit.langkit.operators import NOTATIONS
from gpkit.langkit.recogniser import Lexeme
from gpkit.langkit.recovery import Recovery
from gpkit.langkit.sections import compile_sections, printed_sections, sensor_lines
from gpkit.languages.arithmetic.checks import NAME, check, errors
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.formatter import format_source
from gpkit.languages.arithmetic.interpreter import evaluate, executed_nodes, trace
from gpkit.languages.arithmetic.parser import READING, FormulaSource, parse
from gpkit.languages.arithmetic.printer import print_formula, print_program
from gpkit.languages.arithmetic.simplify import simplify

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


def names(line: Sequence[Lexeme]) -> Iterator[Name]:
    """The names in the tokens of a line."""
    for token, following in zip(line, [*line[1:], None], strict=False):
        if token.terminal == "SECTION":
            yield heading_name(token, "section")
        elif token.terminal == "STRING":
            yield Name(token.text[1:-1], token.start + 1, "sensor")
        elif token.terminal == "NAME":
            called = following is not None and following.terminal == "LPAR"
            yield Name(token.text, token.start, "operator" if called else "sensor")


def words(primitives: PrimitiveSet | None) -> Iterator[Word]:
    """The operators, those that stand between operands among them."""
    for notation in NOTATIONS:
        yield Word(notation.name, "operator", notation.usage, _MEANINGS[notation.name])
    yield Word(RANDOM, "operator", f"{RANDOM}()", "A fresh random number, at least 0 and below 1.")


NAMING = Naming(names, words, {"sensor": ("E010", "sensor")})


def node_values(tree: Tree, env: Mapping[str, float], random: Callable[[], float]) -> dict[int, float]:
    """The value of every node by its position."""
    return {step.position: step.value for step in trace(tree, env, random)}


def parts(source: FormulaSource) -> dict[str, str]:
    """The formulas by section."""
    return printed_sections(source.program, print_formula)


def template(primitives: PrimitiveSet | None) -> str:
    """A small program with comments that say what there is; it passes ``check`` for its game."""
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
    heading=re.compile(r"[ \t]*[A-Za-z_][A-Za-z_0-9]*[ \t]*:"),
    headings=("SECTION",),
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
    parts=parts,
    simplify=lambda program, header, primitives: TreeProgram(
        program.names, tuple(map(simplify, program.trees))
    ),
    valuing=Valuing(evaluate, node_values, executed_nodes),
    listed={"operators": _OPERATORS},
)
