"""Compiled kernels: one decorator, and a disk cache that notices an edit in any kernel source.

numba's own cache watches only the file of the function itself; a kernel that inlines another file's kernel would stay
stale. The cache folder is therefore named by a hash of all sources that hold kernels, and of the versions that matter.
What is kept there is checked before it is loaded (``gpkit.core.kernel_cache``).
"""

import hashlib
import platform
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.extending import register_jitable

from gpkit.core import kernel_cache, kernel_parts
from gpkit.core.cache_folder import CacheFolder, base_folder
from gpkit.core.compile_interrupts import none_lost
from gpkit.core.kernel_cache import KernelCache, entries

_PACKAGE = Path(__file__).resolve().parent.parent
_CONFIG: Any = numba.config

COMPILED = not _CONFIG.DISABLE_JIT
"""Whether kernels are compiled, and not run as the Python that they are written in (``NUMBA_DISABLE_JIT``)."""


def kernel_sources() -> list[Path]:
    """The files of every folder in which a file defines kernels (constants that they use stand beside them)."""
    marker = b"\nfrom gpkit.core.compiled import"
    folders = {path.parent for path in _PACKAGE.rglob("*.py") if marker in path.read_bytes()}
    return sorted(path for folder in folders for path in folder.glob("*.py"))


def kernel_hash() -> str:
    """16 hexadecimal digits that change with any kernel source, Python, numba, llvmlite, numpy or processor.

    They change with ``NUMBA_BOUNDSCHECK``, too: a kernel that was compiled without the checks has none.
    """
    digest = hashlib.sha256()
    ours = (__file__, kernel_cache.__file__, kernel_parts.__file__)
    for path in (*map(Path, ours), *kernel_sources()):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    for version in (sys.version, numba.__version__, llvmlite.__version__, np.__version__, platform.machine()):
        digest.update(version.encode())
    digest.update(f"bounds {_CONFIG.BOUNDSCHECK}".encode())
    return digest.hexdigest()[:16]


@cache
def kernel_folder() -> CacheFolder:
    """Folder of this process's compiled kernels: in the user's cache folder, and in it the kernel hash."""
    return CacheFolder(base_folder(), kernel_hash())


def is_cold() -> bool:
    """True when no intact compiled kernel is kept for these sources, so the first call will take a while.

    Raises:
        CacheFolderError: others can write to the folder.
    """
    return COMPILED and not any(entries(kernel_folder()))


# A kernel works on arrays that it was given and allocates none, so it can do without numba's reference counts, whose
# upkeep costs several times what the work itself does.
# Nobody calls one from C, so the wrapper for that is not compiled either.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_PART_OPTIONS = {"no_cpython_wrapper": True, "pipeline_class": kernel_parts.PartCompiler, **_OPTIONS}

_njit: Any = numba.njit


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile lazily at the first call for the types it is called with, cached on disk, without the interpreter lock.

    IEEE arithmetic is kept as written (no ``fastmath``), division by zero gives inf or nan instead of raising. The
    function must not allocate arrays: scratch space is passed in. A kernel that calls itself is called from Python
    alone: from another kernel that was loaded from the cache, the call crashes.
    """
    return kernel_from(function, ())


def kernel_from(function: Callable[..., Any], sources: Sequence[Path]) -> Callable[..., Any]:
    """Like ``kernel``, for a function around parts that come from other files, which are no part of the package."""
    compiled: Any = _njit(**_OPTIONS)(function)
    if COMPILED:
        compiled._cache = KernelCache(function, lambda: kernel_folder(), tuple(map(str, sources)))
        compiled.compile = none_lost()(compiled.compile)
    return compiled  # type: ignore[no-any-return]


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Like ``kernel``, for a part of kernels: it is compiled into each of its callers and not cached by itself.

    Python that calls it runs it as Python; ``kernel(part)`` is the part compiled by itself.
    """
    part: Callable[..., Any] = register_jitable(forceinline=True, **_PART_OPTIONS)(function)
    return part


def called(function: Callable[..., Any]) -> Callable[..., Any]:
    """Like ``inlined``, for a long part that is used in several places: a kernel holds it once, and compiles sooner."""
    part: Callable[..., Any] = register_jitable(forceinline=False, **_PART_OPTIONS)(function)
    return part
