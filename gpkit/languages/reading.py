"""What the parsers of all languages share: limits, refusals with a place, and Lark's surprises in words."""

from lark import Token
from lark.exceptions import UnexpectedCharacters

from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.errors import LimitError

MAX_TEXT = 1_000_000
"""The most bytes (UTF-8) of a text."""


class Refused(Exception):  # noqa: N818 - it never leaves the language; people meet SourceError or LimitError
    """A text cannot be read; ``limit`` says that it is only too large."""

    def __init__(self, diagnostic: Diagnostic, *, limit: bool = False) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.limit = limit

    def error(self, text: str, filename: str) -> SourceError | LimitError:
        """The error for people."""
        if self.limit:
            return LimitError(self.diagnostic.render(text, filename))
        return SourceError(self.diagnostic, text, filename)


def refuse(code: str, message: str, span: Span, *, expected: tuple[str, ...] = (), mend: str = "") -> Refused:
    """A syntax error to raise."""
    return Refused(Diagnostic(code, "error", message, span, expected, mend))


def exceed(code: str, message: str, span: Span) -> Refused:
    """A limit error to raise."""
    return Refused(Diagnostic(code, "error", message, span), limit=True)


def exceeds_bytes(text: str) -> bool:
    """Whether a text is longer than ``MAX_TEXT``."""
    return len(text) > MAX_TEXT or len(text.encode(errors="replace")) > MAX_TEXT


def stray_character(code: str, text: str, error: UnexpectedCharacters, hints: dict[str, str]) -> Refused:
    """The refusal of a character that no terminal starts with, with a hint by character."""
    place = error.pos_in_stream or 0
    character = text[place]
    shown = f"`{character}`" if character.isprintable() else f"the character U+{ord(character):04X}"
    mend = hints.get(character, "")
    return refuse(code, f"{shown} has no meaning here", Span.at(text, place, place + 1), mend=mend)


def token_span(token: Token) -> Span:
    """The place of a token."""
    assert None not in (token.start_pos, token.end_pos, token.line, token.column)
    return Span(token.start_pos or 0, token.end_pos or 0, token.line or 1, token.column or 1)
