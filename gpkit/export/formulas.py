"""Writes numbers, names and symbols for LaTeX and SymPy, and turns programs into SymPy expressions."""

import keyword
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM
from gpkit.core.wording import install_command
from gpkit.export.subject import Subject
from gpkit.genomes.tree import Computed, Function, Symbol, Tree, is_constant, leaf, node
from gpkit.langkit.language import form
from gpkit.langkit.operators import NEGATION, PRIMARY, PRODUCT, SUM, Patterns, formula_writer

SIGNS: Mapping[str, str] = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "==": "=", "<": "<", ">": ">"}


_CAPITALS = ("gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "upsilon", "phi", "psi", "omega")
_SMALL = (
    *_CAPITALS,
    "alpha",
    "beta",
    "epsilon",
    "zeta",
    "eta",
    "iota",
    "kappa",
    "mu",
    "nu",
    "rho",
    "tau",
    "chi",
)


def _greek(size: str, name: str) -> str:
    return unicodedata.lookup(f"GREEK {size} LETTER {name.replace('lambda', 'lamda')}")


_SIGNS = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "`": r"\textasciigrave{}",
    '"': r"\symbol{34}",
    "\u00a0": "~",
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
    **{_greek("SMALL", name): f"$\\{name}$" for name in _SMALL},
    **{_greek("CAPITAL", name): f"$\\{name.capitalize()}$" for name in _CAPITALS},
}
"""Replacements for characters that have a meaning in LaTeX text, look different there, or lack a font."""

_FOREIGN = re.compile("[^\0-\u017f\u2010-\u2026\u20ac\u2122]")


def aligned(lines: Iterable[str]) -> str:
    """An ``align*`` block with these lines; a comment names the characters that the fonts of pdfLaTeX lack."""
    rows = " \\\\\n".join(f"  {line}" for line in lines)
    foreign = "".join(dict.fromkeys(_FOREIGN.findall(rows)))
    note = f"% use XeLaTeX or LuaLaTeX and a font that has {foreign}\n" if foreign else ""
    return f"{note}\\begin{{align*}}\n{rows}\n\\end{{align*}}\n"


