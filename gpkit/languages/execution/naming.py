"""Names in plans: plans, actions and features."""

from collections.abc import Iterator, Sequence

from gpkit.core.primitives import PrimitiveSet
from gpkit.langkit.naming import Name, Naming, Word, heading_name, instruction_words, keywords
from gpkit.langkit.recogniser import Lexeme

_MEANINGS = {
    "do": "do ACTION | Begins an action and goes on when it is done, or waits until it can begin.",
    "use": "use PLAN | Executes a plan that is written below under its name.",
    "wait": "wait TEST max TICKS | Waits until the test holds, at most so many ticks.",
    "repeat": "repeat NUMBER ... end | Executes its steps so many times.",
    "while": "while TEST max NUMBER ... end | Executes its steps as long as the test holds, at most so many times.",
    "decide": "decide TEST yes: ... no: ... | Goes on in one of two branches; nothing follows a decision.",
    "chance": "chance PROBABILITY yes: ... no: ... | Goes on in the branch `yes:` with this probability, else in "
    "`no:`.",
    "merge": "merge from NAME: ... end | Branches from named leaves meet, in a plan that goes up.",
    "end": "Closes `repeat`, `while` and `merge`.",
    "max": "The bound of `wait` and `while`.",
    "and": "Both comparisons hold.",
    "or": "One of the comparisons holds.",
}


def names(line: Sequence[Lexeme]) -> Iterator[Name]:
    """The names in the tokens of a line."""
    before = ""
    for token in line:
        if token.terminal == "HEADING":
            yield heading_name(token, "plan", "plan")
        elif token.terminal == "NAME" and before == "USE":
            yield Name(token.text, token.start, "plan")
        elif token.terminal == "NAME":
            yield Name(token.text, token.start, "instruction" if before == "DO" else "sensor")
        elif token.text in _MEANINGS:
            yield Name(token.text, token.start, "keyword")
        before = token.terminal


def words(primitives: PrimitiveSet | None) -> Iterator[Word]:
    """The words of the language, and the actions of the game."""
    yield from keywords(_MEANINGS)
    yield from instruction_words(primitives)


NAMING = Naming(names, words, {"sensor": ("E320", "sensor"), "instruction": ("E321", "action")})
"""The names in plans."""
