"""Code that only one thread at a time may run."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from threading import RLock
from typing import ParamSpec, TypeVar

_LOCK = RLock()
"""The lock for looking up something that is found only once and may be incomplete until then."""

_LOCKS: dict[Hashable, RLock] = {}
"""A lock for each thing, held while code from outside runs; threads of that code may need other things."""

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


def found_once(look: Callable[Arguments, Found]) -> Callable[Arguments, Found]:
    """The same function, but it runs in only one thread at a time."""

    @wraps(look)
    def locked(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        with _LOCK:
            return look(*args, **kwargs)

    return locked


@contextmanager
def alone(thing: Hashable, seconds: float) -> Iterator[bool]:
    """Hold the lock for a thing; yields False if another thread still holds it after this many seconds."""
    lock = _LOCKS.setdefault(thing, RLock())
    with ExitStack() as stack:
        if is_held := lock.acquire(timeout=seconds):
            stack.callback(lock.release)
        yield is_held
