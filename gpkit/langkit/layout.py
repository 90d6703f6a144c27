"""Layout of texts with nested nodes: each node has a line, with its branches indented below; words and comments stay.

Several blank lines become one. A comment inside a line moves to its end. No token changes, so the program stays the
same.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from lark import Token

from gpkit.langkit.nodes import INDENT


@dataclass(slots=True)
class _Line:
    """A line to write: a comment alone, or words with comments behind them."""

    level: int = 0
    text: str = ""
    comments: list[str] = field(default_factory=list)
    blank: bool = False  # whether an empty line comes before it


@dataclass(slots=True)
class _Frame:
    """An enclosing node: the level of its line, and the terminal of its last word (empty in its last branch)."""

    level: int
    last: str
    inside: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The canonical layout of a language.

    Attributes:
        begins: the terminals at which a line begins.
        branches: those of them at which a branch begins.
        frames: for the terminal of each node with branches, the terminal of its last branch or closing word, and how
            much deeper than the node the lines of a branch are.
        heading: the terminal of the headings of parts.
        closing: the terminal of the word that closes nodes.
        is_apart: whether parts with a heading are indented below an empty line, all comments inside a line move to its
            end, and comments at the end of the text are indented as the line above; else only one comment moves.
    """

    begins: Set[str]
    branches: Set[str]
    frames: Mapping[str, tuple[str, int]]
    heading: str
    closing: str = ""
    is_apart: bool = False

    def text(self, tokens: Iterable[Token]) -> str:
        """The text of all tokens of a program in canonical layout; laying it out again changes nothing."""
        shown: list[str] = []
        for line in self._lines(tokens):
            if line.blank and shown:
                shown.append("")
            comment = " ".join(line.comments)
            between = "  " if line.text and comment else ""
            shown.append(f"{INDENT * line.level}{line.text}{between}{comment}")
        return "\n".join(shown) + "\n"

    def _lines(self, tokens: Iterable[Token]) -> list[_Line]:
        """The lines, each with the comments that belong before it."""
        done: list[_Line] = []
        held: list[_Line] = []  # comments, and nobody knows yet whether the line goes on behind them
        line: _Line | None = None
        frames: list[_Frame] = []
        ends = 0  # line ends since the last token or comment
        for token in tokens:
            kind = token.type
            if kind == "BLANK":
                ends += token.count("\n")
                continue
            if kind == "COMMENT":
                if line is not None and not ends and (self.is_apart or not line.comments):
                    line.comments.append(token.rstrip())
                else:
                    held.append(_Line(comments=[token.rstrip()], blank=ends > 1))
            elif line is None or kind in self.begins:
                line = _Line(self._level(kind, frames), _word(token), blank=ends > 1)
                done += self._together(held, line, is_part=self.is_apart and kind == self.heading)
                held = []
            else:
                is_tight = kind == "COLON" or line.text.endswith("-")  # a number stands right behind its sign
                line.text += f"{'' if is_tight else ' '}{_word(token)}"
                while held and (self.is_apart or not line.comments):
                    line.comments += held.pop(0).comments
            if line is not None and kind in self.frames:
                frames.append(_Frame(line.level, *self.frames[kind]))
            ends = 0
        return done + self._together(held, _Line(level=line.level if line and self.is_apart else 0))[:-1]

    def _together(self, comments: list[_Line], line: _Line, *, is_part: bool = False) -> list[_Line]:
        """The comments before a line, at its level, and the line; a part has an empty line above."""
        found = [*comments, line]
        for comment in comments:
            comment.level = line.level
        if is_part:
            place = len(comments)
            while place and not found[place].blank:
                place -= 1
            found[place].blank = True
        return found

    def _level(self, kind: str, frames: list[_Frame]) -> int:
        """The level of a line that begins with a terminal; updates the frames around it."""
        if kind == self.heading:
            frames[:] = [_Frame(-1, "", 2)] if self.is_apart else []
            return 0
        if kind not in self.branches and kind != self.closing:
            return frames[-1].level + frames[-1].inside if frames else 0
        while not frames[-1].last:
            frames.pop()
        frame = frames[-1]
        if kind == self.closing:
            frames.pop()
            return frame.level
        if kind == frame.last:
            frame.last = ""
        return frame.level + 1


def _word(token: Token) -> str:
    """The text of a token; a word and its colon are one token."""
    if len(token) > 1 and token.endswith(":"):
        return " ".join(token[:-1].split()) + ":"
    return str(token)
