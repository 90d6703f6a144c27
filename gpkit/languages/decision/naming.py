"""Names in decision trees: sections, features, and actions or classes at the leaves."""

from collections.abc import Iterator, Sequence

from gpkit.core.primitives import PrimitiveSet
from gpkit.langkit.naming import Name, Naming, Role, Word, heading_name, keywords
from gpkit.langkit.recogniser import Lexeme

_MEANINGS = {
    "test": "test FEATURE <= NUMBER | Goes on in the branch `yes:` if the comparison holds, else in `no:`.",
    "switch": "switch FEATURE | Goes on in the first branch `below NUMBER:` whose bound the feature is below, "
    "else in `else:`.",
    "chance": "chance PROBABILITY | Goes on in the branch `yes:` with this probability, else in `no:`.",
    "below": "below NUMBER: | The branch of a switch for values below the number and not below the one before.",
}


def names(line: Sequence[Lexeme]) -> Iterator[Name]:
    """The names in the tokens of a line."""
    before = ""
    for token in line:
        if token.terminal == "SECTION":
            yield heading_name(token, "section")
        elif token.terminal in ("NAME", "STRING"):
            quote = 1 if token.terminal == "STRING" else 0
            role: Role = "sensor" if before in ("TEST", "SWITCH") else "action"
            yield Name(token.text[quote : len(token.text) - quote], token.start + quote, role)
        elif token.text in _MEANINGS:
            yield Name(token.text, token.start, "keyword")
        before = token.terminal


def words(primitives: PrimitiveSet | None) -> Iterator[Word]:
    """The words of the language."""
    return keywords(_MEANINGS)


NAMING = Naming(names, words, {"sensor": ("E360", "sensor")})
"""The names in decision trees."""