def tex_number(text: str) -> str:
    """A number with all the digits that Python prints; the exponent becomes a power of ten."""
    digits, _, exponent = text.removesuffix(".0").partition("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}" if exponent else digits


def name_text(name: str) -> str:
    """A name without ``env.``: in italics if it is an ASCII word, otherwise as text."""
    plain = name.removeprefix("env.")
    is_word = re.fullmatch(r"[\w.]+", plain, re.ASCII) is not None
    return (r"\mathit{" if is_word else r"\text{") + escaped(plain) + "}"


def left_sides(subject: Subject) -> list[tuple[str, Any]]:
    """The trees by the left sides of their equations; a lone formula that predicts numbers has its target's name."""
    header, parts = subject.header, subject.program.parts
    is_target = header.get("task") == "regression" and header.get("loss") != "poisson" and len(parts) == 1
    return [
        (name_text(header.get("target", name) if is_target else name), tree) for name, tree in parts.items()
    ]


def escaped(text: str) -> str:
    """The text, escaped for ``\\text{...}``: nothing in it acts as a command, and no characters or spaces merge."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(map(_escaped, composed, f" {composed}"))


def _escaped(character: str, before: str) -> str:
    """The escaped text of a character; ``before`` is the character that precedes it."""
    if character in _SIGNS:
        return _SIGNS[character]
    if character.isspace():
        return " " if character == " " != before else "\\ "
    if not character.isprintable():
        return escaped(ascii(character)[1:-1])
    return f"{{}}{character}" if character == before and character in "-',?!" else character


Expression = Callable[[Any, Mapping[str, Any], Any, bool], Any]
"""A function that takes (part, symbols, sympy, is_simplified) and returns a part of a program as a SymPy expression.

It raises a UsageError if SymPy cannot express the part. ``symbols`` maps the names of the sensors that the part reads
to symbols. ``sympy`` is the package; it evaluates the expression if ``is_simplified``, and otherwise keeps every node.
"""


def expressions(program: Any, is_simplified: bool) -> Any:
    """The expression of a program, or of each section by name if there are several; symbols are named after sensors.

    Raises:
        UsageError: SymPy is not installed, the program draws random numbers, or its language has no such form.
    """
    expression = form(program.language, lambda each: each.sympy(), "write {} as expressions of SymPy")
    try:
        sympy = import_module("sympy")
    except ImportError:
        raise UsageError(f"a SymPy expression needs the package sympy: {install_command('data')}") from None
    if any(tree.draws for tree in program.trees):
        raise UsageError("a SymPy expression has one value, but this program draws random numbers")
    symbols = {name: sympy.Symbol(word) for name, word in symbol_names(program).items()}
    parts = [expression(tree, symbols, sympy, is_simplified) for tree in program.trees]
    return dict(zip(program.names, parts, strict=True)) if len(parts) > 1 else parts[0]


def symbol_names(program: Any) -> dict[str, str]:
    """The symbol name for each sensor that a program reads; all of these names are valid in Python.

    ``lambdify`` would rename other symbols, and would evaluate the expression in the process. The names leave out
    ``env.`` and replace characters that Python does not allow with ``_``. If two names would be equal, one of them gets
    an additional ``_``.
    """
    found: dict[str, str] = {}
    for name in dict.fromkeys(name for tree in program.trees for name in tree.reads):
        word = re.sub(r"\W", "_", name.removeprefix("env."))
        word = word if word.isidentifier() else f"_{word}"
        while keyword.iskeyword(word) or word in found.values():
            word += "_"
        found[name] = word
    return found


def feature_expression(feature: str, symbols: Mapping[str, Any], sympy: Any, is_simplified: bool) -> Any:
    """The SymPy expression of a feature, which is a symbol unless a formula computes it."""
    if not isinstance(feature, Computed):
        return symbols[feature]
    expression = form(feature.tree.language, lambda each: each.sympy(), "write {} as expressions of SymPy")
    return expression(feature.tree, symbols, sympy, is_simplified)


_PATTERNS: Patterns = {
    "+": ("a + b", SUM),
    "-": ("a - b", SUM),
    "*": (r"a \cdot b", PRODUCT),
    "/": (r"\frac{a}{b}", PRODUCT),
    "neg": ("-a", NEGATION),
    "square": ("a^{2}", NEGATION),
    "pow": ("a^{b}", NEGATION),
    "abs": (r"\left|a\right|", PRIMARY),
    "floor": (r"\left\lfloor a\right\rfloor ", PRIMARY),
    "sqrt": (r"\sqrt{a}", PRIMARY),
    "ifle": (r"\operatorname{ifle}\left(a, b, x, y\right)", PRIMARY),
    "min": (r"\min\left(a, b\right)", PRIMARY),
    "max": (r"\max\left(a, b\right)", PRIMARY),
    **{name: (rf"\{name}\left(a\right)", PRIMARY) for name in ("log", "exp", "sin", "cos", "tanh")},
}
"""The pattern of each operator, and how tightly the operator binds."""


def latex_formula(tree: Tree) -> str:
    r"""A formula in LaTeX, with as few parentheses as possible.

    >>> from gpkit.genomes.tree import leaf, node
    >>> latex_formula(node("*", leaf(2.0), node("+", leaf("env.rank"), leaf(-1e-07))))
    '2 \\cdot \\left(\\mathit{rank} - 1 \\cdot 10^{-7}\\right)'
    """
    symbols = [*tree.symbols]
    for position in (k for k, symbol in enumerate(symbols) if symbol == "+"):
        right = position + 1 + tree.sizes[position + 1]
        if is_constant(constant := symbols[right]) and constant < 0.0:
            symbols[position], symbols[right] = "-", -constant
    return _EQUATION(symbols)


def _tex_leaf(closeness: int, symbol: Symbol) -> str:
    if not is_constant(symbol):
        return r"\operatorname{random}()" if symbol == RANDOM else name_text(symbol)
    text = tex_number(repr(symbol))
    is_open = text.startswith("-") or (closeness == PRIMARY and r"\cdot" in text)
    return f"({text})" if is_open and closeness > SUM else text


_EQUATION = formula_writer(
    _PATTERNS,
    _tex_leaf,
    (r"\left(", r"\right)"),
    (lambda name: rf"\operatorname{{{escaped(name)}}}\left(", ", ", r"\right)"),
)


def feature_text(feature: str) -> str:
    """A feature in LaTeX: a name, or the formula that computes it."""
    return latex_formula(feature.tree) if isinstance(feature, Computed) else name_text(feature)


def function_texts(functions: Iterable[Function]) -> Iterator[tuple[str, str]]:
    """Yield the head and the body of each function in LaTeX."""
    for each in functions:
        yield latex_formula(node(each, *map(leaf, each.parameters))), latex_formula(each.body)


def sympy_number(value: float, sympy: Any) -> Any:
    """A double as a SymPy number, with enough digits for ``lambdify`` to return the same double."""
    return sympy.Float(value, 17) if math.isfinite(value) else sympy.Float(value)
