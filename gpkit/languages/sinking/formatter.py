"""Layout of ``.sink`` files: plain headings, instructions indented under them, comments where they were.

Numbers and counts of listings go. An empty line parts blocks; of several empty lines inside a block one remains.
Comment lines belong to the heading right below them if an empty line is above them, otherwise to the block above.
"""

from dataclasses import dataclass

from gpkit.languages.sinking.parser import SinkingSource
from gpkit.languages.sinking.printer import INDENT


@dataclass(frozen=True, slots=True)
class LayoutRow:
    """One line of a text: the block that it is the heading of, its instruction, its comment; empty what it lacks."""

    heading: str = ""
    word: str = ""
    comment: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands there."""
        return not (self.heading or self.word or self.comment)

    @property
    def is_comment(self) -> bool:
        """Whether a comment stands there alone."""
        return bool(self.comment) and not (self.heading or self.word)


def format_source(source: SinkingSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    rows = _rows(source)
    first_heading = next(k for k, row in enumerate(rows) if row.heading)
    leading = _leading_comments(rows)
    lines: list[str] = []
    blank = after_heading = False
    for k, row in enumerate(rows):
        if row.is_empty:
            blank = True
            continue
        opens_block = k > first_heading and (bool(row.heading) or k in leading) and k - 1 not in leading
        if lines and (opens_block or (blank and not after_heading)):
            lines.append("")
        at_margin = k < first_heading or k in leading
        lines.append(_written(row, "" if at_margin else INDENT))
        blank, after_heading = False, bool(row.heading)
    return "\n".join(lines) + "\n"


def _rows(source: SinkingSource) -> list[LayoutRow]:
    """The lines of a text; a line that holds nothing but a number is empty."""
    names = source.program.names
    headings = {h.span.line: name for name, h in zip(names, source.headings, strict=True) if h is not None}
    words = {
        span.line: word
        for block, spans in zip(source.program.blocks, source.spans, strict=True)
        for word, span in zip(block, spans, strict=True)
    }
    rows = []
    for number, line in enumerate(source.text.split("\n"), start=1):
        _, slashes, comment = line.partition("//")
        rows.append(LayoutRow(headings.get(number, ""), words.get(number, ""), (slashes + comment).rstrip()))
    return rows


def _leading_comments(rows: list[LayoutRow]) -> frozenset[int]:
    """The comment lines that belong to the heading below them: right above it, and below an empty line or nothing."""
    found: list[int] = []
    for k, row in enumerate(rows):
        first = k
        while first > 0 and row.heading and rows[first - 1].is_comment:
            first -= 1
        if first == 0 or rows[first - 1].is_empty:
            found += range(first, k)
    return frozenset(found)


def _written(row: LayoutRow, indent: str) -> str:
    """A line as it is written; ``indent`` is for a comment that stands alone."""
    if row.is_comment:
        return indent + row.comment
    code = f"{row.heading}:" if row.heading else INDENT + row.word
    return f"{code}  {row.comment}" if row.comment else code
