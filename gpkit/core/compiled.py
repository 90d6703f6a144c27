"""Compiled kernels: their decorators, and a disk cache that detects a change in any kernel source.

numba's own cache checks only the file that contains the function, so it would miss a change to an inlined kernel in
another file. Therefore, gpkit names the cache folder after a hash of all kernel sources and of the relevant versions.

numba reads its cache entries unchecked, so a damaged entry may raise any error, crash, or compute wrong results. In
gpkit, an entry is a pair of files in numba's format (``.nbi`` and ``.nbc``), with a checksum after the part that numba
reads. gpkit never loads a damaged entry, but compiles it again. The name of an entry is a hash of everything that
determines the entry's code, so two entries never share a file.

numba optimises every function separately, together with everything that it calls, and turns it into machine code. A
part of a kernel is never called by itself, and numba optimises it again in each of its callers. Optimising a part by
itself and making machine code from it would be wasted work, which takes half of the compile time. Therefore, gpkit
compiles a part only up to the code that goes into its callers.

This module relies on private parts of numba: ``caching._Cache`` (a dispatcher calls it),
``caching.IndexDataCacheFile`` (it writes files), ``CompileResult._reduce`` and ``_rebuild`` (they make the content),
``JITCodeLibrary`` (it contains the code of a part), and ``linalg.ensure_blas`` (modules of array functions call it when
imported). ``tests/core/test_kernel_cache.py`` fails if numba changes these parts.
"""

import hashlib
import inspect
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import llvmlite
import numba
import numpy as np
from numba.core import caching, config, serialize
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.extending import register_jitable

from gpkit.core.cache_folder import CacheFolder, base_folder
from gpkit.core.interrupts import none_lost


class PartLibrary(JITCodeLibrary):
    """The code of one part and of everything it calls, to be linked into callers; it never becomes machine code."""

    def finalize(self) -> None:
        """Link in the called code; the callers optimise it."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function; always 0, because a part has no machine code."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> "PartLibrary":
        """The object that receives the environment of the part's function, which is this library."""
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Ignore the environment: only machine code can store it, and only Python objects need it."""


class PartCompiler(Compiler):
    """numba's compiler pipeline, which ends with a ``PartLibrary``."""

    def define_pipelines(self) -> Any:
        """The compiler passes; when they have run, the library contains the code."""
        state = self.state
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


INDEX_SUFFIX = ".nbi"
CHECKSUM_BYTES = hashlib.sha256().digest_size

_FLAGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")
"""The numba settings that change the code of a kernel."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The number of intact and the number of damaged compiled kernels in a folder."""

    intact: int
    damaged: int


