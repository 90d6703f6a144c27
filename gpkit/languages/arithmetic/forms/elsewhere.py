"""Reads formulas from other tools: strings that PySR, gplearn and Operon print, and SymPy expressions.

gpkit parses the strings with a grammar and walks the expressions; it never evaluates either of them. A table maps each
name to its counterpart, a gpkit formula over the operands a and b. gpkit assembles the counterparts into the text of a
program. The operators of gpkit have a value even where the original is undefined, such as the logarithm of a negative
number.
"""

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from types import ModuleType
from typing import Any

from lark import Token
from lark import Tree as Branch

from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import LimitError, UsageError
from gpkit.genomes.tree import TreeProgram
from gpkit.langkit.formulas import NO_NUMBERS, print_leaf
from gpkit.langkit.operators import MAX_NODES, NOTATIONS
from gpkit.langkit.reading import (
    MAX_TEXT,
    Reading,
    Refused,
    double,
    exceed,
    limited,
    refuse,
    span_of,
    told_in,
    tree_span,
    unexpected_token,
)
from gpkit.languages.arithmetic.forms.fitting import check_names, said
from gpkit.languages.arithmetic.text import paired, parse

Columns = Sequence[str] | Mapping[str, str]
Counterpart = str | Callable[[Sequence[str]], str]

# Counterparts of comparisons: x if they hold, else y.
RELATIONS = {
    ("<", "less"): "ifle(b, a, y, x)",
    (">", "greater"): "ifle(a, b, y, x)",
    ("<=", "less_equal"): "ifle(a, b, x, y)",
    (">=", "greater_equal"): "ifle(b, a, x, y)",
    ("==", "equal"): "ifle(abs(a - b), 0, x, y)",
    ("!=", "not_equal"): "ifle(abs(a - b), 0, y, x)",
}
COUNTERPARTS: Mapping[str, str] = {
    **{each.name: each.usage for each in NOTATIONS if each.arity <= 2},
    **dict.fromkeys(("add", "plus"), "a + b"),
    "sub": "a - b",
    **dict.fromkeys(("mul", "mult"), "a * b"),
    "div": "a / b",
    "inv": "1 / a",
    **dict.fromkeys(("^", "**"), "pow(a, b)"),
    "cube": "pow(a, 3)",
    "cbrt": f"ifle(0, a, pow(a, {1 / 3!r}), -pow(-a, {1 / 3!r}))",
    "aq": "a / sqrt(1 + square(b))",
    "log2": f"log(a) / {math.log(2.0)!r}",
    "log10": f"log(a) / {math.log(10.0)!r}",
    "log1p": "log(1 + a)",
    "expm1": "exp(a) - 1",
    **dict.fromkeys(("sqrtabs", "sqrt_abs"), "sqrt(abs(a))"),
    **dict.fromkeys(("logabs", "log_abs"), "log(abs(a))"),
    **dict.fromkeys(("powabs", "pow_abs"), "pow(abs(a), b)"),
    "tan": "sin(a) / cos(a)",
    "sinh": "(exp(a) - exp(-a)) / 2",
    "cosh": "(exp(a) + exp(-a)) / 2",
    "asinh": "ifle(0, a, log(a + sqrt(1 + square(a))), -log(sqrt(1 + square(a)) - a))",
    "acosh": "log(a + sqrt(square(a) - 1))",
    "atanh": "log((1 + a) / (1 - a)) / 2",
    **dict.fromkeys(("sig", "sigmoid"), "1 / (1 + exp(-a))"),
    "relu": "max(a, 0)",
    "fmin": "min(a, b)",
    "fmax": "max(a, b)",
    "ceil": "-floor(-a)",
    "sign": "ifle(a, 0, ifle(0, a, 0, -1), 1)",
    "mod": "a - b * floor(a / b)",
    **{name: each.replace("x", "1").replace("y", "0") for names, each in RELATIONS.items() for name in names},
    "cond": "ifle(a, 0, 0, b)",
    "logical_or": "ifle(max(a, b), 0, 0, 1)",
    "logical_and": "ifle(min(a, b), 0, 0, 1)",
}
"""The counterparts of other tools' names and symbols."""

# Counterparts of gplearn's protected functions: those that differ near zero, and those that do not differ.
OF_GPLEARN = {
    False: {"sqrt": "sqrt(abs(a))", "log": "log(abs(a))"},
    True: {
        "sqrt": "sqrt(abs(a))",
        "log": "ifle(abs(a), 0.001, 0, log(abs(a)))",
        "div": "ifle(abs(b), 0.001, 1, a / b)",
        "inv": "ifle(abs(a), 0.001, 0, 1 / a)",
    },
}

