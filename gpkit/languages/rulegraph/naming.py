"""Names in rules: rules, patterns, boxes, and the words of conditions."""

from collections.abc import Iterator, Sequence

from gpkit.core.primitives import PrimitiveSet
from gpkit.langkit.naming import Name, Naming, Word, heading_name
from gpkit.langkit.recogniser import Lexeme

_BOXES = {
    "q": ("q_0", "A box with four undrawn sides."),
    "t": ("t_0", "A box with three undrawn sides."),
    "l": (
        "l_0(2+)",
        "A chain of boxes with two undrawn sides each: `(3)` is its length, `(3+)` at least that.",
    ),
    "x": ("x_0", "A box with one undrawn side, which can be taken."),
}
_ENDS = {"n": "The ground: the border of the board.", "w": "Anything: a box of any kind, or the ground."}
_GUARDS = {
    "score": "The boxes of the player to move less those of the other.",
    "left": "The edges that are not drawn yet.",
}


def names(line: Sequence[Lexeme]) -> Iterator[Name]:
    """The names in the tokens of a line; a box is named with its index."""
    boxes: set[str] = set()
    for number, token in enumerate(line):
        if token.terminal == "NAME":
            yield heading_name(token, "rule")
        elif token.terminal == "PATTERN_NAME":
            yield Name(token.text, token.start, "pattern", number == 0)
        elif token.terminal == "BOX":
            text = token.text + "".join(part.text for part in _index(line[number + 1 : number + 5]))
            yield Name(text, token.start, "box", text not in boxes)
            boxes.add(text)
        elif token.terminal in ("ANYTHING", "WORD"):
            yield Name(token.text, token.start, "keyword")


def _index(behind: Sequence[Lexeme]) -> Iterator[Lexeme]:
    """The tokens of the index of a box, of the four behind its letter."""
    for part in behind:
        if part.terminal not in ("UNDERSCORE", "INT", "LBRACE", "RBRACE"):
            return
        yield part


def words(primitives: PrimitiveSet | None) -> Iterator[Word]:
    """The kinds of boxes, the ends of edges, and the words of conditions."""
    for name, (usage, meaning) in _BOXES.items():
        yield Word(name, "box", usage, meaning)
    for name, meaning in (_ENDS | _GUARDS).items():
        yield Word(name, "keyword", name, meaning)


NAMING = Naming(names, words, {}, scopes={"NAME": "entity.name.section", "WORD": "variable.language"})
"""The names in rules."""
