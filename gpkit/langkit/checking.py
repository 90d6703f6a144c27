"""Checks program files, and reports the findings in each file, or the reason why gpkit could not check it."""

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gpkit.core.diagnostics import Diagnostic, SourceError
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.files import STANDARD_INPUT, read_text
from gpkit.core.header import NO_DIALECT, read_header
from gpkit.core.primitives import Offers, PrimitiveSet, Sensor
from gpkit.core.registry import all_games, all_languages, is_game, language_entry, language_of, offers_of
from gpkit.langkit.findings import NO_GAME, shown_findings, suggestions
from gpkit.langkit.language import Language
from gpkit.langkit.recovery import all_errors

if TYPE_CHECKING:  # tables are read only by commands that name one
    from gpkit.data.table import Table

NO_SENSOR = " has no sensor "
"""A part of the message about an unknown sensor."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file and its findings; ``failure`` is the error if gpkit could not check the file at all."""

    path: str
    text: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    failure: GpkitError | None = None

    @property
    def shown(self) -> tuple[Diagnostic, ...]:
        """The findings to show, and a finding with the number of the others."""
        return shown_findings(self.diagnostics)

    def count(self, severity: str) -> int:
        """The number of findings with this severity."""
        return sum(1 for d in self.diagnostics if d.severity == severity)


def check_file(
    path: str,
    game: str | None,
    dialect: Mapping[str, str],
    language: str | None,
    table: "Table | None" = None,
    read: "Callable[[Iterable[str]], Table] | None" = None,
    given: str | None = None,
) -> CheckedFile:
    """The findings in a file or in a given text; if gpkit cannot check it, the result contains the error instead.

    With a ``table``, names stand for its columns, words and empty cells, and the game has no effect. If the program
    uses columns of numbers as words, ``read`` is called to read the table again with these columns as words.
    """
    text = given or ""
    try:
        text, known = text_and_language(path, language, game, given)
        if table is not None:
            from gpkit.data.features import facts_of

            source = known.parse(text, path)
            words = facts_of(source.header, path).words
            if read and any(name in table and table.column(name).words is None for name in words):
                table = read(words)
            return CheckedFile(path, text, findings_of_data(source, known, table))
        return CheckedFile(path, text, check_text(text, path, known, game, dialect))
    except GpkitError as error:
        return CheckedFile(path, text, failure=error)


def text_and_language(
    path: str, name: str | None, game: str | None = None, given: str | None = None
) -> tuple[str, Language]:
    """The text of a program file, or a given text, and its language, which follows from ``name`` or the suffix.

    Standard input and a given text have no suffix; without ``name``, they must be in one of the game's languages.

    Raises:
        UsageError: the file cannot be read, no language has this name or suffix, or nothing determines the language.
        LimitError: the file is too large.
    """
    text = read_text(path) if given is None else given
    return (
        (text, _language_for(text, game))
        if name is None and (path == STANDARD_INPUT or given is not None)
        else (text, language_of(path, name).load())
    )


def _language_for(text: str, game: str | None) -> Language:
    """The first of a game's languages that can read a text; if none of them can, the game's first language.

    Args:
        text: the text of a program.
        game: its game; None for the game in its header.

    Raises:
        UsageError: no game is named.
    """
    game = game or read_header(text).get("game")
    if game is None or not is_game(game):
        raise UsageError("the program has no suffix: name its language or its game")
    known: list[Language] = [language_entry(name).load() for name in offers_of(game)]
    for each in known:
        with suppress(SourceError):
            each.parse(text, "program")
            return each
    return known[0]


def in_dialect(source: Any, dialect: Mapping[str, str], language: Language) -> Any:
    """A source with these dialect lines added to its header.

    Raises:
        UsageError: there are dialect lines, but the language has no dialects.
    """
    if dialect and not language.switches:
        having = ", ".join(entry.name for entry in all_languages() if entry.load().switches)
        raise UsageError(
            f"--dialect is for programs in {having}; {source.filename} is in {language.name}, which has no dialects"
        )
    return replace(source, header={**source.header, **dialect})


def fits(source: Any, language: Language, offers: Offers) -> bool:
    """True if a program has the sections that a game requires of programs in its language."""
    primitives = offers.get(language.name)
    return primitives is not None and set(source.program.names) == set(primitives.sections)


def findings_of_data(source: Any, language: Language, table: "Table") -> tuple[Diagnostic, ...]:
    """The findings in a program for data, whose names stand for features of a table.

    Raises:
        UsageError: programs of the language compute nothing without a game.
    """
    from gpkit.data.features import PREFIX, feature_names, held_words, offered_names

    if language.valuing is None:
        raise UsageError(
            f"programs in {language.name} act in a game: --data is for formulas and decision trees"
        )
    known = {each for column in table.columns for each in feature_names(column)}
    read = dict.fromkeys(name for tree in source.program.trees for name in tree.reads)
    sensors = tuple(
        Sensor(name, "", -math.inf, math.inf, integer=False)
        for name in read
        if name in known or name.removeprefix(PREFIX) in known
    )
    primitives = PrimitiveSet(table.source, source.program.names, sensors, ())
    offered = offered_names(table)
    suggest = {prefix: suggestions(f"{prefix}{name}" for name in offered) for prefix in ("", PREFIX)}

    def of_table(unknown: Diagnostic) -> Diagnostic:
        name = unknown.message.partition(NO_SENSOR)[2].strip("`")
        column = name.removeprefix(PREFIX)
        if column in table:
            what, fix = held_words(table.column(column))
            return replace(unknown, message=what, help=fix)
        message = unknown.message.replace(NO_SENSOR, " has no column ")
        return replace(unknown, message=message, help=suggest[name[: len(name) - len(column)]](name))

    unknown = [d for d in language.check(source, {language.name: primitives}) if NO_SENSOR in d.message]
    return (*map(of_table, unknown), *language.check(source, None))


def check_text(
    text: str,
    path: str,
    language: Language,
    game: str | None,
    dialect: Mapping[str, str] = NO_DIALECT,
) -> tuple[Diagnostic, ...]:
    """The findings in a text; if it does not parse, the findings are all its errors, the parser's error first.

    Raises:
        LimitError: the text or the program is too large.
        UsageError: there is no game with the given name, or no such dialect.
    """

    def check(source: object) -> tuple[Diagnostic, ...]:
        return findings(in_dialect(source, dialect, language), language, game)

    try:
        source = language.parse(text, path)
    except SourceError as error:
        if language.recovery is None:
            return (error.diagnostic,)
        return all_errors(text, error.diagnostic, language.recovery, language.parse, check)
    return check(source)


def findings(source: Any, language: Language, game: str | None) -> tuple[Diagnostic, ...]:
    """The findings in a program, for the given game, the game in its header, or the only game that fits.

    Raises:
        UsageError: there is no game with the given name.
    """
    name = game or source.header.get("game")
    offers: Offers | None = None
    if name is None:
        known = [offers_of(entry.name) for entry in all_games()]
        fitting = [each for each in known if fits(source, language, each)]
        offers = fitting[0] if len(fitting) == 1 else None
    elif game is not None or is_game(name):  # else the language says so, with the place in the header
        offers = offers_of(name)
    unsaid = offers is None and not {"game", "problem"} & {*source.header}
    return (*((NO_GAME,) if unsaid else ()), *language.check(source, offers))
