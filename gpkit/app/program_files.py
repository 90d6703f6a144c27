"""Program files that are named on the command line: their language, and the game that they are for."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpkit.app.files import STANDARD_INPUT, check_file
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Offers
from gpkit.core.registry import all_games, all_languages, is_suffix, language_of, offers_of
from gpkit.langkit.language import Language


def language_for(path: str, name: str | None) -> Language:
    """The language of a program file: the one of that ``name``, else by the suffix.

    Raises:
        UsageError: no language has this name or suffix, there is no such file, or standard input comes without a name.
    """
    if path == STANDARD_INPUT and name is None:
        raise UsageError("standard input has no suffix that says its language; name it with --lang")
    if name is None and not is_suffix(Path(path).suffix):
        check_file(path)
    language: Language = language_of(path, name).load()
    return language


def offers_for(game: str | None, header: Mapping[str, str]) -> Offers | None:
    """Offers of a game to programs: the one named, else the one of the header line ``// game:``, else None.

    Raises:
        UsageError: there is no such game.
    """
    name = game or header.get("game")
    if name is None:
        return None
    return offers_of(name)


def offers_of_only_game(source: Any, language: Language) -> Offers | None:
    """Offers of the only game in which a program has all sections; None if none has them, or several do."""
    found = [offers_of(entry.name) for entry in all_games()]
    fitting = [offers for offers in found if fits(source, language, offers)]
    return fitting[0] if len(fitting) == 1 else None


def fits(source: Any, language: Language, offers: Offers) -> bool:
    """Whether a program has the sections that a game wants of its language."""
    primitives = offers.get(language.name)
    return primitives is not None and set(source.program.names) == set(primitives.sections)


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
