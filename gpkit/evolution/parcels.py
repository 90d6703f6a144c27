"""Parcels: batches of work packed for workers, and the workers' answers.

A batch is a function and its items. The function is packed once for each step. gpkit sends its large arrays and the
texts of the user's files once to each worker, and then refers to them by SHA-256. A worker that lacks one of them
reports this and gets the batch again, with all values. Therefore, a worker in another folder or on another machine
needs none of the user's files.

A worker catches the errors of the function and sends them as answers. Any other exception from a future is a fault of
the executor, such as a dead worker.
"""

import hashlib
import io
import os
import pickle
import platform
import sys
import sysconfig
import threading
import time  # noqa: TID251 - measures batches; results do not depend on it
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Generic

import numpy as np

from gpkit.core import plugins
from gpkit.core.errors import GuestError, UsageError, one_line
from gpkit.core.plugins import blamed
from gpkit.evolution.problem import Item, Result, Work
from gpkit.langkit.foreign import raise_failure

LARGE = 32_768
"""Arrays of at least this many bytes are sent only once to each worker."""

KEPT = 64
"""The number of arrays and files that a worker keeps for later batches, in addition to those of the current batch."""

LOADS = ForkingPickler.loads
"""A function that restores a value from its bytes."""

HELLO = """(lambda versions: {
    "node": __import__("platform").node(),
    "pid": __import__("os").getpid(),
    "gpkit": __import__("importlib.util").util.find_spec("gpkit") and versions("gpkit-games"),
    "numpy": versions("numpy"),
    "numba": versions("numba"),
    "Python": __import__("platform").python_version(),
})(lambda name: next(
    (each.version for each in __import__("importlib.metadata").metadata.distributions(name=name)), "without a version"
))"""
"""An expression for the machine, the process ID and the versions, which any Python can evaluate even without gpkit."""


@cache
def _versions() -> Mapping[str, Any]:
    found: Mapping[str, Any] = eval(HELLO)  # noqa: S307 - the constant above
    return found


def hello() -> Mapping[str, Any]:
    """The machine, the process ID and the versions of this process."""
    return {**_versions(), "pid": os.getpid()}  # which another process may have forked


@dataclass(frozen=True, slots=True)
class Done(Generic[Result]):
    """The results of a batch.

    Attributes:
        results: one result for each item.
        seconds: the time that the batch took.
        worker: the machine and the process that computed the results, with its versions; empty for this process.
    """

    results: Sequence[Result]
    seconds: float
    worker: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """The answer of a worker whose batch raised an error, or that lacks a value that was not sent (None)."""

    error: Exception | None


def done(function: Work[Item, Result], items: Sequence[Item]) -> Done[Result]:
    """The results of a batch, computed in this process."""
    start = time.perf_counter()
    results = function(items)
    raise_failure()
    return Done(results, time.perf_counter() - start, hello())


def tried(function: Work[Item, Result], items: Sequence[Item]) -> Done[Result] | Failed:
    """The answer to a batch in this process: its results, or the error that it raised."""
    try:
        return done(function, items)
    except (ImportError, SystemExit) as error:
        what = (
            "the function ended its process"
            if isinstance(error, SystemExit)
            else "a worker cannot import a module that the work needs"
        )
        return Failed(blamed(error) or GuestError(f"{what}: {one_line(error)}"))
    except Exception as error:
        return Failed(error)


def opened(answer: Any) -> Done[Any] | None:
    """The results in an answer; None if the worker lacks a value and needs the batch again.

    Raises:
        Exception: the error that the batch raised.
    """
    found = LOADS(answer) if isinstance(answer, bytes) else answer
    if not isinstance(found, Failed):
        return found  # type: ignore[no-any-return]
    if found.error is not None:
        raise found.error
    return None


# On the worker.

_HELD: OrderedDict[str, Any] = OrderedDict()
"""The values that this worker keeps for later batches, by SHA-256; the most recently used value comes last."""

