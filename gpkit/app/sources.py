"""Program files that are named on the command line: their language, and the game that they are for."""

from collections.abc import Mapping
from pathlib import Path

from gpkit.app.files import STANDARD_INPUT, check_file
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Offers
from gpkit.core.registry import GAMES, LANGUAGES, find, language_of
from gpkit.languages.language import Language


def language_for(path: str, name: str | None) -> Language:
    """The language of a program file: the one of that ``name``, else by the suffix.

    Raises:
        UsageError: no language has this name or suffix, there is no such file, or standard input comes without a name.
    """
    if path == STANDARD_INPUT and name is None:
        raise UsageError("standard input has no suffix that says its language; name it with --lang")
    if name is None and Path(path).suffix not in {entry.suffix for entry in LANGUAGES}:
        check_file(path)
    language: Language = language_of(path, name).load()
    return language


def offers_for(game: str | None, header: Mapping[str, str]) -> Offers | None:
    """What the game offers to programs: the one named, else the one of the header line ``// game:``, else None.

    Raises:
        UsageError: there is no such game.
    """
    name = game or header.get("game")
    if name is None:
        return None
    offers: Offers = find(GAMES, name, "game").load().offers
    return offers
