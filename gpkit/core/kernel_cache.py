"""numba's disk cache with checksums: an entry that is not as it was written is compiled again, never loaded.

numba reads its entries without question, so a damaged one raises whatever comes, crashes, or computes something else.
Here an entry is a pair of files in numba's own form (``.nbi`` and ``.nbc``), each with a checksum behind what numba
reads. The name of an entry is a hash of all that decides its code, so no two of them are ever written to one file.

This rests on parts of numba that are not public: ``caching._Cache`` (what a dispatcher asks),
``caching.IndexDataCacheFile`` (how it writes files), ``CompileResult._reduce`` and ``_rebuild`` (what it writes), and
``linalg.ensure_blas`` (what its array functions ask at their import).
``tests/core/test_kernel_cache.py`` fails where numba changes them.
"""

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from numba.core import caching, config, serialize
from numba.core.compiler import CompileResult

from gpkit.core.cache_folder import CacheFolder

INDEX_SUFFIX = ".nbi"
CHECKSUM_BYTES = hashlib.sha256().digest_size

_FLAGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")
"""Settings of numba that change the code of a kernel."""


@dataclass(frozen=True, slots=True)
class Condition:
    """So many compiled kernels are intact in a folder, and so many damaged."""

    intact: int
    damaged: int


class KernelCache(caching._Cache):
    """The compiled forms of one function, one for each of its signatures.

    Args:
        function: what is compiled.
        folder: gives the folder, when it is needed.
        sources: files beside its own that decide the code.
    """

    def __init__(
        self, function: Callable[..., Any], folder: Callable[[], CacheFolder], sources: tuple[str, ...] = ()
    ) -> None:
        self._function = function
        self._given = folder
        self._sources = (inspect.getfile(function), *sources)
        self._enabled = True

    @property
    def _folder(self) -> CacheFolder:
        return self._given()

    @property
    def cache_path(self) -> str | None:
        """The folder of the entries."""
        return None if self._folder.path is None else str(self._folder.path)

    def enable(self) -> None:
        """Load and save from now on."""
        self._enabled = True

    def disable(self) -> None:
        """Neither load nor save from now on."""
        self._enabled = False

    def flush(self) -> None:
        """Forget all entries of the function."""
        if self._folder.is_there() and self._folder.path is not None:
            for path in self._folder.path.glob(f"{self._title}-*"):
                path.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled form for a signature, or None where there is none or it is damaged.

        Raises:
            CacheFolderError: others can write to the folder.
        """
        _import_arrays_without_scipy()
        target_context.refresh()
        if not (self._enabled and self._folder.is_there()):
            return None
        key = self._key(sig, target_context.codegen())
        entry = self._entry(key, str(self._folder.path))
        data = entry.load(key)
        if entry.damaged:
            self._folder.tell_damaged()
        return None if data is None else CompileResult._rebuild(target_context, *data)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled form if it can be kept: without lifted loops and addresses of this process.

        Raises:
            CacheFolderError: others can write to the folder.
        """
        if not self._enabled or data.lifted or data.library.has_dynamic_globals:
            return
        try:
            key = self._key(sig, data.codegen)
            self._entry(key, str(self._folder.make())).save(key, data._reduce())
        except OSError as error:
            self._folder.tell_not_kept(error)

    @property
    def _title(self) -> str:
        """The name of the function, as a part of a file name."""
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        return name.replace("<", "").replace(">", "")

    def _key(self, sig: Any, codegen: Any) -> tuple[object, ...]:
        """All that decides the code, beside the versions that name the folder."""
        code = self._function.__code__.co_code
        cells = [cell.cell_contents for cell in self._function.__closure__ or ()]
        flags = [str(getattr(config, flag, None)) for flag in _FLAGS]
        sources = [_source_digest(path) for path in self._sources]
        return (sig, codegen.magic_tuple(), _hex(code), _hex(serialize.dumps(cells)), *sources, *flags)

    def _entry(self, key: tuple[object, ...], folder: str) -> "CheckedEntry":
        return CheckedEntry(folder, f"{self._title}-{_hex(repr(key).encode())[:16]}", "")


def _import_arrays_without_scipy() -> None:
    """Import numba's array functions but not ``scipy.linalg``, which takes as long as all of them and no kernel uses.

    At their import they ask whether it is there; what multiplies matrices asks again when it is compiled.
    """
    if "scipy" in sys.modules and "numba.np.arraymath" not in sys.modules:
        linalg: Any = import_module("numba.np.linalg")
        asked, linalg.ensure_blas = linalg.ensure_blas, lambda: None
        try:
            import_module("numba.np.arraymath")
        finally:
            linalg.ensure_blas = asked


class CheckedEntry(caching.IndexDataCacheFile):
    """numba's index and data file of one compiled form, each with a checksum at its end.

    Attributes:
        damaged: an entry was there and is not as it was written.
    """

    damaged = False

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator["IO[bytes] | _Hashed"]:
        with super()._open_for_write(filepath) as file:
            hashed = _Hashed(file, Path(filepath).name)
            yield hashed
            file.write(hashed.digest())

    def _load_index(self) -> dict[Any, str]:
        """The name of the data file for the key; empty where there is none or it is damaged."""
        if self._is_intact(self._index_path):
            index: dict[Any, str] = super()._load_index()
            return index
        return {}

    def _load_data(self, name: str) -> Any:
        """The compiled form.

        Raises:
            OSError: there is none, or it is damaged; numba takes this for "not there".
        """
        path = self._data_path(name)
        if not self._is_intact(path):
            raise FileNotFoundError(path)
        return super()._load_data(name)

    def _is_intact(self, path: str) -> bool:
        intact = is_intact(Path(path))
        self.damaged |= intact is False
        return bool(intact)


class _Hashed:
    """A file that is being written, and the checksum of its name and content."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self._hash = hashlib.sha256(name.encode())

    def write(self, data: bytes) -> int:
        """Write the bytes; gives their number."""
        self._hash.update(data)
        return self._file.write(data)

    def digest(self) -> bytes:
        """The checksum of what was written, ``CHECKSUM_BYTES`` long."""
        return self._hash.digest()


def is_intact(path: Path) -> bool | None:
    """Whether a file is as it was written; None where there is no file."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return False
    content = memoryview(data)[:-CHECKSUM_BYTES]
    return hashlib.sha256(path.name.encode() + content).digest() == data[-CHECKSUM_BYTES:]


def entries(folder: CacheFolder) -> Iterator[bool]:
    """Whether each entry of a folder is intact; an index alone is what a full disk leaves behind, and no entry.

    Raises:
        CacheFolderError: others can write to the folder.
    """
    if folder.path is None or not folder.is_there():
        return
    for index in folder.path.glob(f"*{INDEX_SUFFIX}"):
        intact = is_intact(index), is_intact(index.with_suffix(".1.nbc"))
        if None not in intact:
            yield all(intact)


def condition(folder: CacheFolder) -> Condition:
    """The numbers of intact and damaged entries.

    Raises:
        CacheFolderError: others can write to the folder.
    """
    found = list(entries(folder))
    return Condition(found.count(True), found.count(False))


@lru_cache
def _source_digest(path: str) -> str:
    """The SHA-256 of a source file; that of its name where it has none, such as text typed into an interpreter."""
    try:
        return _hex(Path(path).read_bytes())
    except OSError:
        return _hex(path.encode())


def _hex(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
