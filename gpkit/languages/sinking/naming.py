"""Names in sinking programs: blocks and instructions."""

from collections.abc import Iterator, Sequence

from gpkit.core.primitives import PrimitiveSet
from gpkit.langkit.naming import Name, Naming, Word, instruction_words
from gpkit.langkit.recogniser import Lexeme
from gpkit.languages.sinking.words import BLOCKS, WORDS

_MEANINGS = (
    "The state of a program that looks for a ship; programs begin here.",
    "The state of a program that has hit a ship and looks for its direction.",
    "The state of a program that knows where a ship lies and sinks it.",
)


def names(line: Sequence[Lexeme]) -> Iterator[Name]:
    """The names in the tokens of a line."""
    for token, following in zip(line, [*line[1:], None], strict=False):
        if token.terminal == "WORD":
            heads = following is not None and following.terminal in ("COLON", "STATE")
            yield Name(token.text, token.start, "section" if heads else "instruction", heads)


def words(primitives: PrimitiveSet | None) -> Iterator[Word]:
    """The blocks, the instructions of the language, and those of the game."""
    for name, meaning in zip(BLOCKS, _MEANINGS, strict=True):
        yield Word(name, "section", f"{name}:", meaning)
    for word in WORDS:
        yield Word(word.name, "instruction", word.name, word.meaning)
    yield from instruction_words(primitives)


NAMING = Naming(names, words, {"instruction": ("E130", "instruction")})
"""The names in sinking programs."""