# Counterparts of powers with a constant exponent.
POWERS = {
    "1.0": "a",
    "2.0": "square(a)",
    "0.5": "sqrt(a)",
    "-1.0": "1 / a",
    "-2.0": "1 / square(a)",
    "-0.5": "1 / sqrt(a)",
}
# Names of functions that gpkit formulas cannot express.
INEXPRESSIBLE = frozenset(
    {"acos", "asin", "atan", "atan2", "atanh_clip", "erf", "erfc", "gamma", "lgamma", "round", "trunc"}
)
_OPERAND = re.compile(r"\b[ab]\b")


def filled(counterpart: str, *operands: str) -> str:
    """A counterpart, with the texts of the operands filled in and parentheses around it.

    >>> filled("a / sqrt(1 + square(b))", "x", "(y + z)"), filled("pow(a, b)", "x", "(-2.0)")
    ('(x / sqrt(1 + square((y + z))))', '(1 / square(x))')
    """
    if counterpart == "pow(a, b)":
        counterpart = POWERS.get(operands[1].strip("()"), counterpart)
    return "(" + _OPERAND.sub(lambda found: operands["ab".index(found[0])], counterpart) + ")"


def translated(
    root: object,
    table: Mapping[str, Counterpart],
    look: Callable[[Any], tuple[str, Sequence[Any]]],
    fault: Callable[[Any, str, str, str], Exception],
) -> str:
    """The text of the gpkit formula that corresponds to a formula from another tool.

    Args:
        root: the node of the whole formula.
        table: for each name, its counterpart, or a function that makes the text from any number of operands.
        look: returns the name and the operands of a node; for a leaf, it returns the text of the constant or column,
            and no operands.
        fault: takes (node, code, message, advice) and returns the error for the node.

    Raises:
        Refused, UsageError: the error from ``fault``: a name has no counterpart, or the formula becomes too long.
    """
    order, pending, done = list[tuple[Any, str, Sequence[Any]]](), [root], list[str]()
    while pending:
        node = pending.pop()
        order.append((node, *look(node)))
        pending += reversed(order[-1][2])
        if len(order) > MAX_NODES:  # expressions of SymPy can share their parts
            raise fault(node, "E022", f"the formula has more than {MAX_NODES:,} nodes", "")
    for node, name, below in reversed(order):
        operands = [done.pop() for _ in below]
        done.append(_made(name, operands, table, partial(fault, node)) if operands else name)
    return done[0]


def _made(
    name: str,
    operands: Sequence[str],
    table: Mapping[str, Counterpart],
    fault: Callable[[str, str, str], Exception],
) -> str:
    counterpart = table.get(name)
    if counterpart is None:
        raise fault(
            "E006",
            f"`{name}` has no counterpart in gpkit formulas",
            suggestion(name, () if name in INEXPRESSIBLE else filter(str.isidentifier, table), ""),
        )
    count = len({*_OPERAND.findall(counterpart)}) if isinstance(counterpart, str) else len(operands)
    if len(operands) != count:
        raise fault(
            "E007",
            f"`{name}` takes {count} operand{'s' * (count > 1)}, got {len(operands)}",
            f"it stands for `{counterpart}`",
        )
    found = filled(counterpart, *operands) if isinstance(counterpart, str) else counterpart(operands)
    if len(found) > MAX_TEXT:
        raise fault("E022", f"this becomes a formula of more than {MAX_TEXT:,} characters", "")
    return found


def column_named(name: str, columns: Columns, first: int, fault: Callable[[str, str, str], Exception]) -> str:
    """The text of a column in a gpkit formula.

    >>> [column_named("X1", ["length", "log"], first, Exception) for first in (0, 1)]
    ['env.log', 'length']

    Args:
        name: the name in the other notation.
        columns: a mapping from each name to its new name; or the names of all columns in the order of X0, X1, ...; or
            empty to keep the names.
        first: the number of the first column.
        fault: takes (code, message, advice) and returns the error for a name that is not a column.

    Raises:
        Refused, UsageError: the name is not a column, or formulas cannot use it.
    """
    found = columns.get(name, name) if isinstance(columns, Mapping) else name
    if found not in columns and columns and not isinstance(columns, Mapping):
        number = re.fullmatch(r"[xX]([0-9]{1,9})", name)
        place = int(number[1]) - first if number else -1
        if not 0 <= place < len(columns):
            known = "" if number else name, columns, f"{name[0]}{first} is `{columns[0]}`, the first of them"
            raise fault("E010", f"`{name}` is not one of the {len(columns)} columns", suggestion(*known))
        found = columns[place]
    check_names((found,))
    return print_leaf(said(found))


