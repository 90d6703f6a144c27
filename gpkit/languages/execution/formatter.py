"""Layout of ``.plan`` files: one step a line, branches and bodies indented; comments and words stay as they are.

Of several blank lines one remains, and one parts the named plans. A comment inside a step goes to the end of its line.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lark import Token

from gpkit.langkit.nodes import INDENT
from gpkit.languages.execution.parser import READING, STEPS, PlanSource, branch_name, plan_name

_STARTS = STEPS | {"YES", "NO", "FROM", "END", "HEADING"}
"""Terminals at which a line begins."""


@dataclass(slots=True)
class _Line:
    """A line to write: its words, the comments behind it, and whether an empty line comes before it."""

    level: int = 0
    words: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    blank: bool = False
    is_heading: bool = False


def format_source(source: PlanSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    shown: list[str] = []
    for line in _with_levels(list(_lines(READING.tokens(source.text)))):
        if line.blank and shown:
            shown.append("")
        words = " ".join(line.words)
        comment = " ".join(line.comments)
        text = f"{words}{'  ' if words and comment else ''}{comment}"
        shown.append(f"{INDENT * line.level}{text}")
    return "\n".join(shown) + "\n"


def _lines(stream: Iterable[Token]) -> Iterator[_Line]:
    """The lines without their levels; a comment that has a line of its own inside a step goes before that step."""
    line: _Line | None = None
    held: list[_Line] = []  # comments of their own, which nobody knows yet whether they are inside a step
    ends = 2
    for token in stream:
        if token.type == "BLANK":
            ends += token.count("\n")
        elif token.type == "COMMENT":
            comment = token.rstrip()
            if ends == 0 and line is not None and not held:
                line.comments.append(comment)
            else:
                held.append(_Line(comments=[comment], blank=ends > 1))
            ends = 0
        else:
            if token.type in _STARTS or line is None:
                if line is not None:
                    yield line
                yield from held
                held = []
                line = _Line(blank=ends > 1, is_heading=token.type == "HEADING")
            elif held:  # inside a step
                line.comments += [other for each in held for other in each.comments]
                held = []
            if line.words and line.words[-1] == "-":
                line.words[-1] += str(token)  # a number and its sign
            else:
                line.words.append(_word(token))
            ends = 0
    if line is not None:
        yield line
    yield from held


def _word(token: Token) -> str:
    match token.type:
        case "HEADING":
            return f"plan {plan_name(token)}:"
        case "YES":
            return "yes:"
        case "NO":
            return "no:"
        case "FROM":
            return f"from {branch_name(token)}:"
        case _:
            return str(token)


_DEPTHS = {"repeat": 1, "while": 1, "yes:": 2, "no:": 2, "merge": 0, "from": 2}
"""By the first word of a line how much deeper lines in it are than those beside it."""

_CLOSES = {"no:": ("yes:",), "from": ("merge",), "end": ("repeat", "while", "merge")}
"""By the first word of a line what it is in, whose inner parts it ends; that itself, too, but for ``from``."""


def _with_levels(lines: list[_Line]) -> list[_Line]:
    """The lines with their levels: those of comments are of the line below them, or of the one above at the end."""
    frames: list[str] = []
    base = 0
    for line in lines:
        if not line.words:
            continue
        first = line.words[0].split(" ")[0]
        if line.is_heading:
            frames, base = [], 1
            line.level = 0
            continue
        if first in _CLOSES:
            while frames[-1] not in _CLOSES[first]:
                frames.pop()
            if first != "from":
                frames.pop()
        inside = base + sum(_DEPTHS[frame] for frame in frames)
        line.level = inside + 1 if first in ("yes:", "no:", "from") else inside
        if first in _DEPTHS:
            frames.append(first)
    _place_comments(lines)
    return lines


def _place_comments(lines: list[_Line]) -> None:
    """Give comments that stand alone their levels: of the line below them, at the end of the line above.

    The empty line that parts a plan from the one above goes before the comments that lie upon its heading.
    """
    level = next((line.level for line in reversed(lines) if line.words), 0)
    for line in reversed(lines):
        if line.words:
            level = line.level
        else:
            line.level = level
    for number, line in enumerate(lines):
        if line.is_heading:
            first = number
            while first and not lines[first].blank and not lines[first - 1].words:
                first -= 1
            lines[first].blank = True
