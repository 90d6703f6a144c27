"""Program files checked: what is found in each, or why it could not be read."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gpkit.core.diagnostics import Diagnostic, SourceError
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.files import STANDARD_INPUT, read_text
from gpkit.core.header import NO_DIALECT
from gpkit.core.primitives import Offers, PrimitiveSet, Sensor
from gpkit.core.registry import all_games, all_languages, is_game, language_of, offers_of
from gpkit.data.features import PREFIX, facts_of, feature_names, held_words, offered_names
from gpkit.data.table import Table
from gpkit.langkit.findings import no_game, shown_findings, suggestions
from gpkit.langkit.language import Language
from gpkit.langkit.recovery import all_errors

NO_SENSOR = " has no sensor "
"""Part of the message of a finding about a name that is not offered."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """One file and what was found in it; ``failure`` says why it could not be checked at all."""

    path: str
    text: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    failure: GpkitError | None = None

    @property
    def shown(self) -> tuple[Diagnostic, ...]:
        """The findings that people see, with how many more there are."""
        return shown_findings(self.diagnostics)

    def count(self, severity: str) -> int:
        """The number of findings of that severity."""
        return sum(1 for d in self.diagnostics if d.severity == severity)


def check_file(
    path: str,
    game: str | None,
    dialect: Mapping[str, str],
    language: str | None,
    table: Table | None = None,
    read: Callable[[Iterable[str]], Table] | None = None,
) -> CheckedFile:
    """The findings in one file; the others are checked even if this one cannot be read.

    With a ``table``, names stand for its columns, words and empty cells, and the game does not matter. ``read``
    reads the table again if columns that the program takes as words look like numbers.
    """
    text = ""
    try:
        text, known = text_and_language(path, language)
        if table is not None:
            source = known.parse(text, path)
            words = facts_of(source.header, path).words
            if read and any(name in table and table.column(name).words is None for name in words):
                table = read(words)
            return CheckedFile(path, text, findings_of_data(source, known, table))
        return CheckedFile(path, text, check_text(text, path, known, game, dialect))
    except GpkitError as error:
        return CheckedFile(path, text, failure=error)


def text_and_language(path: str, name: str | None) -> tuple[str, Language]:
    """The text of a program file, and its language: the one of that ``name``, else by the suffix.

    Raises:
        UsageError: it cannot be read, no language has this name or suffix, or standard input comes without a name.
        LimitError: it is too large.
    """
    if path == STANDARD_INPUT and name is None:
        raise UsageError("standard input has no suffix: name its language with --lang")
    return read_text(path), language_of(path, name).load()


def in_dialect(source: Any, dialect: Mapping[str, str], language: Language) -> Any:
    """A source of a language as if its header had these lines.

    Raises:
        UsageError: there are some, and the language has no dialects.
    """
    if dialect and not language.switches:
        having = ", ".join(entry.name for entry in all_languages() if entry.load().switches)
        raise UsageError(
            f"--dialect is for programs in {having}; {source.filename} is in {language.name}, which has no dialects"
        )
    return replace(source, header={**source.header, **dialect})


def fits(source: Any, language: Language, offers: Offers) -> bool:
    """Whether a program has the sections that a game wants of its language."""
    primitives = offers.get(language.name)
    return primitives is not None and set(source.program.names) == set(primitives.sections)


def findings_of_data(source: Any, language: Language, table: Table) -> tuple[Diagnostic, ...]:
    """The findings in a program for data, whose names are features of a table.

    Raises:
        UsageError: programs of the language compute nothing without a game.
    """
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
    """The findings in a text; in one that cannot be read all its errors, the one for which it is refused first.

    Raises:
        LimitError: the text or the program is too large.
        UsageError: there is no game of the name that is given, or no such dialect.
    """

    def check(source: Any) -> tuple[Diagnostic, ...]:
        return findings(in_dialect(source, dialect, language), language, game)

    try:
        source = language.parse(text, path)
    except SourceError as error:
        if language.recovery is None:
            return (error.diagnostic,)
        return all_errors(text, error.diagnostic, language.recovery, language.parse, check)
    return check(source)


def findings(source: Any, language: Language, game: str | None) -> tuple[Diagnostic, ...]:
    """The findings in a program, for the game that is named, or that of its header, or else the only one that fits.

    Raises:
        UsageError: there is no game of the name that is given.
    """
    name = game or source.header.get("game")
    offers: Offers | None = None
    if name is None:
        known = [offers_of(entry.name) for entry in all_games()]
        fitting = [each for each in known if fits(source, language, each)]
        offers = fitting[0] if len(fitting) == 1 else None
    elif game is not None or is_game(name):  # else the language says so, with the place in the header
        offers = offers_of(name)
    unsaid = offers is None and "game" not in source.header
    return (*((no_game(),) if unsaid else ()), *language.check(source, offers))