_HOLDING = threading.Lock()


def held(sha256: str) -> Any:
    """An array that was sent to this worker earlier."""
    return _HELD[sha256]


def _hold(needed: Sequence[str], sent: Mapping[str, bytes]) -> bool:
    """Store the values that were sent, drop long-unused values, and return whether all needed values are available."""
    with _HOLDING:
        for sha256, content in sent.items():
            _HELD[sha256] = LOADS(content)
        if not all(each in _HELD for each in needed):
            return False
        for each in needed:
            _HELD.move_to_end(each)
        for each in [*_HELD][:-KEPT]:
            if each not in needed:
                del _HELD[each]
    return True


def unpacked(
    function: bytes,
    items: bytes,
    files: Sequence[tuple[str, str, str, str]],
    needed: Sequence[str],
    sent: Mapping[str, bytes],
) -> bytes:
    """The answer to a batch that was sent to this process, as bytes."""
    if not _hold(needed, sent):
        return pickle.dumps(Failed(None))
    try:
        plugins.carry([(*place, _HELD[sha256]) for *place, sha256 in files])
        work, batch = LOADS(function), LOADS(items)
    except Exception as error:
        return _answer(
            Failed(
                UsageError(
                    f"a worker on {platform.node()} cannot load the function or an item ({one_line(error)}): define "
                    "functions and classes at the top level of a file that every worker can import, not at a prompt or "
                    "in a notebook; or use one worker"
                )
            )
        )
    return _answer(tried(work, batch))


def _answer(found: Done[Any] | Failed) -> bytes:
    """An answer as bytes; an error that cannot be pickled becomes another error with the same message."""
    try:
        if isinstance(found, Failed) and found.error is not None:
            trace = "".join(traceback.format_exception(found.error))
            found.error.add_note(f"on a worker on {platform.node()}:\n{trace}")
            LOADS(pickle.dumps(found))
        return pickle.dumps(found)
    except Exception as error:
        told = found.error if isinstance(found, Failed) and found.error is not None else error
        what = "failed" if told is not error else "gave a result that cannot be sent back"
        return pickle.dumps(Failed(GuestError(f"a worker {what}: {one_line(told)}")))


@dataclass(frozen=True, slots=True)
class Parcel:
    """A batch packed for a worker: the arguments of ``unpacked``.

    The task itself unpacks the parcel, so on a worker without gpkit the task fails with an error that reports this.
    """

    given: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        """Unpickling a parcel returns the answer to its batch."""
        return unpacked, self.given


# Here.


class _Packer(pickle.Pickler):
    """A pickler that extracts large arrays, and remembers needed modules and the last value that it saw."""

    by_value = False

    def __init__(self, target: io.BytesIO) -> None:
        super().__init__(target, pickle.HIGHEST_PROTOCOL)
        self.last, self.modules, self.arrays = "the function or an item", set[str](), dict[str, bytes]()

    def reducer_override(self, value: object) -> Any:
        """Replace a large array by its SHA-256, and refuse a value that no worker can import."""
        if isinstance(value, type | FunctionType):
            self.last, main = f"`{value.__qualname__}`", sys.modules["__main__"]
            self.modules.add(value.__module__)
            is_nowhere = main.__spec__ is None and not hasattr(main, "__file__")
            if value.__module__ == "__main__" and is_nowhere and not self.by_value:
                raise TypeError(
                    "it is defined at a prompt or in a notebook; executors of loky and dask can send it"
                )
        elif isinstance(value, ModuleType):
            self.modules.add(value.__name__)
        elif type(value) is np.ndarray and value.nbytes >= LARGE and not value.dtype.hasobject:
            content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
            sha256 = hashlib.sha256(content).hexdigest()
            self.arrays[sha256] = content
            return held, (sha256,)
        return super().reducer_override(value) if self.by_value else NotImplemented


