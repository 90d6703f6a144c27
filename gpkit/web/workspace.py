"""Programs and runs under a folder, found without following links; requests can name only these.

gpkit opens and saves program files only under the folder, and never overwrites another person's changes.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError, LimitError, UsageError
from gpkit.core.files import MAX_BYTES
from gpkit.core.plain_files import (
    Mark,
    held,
    is_folder,
    is_reserved,
    is_there,
    read_on,
    read_plain,
    write_plain,
)
from gpkit.core.registry import all_languages, language_of
from gpkit.core.wording import is_unicode
from gpkit.core.work_folder import BEST, RUN
from gpkit.editing.document import header_in
from gpkit.gamekit.game import Game

MOST = 2_000
"""The maximum number of programs and runs to list."""

MOST_OF_HEADER = 8_000
"""The number of bytes of a program in which gpkit looks for the header."""

DEEPEST = 8
"""The maximum depth of folders that gpkit searches."""

PASSED_BY = frozenset({"node_modules", "__pycache__", "site-packages"})
"""Folders that contain no files of the user, in addition to folders whose names begin with a dot."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """Programs and runs under a folder.

    Attributes:
        folder: the folder, as an absolute path without links.
        programs: the paths of program files outside runs, relative to the folder, with ``/``, in ascending order.
        runs: the paths of the run folders, in the same form.
    """

    folder: Path
    programs: tuple[str, ...]
    runs: tuple[str, ...]

    def program(self, name: str) -> Path | None:
        """The file with this name under the folder, if it is a program or a run's champion; otherwise None."""
        run, best, file = name.rpartition(f"/{BEST}/")
        is_champion = best and run in self.runs and "/" not in file and _is_champion(self.folder / name)
        return None if name not in self.programs and not is_champion else self.folder / name

    def run(self, name: str) -> Path | None:
        """The subfolder with this name if it is a run folder; otherwise None."""
        return self.folder / name if name in self.runs else None


def _is_champion(path: Path) -> bool:
    """Whether a path, which may lead anywhere, is the file of a champion in a run's folder."""
    with suppress(CheckpointError, OSError):
        return is_folder(path.parent) and is_there(path)
    return False


def look_around(folder: Path) -> Workspace:
    """The programs and runs currently under a folder; names that are not UTF-8 are skipped."""
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
    """The programs that a game could use: programs in its languages whose headers name no other game."""
    for name in below.programs:
        if language_of(name).name not in game.offers:
            continue
        with suppress(CheckpointError):  # removed in the meantime, or not readable
            lines, _ = read_on(below.folder / name, Mark(), MOST_OF_HEADER)
            if header_in(lines.decode("utf-8", "replace")).get("game", game.name) == game.name:
                yield name


def _is_own(folder: str) -> bool:
    """Whether a folder with this name can contain files of the user."""
    return folder not in PASSED_BY and not folder.startswith(".") and is_unicode(folder)


def _is_plain(path: Path) -> bool:
    """Whether this is a plain file, not a link, with a name that is valid Unicode."""
    with suppress(OSError):  # removed in the meantime, or not readable
        return is_unicode(path.name) and stat.S_ISREG(path.lstat().st_mode)
    return False


NEW = ""
"""The mark that stands for a file that does not yet exist."""

_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,79}")
"""A pattern for the names of new files and of the folders above them."""


class ChangedMeanwhileError(UsageError):
    """Raised if the file has changed since it was opened, because saving would lose the changes."""


def open_below(root: Path, name: str) -> tuple[str, str]:
    """The text of a program file under a folder, with line feeds only, and the mark of the file's content.

    Raises:
        UsageError: there is no such program, or its text is not UTF-8.
        CheckpointError: the file is a symbolic or hard link, or it is too large.
    """
    path = look_around(root).program(name)
    if path is None:
        raise UsageError(f"there is no program `{shortened(name)}` in the folder")
    with _held_above(root.resolve(), name) as at:
        content = read_plain(path, MAX_BYTES, at=at)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{name} is not UTF-8 text: see line {line}") from None
    return with_line_feeds(text), _mark(content)


