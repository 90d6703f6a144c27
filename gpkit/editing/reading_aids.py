"""Reading aids for a program in an editor: meanings, definitions, folds, parts, and the words that can come next.

Positions in the text are counted in the units of an encoding, as editors and browsers count them.

Editors colour a program with patterns for the terminals of its language. Editors try the patterns in order at every
position. A pattern ignores the context, so it colours a word of a language everywhere. The patterns mean the same in
Oniguruma, the engine of VS Code, and in browsers.
"""

import inspect
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lark.lexer import TerminalDef

from gpkit.core.diagnostics import Span
from gpkit.core.errors import UsageError
from gpkit.core.registry import all_games, game_of
from gpkit.editing.document import Document, Edit, Mention, mention_at, mentions
from gpkit.langkit.language import Language
from gpkit.langkit.naming import Naming, Role, Word
from gpkit.langkit.recovery import Lexeme, Recovery, accepted_at, lines_of

LIMITS = {"utf-8": "\x7f\u07ff\uffff", "utf-16": "\uffff", "utf-32": ""}
"""For each encoding, the last character that takes one unit, the last that takes two, and so on."""


class Places:
    """Converts positions in a text between characters and units.

    Browsers count in UTF-16: an emoji takes two units, and an unpaired surrogate takes one.

    >>> places = Places("\\N{PARTY POPPER}ab")
    >>> places.units(1), places.place(2), places.place(99)
    (2, 1, 3)
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        """Prepare to count positions in a text."""
        self._length = len(text)
        limits = "" if text.isascii() else LIMITS[encoding]
        self._wide = sorted(
            place for limit in limits for place, sign in enumerate(text) if sign > limit
        )  # once for each unit beyond the first
        self._units_of_wide = [place + number for number, place in enumerate(self._wide)]

    def units(self, place: int) -> int:
        """The number of units before the character with this index, counted from 0."""
        return place + bisect_left(self._wide, place)

    def place(self, units: int) -> int:
        """The index of the character that has this many units before it; at most the length of the text."""
        before = bisect_right(self._units_of_wide, units - 1)
        return max(0, min(units - before, self._length))


HIDDEN = frozenset({"BLANK", "SPACE", "_NEWLINE"})
"""Terminals that match no visible text."""

SCOPES: Mapping[str, str] = {
    "COMMENT": "comment.line",
    "NUMBER": "constant.numeric",
    "INT": "constant.numeric",
    "COUNT": "constant.numeric",
    "_ORDINAL": "constant.numeric",
    "STRING": "string.quoted.double",
    "NAME": "variable.other",
    "WORD": "support.function",
    "SECTION": "entity.name.section",
    "FUNCTION": "entity.name.function",
    "HEADING": "entity.name.section",
    "STATE": "keyword.other",
    "BOX": "entity.name.type",
    "ANYTHING": "constant.language",
    "PATTERN_NAME": "entity.name.class",
    "ANNOTATION": "storage.modifier",
    "ARROW": "keyword.operator.arrow",
    "LPAR": "punctuation.parenthesis",
    "RPAR": "punctuation.parenthesis",
    "COMMA": "punctuation.separator",
    "COLON": "punctuation.separator",
    "SEMICOLON": "punctuation.separator",
    "UNDERSCORE": "punctuation.separator",
    "LBRACE": "punctuation.bracket",
    "RBRACE": "punctuation.bracket",
    "LSQB": "punctuation.bracket",
    "RSQB": "punctuation.bracket",
    **dict.fromkeys(("YES", "NO", "ELSE", "FROM", "JOIN", "END", "MAX"), "keyword.control"),
}
"""The scopes of terminals in all languages, with TextMate's names; other words are ``keyword.control``, and other
symbols are ``keyword.operator``.
"""

CALLED = "entity.name.function"
"""The scope of a name before a parenthesis, in languages with calls."""


@dataclass(frozen=True, slots=True)
class Colour:
    """A pattern, and the scope of the text that it matches.

    Attributes:
        pattern: a regular expression for one line.
        scope: the scope without the language's name.
        groups: the scopes of the pattern's groups, by number.
    """

    pattern: str
    scope: str
    groups: Mapping[int, str] = field(default_factory=dict)


def scope_of(language: Language, terminal: TerminalDef) -> str:
    """The scope of a terminal, without the language's name at its end."""
    known = _own_scopes(language).get(terminal.name) or SCOPES.get(terminal.name)
    return known or ("keyword.control" if _is_word(terminal) else "keyword.operator")


