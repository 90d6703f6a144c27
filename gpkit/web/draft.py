"""Draft of a program: a text on its way from where it was opened to where it will be saved."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.registry import game_entry, language_entry, language_of
from gpkit.editing.document import Document
from gpkit.evolution.new_text import starting_text
from gpkit.langkit.language import Language
from gpkit.playing.named import Named, shipped_file
from gpkit.web.saving import NEW, free_name, open_below, save_below, with_line_feeds
from gpkit.web.site import Site

MOST_IN_NAME = 400
"""Characters of a file's name that are looked at."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Text of a program that is being written.

    Attributes:
        folder: the one whose files the site shows.
        name: of the file in which it will be saved, relative to the folder.
        text: as it is now.
        language: of the program.
        opened: name of the file that was opened; empty for a copy or a new program.
        mark: of what that file held.
        origin: ``GAME/NAME`` of the shipped program of which it is a copy; else empty.
    """

    folder: Path
    name: str
    text: str
    language: Language
    opened: str = ""
    mark: str = NEW
    origin: str = ""

    @property
    def document(self) -> Document:
        """The text for the services of editors."""
        return Document(self.text, self.language, str(self.folder / self.name))

    @property
    def stem(self) -> str:
        """Name of the file without folders and suffix."""
        return PurePosixPath(self.name).stem

    def named(self) -> Named:
        """The program that the text says.

        Raises:
            SourceError: it does not parse.
            LimitError: it is too large.
        """
        return Named(self.name, self.language.parse(self.text, self.name), self.language)

    def saved(self, site: Site) -> tuple[str, str]:
        """The version that this one began as, with its name: the file as it is now, or the shipped program.

        Raises:
            UsageError: there is none yet, or it cannot be read.
        """
        if self.opened:
            return self.opened, open_below(site.folder, self.opened)[0]
        if self.origin:
            game, _, name = self.origin.partition("/")
            return name, read_text(str(shipped_file(name, game)))
        raise UsageError("there is no saved version to compare with: save first")

    def save(self, site: Site) -> str:
        """Write the text to the file of its name, and give the mark of what that holds.

        Raises:
            ChangedMeanwhileError: the file holds something else than what was opened.
            UsageError: the name leads elsewhere.
            CheckpointError: a link is in the way, or the file system refuses.
            LimitError: the text is too large.
        """
        before = self.mark if self.name == self.opened else NEW
        with site.saving:
            return save_below(site.folder, self.name, self.text, before, self.language.suffix)


def draft_of_file(site: Site, name: str) -> Draft:
    """The draft of a program below the folder; of a champion of a run, that of a copy.

    Raises:
        UsageError: there is none of this name, or it cannot be read.
        CheckpointError: likewise.
    """
    below = site.below()
    if name not in below.programs and (path := below.program(name)):  # kept by its run
        return _copy(site, path, path.parent.parent.name)
    text, mark = open_below(site.folder, name)
    return Draft(site.folder, name, text, language_of(name).load(), name, mark)


def draft_of_copy(site: Site, game: str, name: str) -> Draft:
    """The draft of a copy of a program that comes with gpkit.

    Raises:
        UsageError: there is none of this name.
    """
    return _copy(site, shipped_file(name, game), name, f"{game}/{name}")


def _copy(site: Site, path: Path, stem: str, origin: str = "") -> Draft:
    language: Language = language_of(str(path)).load()
    name = free_name(site.folder, stem, language.suffix)
    return Draft(site.folder, name, read_text(str(path)), language, origin=origin)


def draft_of_new(site: Site, game: str, language: str) -> Draft:
    """The draft of a new program, which begins as the template of its language for its game.

    Raises:
        UsageError: there is no such game or language, or they do not go together.
    """
    known: Language = language_entry(language).load()
    text = starting_text(known.name, game_entry(game).name, None)
    stem = re.sub(r"[^\w-]", "_", game).strip("_") or "program"
    return Draft(site.folder, free_name(site.folder, stem, known.suffix), text, known)


def draft_of_form(site: Site, form: Mapping[str, str]) -> Draft:
    """The draft in a form that a page sent.

    Raises:
        UsageError: it names no language.
    """
    language: Language = language_entry(form.get("language", "")).load()
    name, opened = (form.get(key, "")[:MOST_IN_NAME] for key in ("name", "opened"))
    text, mark, origin = (form.get(key, "") for key in ("text", "mark", "origin"))
    return Draft(site.folder, name.strip(), with_line_feeds(text), language, opened, mark, origin)
