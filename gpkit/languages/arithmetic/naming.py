"""Names in formulas: sections, sensors and operators."""

from collections.abc import Iterator, Sequence

from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.langkit.naming import Name, Naming, Word, heading_name
from gpkit.langkit.operators import NOTATIONS
from gpkit.langkit.recogniser import Lexeme

_MEANINGS = {
    "+": "The sum.",
    "-": "The difference.",
    "*": "The product.",
    "/": "The quotient; 1 where b is 0.",
    "min": "The smaller of two values.",
    "max": "The larger of two values.",
    "neg": "The value with the other sign.",
    "abs": "The value without its sign.",
    "sqrt": "The square root; 0 for what is not positive.",
    "floor": "The largest whole number that is at most a.",
    "ifle": "x if a <= b, else y.",
}


def names(line: Sequence[Lexeme]) -> Iterator[Name]:
    """The names in the tokens of a line."""
    for token, following in zip(line, [*line[1:], None], strict=False):
        if token.terminal == "SECTION":
            yield heading_name(token, "section")
        elif token.terminal == "NAME":
            called = following is not None and following.terminal == "LPAR"
            yield Name(token.text, token.start, "operator" if called else "sensor")


def words(primitives: PrimitiveSet | None) -> Iterator[Word]:
    """The operators, those that stand between operands among them."""
    for notation in NOTATIONS:
        yield Word(notation.name, "operator", notation.usage, _MEANINGS[notation.name])
    yield Word(RANDOM, "operator", f"{RANDOM}()", "A fresh number of at least 0 and below 1.")


NAMING = Naming(names, words, {"sensor": ("E010", "sensor")})
"""The names in formulas."""
