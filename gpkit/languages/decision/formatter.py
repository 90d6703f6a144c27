"""Layout of ``.decide`` files: one node a line, its branches indented below it; comments stay, words as they are.

Of several blank lines between lines one remains. A comment inside a line goes to its end. No token is changed, so the
program is the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from lark import Token

from gpkit.langkit.nodes import INDENT
from gpkit.langkit.sections import section_name
from gpkit.languages.decision.parser import BRANCHES, READING, DecisionSource

_FRAMES = {"TEST": "NO", "CHANCE": "NO", "SWITCH": "ELSE"}
"""Inner nodes, and the terminal of their last branch."""


@dataclass(slots=True)
class _Line:
    """A line to write: a comment alone, or tokens with a comment behind them."""

    level: int = 0
    tokens: list[Token] = field(default_factory=list)
    comment: str = ""
    blank: bool = False  # whether an empty line comes before it


def format_source(source: DecisionSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    shown = []
    for number, line in enumerate(_lines(READING.tokens(source.text))):
        if line.blank and number:
            shown.append("")
        words = _words(line.tokens)
        shown.append(f"{INDENT * line.level}{words}{'  ' if words and line.comment else ''}{line.comment}")
    return "\n".join(shown) + "\n"


def _lines(stream: Iterable[Token]) -> list[_Line]:
    """The lines, each with the comments that belong before it."""
    done: list[_Line] = []
    held: list[_Line] = []  # comments, and nobody knows yet whether the line goes on behind them
    line: _Line | None = None
    ends = 0  # line ends since the last token or comment
    frames: list[
        str
    ] = []  # for each inner node around, the terminal of the next branch that ends it; "" in the last
    for token in stream:
        if token.type == "BLANK":
            ends += token.count("\n")
        elif token.type == "COMMENT":
            text = token.rstrip()
            if line is not None and not ends and not line.comment:
                line.comment = text
            else:
                held.append(_Line(comment=text, blank=ends > 1))
            ends = 0
        else:
            if line is None or token.type == "SECTION" or token.type in BRANCHES:
                level = _level(token.type, frames)
                for comment in held:
                    comment.level = level
                line = _Line(level, [token], blank=ends > 1)
                done += [*held, line]
                held = []
            else:
                line.tokens.append(token)
                if held and not line.comment:
                    line.comment = held.pop(0).comment
            if token.type in _FRAMES:
                frames.append(_FRAMES[token.type])
            ends = 0
    return done + held


def _level(kind: str, frames: list[str]) -> int:
    """The level of a line that begins so, and the frames around it brought up to date."""
    if kind == "SECTION":
        frames.clear()
    if kind not in BRANCHES:
        return 0
    while not frames[-1]:
        frames.pop()
    level = len(frames)
    if frames[-1] == kind:
        frames[-1] = ""
    return level


def _words(row: list[Token]) -> str:
    words = ""
    for place, token in enumerate(row):
        tight = token.type == "COLON" or (place and row[place - 1].type == "MINUS")
        heads = token.type in ("SECTION", "YES", "NO", "ELSE")
        words += ("" if not words or tight else " ") + (f"{section_name(token)}:" if heads else token)
    return words
