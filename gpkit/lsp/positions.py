"""Positions in editors: lines and columns, counted in units of an encoding, for the characters of a text."""

import re
from bisect import bisect_right

from lsprotocol.types import Position, PositionEncodingKind, Range

from gpkit.core.diagnostics import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_UNITS = {PositionEncodingKind.Utf8: ("utf-8", 1), PositionEncodingKind.Utf16: ("utf-16-le", 2)}


class Positions:
    """The positions of a text; unpaired surrogates count as one unit each in UTF-16."""

    def __init__(self, text: str, encoding: PositionEncodingKind | str | None) -> None:
        """Positions in an encoding that was agreed on; UTF-16 where none was."""
        self._text = text
        self._encoding = _UNITS.get(PositionEncodingKind(encoding or PositionEncodingKind.Utf16))
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    def position(self, place: int) -> Position:
        """The position of a character, by its number from 0 on."""
        line = bisect_right(self._starts, place) - 1
        return Position(line, self._units(self._text[self._starts[line] : place]))

    def range(self, span: Span) -> Range:
        """The range of a place."""
        return Range(self.position(span.start), self.position(span.end))

    def place(self, position: Position) -> int:
        """The number of the character at a position; behind the end of a line or of the text, the end of it."""
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[position.line]
        below = position.line + 1
        end = self._starts[below] if below < len(self._starts) else len(self._text)
        line = self._text[start:end].rstrip("\r\n") if below < len(self._starts) else self._text[start:end]
        if self._encoding is None or line.isascii():
            return start + min(position.character, len(line))
        units = 0
        for number, character in enumerate(line):
            if units >= position.character:
                return start + number
            units += self._units(character)
        return start + len(line)

    def _units(self, text: str) -> int:
        if self._encoding is None or text.isascii():
            return len(text)
        name, size = self._encoding
        return len(text.encode(name, errors="surrogatepass")) // size