class KernelCache(caching._Cache):
    """The compiled forms of one function, one for each signature.

    Args:
        function: the function to compile.
        folder: returns the cache folder; called only when the folder is needed.
        sources: other files that determine the code.
    """

    def __init__(
        self,
        function: Callable[..., object],
        folder: Callable[[], CacheFolder],
        sources: tuple[str, ...] = (),
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
        """The folder with the entries."""
        return None if self._folder.path is None else str(self._folder.path)

    def enable(self) -> None:
        """Enable loading and saving of entries."""
        self._enabled = True

    def disable(self) -> None:
        """Disable loading and saving of entries."""
        self._enabled = False

    def flush(self) -> None:
        """Delete all entries of the function."""
        if self._folder.is_there() and self._folder.path is not None:
            for path in self._folder.path.glob(f"{self._title}-*"):
                path.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled form for a signature; None if it is missing or damaged.

        Raises:
            CacheFolderError: other users can write to the folder.
        """
        _import_arrays_without_scipy()
        target_context.refresh()
        if not (self._enabled and self._folder.is_there()):
            return None
        key = self._key(sig, target_context.codegen())
        entry = self._entry(key, str(self._folder.path))
        data = entry.load(key)
        if entry.damaged:
            self._folder.tell(
                "damaged", f"a compiled kernel in {self._folder.path} is damaged: compiling it again"
            )
        return None if data is None else CompileResult._rebuild(target_context, *data)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled form, unless it contains lifted loops or addresses of this process.

        Raises:
            CacheFolderError: other users can write to the folder.
        """
        if not self._enabled or data.lifted or data.library.has_dynamic_globals:
            return
        try:
            key = self._key(sig, data.codegen)
            self._entry(key, str(self._folder.make())).save(key, data._reduce())
        except OSError as error:
            where = "" if self._folder.path is None else f" in {self._folder.path}"
            self._folder.tell(
                "not kept",
                f"compiled kernels cannot be cached{where} ({error.strerror or error}): every command compiles "
                "them again",
            )

    @property
    def _title(self) -> str:
        """The name of the function, for use in a file name."""
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        return name.replace("<", "").replace(">", "")

    def _key(self, sig: Any, codegen: Any) -> tuple[object, ...]:
        """Everything that determines the code, except the versions in the name of the folder."""
        code = self._function.__code__.co_code
        cells = [cell.cell_contents for cell in self._function.__closure__ or ()]
        flags = [str(getattr(config, flag, None)) for flag in _FLAGS]
        sources = [_source_digest(path) for path in self._sources]
        return (sig, codegen.magic_tuple(), _hex(code), _hex(serialize.dumps(cells)), *sources, *flags)

    def _entry(self, key: tuple[object, ...], folder: str) -> "CheckedEntry":
        return CheckedEntry(folder, f"{self._title}-{_hex(repr(key).encode())[:16]}", "")


def _import_arrays_without_scipy() -> None:
    """Import numba's array functions without ``scipy.linalg``, which is slow to import and which no kernel uses.

    On import, these modules check whether ``scipy.linalg`` is available; matrix multiplication checks again when it is
    compiled.
    """
    if "scipy" in sys.modules and "numba.np.arraymath" not in sys.modules:
        linalg: Any = import_module("numba.np.linalg")
        asked, linalg.ensure_blas = linalg.ensure_blas, lambda: None
        try:
            import_module("numba.np.arraymath")
        finally:
            linalg.ensure_blas = asked


class CheckedEntry(caching.IndexDataCacheFile):
    """numba's index file and data file for one compiled form, each with a checksum at its end.

    Attributes:
        damaged: whether an entry has changed since gpkit wrote it.
    """

    damaged = False

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator["IO[bytes] | _Hashed"]:
        with super()._open_for_write(filepath) as file:
            hashed = _Hashed(file, Path(filepath).name)
            yield hashed
            file.write(hashed.digest())

    def _load_index(self) -> dict[Any, str]:
        """The name of the data file for the key; empty if the index is missing or damaged."""
        if self._is_intact(self._index_path):
            index: dict[Any, str] = super()._load_index()
            return index
        return {}

    def _load_data(self, name: str) -> Any:
        """The compiled form.

        Raises:
            OSError: the file is missing or damaged; numba treats both as a missing file.
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
        """Write the bytes, and return their number."""
        self._hash.update(data)
        return self._file.write(data)

    def digest(self) -> bytes:
        """The checksum of the written bytes, ``CHECKSUM_BYTES`` long."""
        return self._hash.digest()


def is_intact(path: Path) -> bool | None:
    """Whether a file is unchanged since it was written; None if there is no file."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return False
    content = memoryview(data)[:-CHECKSUM_BYTES]
    return hashlib.sha256(path.name.encode() + content).digest() == data[-CHECKSUM_BYTES:]


def entries(folder: CacheFolder) -> Iterator[bool]:
    """Whether each entry of a folder is intact; an index without data, left by a full disk, is not an entry.

    Raises:
        CacheFolderError: other users can write to the folder.
    """
    if folder.path is None or not folder.is_there():
        return
    for index in folder.path.glob(f"*{INDEX_SUFFIX}"):
        intact = is_intact(index), is_intact(index.with_suffix(".1.nbc"))
        if None not in intact:
            yield all(intact)


def condition(folder: CacheFolder) -> Condition:
    """The number of intact entries and the number of damaged entries.

    Raises:
        CacheFolderError: other users can write to the folder.
    """
    found = list(entries(folder))
    return Condition(found.count(True), found.count(False))


@lru_cache
def _source_digest(path: str) -> str:
    """The SHA-256 of a source file, or of its name if there is no file, as for code typed into an interpreter."""
    try:
        return _hex(Path(path).read_bytes())
    except OSError:
        return _hex(path.encode())


def _hex(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


_PACKAGE = Path(__file__).resolve().parent.parent

_CONFIG: Any = numba.config

COMPILED = not _CONFIG.DISABLE_JIT
"""Whether kernels are compiled; otherwise they run as plain Python (``NUMBA_DISABLE_JIT``)."""


def kernel_sources() -> list[Path]:
    """The files in all folders with kernels; these folders also contain the kernels' constants."""
    marker = b"\nfrom gpkit.core.compiled import"
    folders = {path.parent for path in _PACKAGE.rglob("*.py") if marker in path.read_bytes()}
    return sorted(path for folder in folders for path in folder.glob("*.py"))


def kernel_hash() -> str:
    """A hash (16 hexadecimal digits) of the kernel sources and of Python, numba, llvmlite, numpy and the processor.

    The hash also depends on ``NUMBA_BOUNDSCHECK``, which determines whether a compiled kernel checks bounds.
    """
    digest = hashlib.sha256()
    for path in (Path(__file__), *kernel_sources()):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    for version in (sys.version, numba.__version__, llvmlite.__version__, np.__version__, platform.machine()):
        digest.update(version.encode())
    digest.update(f"bounds {_CONFIG.BOUNDSCHECK}".encode())
    return digest.hexdigest()[:16]


@cache
def kernel_folder() -> CacheFolder:
    """The folder for this process's compiled kernels, in the user's cache folder; its name is the kernel hash."""
    return CacheFolder(base_folder(), kernel_hash())


def is_cold() -> bool:
    """Whether there is no intact compiled kernel for these sources, so that the first call takes a while.

    Raises:
        CacheFolderError: other users can write to the folder.
    """
    return COMPILED and not any(entries(kernel_folder()))


# A kernel works on the arrays that it receives and allocates none, so it does not need numba's reference counts, which
# would cost several times as much as the work itself. No kernel is called from C, so the C wrapper is not compiled
# either.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_PART_OPTIONS = {"no_cpython_wrapper": True, "pipeline_class": PartCompiler, **_OPTIONS}

_njit: Any = numba.njit


def kernel(function: Callable[..., object]) -> Callable[..., Any]:
    """Compile a function at its first call with some argument types, cache it on disk, and run it without the GIL.

    Arithmetic follows IEEE 754 exactly as written (no ``fastmath``); division by zero gives inf or nan, not an error.
    The function must not allocate arrays; its caller passes the scratch space. Only Python code may call a recursive
    kernel, because a call from another kernel that was loaded from the cache crashes.
    """
    return kernel_from(function, ())


def kernel_from(function: Callable[..., object], sources: Sequence[Path]) -> Callable[..., Any]:
    """Like ``kernel``, but for a function whose parts come from files outside the package."""
    compiled: Any = _njit(**_OPTIONS)(function)
    if COMPILED:
        compiled._cache = KernelCache(function, lambda: kernel_folder(), tuple(map(str, sources)))
        compiled.compile = none_lost()(compiled.compile)
    return compiled  # type: ignore[no-any-return]


def inlined(function: Callable[..., object]) -> Callable[..., Any]:
    """Like ``kernel``, but for a part of a kernel: it is compiled into each of its callers and not cached separately.

    A call from Python runs the part as Python code; ``kernel(part)`` compiles it separately.
    """
    part: Callable[..., Any] = register_jitable(forceinline=True, **_PART_OPTIONS)(function)
    return part


def called(function: Callable[..., object]) -> Callable[..., Any]:
    """Like ``inlined``, but for a long part that a kernel uses several times: only one copy, which compiles faster."""
    part: Callable[..., Any] = register_jitable(forceinline=False, **_PART_OPTIONS)(function)
    return part
