"""Lua text to tokens, and the errors of reading it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.errors import LimitError

MAX_TEXT = 16_000_000
"""The most characters of a text: exported statements take many more than the formula."""

Kind = Literal["name", "number", "string", "long", "sign", "end"]

_TOKEN = re.compile(
    r"(?P<space>\s+|--\[(?P<level>=*)\[.*?\](?P=level)\]|--[^\n]*)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<number>\.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])*)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*')"
    r"|(?P<long>\[\[.*?\]\])"
    r"|(?P<sign>\.\.\.|\.\.|==|~=|<=|>=|->|//|::|[-+*/%^#<>=(){}\[\];:,.?|&])",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word of Lua, from ``start`` on."""

    kind: Kind
    text: str
    start: int


class Reading:
    """A text as a row of tokens and a place in it."""

    def __init__(self, text: str, filename: str) -> None:
        if len(text) > MAX_TEXT:
            raise LimitError(f"{filename}: the text is longer than {MAX_TEXT} characters")
        self.text = text
        self.filename = filename
        self.tokens = list(self._tokens())
        self.place = 0

    def _tokens(self) -> Iterator[Token]:
        place = 0
        while place < len(self.text):
            match = _TOKEN.match(self.text, place)
            if match is None:
                raise self.error("E101", f"`{self.text[place]}` has no meaning here", place, place + 1)
            if match.lastgroup != "space":
                for kind in ("name", "number", "string", "long", "sign"):
                    if match[kind] is not None:
                        yield Token(kind, match[kind], place)
            place = match.end()
        yield Token("end", "", len(self.text))

    @property
    def token(self) -> Token:
        """The token at the place."""
        return self.tokens[self.place]

    def take(self) -> Token:
        """The token at the place, which moves on."""
        token = self.tokens[self.place]
        self.place += token.kind != "end"
        return token

    def at(self, *texts: str) -> bool:
        """Whether these tokens come next; strings and numbers never count."""
        ahead = self.tokens[self.place : self.place + len(texts)]
        return [t.text for t in ahead if t.kind in ("name", "sign")] == list(texts)

    def accept(self, *texts: str) -> bool:
        """Move over these tokens if they come next."""
        if self.at(*texts):
            self.place += len(texts)
            return True
        return False

    def expect(self, *texts: str) -> None:
        """Move over these tokens.

        Raises:
            SourceError: they do not come next.
        """
        for text in texts:
            if not self.accept(text):
                raise self.unexpected(f"`{text}`")

    def name(self) -> str:
        """Move over a name.

        Raises:
            SourceError: something else comes next.
        """
        if self.token.kind != "name":
            raise self.unexpected("a name")
        return self.take().text

    def unexpected(self, *expected: str) -> SourceError:
        """The error that the token at the place cannot stand here."""
        token = self.token
        if token.kind == "end":
            return self.error("E101", "the text ends too early", token.start, token.start, expected)
        shown = token.text if len(token.text) <= 40 else token.text[:40] + "…"
        return self.error(
            "E101", f"unexpected `{shown}`", token.start, token.start + len(token.text), expected
        )

    def wrong(self, code: str, message: str, token: Token, mend: str = "") -> SourceError:
        """An error at one token."""
        return self.error(code, message, token.start, token.start + len(token.text), mend=mend)

    def error(
        self, code: str, message: str, start: int, end: int, expected: tuple[str, ...] = (), mend: str = ""
    ) -> SourceError:
        """An error at a stretch of the text."""
        diagnostic = Diagnostic(code, "error", message, Span.at(self.text, start, end), expected, mend)
        return SourceError(diagnostic, self.text, self.filename)
