"""Code that only one thread at a time may run."""

from collections.abc import Hashable, Iterator
from contextlib import ExitStack, contextmanager
from threading import RLock

_LOCKS: dict[Hashable, RLock] = {}
"""A lock for each thing, held while code from outside runs; threads of that code may need other things."""


@contextmanager
def alone(thing: Hashable, seconds: float) -> Iterator[bool]:
    """Hold the lock for a thing; yields False if another thread still holds it after this many seconds."""
    lock = _LOCKS.setdefault(thing, RLock())
    with ExitStack() as stack:
        if is_held := lock.acquire(timeout=seconds):
            stack.callback(lock.release)
        yield is_held
