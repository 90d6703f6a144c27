"""The cache folder for compiled kernels: its location, its safety, and reasons why gpkit cannot store kernels there.

gpkit loads the files in this folder as machine code, so no other user may write to it. If gpkit cannot store files
there, every process compiles the kernels again. Compiling them takes time, so gpkit logs one warning and continues.
"""

import errno
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from gpkit.core.errors import GpkitError

VARIABLE = "GPKIT_CACHE_DIR"
PRIVATE = 0o700
"""The permissions of new cache folders, as the XDG Base Directory Specification requires."""

OVERFLOW, ALL = 65_534, ["0", "0", "4294967295"]
"""The user ID that Linux shows for unknown owners, and the content of ``uid_map`` outside any user namespace."""

_LOG = logging.getLogger(__name__)


class CacheFolderError(GpkitError):
    """Another user can put code into a folder of compiled kernels."""


def base_folder() -> Path | None:
    """``GPKIT_CACHE_DIR``, or the folder ``gpkit`` in the user's cache folder; None if there is no such folder.

    The result is also None if the system does not know the owners of folders. A relative ``GPKIT_CACHE_DIR`` is
    relative to the current folder. gpkit ignores an empty ``GPKIT_CACHE_DIR`` and a relative ``XDG_CACHE_HOME`` (XDG
    Base Directory Specification 0.8).
    """
    if not _knows_owners():
        return None
    try:
        if given := os.environ.get(VARIABLE):
            return Path(given).absolute()
        caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
        if not caches.is_absolute():
            caches = Path.home() / ".cache"
    except (OSError, RuntimeError):  # the current folder was removed, or there is no home folder
        return None
    return caches / "gpkit" if caches.is_absolute() else None


class CacheFolder:
    """A cache folder whose entries gpkit loads as code, after checking this folder and its base folder.

    Attributes:
        path: the folder, or None if there is no base folder.
    """

    def __init__(self, base: Path | None, name: str) -> None:
        self._base = base
        self.path = None if base is None else base / name
        self._trusted = False
        self._told: set[str] = set()

    def is_there(self) -> bool:
        """Whether the folder exists, so that gpkit can load entries from it.

        Raises:
            CacheFolderError: other users can write to the folder.
        """
        if self._base is None or self.path is None:
            return False
        if not self._trusted:
            for each in _way_to(self._base):
                _check(each, is_above=each != self._base)
            _check(self.path, is_entered=True)
            self._trusted = os.path.isdir(self.path)  # noqa: PTH112 - False where it cannot be searched
        return self._trusted

    def make(self) -> Path:
        """Return the folder, and create it if necessary, with permissions for this user only.

        Raises:
            CacheFolderError: other users can write to the folder.
            OSError: the folder does not exist and cannot be created.
        """
        if self.path is None:
            raise FileNotFoundError(None, _why_none())
        self.is_there()
        for folder in (*reversed(self.path.parents), self.path):
            if not folder.is_dir():
                folder.mkdir(PRIVATE, exist_ok=True)
        self.is_there()
        return self.path

    def why_nothing_is_kept(self) -> str | None:
        """The reason why gpkit cannot write an entry, determined without writing one; None if writing seems possible.

        Raises:
            CacheFolderError: other users can write to the folder.
        """
        if self.path is None:
            return _why_none()
        self.is_there()
        nearest = next(filter(os.path.exists, (self.path, *self.path.parents)), self.path)
        if not os.path.isdir(nearest):  # noqa: PTH112 - likewise
            return f"{nearest} is not a folder"
        return None if os.access(nearest, os.W_OK | os.X_OK) else f"{nearest} cannot be written"

    def tell(self, subject: str, message: str) -> None:
        """Log a message, unless one on the same subject has been logged."""
        if subject not in self._told:
            self._told.add(subject)
            _LOG.warning(message)


def _knows_owners() -> bool:
    """Whether the system knows the owner of ``/``; in a Linux user namespace, all unknown users look the same.

    Source: user_namespaces(7), "Unmapped user and group IDs".
    """
    try:
        known = Path("/proc/self/uid_map").read_text(encoding="ascii").split()
        return Path("/").stat().st_uid != OVERFLOW or known == ALL
    except OSError:  # not Linux
        return True


def _why_none() -> str:
    """The reason why there is no base folder."""
    return (
        "this user namespace does not know who owns /, so gpkit cannot tell your folders from those of others"
        if not _knows_owners()
        else f"there is no home folder; name a folder with {VARIABLE}"
    )


def _way_to(folder: Path) -> Iterator[Path]:
    """Yield a folder, its parent folders, the links along its path, and the targets of the links; each may be missing.

    Raises:
        CacheFolderError: the path has more links than the system follows, for example because a link leads to itself.
    """
    try:
        folder.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise CacheFolderError(
                f"{folder} cannot be reached: a link leads to itself, or the path has too many links; remove "
                f"them, or set {VARIABLE} to a folder without links"
            ) from None
    waiting, seen = [folder, *folder.parents], set[Path]()
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            if os.path.islink(each):  # noqa: PTH114 - False where a folder above cannot be searched
                there = each.parent / each.readlink()
                waiting += [there, *there.parents]
            yield each


def _check(folder: Path, *, is_entered: bool = False, is_above: bool = False) -> None:
    """Check the owner and the write permissions of a folder or link, if it exists and the system supports owners.

    Args:
        folder: the folder.
        is_entered: True for the folder that contains the entries. Any other folder may be a link, and other users may
            add files to it if they cannot remove this user's files (sticky bit, as for ``/tmp``).
        is_above: True for a folder above the base folder; a group whose only member is this user may write there.

    Raises:
        CacheFolderError: other users can write to the folder.
    """
    try:
        found, root = folder.lstat(), Path("/").stat()
    except OSError:
        return
    if not hasattr(os, "geteuid"):
        return
    others = found.st_mode & (
        stat.S_IWOTH if is_above and _is_own_group(found.st_gid) else stat.S_IWGRP | stat.S_IWOTH
    )
    is_link = stat.S_ISLNK(found.st_mode)
    if is_link and is_entered:
        raise CacheFolderError(_refusal(folder, "is a link", "remove it"))
    if found.st_uid not in {0, os.geteuid(), root.st_uid}:  # the owner of / can do everything
        raise CacheFolderError(_refusal(folder, "belongs to another user", "take ownership of it"))
    if others and not is_link and (is_entered or not found.st_mode & stat.S_ISVTX):
        raise CacheFolderError(
            _refusal(folder, "is writable by others", f"run chmod go-w {os.path.normpath(folder)}")
        )


def _is_own_group(number: int) -> bool:
    """Whether this user is the only member of a group; many systems create such a group for each user."""
    import grp  # not available on Windows
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return (group.gr_name, number) == (user.pw_name, user.pw_gid) and {*group.gr_mem} <= {user.pw_name}


def _refusal(folder: Path, fault: str, remedy: str) -> str:
    return (
        f"{os.path.normpath(folder)} {fault}, and gpkit would run the compiled kernels in it unchecked; {remedy}, or "
        f"set {VARIABLE} to a folder that you own"
    )
