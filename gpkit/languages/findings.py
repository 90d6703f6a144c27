"""Findings that programs of several languages can have: about the game that they are for, and what they promise."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Protocol

from gpkit.core.diagnostics import Diagnostic, Severity, Span, suggestion
from gpkit.core.header import header_span
from gpkit.core.primitives import Alphabet, Offers, PrimitiveSet
from gpkit.core.registry import is_game, way_to_game


class Source(Protocol):
    """The text of a program, and the lines of its header."""

    @property
    def text(self) -> str:
        """The whole text."""

    @property
    def header(self) -> Mapping[str, str]:
        """The leading comment lines of the form ``// key: value``."""


def finding(code: str, severity: Severity, message: str, span: Span, mend: str = "") -> Diagnostic:
    """A finding with at most a hint."""
    return Diagnostic(code, severity, message, span, (), mend)


def other_language(code: str, language: str, offers: Offers, span: Span) -> Diagnostic:
    """Finding that the game takes programs of other languages than this one."""
    usual, primitives = next(iter(offers.items()))
    known = " or ".join(f"`{name}`" for name in offers)
    message = f"`{primitives.game}` takes programs of the language {known}, not `{language}`"
    mend = f"`gpkit new {usual} --game {primitives.game}` prints one"
    return finding(code, "error", message, span, mend)


def header_findings(
    source: Source,
    primitives: PrimitiveSet | None,
    *,
    unknown_game: str,
    other_game: str,
    unknown_alphabet: str,
) -> Iterator[Diagnostic]:
    """Findings, of these codes, about the lines ``game`` and ``alphabet`` of a header."""
    game = source.header.get("game")
    meant = None if primitives is None else primitives.game
    if game is not None and game != meant and not is_game(game):
        place, mend = header_span(source.text, "game"), way_to_game(game)
        yield finding(unknown_game, "error", f"there is no game `{game}`", place, mend)
    elif game is not None and primitives is not None and game != primitives.game:
        message = f"this program is for `{game}` but is checked for `{primitives.game}`"
        place, mend = header_span(source.text, "game"), f"check it with `--game {game}`"
        yield finding(other_game, "warning", message, place, mend)
    name = source.header.get("alphabet")
    if name is not None and primitives is not None and primitives.alphabet(name) is None:
        message = f"`{primitives.game}` has no alphabet `{name}`"
        mend = suggestion(name, [alphabet.name for alphabet in primitives.alphabets])
        yield finding(unknown_alphabet, "error", message, header_span(source.text, "alphabet"), mend)


def unknown_sensor(code: str, primitives: PrimitiveSet, name: str, span: Span) -> Diagnostic:
    """Finding that the game has no sensor of that name."""
    message = f"`{primitives.game}` has no sensor `{name}`"
    return finding(code, "error", message, span, _suggestion(name, primitives.sensor_names))


_suggestion = lru_cache(maxsize=1000)(suggestion)
"""The same for a name that stands in a hundred thousand places."""


def beyond_alphabet(code: str, shown: str, alphabet: Alphabet, span: Span, mend: str = "") -> Diagnostic:
    """Finding that a program uses more than the alphabet that its header names."""
    message = f"{shown} is not in the alphabet `{alphabet.name}` that the header names"
    return finding(code, "warning", message, span, mend)


def tie(code: str, span: Span, mend: str) -> Diagnostic:
    """Finding that a part of a program sees nothing of the candidates that it values."""
    message = "every candidate gets the same value here, so the first one is always chosen"
    return finding(code, "warning", message, span, mend)
