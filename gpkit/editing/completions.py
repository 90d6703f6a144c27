"""Completions: the words that can stand at a place, by what the grammar takes there."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from gpkit.core.diagnostics import Span
from gpkit.core.registry import all_games
from gpkit.editing.document import Document, mentions
from gpkit.editing.reading_aids import part_names
from gpkit.langkit.naming import Naming, Role, Word
from gpkit.langkit.recogniser import Lexeme
from gpkit.langkit.recovery import Recovery, accepted_at, lines_of

_BEGUN = re.compile(r"[A-Za-z_&][A-Za-z_0-9.]*$|$")
_HEADER = re.compile(r"[ \t]*(//|#)[ \t]*(game|alphabet)[ \t]*:[ \t]*([\w-]*)$")
_PROBES = ("SECTION", "NAME", "WORD", "PATTERN_NAME", "BOX", "ANYTHING")
"""Terminals of names, in all languages; what a name stands for is seen by putting one there."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that can stand at a place.

    Attributes:
        word: with its meaning.
        inserted: what is written.
        replaced: what it is written over: the beginning of a word, which may be empty.
    """

    word: Word
    inserted: str
    replaced: Span


def completions_at(document: Document, place: int) -> tuple[Completion, ...]:
    """The words that can stand at a place and begin as what stands before it."""
    recovery, naming = document.language.recovery, document.language.naming
    start = document.text.rfind("\n", 0, place) + 1
    before = document.text[start:place]
    header = _HEADER.match(before)
    if header is not None:
        span = Span.at(document.text, place - len(header[3]), place)
        return tuple(Completion(word, word.name, span) for word in _header_words(document, header[2]))
    if recovery is None or naming is None or "//" in before or before.lstrip().startswith("#"):
        return ()
    begun = _BEGUN.search(before)
    assert begun is not None
    behind = place - len(begun[0])
    accepted = accepted_at(document.text, behind, recovery)
    span = Span.at(document.text, behind, place)
    roles = _roles(before[: begun.start()], accepted, naming, recovery)
    found = [*_named(document, roles), *_keywords(accepted, naming, recovery)]
    return tuple(
        Completion(word, _inserted(word), span)
        for word in found
        if _fits(word.name, begun[0]) and word.name != "+"
    )


def _roles(before: str, accepted: Collection[str], naming: Naming, recovery: Recovery) -> frozenset[Role]:
    """The roles that a name can have behind the start of a line."""
    tokens = [token for _, line in lines_of(before, recovery) for token in line.tokens]
    roles: set[Role] = set()
    for probe in _PROBES:
        if probe in accepted:
            roles.update(
                name.role for name in [*naming.names([*tokens, Lexeme(probe, "x:", len(before))])][-1:]
            )
    if "sensor" in roles:
        roles.add("operator")
    if not tokens and "instruction" in roles:
        roles.add("section")
    return frozenset(roles)


def _named(document: Document, roles: Collection[Role]) -> Iterator[Word]:
    """The words of these roles: those that are known, and those that the document defines."""
    found = list(mentions(document))
    sections = part_names(found, "section")
    for word in document.words:
        if (
            word.role in roles
            and word.role != "keyword"
            and not (word.role == "section" and word.name in sections)
        ):
            yield word
    for role in ("plan", "pattern"):
        if role in roles:
            for name in part_names(found, role):
                yield Word(name, role, name, f"A {role} of this file.")


def _keywords(accepted: Collection[str], naming: Naming, recovery: Recovery) -> Iterator[Word]:
    """The words of the language that can stand there, with their meanings where they have one."""
    meanings = {word.name: word for word in naming.words(None)}
    for terminal in recovery.reading.grammar().terminals:
        written = terminal.pattern.value
        if terminal.name in accepted and terminal.pattern.type == "str" and written.isalpha():
            yield meanings.get(written, Word(written, "keyword", written, ""))
        elif terminal.name in accepted and terminal.name in ("YES", "NO", "ELSE"):
            yield Word(terminal.name.lower(), "keyword", f"{terminal.name.lower()}:", "A branch.")
        elif terminal.name in accepted and terminal.name in ("WORD", "ANYTHING", "JOIN"):
            yield from (word for word in meanings.values() if word.role == "keyword")


def _header_words(document: Document, key: str) -> Sequence[Word]:
    """The games, or the alphabets of the game, that a header line can name."""
    if key == "game":
        return [Word(entry.name, "keyword", entry.name, entry.title) for entry in all_games()]
    primitives = document.primitives
    alphabets = primitives.alphabets if primitives is not None else ()
    return [Word(each.name, "keyword", each.name, "An alphabet.") for each in alphabets]


def _inserted(word: Word) -> str:
    if word.usage == f"{word.name}:":
        return word.usage
    return f"{word.name}_" if word.role == "box" else word.name


def _fits(name: str, begun: str) -> bool:
    """Whether a word begins so, or a part of it behind a point does."""
    return name[:1].isalpha() or name.startswith("&") if not begun else begun.lower() in name.lower()
