"""Parcels: batches of work on their way to workers, and the errors if one cannot be sent or opened."""

import io
import os
import platform
import sys
import time  # noqa: TID251 - measures batches; results do not depend on it
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler
from types import FunctionType
from typing import Any, Generic

from gpkit.core.errors import GuestError, UsageError, one_line
from gpkit.core.plugins import blamed
from gpkit.evolution.problem import Item, Result, Work

Dumps = Callable[[Any], bytes]
"""A function that turns a value into bytes, as ``pickle`` does."""


@dataclass(frozen=True, slots=True)
class Done(Generic[Result]):
    """The results of a batch.

    Attributes:
        results: one for each item.
        seconds: the time that they took.
        worker: the machine and the process that computed them.
    """

    results: Sequence[Result]
    seconds: float
    worker: tuple[str, int]


def done(function: Work[Item, Result], items: Sequence[Item]) -> Done[Result]:
    """The results of a batch, computed in this process."""
    start = time.perf_counter()
    results = function(items)
    return Done(results, time.perf_counter() - start, (platform.node(), os.getpid()))


def unpacked(packed: bytes) -> Done[Any]:
    """The results of a batch that was sent to this process.

    Raises:
        UsageError: this process cannot load the function or an item.
        Exception: any error that the function raises.
    """
    try:
        function, items = ForkingPickler.loads(packed)
    except Exception as error:
        raise UsageError(
            f"a worker on {platform.node()} cannot load the function or an item ({one_line(error)}): define functions "
            "and classes at the top level of a file that every worker can import, not at a prompt or in a notebook; or "
            "use one worker"
        ) from error
    try:
        return done(function, items)
    except ImportError as error:
        raise blamed(error) or GuestError(
            f"a worker cannot import a module that the work needs: {one_line(error)}"
        ) from error
    except SystemExit as error:
        raise blamed(error) or GuestError(f"the function ended its process: {one_line(error)}") from error


@dataclass(frozen=True, slots=True)
class Parcel:
    """A batch on its way to a worker.

    The task itself unpacks it, so on a worker without gpkit the task fails with an error that says so.

    Attributes:
        packed: the function and its items.
    """

    packed: bytes

    def __reduce__(self) -> tuple[Any, ...]:
        """Loading a parcel gives the results of its batch."""
        return unpacked, (self.packed,)


class _Pickler(ForkingPickler):
    """A pickler that sends only what workers can import, and remembers the last value it saw."""

    last = "the function or an item"

    def reducer_override(self, value: Any) -> Any:
        """Leave each value to the default pickler; refuse a value that no worker can import."""
        if isinstance(value, type | FunctionType):
            self.last, main = f"`{value.__qualname__}`", sys.modules["__main__"]
            if value.__module__ == "__main__" and main.__spec__ is None and not hasattr(main, "__file__"):
                raise TypeError("it is defined at a prompt or in a notebook")
        return NotImplemented


def packed(function: Callable[..., Any], items: Sequence[Item], dumps: Dumps | None = None) -> bytes:
    """A batch as bytes; loading the bytes runs the batch.

    Args:
        function, items: the batch.
        dumps: turns the batch into bytes; None for processes that can import the modules.

    Raises:
        UsageError: the function or an item cannot be sent to another process.
    """
    target = io.BytesIO()
    pickler = _Pickler(target)
    try:
        if dumps is None:
            pickler.dump((function, items))
        inner = target.getvalue() if dumps is None else dumps((function, items))
    except Exception as error:
        raise UsageError(
            f"{pickler.last} cannot be sent to workers ({one_line(error)}): define functions and classes at the top "
            "level of a file, not inside a function or as a lambda; or use one worker"
        ) from error
    return bytes(ForkingPickler.dumps(Parcel(inner)))
