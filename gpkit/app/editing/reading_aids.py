"""Aids to reading a document: the meaning of a name, where it is defined, and the parts of the text."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpkit.app.editing.document import Document, Mention, mention_at, mentions
from gpkit.core.diagnostics import Span
from gpkit.langkit.naming import Role, Word

PARTS: frozenset[Role] = frozenset({"section", "plan", "rule", "pattern"})
"""Roles of names under which a part of a program stands."""


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


def definition_at(document: Document, place: int) -> Span | None:
    """The definition of the plan, the pattern or the box that is named at a place; boxes belong to their line."""
    mention = mention_at(document, place)
    if mention is None:
        return None
    for other in mentions(document):
        same = other.name.defines and (other.text, other.role) == (mention.text, mention.role)
        if same and (mention.role != "box" or other.span.line == mention.span.line):
            return other.span
    return None


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
