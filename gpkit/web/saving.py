"""Program files below a folder, opened and saved there and nowhere else, so that nobody's changes are lost."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.files import MAX_BYTES
from gpkit.core.plain_files import held, is_folder, is_reserved, is_there, read_plain, write_plain
from gpkit.core.work_folder import RUN
from gpkit.web.workspace import DEEPEST, PASSED_BY, look_around

NEW = ""
"""Mark of a file that is not there yet."""

_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,79}")
"""Names of new files and of the folders above them."""


class ChangedMeanwhileError(UsageError):
    """A file that holds something else than what was opened, so that saving would lose it."""


def open_below(root: Path, name: str) -> tuple[str, str]:
    """The text of a named program file below a folder, with line feeds only, and the mark of what the file holds.

    Raises:
        UsageError: there is none, or it is not UTF-8.
        CheckpointError: it is a link, another name of a file, or too large.
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
    """Write a program below a folder, whole or not at all, and give the mark of what the file holds.

    Args:
        root: the folder, without links.
        name: of the file, relative to the folder, with ``/``.
        text: what it will hold.
        before: mark of what it held when it was opened; ``NEW`` for a file that is not to be there yet.
        suffix: of the language's files.

    Raises:
        ChangedMeanwhileError: the file holds something else by now.
        UsageError: the name leads elsewhere, or nothing could find the file there.
        CheckpointError: a link or no plain file is in the way, or the file system refuses.
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
    """A name of which no file is there, and which every system takes: the stem, or with a number from 2 on."""
    number = 1
    while True:
        name = f"{stem}{'' if number == 1 else f'-{number}'}{suffix}"
        if not (root / name).exists() and not is_reserved(name):
            return name
        number += 1


def with_line_feeds(text: str) -> str:
    """The text with every line end as a line feed, which forms send as carriage return and line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _mark(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _check_name(root: Path, name: str, suffix: str) -> None:
    """Check that programs are looked for under this name, and that every system takes it.

    Raises:
        UsageError: it is not so.
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
    """The folder of a file of this name, held open from the root on, part by part, through no link.

    Raises:
        UsageError: there is none, or it is one of a run.
        CheckpointError: a link or a file stands where a folder is expected.
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