@cache
def _packer(by_value: bool) -> Callable[[io.BytesIO], _Packer]:
    """The pickler, or one based on cloudpickle that sends functions by value if they cannot be imported."""
    if not by_value:
        return _Packer
    return type("_ByValue", (_Packer, import_module("cloudpickle").Pickler), {"by_value": True})


def _packed(value: object, by_value: bool) -> tuple[bytes, _Packer]:
    """The bytes of a value, and the pickler that made them.

    Raises:
        UsageError: the value cannot be sent to another process.
    """
    target = io.BytesIO()
    pickler = _packer(by_value)(target)
    try:
        pickler.dump(value)
    except Exception as error:
        raise UsageError(
            f"{pickler.last} cannot be sent to workers ({one_line(error)}): define functions and classes at the top "
            "level of a file, not inside a function or as a lambda; or use one worker"
        ) from error
    return target.getvalue(), pickler


@dataclass(frozen=True, slots=True)
class Cargo:
    """A function, ready to be sent with items.

    Attributes:
        function: the function, pickled without its large arrays.
        files: the user's files that the function may need: for each, its absolute path on this machine, its path as the
            user wrote it, the name under which it is imported (empty for files that the user named and for modules
            beside them), and the SHA-256 of its text.
        large: arrays and texts of files, pickled, by SHA-256.
        by_value: whether to send functions by value.
    """

    function: bytes
    files: tuple[tuple[str, str, str, str], ...]
    large: Mapping[str, bytes]
    by_value: bool

    def parcel(self, items: Sequence[object], with_large: bool) -> bytes:
        """A batch as bytes, with the large values or only with their SHA-256; loading the bytes runs the batch.

        Raises:
            UsageError: an item cannot be sent.
        """
        batch, pickler = _packed(items, self.by_value)
        large = {**self.large, **pickler.arrays}
        sent = large if with_large else {each: large[each] for each in large if each not in self.large}
        return pickle.dumps(Parcel((self.function, batch, self.files, [*large], sent)))


def packed(
    function: Callable[..., object], by_value: bool, files: dict[frozenset[str], tuple[Any, ...]]
) -> Cargo:
    """A function, packed for workers.

    Args:
        function: the function of a batch.
        by_value: whether to send functions by value if they cannot be imported.
        files: a cache of the files that functions need.

    Raises:
        UsageError: the function cannot be sent to another process.
    """
    content, pickler = _packed(function, by_value)
    key = frozenset([*pickler.modules, *plugins.here.texts])
    if key not in files:
        texts = plugins.travelling(_local(pickler.modules))
        named = [(text, pickle.dumps(text)) for _, _, text in texts]
        shas = [hashlib.sha256(each).hexdigest() for _, each in named]
        found = [
            (path, plugins.shown_path(path), module, sha256)
            for (path, module, _), sha256 in zip(texts, shas, strict=True)
        ]
        files[key] = (tuple(found), dict(zip(shas, [each for _, each in named], strict=True)))
    found_files, large = files[key]
    return Cargo(content, found_files, {**large, **pickler.arrays}, by_value)


@cache
def _installed() -> tuple[str, ...]:
    """The folders of the standard library and of installed packages."""
    places = [sysconfig.get_path(each) for each in ("stdlib", "platstdlib", "purelib", "platlib")]
    return tuple(f"{Path(each)}{os.sep}" for each in (*places, str(Path(np.__file__).parent)))


def _local(modules: Iterable[str]) -> dict[str, Path]:
    """The files of modules that are not installed, such as modules beside a script, by module name."""
    found = {}
    for root in sorted({each.partition(".")[0] for each in modules} - {"__main__", "__mp_main__", "gpkit"}):
        file = getattr(sys.modules.get(root), "__file__", None) or ""
        if file.endswith(plugins.SUFFIX) and not root.startswith(plugins.OF_FILE):
            path = str(Path(file).absolute())
            if not path.startswith(_installed()) and "-packages" + os.sep not in path:
                found[root] = Path(path)
    return found
