"""Layout of ``.tree`` files: spaces, line ends and indents between tokens; comments and parentheses stay as they are.

A section starts a line. The author's own line ends inside a formula are kept, and what follows them is indented; of
several blank lines one remains. No token is changed, so the program is the same.
"""

from collections.abc import Iterable, Iterator

from lark import Token

from gpkit.langkit.sections import section_name
from gpkit.languages.arithmetic.parser import INFIX, READING, FormulaSource

INDENT = "    "

_OPERAND_ENDS = frozenset({"NUMBER", "NAME", "STRING", "RPAR"})


def format_source(source: FormulaSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    rows = list(_rows(READING.tokens(source.text)))
    spaces = iter(_spaces(token for row in rows for token in row if token.type != "COMMENT"))
    lines = []
    for row, continues in zip(rows, _continuations(rows), strict=True):
        words = [INDENT] if continues and row else []
        for place, token in enumerate(row):
            if token.type == "COMMENT":
                words += ["  " if place else "", token.rstrip()]
            else:
                space = next(spaces)
                words += [
                    space if place else "",
                    f"{section_name(token)}:" if token.type == "SECTION" else str(token),
                ]
        lines.append("".join(words))
    return "\n".join(lines) + "\n"


def _rows(stream: Iterable[Token]) -> Iterator[list[Token]]:
    """The tokens of each line to write; between them at most one empty row where there were blank lines."""
    row: list[Token] = []
    blank = started = False
    for token in stream:
        ends = token.count("\n") if token.type == "BLANK" else int(token.type == "SECTION")
        if ends and row:
            yield row
            row, started = [], True
            ends -= 1
        if token.type == "BLANK":
            blank = blank or ends > 0
            continue
        if blank and started:
            yield []
        blank = False
        row.append(token)
    if row:
        yield row


def _continuations(rows: list[list[Token]]) -> list[bool]:
    """For each row whether it lies inside a formula; a comment before a section or at the end does not."""
    found: list[bool] = []
    goes_on = False
    for row in reversed(rows):
        first = next((token.type for token in row if token.type != "COMMENT"), None)
        if first is not None:
            goes_on = first != "SECTION"
        found.append(goes_on)
    found.reverse()
    begun = next(
        (k for k, row in enumerate(rows) if any(token.type != "COMMENT" for token in row)), len(rows)
    )
    return [False] * (begun + 1) + found[begun + 1 :]


def _spaces(stream: Iterable[Token]) -> Iterator[str]:
    """White space before each token, none before the first of its line."""
    last, sign = "", False
    for token in stream:
        if sign or last == "LPAR" or token.type in ("RPAR", "COMMA"):
            yield ""
        else:
            yield " " if token.type in INFIX or last in INFIX | {"COMMA", "SECTION"} else ""
        sign = token.type == "MINUS" and last not in _OPERAND_ENDS
        last = token.type
