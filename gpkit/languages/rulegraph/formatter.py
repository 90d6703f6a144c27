"""Layout of ``.rules`` files: one blank between words, plain signs for LaTeX's, comments where they were.

Entries, their order, indexes and lengths stay as they are. Of several empty lines one remains.
"""

from itertools import groupby

from lark import Token

from gpkit.languages.rulegraph.parser import RuleSource
from gpkit.languages.rulegraph.syntax import MARK

_ATTACHED = frozenset({"UNDERSCORE", "LPAR", "PLUS", "RPAR", "LSQB", "RSQB"})
"""Tokens that stand right behind the one before them."""

_OPENING = frozenset({"UNDERSCORE", "LPAR", "LSQB", "BANG"})
"""Tokens behind which the next one stands at once."""

_BEFORE_NUMBERS = frozenset({"SEMICOLON", "SIGN", "EQUAL"})
"""A minus behind one of these belongs to the number."""


def format_source(source: RuleSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    words = {line: list(row) for line, row in groupby(source.tokens, key=lambda token: token.line)}
    lines: list[str] = []
    blank = False
    for number, line in enumerate(source.text.split("\n"), start=1):
        _, mark, said = line.partition(MARK)
        comment = (mark + said).rstrip()
        code = _written(words.get(number, []))
        if not (code or comment):
            blank = bool(lines)
            continue
        lines += [""] * blank + ["  ".join(filter(None, [code, comment]))]
        blank = False
    return "\n".join(lines) + "\n"


def _written(row: list[Token]) -> str:
    """The rule of a line."""
    pieces: list[str] = []
    before = last = ""
    for token in row:
        if token.type in ("LBRACE", "RBRACE"):
            continue
        signed = last == "MINUS" and before in _BEFORE_NUMBERS
        if pieces and not (token.type in _ATTACHED or last in _OPENING or signed):
            pieces.append("  " if token.type == "ANNOTATION" and last != "ANNOTATION" else " ")
        pieces.append(_word(token))
        before, last = last, token.type
    return "".join(pieces)


def _word(token: Token) -> str:
    if token.type == "ARROW":
        return "=>"
    if token.type == "INT":
        return str(int(token))
    if token.type in ("NAME", "ANNOTATION"):
        return "".join(token.split())
    return str(token)
