"""Keyed random streams: generators for places in a run, which are made when needed and never stored.

A stream depends only on its key, so a result does not depend on the number of workers, on crashes or on resuming.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any, Protocol

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import NDArray


@dataclass(slots=True, eq=False)
class _Key(ISeedSequence):
    """A finished key in place of a bit generator's seed; given the argument ``key``, numpy would also draw entropy."""

    words: NDArray[np.uint64]

    def generate_state(self, n_words: int, dtype: object = np.uint64) -> NDArray[np.uint64]:
        return self.words


_START = np.zeros(4, dtype=np.uint64)
"""The counter at the start of a stream; it is an array, so numpy need not convert it from a number each time."""
_START.setflags(write=False)


def stream(seed: int, purpose: str, *place: int) -> np.random.Generator:
    """The generator for one ``place`` (generation, individual, ...) and one ``purpose``, in the run with this ``seed``.

    The 128-bit Philox key is the first half of the SHA-256 of the words of the key, so neighbouring seeds and places
    have unrelated streams. Negative integers are also allowed.
    """
    words = f"{seed}\x1f{purpose}\x1f" + "\x1f".join([str(int(p)) for p in place])
    key = np.frombuffer(hashlib.sha256(words.encode()).digest(), dtype="<u8", count=2)
    philox = np.random.Philox(_Key(key), counter=_START)  # type: ignore[arg-type]  # numpy's stub is too narrow
    return np.random.Generator(philox)


class Streams:
    """Generators for places that differ only in their last number.

    ``Streams(seed, purpose, *before)(last)`` draws the same numbers as ``stream(seed, purpose, *before, last)``, but
    takes only a fraction of the time. It reuses one object with new keys, so each call invalidates the generator that
    the previous call returned.
    """

    def __init__(self, seed: int, purpose: str, *before: int) -> None:
        words = (str(seed), purpose, *(str(int(place)) for place in before), "")
        self._begun = hashlib.sha256("\x1f".join(words).encode())
        self._generator = stream(seed, purpose, *before, 0)
        self._key = [0, 0]
        nothing = [0, 0, 0, 0]
        self._state: Any = {
            "bit_generator": "Philox",
            "state": {"counter": nothing, "key": self._key},
            "buffer": nothing,
            "buffer_pos": 4,
            "has_uint32": 0,
            "uinteger": 0,
        }

    def __call__(self, last: int) -> np.random.Generator:
        """The generator for one place; it is valid until the next call."""
        digest = self._begun.copy()
        digest.update(b"%d" % last)
        self._key[:] = _TWO_WORDS(digest.digest())
        self._generator.bit_generator.state = self._state
        return self._generator

    def keys(self, first: int, count: int) -> NDArray[np.uint64]:
        """The keys of the generators for ``count`` places: uint64 (count, 2)."""
        digests = []
        for last in range(first, first + count):
            digest = self._begun.copy()
            digest.update(b"%d" % last)
            digests.append(digest.digest())
        words = np.frombuffer(b"".join(digests), dtype="<u8").reshape(count, 4)
        return np.array(words[:, :2], dtype=np.uint64, order="C")


_TWO_WORDS = Struct("<QQ").unpack_from


class Draws(Protocol):
    """Anything that returns uniform random numbers one by one, as a generator does."""

    def random(self) -> float:
        """The next random number in [0, 1)."""


def below(rng: Draws, n: int) -> int:
    """A uniform integer in 0 … n − 1 (``n`` at least 1, far below 2^53), faster than ``rng.integers`` for one draw."""
    return int(rng.random() * n)


def by_share(rng: Draws, sums: Sequence[float]) -> int:
    """A random position in 0 … n − 1 in proportion to n shares; ``sums`` are their running sums, the last above 0."""
    return min(bisect_right(sums, rng.random() * sums[-1]), len(sums) - 1)