# Texts.

_FRIENDLY = {
    "NUMBER": "a number",
    "NAME": "a name",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "POWER": "`^`",
    "COMPARED": "`>`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "COMMA": "`,`",
    "$END": "the end of the text",
}

_HINTS = {
    "=": "leave out the part up to the `=`",
    "{": "group with `(` and `)`",
    "[": "group with `(` and `)`",
    "|": "write `abs(a)`",
    "&": "write `logical_and(a, b)`",
    "%": "write `mod(a, b)`",
    "\N{SUPERSCRIPT TWO}": "write `^ 2`",
    "\N{MINUS SIGN}": "write `-`",
    "\N{MULTIPLICATION SIGN}": "write `*`",
}

READING = Reading(
    name="elsewhere",
    guard=lambda stream: limited(
        paired(stream),
        ("NUMBER", "NAME"),
        20_000,
        lambda span: exceed("E022", "the formula has more than 20,000 names and numbers", span),
        "E021",
        {"NUMBER": 400},  # Operon prints 30 digits after the point
    ),
    always_accept=("RPAR",),
    too_long="E020",
    broken="E001",
    friendly=_FRIENDLY,
    stray="E002",
    hints=_HINTS,
    unexpected=unexpected_token(
        "E001",
        "formula",
        _FRIENDLY,
        lambda terminal, accepted: (
            "an operator such as `*` is missing before it"
            if terminal in ("NUMBER", "NAME", "LPAR") and "PLUS" in accepted
            else ""
        ),
        kinds={"NUMBER": "number ", "NAME": "name "},
    ),
)


def _look_at_text(columns: Columns, first: int, branch: Branch[Token]) -> tuple[str, Sequence[Any]]:
    """The name and the operands of a node in a parsed text."""
    operands = [child for child in branch.children if isinstance(child, Branch)]
    word = next((str(child) for child in branch.children if isinstance(child, Token)), "neg")
    if branch.data == "number":
        return repr(double(word, "E009", tree_span(branch))), ()
    if operands:
        return word, operands
    if word.lower() in NO_NUMBERS:
        raise refuse("E009", f"`{word}` cannot be written: constants are finite", tree_span(branch))
    return column_named(word, columns, first, partial(_fault_in_text, branch)), ()


def _fault_in_text(branch: Branch[Token], code: str, message: str, fix: str) -> Refused:
    """The error that rejects a node in a text, located at its name or symbol."""
    place = span_of(next((each for each in branch.children if isinstance(each, Token)), branch))
    return exceed(code, message, place) if code == "E022" else refuse(code, message, place, fix=fix)


# Expressions of SymPy. Conditions are choices between two marks, which their outcomes replace.

FALSE, TRUE = "\0\1"


def _choice(test: str, x: str, y: str) -> str:
    """The text of a choice: x if the condition ``test`` holds, else y.

    Raises:
        LimitError: the text is too long.
    """
    if test.count(TRUE) * len(x) + test.count(FALSE) * len(y) > MAX_TEXT:
        raise LimitError(f"a choice becomes a formula of more than {MAX_TEXT:,} characters")
    return re.sub(f"[{FALSE}{TRUE}]", lambda found: x if found[0] == TRUE else y, test)


def _product(factors: Sequence[str]) -> str:
    """The text of a product, with the divisors last."""
    first, *others = sorted(factors, key=lambda factor: factor.startswith("(1 / "))
    if first == "-1.0" and others:
        return f"(-{_product(others)})"
    return reduce(
        lambda a, b: f"({a} / {b[5:-1]})" if b.startswith("(1 / ") else f"({a} * {b})", others, first
    )


def _sum(parts: Sequence[str]) -> str:
    """The text of a sum, with its negative parts last, written as subtractions."""
    plain = [f"({part})" if part.startswith("-") else part for part in parts]
    return reduce(
        lambda a, b: f"({a} - {b[2:-1]})" if b.startswith("(-") else f"({a} + {b})",
        sorted(plain, key=lambda part: part.startswith("(-")),
    )


