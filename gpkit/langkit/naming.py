"""Names in the text of a program, also of one that cannot be read: what each stands for, and what it means."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from gpkit.core.characters import undeceptive
from gpkit.core.primitives import PrimitiveSet
from gpkit.langkit.recogniser import Lexeme, Line

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
"""Kinds of things that names stand for."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a line: its place there, what it stands for, and whether what it stands for begins here."""

    text: str
    start: int
    role: Role
    defines: bool = False

    @property
    def end(self) -> int:
        """The place in the line behind it."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Word:
    """A word that programs can use: what it stands for, how it is written, and its meaning in a sentence."""

    name: str
    role: Role
    usage: str
    meaning: str


@dataclass(frozen=True, slots=True, eq=False)
class Naming:
    """The names of one language.

    Attributes:
        names: the names in the tokens of a line, in order.
        words: what the language itself has, and for a game the instructions that it carries out.
        unknown: by role the code of the finding that the game has no such name, and the noun in its message.
        scopes: by the name of a terminal its scope in editors, where it is another than in other languages.
    """

    names: Callable[[Sequence[Lexeme]], Iterable[Name]]
    words: Callable[[PrimitiveSet | None], Iterable[Word]]
    unknown: Mapping[Role, tuple[str, str]]
    scopes: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=20_000)
def names_in(naming: Naming, line: Line) -> tuple[Name, ...]:
    """The names in a line, in order."""
    return tuple(naming.names(line.tokens))


@lru_cache(maxsize=10_000)
def written_name(name: str, is_taken: bool) -> str:
    """A name in quotation marks where it is no word, or one that the language has taken.

    What no text has in names becomes a blank, or ``'``.
    """
    if _WORD.fullmatch(name) and not is_taken:
        return name
    return '"' + " ".join(undeceptive(name).replace('"', "'").split("\n")) + '"'


def heading_name(token: Lexeme, role: Role, skipped: str = "") -> Name:
    """The name in a heading such as ``play:``, or ``plan army:`` behind the word that is skipped."""
    rest = token.text[len(skipped) :]
    start = token.start + len(skipped) + len(rest) - len(rest.lstrip())
    return Name(rest.strip(": \t"), start, role, defines=True)


def keywords(meanings: Mapping[str, str]) -> Iterator[Word]:
    """The words of a language by their meanings; how one is written stands before the sign ``|``."""
    for name, said in meanings.items():
        usage, _, meaning = said.rpartition("|")
        yield Word(name, "keyword", usage.strip() or name, meaning.strip())


def instruction_words(primitives: PrimitiveSet | None) -> Iterator[Word]:
    """The instructions that a game carries out."""
    for instruction in primitives.instructions if primitives is not None else ():
        yield Word(instruction.name, "instruction", instruction.name, instruction.meaning)
