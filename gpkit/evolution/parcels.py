"""Parcels: batches of work on their way to workers, and what is said where one cannot be sent or opened."""

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
"""Makes bytes of a value, as ``pickle`` does."""


@dataclass(frozen=True, slots=True)
class Done(Generic[Result]):
    """A batch that a worker has done.

    Attributes:
        results: one for each item.
        seconds: that they took.
        worker: the process that did it, and its machine.
    """

    results: Sequence[Result]
    seconds: float
    worker: tuple[str, int]


def done(function: Work[Item, Result], items: Sequence[Item]) -> Done[Result]:
    """A batch done here."""
    start = time.perf_counter()
    results = function(items)
    return Done(results, time.perf_counter() - start, (platform.node(), os.getpid()))


def unpacked(packed: bytes) -> Done[Any]:
    """A batch that was sent here, done.

    Raises:
        UsageError: this process cannot load the function or an item.
        Exception: what the function raised.
    """
    try:
        function, items = ForkingPickler.loads(packed)
    except Exception as error:
        raise UsageError(
            f"a worker on {platform.node()} cannot load what it is sent ({one_line(error)}): put functions and classes "
            "at the top level of a file that every worker can import, not at a prompt or in the cell of a notebook; or "
            "use one worker"
        ) from error
    try:
        return done(function, items)
    except ImportError as error:
        raise blamed(error) or GuestError(
            f"a worker cannot import what the work needs: {one_line(error)}"
        ) from error
    except SystemExit as error:
        raise blamed(error) or GuestError(f"the function ended its process: {one_line(error)}") from error


@dataclass(frozen=True, slots=True)
class Parcel:
    """A batch on its way to a worker, which does it by loading it: one that lacks gpkit lives, and can tell.

    Attributes:
        packed: the function and its items.
    """

    packed: bytes

    def __reduce__(self) -> tuple[Any, ...]:
        """Loaded, it is the batch that was done."""
        return unpacked, (self.packed,)


class _Pickler(ForkingPickler):
    """Sends what workers can import, and knows what it came to last."""

    last = "the function or an item"

    def reducer_override(self, value: Any) -> Any:
        """Leave each value to others; refuse what stands where no worker can import it."""
        if isinstance(value, type | FunctionType):
            self.last, main = f"`{value.__qualname__}`", sys.modules["__main__"]
            if value.__module__ == "__main__" and main.__spec__ is None and not hasattr(main, "__file__"):
                raise TypeError("it is defined at a prompt or in a notebook")
        return NotImplemented


def packed(function: Callable[..., Any], items: Sequence[Item], dumps: Dumps | None = None) -> bytes:
    """A batch as bytes; loading them runs it.

    Args:
        function, items: the batch.
        dumps: makes bytes of them; None for workers that import what they can.

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
            f"{pickler.last} cannot be sent to workers ({one_line(error)}): put functions and classes at the top level "
            "of a file, not into a function or a lambda; or use one worker"
        ) from error
    return bytes(ForkingPickler.dumps(Parcel(inner)))