# Choices that an operator makes by itself; `to_sympy` writes the operators like this.
PROTECTED = {
    r"\(ifle\(abs\((.+) - 0\.0\), 0, 1\.0, (\(.+ / \1\))\)\)": r"\2",
    r"\(ifle\((.+), 0\.0, 0\.0, (\((sqrt|log)\(\1\)\))\)\)": r"\2",
    r"\(ifle\((.+), (.+), \1, \2\)\)": r"(min(\1, \2))",
    r"\(ifle\((.+), (.+), \2, \1\)\)": r"(max(\2, \1))",
}


def _cases(parts: Sequence[str]) -> str:
    """The choice that stands for a ``Piecewise`` with these values and conditions; the last case covers the rest."""
    found = parts[-2]
    for value, test in zip(parts[-4::-2], parts[-3::-2], strict=True):
        found = _choice(test, value, found)
        for pattern, operator in PROTECTED.items() if len(found) < 1000 else ():
            found = re.sub(f"^{pattern}$", operator, found)
    return found


# The counterparts of SymPy's classes.
OF_SYMPY: Mapping[str, Counterpart] = {
    **COUNTERPARTS,
    **{sign: each.replace("x", TRUE).replace("y", FALSE) for (sign, _), each in RELATIONS.items()},
    "Pow": "pow(a, b)",
    "Abs": "abs(a)",
    "Mod": COUNTERPARTS["mod"],
    "ceiling": COUNTERPARTS["ceil"],
    "Add": _sum,
    "Mul": _product,
    "Max": partial(reduce, lambda a, b: f"(max({a}, {b}))"),
    "Min": partial(reduce, lambda a, b: f"(min({a}, {b}))"),
    "And": lambda tests: reduce(lambda rest, test: _choice(test, rest, FALSE), reversed(tests)),
    "Or": lambda tests: reduce(lambda rest, test: _choice(test, TRUE, rest), reversed(tests)),
    "Not": lambda tests: _choice(tests[0], FALSE, TRUE),
    "Piecewise": _cases,
}


def _look_at_expression(columns: Columns, sympy: ModuleType, node: Any) -> tuple[str, Sequence[Any]]:
    """The name and the operands of a node in an expression."""
    name, fault = type(node).__name__, partial(_fault_in_expression, node)
    if node.is_Symbol:
        return column_named(node.name, columns, 0, fault), ()
    if node.is_Number or isinstance(node, sympy.NumberSymbol):
        return repr(float(node) + 0.0), ()
    if node in (sympy.true, sympy.false) or (node.is_Relational and node.args[1] == sympy.oo):
        return TRUE if node == sympy.true or getattr(node, "rel_op", "") in ("<", "<=", "!=") else FALSE, ()
    if not node.args:
        raise fault("E006", f"`{name}` has no counterpart in gpkit formulas", "")
    return (
        (name, [part for pair in node.args for part in pair.args])
        if isinstance(node, sympy.Piecewise)
        else (node.rel_op if node.is_Relational else name, node.args)
    )


def _fault_in_expression(node: object, code: str, message: str, fix: str) -> UsageError:
    place = type(node).__name__ if code == "E022" else str(node)  # a large one would take long to print
    return UsageError(f"{message}: it is in {shortened(place)}" + (f"; {fix}" if fix else ""))


def read(formula: object, notation: str, columns: Columns, name: str, *, is_exact: bool) -> TreeProgram:
    """The program that corresponds to a formula from another tool.

    Args:
        formula: a string or a SymPy expression.
        notation: the notation of a string: ``pysr``, ``gplearn`` or ``operon``.
        columns: as for ``column_named``.
        name: the name of the text, for messages.
        is_exact: whether a formula from gplearn keeps exactly the same values near zero.

    Raises:
        SourceError: a string breaks the grammar, something in it has no counterpart, or a number is not finite.
        UsageError: something in an expression has no counterpart, ``formula`` is neither a string nor an expression, or
            formulas cannot use the name of a column.
        LimitError: the formula is too large or too deep.
    """
    if isinstance(formula, str):
        own = OF_GPLEARN[is_exact] if notation == "gplearn" else {}
        look = partial(_look_at_text, columns, int(notation == "operon"))
        with told_in(formula, name):
            (root,) = READING.read(formula).children
            return parse(translated(root, {**COUNTERPARTS, **own}, look, _fault_in_text), name).program
    sympy: Any = sys.modules.get("sympy")
    if sympy is None or not isinstance(formula, sympy.Basic):
        raise UsageError(f"text={shortened(repr(formula))}: expected a string or a SymPy expression")
    look = partial(_look_at_expression, columns, sympy)
    text = translated(formula, OF_SYMPY, look, _fault_in_expression)
    return parse(_choice(text, "1.0", "0.0"), name).program
