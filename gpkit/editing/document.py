"""A document in an editor: its language and game, the meanings of its names, and its mistakes."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from gpkit.core.diagnostics import Diagnostic, Span, meant, suggestion
from gpkit.core.errors import GpkitError
from gpkit.core.header import read_header
from gpkit.core.primitives import Offers, PrimitiveSet
from gpkit.core.registry import all_games, is_game, offers_of
from gpkit.langkit.checking import check_text
from gpkit.langkit.findings import MOST_SHOWN, NOT_SHOWN, finding, shown_findings
from gpkit.langkit.language import Language, laid_out
from gpkit.langkit.naming import Name, Role, Word, names_in
from gpkit.langkit.recovery import lines_of, syntax_errors

MARKS = ("//", "#")
"""The marks that begin comments and header lines in the different languages."""


def header_in(text: str) -> Mapping[str, str]:
    """The header of a program in any language."""
    return next(filter(None, (read_header(text, mark) for mark in MARKS)), {})


@dataclass(frozen=True, slots=True)
class Document:
    """A document, which may or may not be a program yet.

    Attributes:
        text: the complete text.
        language: the language that the suffix of its file identifies.
        path: the path in messages.
    """

    text: str
    language: Language
    path: str = "text"

    @property
    def game(self) -> str | None:
        """The header's game, if gpkit already knows it; if the header has none, the only game with this language."""
        name = header_in(self.text).get("game")
        return _only_game(self.language.name) if name is None else name if is_game(name) else None

    @property
    def primitives(self) -> PrimitiveSet | None:
        """The primitives that the game offers to programs in this language; None if there are none."""
        game = self.game
        return None if game is None else offers_of(game).get(self.language.name)

    @property
    def words(self) -> tuple[Word, ...]:
        """Every word that the program can use: first those of its language, then those of its game."""
        return known_words(self.language, self.primitives)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name, and its position in a document."""

    name: Name
    span: Span

    @property
    def text(self) -> str:
        """The name as it is written in the text."""
        return self.name.text

    @property
    def role(self) -> Role:
        """The kind of thing that the name stands for."""
        return self.name.role

    def is_same(self, other: "Mention") -> bool:
        """True if another name means the same thing; for boxes on one line, braces around the index are ignored."""
        if self.role != "box":
            return (self.text, self.role) == (other.text, other.role)
        texts = {each.text.replace("{", "").replace("}", "") for each in (self, other)}
        return other.role == "box" and self.span.line == other.span.line and len(texts) == 1


def mentions(document: Document) -> Iterator[Mention]:
    """The names in a document, in order, even in places that cannot be parsed."""
    recovery, naming = document.language.recovery, document.language.naming
    if recovery is None or naming is None:
        return
    for number, (start, line) in enumerate(lines_of(document.text, recovery), start=1):
        for name in names_in(naming, line):
            yield Mention(name, Span(start + name.start, start + name.end, number, name.start + 1))


def mention_at(document: Document, place: int) -> Mention | None:
    """The name at a position, or just before it."""
    line = document.text.count("\n", 0, place) + 1
    near = (each for each in mentions(document) if each.span.line == line)
    return next((each for each in near if each.span.start <= place <= each.span.end), None)


def known_words(language: Language, primitives: PrimitiveSet | None) -> tuple[Word, ...]:
    """The words for programs in a language for a game: operators or instructions, sensors, sections, actions."""
    found = (
        {word.name: word for word in language.naming.words(primitives)} if language.naming is not None else {}
    )
    if primitives is not None:
        for sensor in primitives.sensors:
            same = "; the same for all candidates" if sensor.shared else ""
            meaning = f"{sensor.meaning} ({sensor.low:g} to {sensor.high:g}{same})"
            found[sensor.name] = Word(sensor.name, "sensor", sensor.name, meaning)
        for section in primitives.sections:
            if section not in found:
                found[section] = Word(
                    section, "section", f"{section}:", f"A decision of `{primitives.game}`."
                )
        for action in primitives.actions:
            found.setdefault(action, Word(action, "action", action, f"An action of `{primitives.game}`."))
    return tuple(found.values())


@lru_cache(maxsize=100)
def _only_game(language: str) -> str | None:
    """The game that takes programs in a language, if there is only one."""
    offering: Mapping[str, Offers] = {entry.name: offers_of(entry.name) for entry in all_games()}
    fitting = [name for name, offers in offering.items() if language in offers]
    return fitting[0] if len(fitting) == 1 else None


_RENDERED = re.compile(r"(?:error\[(E\d+)\]: )?(.*)")


@dataclass(frozen=True, slots=True)
class Findings:
    """The text of a document, and the findings in it."""

    text: str
    found: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to a document: its purpose, the place to replace, and the new text."""

    title: str
    span: Span
    text: str


