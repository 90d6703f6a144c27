"""Headers: comment lines ``// key: value`` at the start of a program file.

Comments start with ``//``, or with the ``mark`` of the language.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from gpkit.core.diagnostics import Span
from gpkit.core.wording import undeceptive

MARK = "//"
"""The start of a comment in languages that define no other comment mark."""

NO_DIALECT: Mapping[str, str] = MappingProxyType({})
"""A dialect that overrides no header line."""

_KEY = r"[A-Za-z_][A-Za-z_0-9-]*"
_LINE_END = re.compile(r"\s*\n\s*")


def read_header(text: str, mark: str = MARK) -> dict[str, str]:
    """The values of the ``// key: value`` lines before the program, by key; of a repeated key, the first counts."""
    return {key: text[span.start : span.end] for key, span in header_spans(text, mark).items()}


def header_span(text: str, key: str, mark: str = MARK) -> Span:
    """The position of a header line's value; the start of the text if there is no such line."""
    return header_spans(text, mark).get(key, Span(0, 0, 1, 1))


def header_spans(text: str, mark: str = MARK) -> dict[str, Span]:
    """The positions of the values in all header lines, by key, in order; of a repeated key, the first counts."""
    says = re.compile(rf"[ \t\f$\uFEFF]*{re.escape(mark)}[ \t]*({_KEY})[ \t]*:(.*)")
    says_nothing = re.compile(rf"[ \t\r\f$\uFEFF]*({re.escape(mark)}|$)")
    spans: dict[str, Span] = {}
    start = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if match := says.match(line):
            value = match[2].strip()
            column = match.end(2) - len(match[2].lstrip())
            place = start + column
            spans.setdefault(match[1], Span(place, place + len(value), number, column + 1))
        elif not says_nothing.match(line):
            break
        start += len(line) + 1
    return spans


def print_header(header: Mapping[str, str], mark: str = MARK) -> list[str]:
    """The header lines that ``read_header`` can read back; in values, line ends and forbidden characters become spaces.

    Raises:
        ValueError: a key is not a single word of letters, digits, ``_`` and ``-``.
    """
    lines = []
    for key, value in header.items():
        if not re.fullmatch(_KEY, key):
            raise ValueError(f"a header key is one word, not {key!r}")
        lines.append(f"{mark} {key}: {_LINE_END.sub(' ', undeceptive(value)).strip()}".rstrip())
    return lines
