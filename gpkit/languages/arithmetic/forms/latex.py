"""Formulas as aligned equations."""

from collections.abc import Mapping

from gpkit.core.primitives import RANDOM
from gpkit.export.latex import aligned, name_text, number
from gpkit.export.registry import Document, Subject
from gpkit.genomes.tree import Symbol, Tree
from gpkit.langkit.operators import NEGATION, PRIMARY, PRODUCT, SUM, Piece, arranged, assemble

_PATTERNS: Mapping[Symbol, tuple[str, int]] = {
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
"""Patterns of the operators, and how closely they bind."""

_NOTES = {
    "/": "a quotient is 1 where its divisor is 0",
    "ifle": "ifle(a, b, x, y) is x if a <= b, else y",
    "sqrt": "a square root is 0 unless its operand is positive",
    "log": "a logarithm is 0 unless its operand is positive",
    "sin": "a sine is 0 where its operand is infinite",
    "cos": "a cosine is 0 where its operand is infinite",
    "pow": "a power is 1 where the base is 0 and the exponent negative, 0 where the base is negative and the "
    "exponent a fraction",
}

MODES = ("equations",)


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The equations, below comments that say what the operators of ``_NOTES`` are where they have no value."""
    trees = zip(subject.program.names, subject.program.trees, strict=True)
    used = {symbol for tree in subject.program.trees for symbol in tree.symbols}
    notes = [f"% {note}\n" for operator, note in _NOTES.items() if operator in used]
    equations = aligned(rf"{name_text(name)} &= {latex_formula(tree)}" for name, tree in trees)
    return (Document(".tex", "".join(notes) + equations),)


def latex_formula(tree: Tree) -> str:
    r"""One formula with the fewest parentheses.

    >>> from gpkit.genomes.tree import leaf, node
    >>> latex_formula(node("*", leaf(2.0), node("+", leaf("env.rank"), leaf(-1e-07))))
    '2 \\cdot \\left(\\mathit{rank} - 1 \\cdot 10^{-7}\\right)'
    """

    def pieces(position: int, closeness: int) -> list[Piece]:
        symbol = tree.symbols[position]
        operands = list(tree.children(position))
        if not operands:
            text = _leaf(symbol)
            is_open = text.startswith("-") or (closeness == PRIMARY and r"\cdot" in text)
            return ["(", text, ")"] if is_open and closeness > SUM else [text]
        pattern, binding = _PATTERNS[symbol]
        row = arranged(pattern, binding, operands)
        right = tree.symbols[operands[-1]]
        if symbol == "+" and isinstance(right, float) and right < 0.0:
            row[2:] = [f" - {number(repr(-right))}"]
        return [r"\left(", *row, r"\right)"] if binding < closeness else row

    return assemble((0, SUM), pieces)


def _leaf(symbol: Symbol) -> str:
    if isinstance(symbol, float):
        return number(repr(symbol))
    return r"\operatorname{random}()" if symbol == RANDOM else name_text(symbol)
