"""Document that is being written: its language, its game, and the names in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from gpkit.core.diagnostics import Span
from gpkit.core.header import read_header
from gpkit.core.primitives import Offers, PrimitiveSet, Sensor
from gpkit.core.registry import all_games, is_game, offers_of
from gpkit.langkit.language import Language
from gpkit.langkit.naming import Name, Role, Word, names_in
from gpkit.langkit.recovery import lines_of

MARKS = ("//", "#")
"""Starts of comments, and so of header lines, in one language or another."""


def header_in(text: str) -> Mapping[str, str]:
    """The header of a program in any language."""
    return next(filter(None, (read_header(text, mark) for mark in MARKS)), {})


@dataclass(frozen=True, slots=True)
class Document:
    """A text that may or may not be a program yet.

    Attributes:
        text: all of it.
        language: of its suffix.
        path: for messages.
    """

    text: str
    language: Language
    path: str = "text"

    @property
    def game(self) -> str | None:
        """The game of its header, if that is one that is known already, else the only one with this language."""
        name = header_in(self.text).get("game")
        if name is None:
            return _only_game(self.language.name)
        return name if is_game(name) else None

    @property
    def primitives(self) -> PrimitiveSet | None:
        """Primitives that its game offers to programs of its language; None without a game that takes any."""
        game = self.game
        return None if game is None else offers_of(game).get(self.language.name)

    @property
    def words(self) -> tuple[Word, ...]:
        """Every word that it can use, those of its language before those of its game."""
        return known_words(self.language, self.primitives)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at a place of a text."""

    name: Name
    span: Span

    @property
    def text(self) -> str:
        """The name as it is written."""
        return self.name.text

    @property
    def role(self) -> Role:
        """The kind of thing that it stands for."""
        return self.name.role

    def is_same(self, other: "Mention") -> bool:
        """Whether another name stands for the same thing; boxes, whose index may stand in braces, do in their line."""
        if self.role != "box":
            return (self.text, self.role) == (other.text, other.role)
        texts = {each.text.replace("{", "").replace("}", "") for each in (self, other)}
        return other.role == "box" and self.span.line == other.span.line and len(texts) == 1


def mentions(document: Document) -> Iterator[Mention]:
    """The names in a document, in order, also where it cannot be read."""
    recovery, naming = document.language.recovery, document.language.naming
    if recovery is None or naming is None:
        return
    for number, (start, line) in enumerate(lines_of(document.text, recovery), start=1):
        for name in names_in(naming, line):
            span = Span(start + name.start, start + name.end, number, name.start + 1)
            yield Mention(name, span)


def mention_at(document: Document, place: int) -> Mention | None:
    """The name at a place, or just before it."""
    line = document.text.count("\n", 0, place) + 1
    near = (each for each in mentions(document) if each.span.line == line)
    return next((each for each in near if each.span.start <= place <= each.span.end), None)


def known_words(language: Language, primitives: PrimitiveSet | None) -> tuple[Word, ...]:
    """The words for programs of a language in a game: operators or instructions, sensors, sections, actions."""
    found = (
        {word.name: word for word in language.naming.words(primitives)} if language.naming is not None else {}
    )
    if primitives is not None:
        for sensor in primitives.sensors:
            found[sensor.name] = Word(sensor.name, "sensor", sensor.name, sensor_meaning(sensor))
        for section in primitives.sections:
            if section not in found:
                found[section] = Word(
                    section, "section", f"{section}:", f"A decision of `{primitives.game}`."
                )
        for action in primitives.actions:
            found.setdefault(action, Word(action, "action", action, f"An action of `{primitives.game}`."))
    return tuple(found.values())


def sensor_meaning(sensor: Sensor) -> str:
    """The meaning of a sensor with its bounds."""
    same = "; the same for all candidates" if sensor.shared else ""
    return f"{sensor.meaning} ({sensor.low:g} to {sensor.high:g}{same})"


@lru_cache(maxsize=100)
def _only_game(language: str) -> str | None:
    """The game that takes programs of a language, if there is but one."""
    offering: Mapping[str, Offers] = {entry.name: offers_of(entry.name) for entry in all_games()}
    fitting = [name for name, offers in offering.items() if language in offers]
    return fitting[0] if len(fitting) == 1 else None