def _own_scopes(language: Language) -> Mapping[str, str]:
    """The scopes of terminals that mean something different in this language than in other languages."""
    return language.naming.scopes if language.naming is not None else {}


def _is_word(terminal: TerminalDef) -> bool:
    """True if a terminal is a word or a choice of several words."""
    return terminal.pattern.value.replace("|", "").replace("(?:", "").replace(")", "").isalpha()


def terminals(language: Language) -> list[TerminalDef]:
    """The terminals of a language in the order in which editors try them; words come before names."""
    assert language.recovery is not None
    frontend: Any = language.recovery.reading.grammar().parser
    return sorted(
        [each for each in frontend.lexer.lexer.root_lexer.terminals if each.name not in HIDDEN],
        key=lambda each: not (each.name == "COMMENT" or _is_word(each)),
    )


def comment_mark(language: Language) -> str:
    """The start of comments in a language; ``//`` if the language declares no terminals."""
    if language.recovery is None:
        return "//"
    comment = next(each for each in terminals(language) if each.name == "COMMENT")
    return "#" if comment.pattern.value.startswith("#") else "//"


def colours(language: Language) -> Iterator[Colour]:
    """The patterns of a language in the order in which editors try them; none if the language declares no terminals."""
    if language.recovery is None:
        return
    found = terminals(language)
    heading = rf"^[ \t]*({comment_mark(language)})[ \t]*([A-Za-z_][A-Za-z_0-9-]*)[ \t]*:(.*)$"
    yield Colour(heading, "comment.line", {2: "keyword.other", 3: "string.unquoted"})
    calls = any(each.name == "LPAR" for each in found)
    for terminal in found:
        written = terminal.pattern.to_regexp().removesuffix("(?![A-Za-z_.])").replace("\\/", "/")
        if _is_word(terminal):
            written = rf"(?<![\w.]){written}(?![\w.])"
        if terminal.name == "NAME" and calls and "NAME" not in _own_scopes(language):
            yield Colour(rf"{written}(?=[ \t]*\()", CALLED)
        yield Colour(written, scope_of(language, terminal))


PARTS: frozenset[Role] = frozenset({"section", "plan", "rule", "pattern"})
"""The roles of names that begin a part of a program."""

NAMED = PARTS | {"branch", "box"}
"""The roles of names that a program itself can define."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The explanation of a word in a document: its place and its meaning."""

    span: Span
    word: Word

    @property
    def markdown(self) -> str:
        """The explanation as Markdown."""
        return f"```\n{self.word.usage}\n```\n{self.word.role}: {self.word.meaning}"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a program: its name, its role, the place of the name, and the place of the complete part."""

    name: str
    role: Role
    heading: Span
    whole: Span


def meaning_at(document: Document, place: int) -> Meaning | None:
    """The meaning of the name at a position; None if there is no name with a meaning."""
    mention = mention_at(document, place)
    if mention is None:
        return None
    written = mention.text[:1] if mention.role == "box" else mention.text
    found = next((word for word in document.words if written in (word.name, word.name.lower())), None)
    return None if found is None else Meaning(mention.span, found)


def references_at(document: Document, place: int) -> tuple[Mention, ...]:
    """All occurrences in the text of the name at a position, in order; empty if there is no name."""
    asked = mention_at(document, place)
    return () if asked is None else tuple(each for each in mentions(document) if each.is_same(asked))


def definition_at(document: Document, place: int) -> Span | None:
    """The definition of the plan, pattern or box at a position; a box is defined on its own line."""
    return next((each.span for each in references_at(document, place) if each.name.defines), None)


def sensor_source(document: Document, place: int) -> tuple[Path, str, Span] | None:
    """The function of the sensor at a position: its file, the text of the file, and the position of the function's name
    in it.

    None if there is no sensor at the position, or if its game does not define it by a function in a file.
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
    """True if a name is defined by the program itself, not by its language or its game."""
    known = mention.role == "section" and any(mention.text == word.name for word in document.words)
    return mention.role in NAMED and not known


