"""Programs and runs below a folder, found without following links; only what is found can be named from outside."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gpkit.core.characters import is_unicode
from gpkit.core.errors import CheckpointError
from gpkit.core.plain_files import Mark, is_folder, is_there, read_on
from gpkit.core.registry import all_languages, language_of
from gpkit.core.work_folder import RUN
from gpkit.editing.document import header_in
from gpkit.evolution.run_folder import BEST
from gpkit.gamekit.game import Game

MOST = 2_000
"""Programs and runs that are listed."""

MOST_OF_HEADER = 8_000
"""Bytes of a program in which the header is looked for."""

DEEPEST = 8
"""Folders below each other that are looked into."""

PASSED_BY = frozenset({"node_modules", "__pycache__", "site-packages"})
"""Folders that hold nothing of a person's own, besides those whose names begin with a dot."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """Programs and runs below a folder.

    Attributes:
        folder: the folder, as an absolute path without links.
        programs: paths of program files, relative to it, with ``/``, ascending; those inside runs are left out.
        runs: paths of the folders of runs, likewise.
    """

    folder: Path
    programs: tuple[str, ...]
    runs: tuple[str, ...]

    def program(self, name: str) -> Path | None:
        """The file of a program that was found, or of a champion of a run that was; None for every other name."""
        run, best, file = name.rpartition(f"/{BEST}/")
        is_champion = best and run in self.runs and "/" not in file and _is_champion(self.folder / name)
        if name not in self.programs and not is_champion:
            return None
        return self.folder / name

    def run(self, name: str) -> Path | None:
        """The folder of a run that was found; None for every other name."""
        return self.folder / name if name in self.runs else None


def _is_champion(path: Path) -> bool:
    """Whether a path, which may lead anywhere, is that of a program among the champions of its run."""
    with suppress(CheckpointError, OSError):
        return is_folder(path.parent) and is_there(path)
    return False


def look_around(folder: Path) -> Workspace:
    """Everything below a folder that is there now; names that are not UTF-8 are passed by."""
    root = folder.resolve()
    suffixes = {entry.suffix for entry in all_languages()}
    programs: list[str] = []
    runs: list[str] = []
    for place, folders, files in os.walk(root):
        below = Path(place).relative_to(root)
        is_run = RUN in files and _is_plain(Path(place, RUN))
        if is_run:
            runs.append(below.as_posix())
        else:
            found = (name for name in files if Path(name).suffix in suffixes and _is_plain(Path(place, name)))
            programs += [(below / name).as_posix() for name in sorted(found)]
        folders[:] = () if is_run or len(below.parts) >= DEEPEST else sorted(filter(_is_own, folders))
        if len(programs) + len(runs) >= MOST:
            break
    return Workspace(root, tuple(sorted(programs)[:MOST]), tuple(sorted(runs)[:MOST]))


def programs_for(below: Workspace, game: Game) -> Iterator[str]:
    """The programs that a game could take: of its languages, and with no other game in their headers."""
    for name in below.programs:
        entry = language_of(name)
        if entry.name not in game.offers:
            continue
        with suppress(CheckpointError):  # taken away meanwhile, or not to be read
            lines, _ = read_on(below.folder / name, Mark(), MOST_OF_HEADER)
            header = header_in(lines.decode("utf-8", "replace"))
            if header.get("game", game.name) == game.name:
                yield name


def _is_own(folder: str) -> bool:
    """Whether a folder of this name can hold something of a person's own."""
    return folder not in PASSED_BY and not folder.startswith(".") and is_unicode(folder)


def _is_plain(path: Path) -> bool:
    """Whether this is a plain file whose name is text, and no link."""
    with suppress(OSError):  # taken away meanwhile, or not to be read
        return is_unicode(path.name) and stat.S_ISREG(path.lstat().st_mode)
    return False
