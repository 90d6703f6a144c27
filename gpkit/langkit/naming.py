"""Finds the names in a program's text, with their kinds and meanings, even if the text does not parse."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from gpkit.core.primitives import PrimitiveSet
from gpkit.core.wording import undeceptive
from gpkit.langkit.recovery import Lexeme, Line

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(\.[A-Za-z_][A-Za-z_0-9]*)*")

Role = Literal[
    "sensor",
    "operator",
    "instruction",
    "action",
    "section",
    "plan",
    "branch",
    "rule",
    "pattern",
    "box",
    "keyword",
]
"""The kinds of things that a name can stand for."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a line: its position, the kind of thing that it stands for, and whether this line defines it."""

    text: str
    start: int
    role: Role
    defines: bool = False

    @property
    def end(self) -> int:
        """The position in the line just after the name."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Word:
    """A word that programs can use: its kind, its notation, and a sentence about its meaning."""

    name: str
    role: Role
    usage: str
    meaning: str


@dataclass(frozen=True, slots=True, eq=False)
class Naming:
    """The names and words of a language, for editors.

    Attributes:
        names: returns the names in the tokens of a line, in order.
        words: returns the words of the language itself, and the instructions of a game.
        unknown: for each role, the code for the finding that the game has no such name, and the noun in its message.
        scopes: the scope of each terminal in editors, if it differs from the scope in other languages.
    """

    names: Callable[[Sequence[Lexeme]], Iterable[Name]]
    words: Callable[[PrimitiveSet | None], Iterable[Word]]
    unknown: Mapping[Role, tuple[str, str]]
    scopes: Mapping[str, str] = field(default_factory=dict)


_BEFORE_OPERANDS = frozenset({"LPAR", "COMMA", "PLUS", "MINUS", "STAR", "SLASH", "FUNCTION"})


@lru_cache(maxsize=20_000)
def names_in(naming: Naming, line: Line) -> tuple[Name, ...]:
    """The names in a line, in order."""
    return tuple(naming.names(line.tokens))


@lru_cache(maxsize=10_000)
def written_name(name: str, is_taken: bool) -> str:
    """A name as it appears in programs: in quotation marks if it is not a single word, or if the language reserves it.

    Each character that a name in quotation marks cannot contain is replaced by a space or ``'``.
    """
    if _WORD.fullmatch(name) and not is_taken:
        return name
    return '"' + " ".join(undeceptive(name).replace('"', "'").split("\n")) + '"'


def heading_name(token: Lexeme, role: Role, skipped: str = "") -> Name:
    """The name in a heading such as ``play:`` or ``plan army:``; ``skipped`` is the word before it (``plan``)."""
    rest = token.text[len(skipped) :]
    start = token.start + len(skipped) + len(rest) - len(rest.lstrip())
    return Name(rest.partition("(")[0].strip(": \t"), start, role, defines=True)


def line_names(
    headings: Mapping[str, tuple[Role, str]],
    role: Callable[[str, str, str], Role],
    words: Container[str] = (),
) -> Callable[[Sequence[Lexeme]], Iterator[Name]]:
    """A function that finds the names in the tokens of a line: headings, names, and words of the language.

    Args:
        headings: for each terminal of a heading, the kind of thing that the heading defines, and the word before its
            name.
        role: takes (terminal before the name, terminal of the name, terminal after it) and returns the kind of the
            name, unless it stands in a formula.
        words: the words of the language.
    """

    def names(line: Sequence[Lexeme]) -> Iterator[Name]:
        before = ""
        for place, token in enumerate(line):
            behind = line[place + 1].terminal if place + 1 < len(line) else ""
            if token.terminal in headings:
                yield heading_name(token, *headings[token.terminal])
            elif token.terminal in ("NAME", "STRING"):
                quote = int(token.terminal == "STRING")
                text = token.text[quote : len(token.text) - quote]
                found = "sensor" if before in _BEFORE_OPERANDS else role(before, token.terminal, behind)
                is_called = (token.terminal, behind) == ("NAME", "LPAR")
                yield Name(text, token.start + quote, "operator" if is_called else found)
            elif token.text in words:
                yield Name(token.text, token.start, "keyword")
            before = token.terminal

    return names


def keywords(meanings: Mapping[str, str]) -> Iterator[Word]:
    """The words of a language with their meanings; if a meaning contains ``|``, the part before it is the notation."""
    for name, said in meanings.items():
        usage, _, meaning = said.rpartition("|")
        yield Word(name, "keyword", usage.strip() or name, meaning.strip())


def instruction_words(primitives: PrimitiveSet | None) -> Iterator[Word]:
    """The words for the instructions of a game."""
    for instruction in primitives.instructions if primitives is not None else ():
        yield Word(instruction.name, "instruction", instruction.name, instruction.meaning)
