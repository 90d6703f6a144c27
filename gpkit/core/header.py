"""Headers: the leading comment lines ``// key: value`` of a program file."""

import re
from collections.abc import Iterator, Mapping

from gpkit.core.diagnostics import Span

_LINE = re.compile(r"[ \t\f\uFEFF]*//[ \t]*([A-Za-z_][A-Za-z_0-9-]*)[ \t]*:(.*)")
_BLANK_OR_COMMENT = re.compile(r"[ \t\r\f\uFEFF]*(//|$)")
_KEY = re.compile(r"[A-Za-z_][A-Za-z_0-9-]*")


def read_header(text: str) -> dict[str, str]:
    """The ``// key: value`` lines before the program; of equal keys the first counts."""
    header: dict[str, str] = {}
    for key, span in _lines(text):
        header.setdefault(key, text[span.start : span.end])
    return header


def header_span(text: str, key: str) -> Span:
    """The place of the value of a header line; the start of the text if it has no such line."""
    return next((span for found, span in _lines(text) if found == key), Span(0, 0, 1, 1))


def print_header(header: Mapping[str, str]) -> list[str]:
    """The lines from which ``read_header`` gives the header, but for white space in values.

    Raises:
        ValueError: a key is not one word of letters, digits, ``_`` and ``-``.
    """
    lines = []
    for key, value in header.items():
        if not _KEY.fullmatch(key):
            raise ValueError(f"a header key is one word, not {key!r}")
        lines.append(f"// {key}: {' '.join(value.split())}".rstrip())
    return lines


def _lines(text: str) -> Iterator[tuple[str, Span]]:
    """The keys, and the places of their values."""
    start = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _LINE.match(line):
            value = match[2].strip()
            column = match.end(2) - len(match[2].lstrip())
            yield match[1], Span(start + column, start + column + len(value), number, column + 1)
        elif not _BLANK_OR_COMMENT.match(line):
            break
        start += len(line) + 1
