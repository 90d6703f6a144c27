"""Aids to reading a document: the meaning of a name, where it is defined and used, and the parts of the text."""

import inspect
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from gpkit.core.diagnostics import Span
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of
from gpkit.editing.diagnostics import Edit
from gpkit.editing.document import Document, Mention, mention_at, mentions
from gpkit.editing.scopes import comment_mark
from gpkit.langkit.naming import Role, Word

PARTS: frozenset[Role] = frozenset({"section", "plan", "rule", "pattern"})
"""Roles of names under which a part of a program stands."""

NAMED = PARTS | {"branch", "box"}
"""Roles of names that a program itself can give."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A word of a text explained: its place, and what it is."""

    span: Span
    word: Word

    @property
    def markdown(self) -> str:
        """The explanation for people."""
        return f"```\n{self.word.usage}\n```\n{self.word.role}: {self.word.meaning}"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a program: its name, the place of that, and all of it."""

    name: str
    role: Role
    heading: Span
    whole: Span


def meaning_at(document: Document, place: int) -> Meaning | None:
    """The meaning of the name at a place; None where there is none that means something."""
    mention = mention_at(document, place)
    if mention is None:
        return None
    written = mention.text[:1] if mention.role == "box" else mention.text
    found = next((word for word in document.words if written in (word.name, word.name.lower())), None)
    return None if found is None else Meaning(mention.span, found)


def references_at(document: Document, place: int) -> tuple[Mention, ...]:
    """The mentions of what is named at a place, in order; none where nothing is named."""
    asked = mention_at(document, place)
    return () if asked is None else tuple(each for each in mentions(document) if each.is_same(asked))


def definition_at(document: Document, place: int) -> Span | None:
    """The definition of the plan, the pattern or the box that is named at a place; boxes belong to their line."""
    return next((each.span for each in references_at(document, place) if each.name.defines), None)


def sensor_source(document: Document, place: int) -> tuple[Path, str, Span] | None:
    """The function of the sensor that is named at a place: its file, the text of that, and where the name stands.

    None where the sensor named is none, or its game does not say it by a function in a file.
    """
    asked, game = mention_at(document, place), document.game
    if asked is None or game is None:
        return None
    for each in game_of(game).sensors:
        if asked.role == "sensor" and each.sensor.name == asked.text:
            code = inspect.unwrap(each.function).__code__
            with suppress(OSError, UnicodeDecodeError):
                text = Path(code.co_filename).read_text(encoding="utf-8")
                above = len("".join(text.splitlines(keepends=True)[: code.co_firstlineno - 1]))
                if found := re.compile(rf"\bdef\s+({code.co_name})\b").search(text, above):
                    return Path(code.co_filename), text, Span.at(text, *found.span(1))
    return None


def is_own(document: Document, mention: Mention) -> bool:
    """Whether the program itself has given a name, and not its language or its game."""
    known = mention.role == "section" and any(mention.text == word.name for word in document.words)
    return mention.role in NAMED and not known


def renamed_at(document: Document, place: int, name: str) -> tuple[Edit, ...]:
    """The changes by which what is named at a place, which the program itself has named, is called otherwise.

    Raises:
        UsageError: the name is the language's or the game's, the other one is in use, or cannot stand there.
    """
    found = references_at(document, place)
    if not found or not is_own(document, found[0]):
        roles = ", ".join(sorted(NAMED))
        raise UsageError(f"this is not a name that the program defines; only its {roles} can be renamed")
    text, starts, moved, role = document.text, [], 0, found[0].role
    for each in found:
        starts.append(each.span.start + moved)
        text = text[: starts[-1]] + name + text[each.span.end + moved :]
        moved += len(name) - len(each.text)
    after = references_at(replace(document, text=text), starts[0])
    there = [each.span.start for each in after if (each.text, each.role) == (name, role)]
    if not set(starts) <= set(there):
        raise UsageError(f"`{name}` cannot replace `{found[0].text}` as the name of a {role}")
    if len(there) > len(starts):
        raise UsageError(f"there is a {role} `{name}` already")
    return tuple(Edit(f"Rename to `{name}`", each.span, name) for each in found)


def folds(document: Document) -> list[tuple[int, int]]:
    """The first and the last line, from 0, of what can be folded, by place.

    These are parts, lines with what is indented below them, rules with those that are joined to them, and comments.
    """
    found, mark, comment, last = set(), comment_mark(document.language), -1, 0
    above: list[tuple[int, int]] = []
    lines = [*document.text.split("\n"), "end"]
    for number, line in enumerate(lines):
        start = line.lstrip()
        if start.startswith(mark):
            comment = number if comment < 0 else comment
            continue
        if 0 <= comment < number - 1:
            found.add((comment, number - 1))
        comment = -1
        if start:
            depth = len(line) - len(start) + start.startswith("|")
            while above and above[-1][0] >= depth:
                _, first = above.pop()
                found.add((first, last))
            above.append((depth, number))
            last = number
    for part in (each for each in parts(document) if each.role not in ("rule", "pattern")):  # of one line
        first = part.heading.line - 1
        found.add((first, first + document.text.count("\n", part.heading.start, part.whole.end)))
    return sorted((first, last) for first, last in found if first < last)


def parts(document: Document) -> tuple[Part, ...]:
    """The sections, plans, rules and patterns of a document, by place; none of a program without named parts."""
    text = document.text
    heads = [each for each in mentions(document) if each.name.defines and each.role in PARTS]
    starts = [text.rfind("\n", 0, head.span.start) + 1 for head in heads]
    ends = [*starts[1:], len(text)]
    return tuple(_part(text, *each) for each in zip(heads, starts, ends, strict=False))


def _part(text: str, head: Mention, start: int, end: int) -> Part:
    """The part under a heading, from the start of its line to the last sign before the next part."""
    whole = Span(start, max(head.span.end, start + len(text[start:end].rstrip())), head.span.line, 1)
    return Part(head.text, head.role, head.span, whole)


def part_names(found: Sequence[Mention], role: Role) -> list[str]:
    """The names of one role that are defined among the names of a document."""
    return list(dict.fromkeys(each.text for each in found if each.role == role and each.name.defines))
