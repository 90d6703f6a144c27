"""Things that are looked up once, whoever asks first and however many threads ask together."""

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import ParamSpec, TypeVar

_LOCK = RLock()
"""Held while something from outside is looked up that is found only once, and may be half there until then."""

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


def found_once(look: Callable[Arguments, Found]) -> Callable[Arguments, Found]:
    """The function, in one thread at a time."""

    @wraps(look)
    def locked(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        with _LOCK:
            return look(*args, **kwargs)

    return locked
