"""The grammar at work: text to Lark's tree within the limits, and what went wrong in words."""

from collections.abc import Iterator

from lark import Token
from lark.exceptions import UnexpectedToken

from gpkit.core.diagnostics import Span
from gpkit.langkit.reading import (
    Reading,
    Refused,
    accepted_words,
    exceed,
    refuse,
    token_span,
)
from gpkit.languages.sinking.words import BLOCKS

MAX_LINES = 100_000
"""The most instructions of a program, all blocks together."""

_FRIENDLY = {
    "WORD": "an instruction or a block such as `targeting:`",
    "STATE": "`state`",
    "COUNT": "a count such as `(5/10)`",
    "COLON": "`:`",
    "_ORDINAL": "a number such as `1.`",
    "_NEWLINE": "the end of the line",
    "$END": "the end of the file",
}
"""Terminals in the words of a person, in the order in which they are listed."""

_HINTS = {
    "#": "a comment starts with `//`",
    "/": "a comment starts with `//`",
    ";": "instructions stand on lines of their own",
    ",": "instructions stand on lines of their own",
    ".": "a number before an instruction has its point behind it, as in `1. Target`",
    "(": "instructions have no operands; a count such as `(5/10)` stands behind `Targeting state`",
} | dict.fromkeys("0123456789", "a number before an instruction ends in a point, as in `1. Target`")


class _Guard:
    """Watches the tokens on their way to the parser, so that a text that is too large is refused early."""

    always_accept = ()

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The same tokens.

        Raises:
            Refused: at the first instruction too many.
        """
        words = 0
        for token in stream:
            words += token.type == "WORD"
            if words > MAX_LINES + len(BLOCKS):
                message = f"the program has more than {MAX_LINES} lines"
                raise exceed("E128", message, token_span(token))
            yield token


def _unexpected_token(text: str, error: UnexpectedToken) -> Refused:
    token = error.token
    span = Span.at(text, len(text), len(text)) if token.type == "$END" else token_span(token)
    before = text[text.rfind("\n", 0, span.start) + 1 : span.start].split()
    if token.type == "WORD" and before:
        if before[-1].lower() in BLOCKS:
            mend = f"a block starts with `{before[-1].lower()}:`"
        else:
            mend = "write it on a line of its own, or `//` before a comment"
        return refuse("E122", f"`{token}` is a second word on its line", span, mend=mend)
    accepted = error.accepts or error.expected
    expected = accepted_words(accepted, _FRIENDLY)
    shown = {"_NEWLINE": "end of the line", "$END": "end of the file"}.get(token.type, f"`{token}`")
    return refuse("E120", f"unexpected {shown}", span, expected=expected)


READING = Reading(
    name="sinking",
    guard=_Guard(),
    too_long="E127",
    stray="E121",
    hints=_HINTS,
    unexpected=_unexpected_token,
)
"""The grammar, and what is said about texts that break it; it reads a text."""
