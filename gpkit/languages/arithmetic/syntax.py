"""The grammar at work: text to Lark's tree within the limits, and what went wrong in words.

Lark's LALR parser, its trees and everything here use no recursion, so depth is bounded by ``MAX_DEPTH`` alone.
"""

from collections.abc import Iterator

from lark import Token
from lark.exceptions import UnexpectedToken

from gpkit.core.diagnostics import Span
from gpkit.langkit.operators import MAX_DEPTH, MAX_NODES
from gpkit.langkit.reading import (
    Reading,
    Refused,
    accepted_words,
    check_length,
    end_span,
    exceed,
    refuse,
    shown,
    token_span,
)
from gpkit.langkit.sections import Sectioning

SECTIONS = Sectioning(part="formula", twice="E005", empty="E004", missing="E011", unknown="E012")
"""Words and codes for sections of formulas."""

MAX_PARENTHESES = 2 * MAX_DEPTH
"""The deepest nesting of parentheses: a call and its operand, fully parenthesised, use two for each level."""

_FRIENDLY = {
    "NUMBER": "a number",
    "NAME": "a name",
    "SECTION": "a section such as `play:`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "COMMA": "`,`",
    "$END": "the end of the file",
}
"""Terminals in the words of a person, in the order in which they are listed."""

_HINTS = {
    "#": "a comment starts with `//`",
    ";": "a formula ends where the next section starts; it needs no `;`",
    "=": "a section is written `name: formula`",
    ":": "a section name is one word, such as `play`",
    "^": "there is no power; multiply, as in `a * a`",
    "%": "there is no remainder; `a - floor(a / b) * b` is one",
    "<": "compare with `ifle(a, b, x, y)`: x if a <= b, else y",
    ">": "compare with `ifle(a, b, x, y)`: x if a <= b, else y",
    "[": "group with `(` and `)`",
    "{": "group with `(` and `)`",
}

_OPERAND = frozenset({"NUMBER", "NAME", "LPAR"})
INFIX = frozenset({"PLUS", "MINUS", "STAR", "SLASH"})
"""The terminals that stand between operands; a minus may also stand before one."""

_NODE = INFIX | {"NUMBER", "NAME"}


class _Guard:
    """Watches the tokens on their way to the parser: limits, parentheses, sections. It keeps nothing between texts."""

    always_accept = ("SECTION",)  # known as such where only an operand fits, for the sake of the message

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The same tokens.

        Raises:
            Refused: at the first token that breaks a rule.
        """
        nodes = 0
        opened: list[Token] = []
        sections: set[str] = set()
        last: Token | None = None
        for token in stream:
            if token.type in _NODE:
                nodes += 1
                _check_node(token, nodes)
            elif token.type == "LPAR":
                opened.append(token)
                if len(opened) > MAX_PARENTHESES:
                    message = f"parentheses are nested deeper than {MAX_PARENTHESES}"
                    raise exceed("E023", message, token_span(token))
            elif token.type == "RPAR":
                if not opened:
                    raise refuse("E003", "this parenthesis was never opened", token_span(token))
                opened.pop()
            elif token.type == "SECTION":
                _check_complete(last, opened)
                SECTIONS.check_new(token, sections)
            last = token
            yield token
        if last is None:
            raise refuse(
                "E004", "there is no formula", Span(0, 0, 1, 1), mend="write one, such as `env.rank`"
            )
        _check_complete(last, opened)


def _check_node(token: Token, nodes: int) -> None:
    if nodes > 2 * MAX_NODES:  # a minus may belong to a number; the parser counts exactly
        raise too_many_nodes(token_span(token))
    if token.type == "NUMBER":
        check_length(token, "E021")


def _check_complete(last: Token | None, opened: list[Token]) -> None:
    """Before a section and at the end."""
    if opened:
        raise refuse("E003", "this parenthesis is never closed", token_span(opened[-1]))
    SECTIONS.check_filled(last)


def too_many_nodes(span: Span) -> Refused:
    """The program is larger than ``MAX_NODES``."""
    return exceed("E022", f"the program has more than {MAX_NODES} nodes", span)


def _unexpected_token(text: str, error: UnexpectedToken) -> Refused:
    accepted = set(error.accepts or error.expected)
    if "PLUS" in accepted:  # after an operand; the parser may already have settled that no product goes on
        accepted = (accepted | INFIX) - _OPERAND
    expected = accepted_words(accepted, _FRIENDLY)
    token = error.token
    if token.type == "$END":
        message = "the text ends in the middle of a formula"
        return refuse("E001", message, end_span(text, error), expected=expected)
    mend = ""
    if token.type in _OPERAND and "PLUS" in accepted:
        mend = "an operator such as `*` is missing before it, or `//` before a comment"
    kind = {"NUMBER": "number ", "NAME": "name ", "SECTION": "section "}.get(token.type, "")
    message = f"unexpected {kind}{shown(token)}"
    return refuse("E001", message, token_span(token), expected=expected, mend=mend)


READING = Reading(
    name="arithmetic",
    guard=_Guard(),
    too_long="E020",
    stray="E002",
    hints=_HINTS,
    unexpected=_unexpected_token,
)
"""The grammar, and what is said about texts that break it; it reads a text."""