def renamed_at(document: Document, place: int, name: str) -> tuple[Edit, ...]:
    """The changes that rename the thing at a position; the program itself must define its name.

    Raises:
        UsageError: the new name belongs to the language or the game, is in use, or is not allowed there.
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
        raise UsageError(f"there is already a {role} `{name}`")
    return tuple(Edit(f"Rename to `{name}`", each.span, name) for each in found)


def folds(document: Document) -> list[tuple[int, int]]:
    """The first and last line, counted from 0, of everything that can be folded, in text order.

    Parts, lines with indented lines below them, rules with the rules joined to them, and comments can be folded.
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
    """The sections, plans, rules and patterns of a document, in text order; empty if there are no named parts."""
    text = document.text
    heads = [each for each in mentions(document) if each.name.defines and each.role in PARTS]
    starts = [text.rfind("\n", 0, head.span.start) + 1 for head in heads]
    ends = [*starts[1:], len(text)]
    return tuple(_part(text, *each) for each in zip(heads, starts, ends, strict=False))


def _part(text: str, head: Mention, start: int, end: int) -> Part:
    """The part that a heading begins, from the start of its line to the last character before the next part."""
    whole = Span(start, max(head.span.end, start + len(text[start:end].rstrip())), head.span.line, 1)
    return Part(head.text, head.role, head.span, whole)


def part_names(found: Sequence[Mention], role: Role) -> list[str]:
    """The names with this role that a document defines."""
    return list(dict.fromkeys(each.text for each in found if each.role == role and each.name.defines))


_BEGUN = re.compile(r"[A-Za-z_&][A-Za-z_0-9.]*$|$")
_HEADER = re.compile(r"[ \t]*(//|#)[ \t]*(game|alphabet)[ \t]*:[ \t]*([\w-]*)$")


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that is possible at a position.

    Attributes:
        word: the word, together with its meaning.
        inserted: the text to insert.
        replaced: the typed beginning of a word, which the inserted text replaces; it may be empty.
    """

    word: Word
    inserted: str
    replaced: Span


def completions_at(document: Document, place: int) -> tuple[Completion, ...]:
    """The words that are possible at a position and that match the text before it."""
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
    found = [
        *_named(document, _roles(before[: begun.start()], accepted, naming, recovery)),
        *_keywords(accepted, naming, recovery),
    ]
    return tuple(
        Completion(word, _inserted(word), span)
        for word in found
        if _fits(word.name, begun[0]) and word.name != "+"
    )


def _roles(before: str, accepted: Collection[str], naming: Naming, recovery: Recovery) -> frozenset[Role]:
    """The roles that a name can have after the given start of a line."""
    tokens = [token for _, line in lines_of(before, recovery) for token in line.tokens]
    roles: set[Role] = {
        name.role
        for probe in (
            "SECTION",
            "NAME",
            "WORD",
            "PATTERN_NAME",
            "BOX",
            "ANYTHING",
        )  # for names, in any language
        if probe in accepted
        for name in [*naming.names([*tokens, Lexeme(probe, "x:", len(before))])][-1:]
    }
    if "sensor" in roles:
        roles.add("operator")
    if not tokens and "instruction" in roles:
        roles.add("section")
    return frozenset(roles)


def _named(document: Document, roles: Collection[Role]) -> Iterator[Word]:
    """The words with these roles: known words, and words that the document defines."""
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
    """The words of the language that are possible at a position, with their meanings if they have any."""
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
    return (
        word.usage if word.usage == f"{word.name}:" else f"{word.name}_" if word.role == "box" else word.name
    )


def _fits(name: str, begun: str) -> bool:
    """True if a word contains the typed text or, if nothing is typed, begins with a letter or ``&``."""
    return name[:1].isalpha() or name.startswith("&") if not begun else begun.lower() in name.lower()
