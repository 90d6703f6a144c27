"""Formulas as aligned equations."""

from gpkit.core.primitives import RANDOM
from gpkit.export.latex import aligned, name_text, number
from gpkit.export.registry import Document, Subject
from gpkit.genomes.tree import Symbol, Tree
from gpkit.langkit.operators import NEGATION, NOTATION, PRIMARY, PRODUCT, SUM
from gpkit.languages.arithmetic.printer import Piece, assemble

_CALLS = {
    "min": r"\min",
    "max": r"\max",
    "ifle": r"\operatorname{ifle}",
    "log": r"\log",
    "exp": r"\exp",
    "sin": r"\sin",
    "cos": r"\cos",
    "tanh": r"\tanh",
}
_FENCES = {
    "abs": (r"\left|", r"\right|"),
    "floor": (r"\left\lfloor ", r"\right\rfloor "),
    "sqrt": (r"\sqrt{", "}"),
}

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
        row, binding = _operation(tree, str(symbol), operands)
        return [r"\left(", *row, r"\right)"] if binding < closeness else row

    return assemble((0, SUM), pieces)


def _operation(tree: Tree, symbol: str, operands: list[int]) -> tuple[list[Piece], int]:
    """The pieces of an operation, and how closely they bind."""
    if symbol == "/":
        return [r"\frac{", (operands[0], SUM), "}{", (operands[1], SUM), "}"], PRODUCT
    if symbol == "*":
        return [(operands[0], PRODUCT), r" \cdot ", (operands[1], NEGATION)], PRODUCT
    if symbol in ("+", "-"):
        right = tree.symbols[operands[1]]
        if symbol == "+" and isinstance(right, float) and right < 0.0:
            return [(operands[0], SUM), f" - {number(repr(-right))}"], SUM
        return [(operands[0], SUM), f" {symbol} ", (operands[1], PRODUCT)], SUM
    if symbol == "neg":
        return ["-", (operands[0], PRIMARY)], NEGATION
    if symbol in _FENCES:
        left, right_fence = _FENCES[symbol]
        return [left, (operands[0], SUM), right_fence], PRIMARY
    if symbol == "square":
        return [(operands[0], PRIMARY), "^{2}"], NEGATION
    if symbol == "pow":
        return [(operands[0], PRIMARY), "^{", (operands[1], SUM), "}"], NEGATION
    row: list[Piece] = [_CALLS[symbol], r"\left("]
    for place, operand in enumerate(operands):
        row += [", ", (operand, SUM)] if place else [(operand, SUM)]
    assert NOTATION[symbol].arity == len(operands)
    return [*row, r"\right)"], PRIMARY


def _leaf(symbol: Symbol) -> str:
    if isinstance(symbol, float):
        return number(repr(symbol))
    return r"\operatorname{random}()" if symbol == RANDOM else name_text(symbol)