def all_findings(document: Document) -> Findings:
    """The findings of ``gpkit check`` in a document; if the document is too large, one finding says so."""
    try:
        return Findings(
            document.text, shown_findings(check_text(document.text, document.path, document.language, None))
        )
    except GpkitError as error:
        said = _RENDERED.match(str(error))
        assert said is not None
        return Findings(document.text, (finding(said[1] or "E000", said[2], Span(0, 0, 1, 1)),))


def first_findings(document: Document, before: Findings) -> Findings:
    """The findings that are quick to compute: syntax errors, unknown names, and findings in lines that did not change.

    Args:
        document: the document as it is now.
        before: an earlier text of the document, with all findings in it.
    """
    recovery = document.language.recovery
    if recovery is None:
        return all_findings(document)
    syntax = syntax_errors(document.text, recovery)
    broken = {each.span.line for each in syntax}
    now = [*syntax, *(each for each in _unknown_names(document) if each.span.line not in broken)]
    lines = {each.span.line for each in now}
    naming = document.language.naming
    own = set() if naming is None else {code for code, _ in naming.unknown.values()}
    kept = (
        each
        for each in _carried(before, document.text)
        if each.code not in own
        and each.span.line not in lines
        and each.code != NOT_SHOWN
        and (each.severity != "error" or each.code in recovery.local)
    )
    return Findings(document.text, shown_findings(sorted([*now, *kept], key=lambda each: each.span.start)))


def prepare(document: Document) -> None:
    """Parse the lines of a document in advance, also as they would parse after an error, so findings appear sooner."""
    recovery = document.language.recovery
    if recovery is not None:
        syntax_errors(document.text, recovery)
        syntax_errors(f"\0\n{document.text}", recovery)


def _unknown_names(document: Document) -> Iterator[Diagnostic]:
    """Findings for names that the game does not define."""
    primitives, naming = document.primitives, document.language.naming
    if primitives is None or naming is None or not naming.unknown:
        return
    count = 0
    by_role = {role: [word.name for word in document.words if word.role == role] for role in naming.unknown}
    for mention in mentions(document):
        known = by_role.get(mention.role)
        if known is not None and mention.text not in known:
            code, noun = naming.unknown[mention.role]
            message = f"`{primitives.game}` has no {noun} `{mention.text}`"
            count += 1
            fix = (
                suggestion(mention.text, known) if count <= MOST_SHOWN else ""
            )  # the others are only counted
            yield finding(code, message, mention.span, fix)


def _carried(before: Findings, text: str) -> Iterator[Diagnostic]:
    """The findings in the lines above and below all changes, moved to their new places."""
    old, new = before.text.split("\n"), text.split("\n")
    least = min(len(old), len(new))
    above = next((k for k in range(least) if old[k] != new[k]), least)
    below = next((k for k in range(least - above) if old[-1 - k] != new[-1 - k]), least - above)
    for found in before.found:
        line = found.span.line
        if line <= above:
            yield found
        elif line > len(old) - below:
            span, further = found.span, len(text) - len(before.text)
            yield replace(
                found,
                span=replace(
                    span, start=span.start + further, end=span.end + further, line=line + len(new) - len(old)
                ),
            )


def quick_fix(document: Document, found: Diagnostic) -> Edit | None:
    """The change that fixes a finding, if the finding names the word that was probably meant."""
    suggested = meant(found, document.text)
    if suggested is None:
        return None
    span, word = suggested
    return Edit(f"Replace `{document.text[span.start : span.end]}` by `{word}`", span, word)


def layout(document: Document) -> Edit | None:
    """The change to the canonical layout; None if nothing changes, or if the text cannot be parsed."""
    try:
        text = laid_out(document.language, document.text, document.path)
    except GpkitError:
        return None
    return None if text == document.text else Edit("Lay out", Span(0, len(document.text), 1, 1), text)