def save_below(root: Path, name: str, text: str, before: str, suffix: str) -> str:
    """Write a program under a folder, completely or not at all, and return the mark of the file's new content.

    Args:
        root: the folder, without links.
        name: the path of the file, relative to the folder, with ``/``.
        text: the new text of the file.
        before: the mark of the file's content when it was opened; ``NEW`` for a file that must not exist yet.
        suffix: the suffix of the language's files.

    Raises:
        ChangedMeanwhileError: the file has changed in the meantime.
        UsageError: the name points outside the folder, or gpkit would not find a file with this name.
        CheckpointError: a link or another kind of file is in the way, or the file cannot be written.
        LimitError: the text is too large.
    """
    _check_name(root, name, suffix)
    content = with_line_feeds(text).encode("utf-8", "replace")
    if len(content) > MAX_BYTES:
        raise LimitError(f"{name} would be larger than {MAX_BYTES:,} bytes, the limit")
    path = root / name
    with _held_above(root, name) as at:
        now = _mark(read_plain(path, MAX_BYTES, at=at)) if is_there(path, at=at) else NEW
        if now != before:
            if before == NEW:
                raise ChangedMeanwhileError(f"{name} exists already: open it, or save under another name")
            what = "is gone" if now == NEW else "changed on disk"
            raise ChangedMeanwhileError(
                f"{name} {what} since it was opened, and was not saved: open it again, or save under another name"
            )
        write_plain(path, content, at=at)
    return _mark(content)


def free_name(root: Path, stem: str, suffix: str) -> str:
    """An unused name that every system accepts: the stem, or the stem and a number of at least 2."""
    names = (f"{stem}{'' if number == 1 else f'-{number}'}{suffix}" for number in count(1))
    return next(name for name in names if not (root / name).exists() and not is_reserved(name))


def with_line_feeds(text: str) -> str:
    """The text with a line feed as every line ending; forms send a carriage return and a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _mark(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _check_name(root: Path, name: str, suffix: str) -> None:
    """Check that gpkit looks for programs under this name, and that every system accepts it.

    Raises:
        UsageError: the name is not allowed.
    """
    shown = shortened(name)
    parts = name.split("/")
    if not name.endswith(suffix) or name == suffix:
        raise UsageError(
            f"`{shown}` is not a valid name for this program: expected one that ends in {suffix}"
        )
    known = name in look_around(root).programs
    if not known and not all(_PART.fullmatch(part) for part in parts):
        raise UsageError(
            f"`{shown}` is not a valid program name: use letters, digits and . _ + -, no leading dot, at "
            "most 80 in each part, and / between folders"
        )
    if len(parts) > DEEPEST + 1 or PASSED_BY.intersection(parts):
        raise UsageError(f"`{shown}` is in a folder that is not searched for programs; choose another folder")
    if not known and (reserved := next(filter(is_reserved, parts), None)):
        raise UsageError(
            f"`{shown}` is not a valid program name: Windows reserves `{reserved}`; choose another"
        )


@contextmanager
def _held_above(root: Path, name: str) -> Iterator[int | None]:
    """The folder of a file with this name, opened part by part from the root, without following links.

    Raises:
        UsageError: there is no such folder, or it belongs to a run.
        CheckpointError: a link or a file is where a folder should be.
    """
    with ExitStack() as held_open:
        place, at = root, held_open.enter_context(held(root))
        for part in name.split("/")[:-1]:
            place /= part
            below = place.relative_to(root).as_posix()
            if not is_folder(place, at=at):
                raise UsageError(f"this folder has no folder {below}")
            at = held_open.enter_context(held(place, at))
            if is_there(place / RUN, at=at):
                raise UsageError(f"{below} is the folder of a run, which cannot be changed here")
        yield at
