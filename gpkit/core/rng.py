"""Keyed random streams: the generator of one place in one run, made when it is needed and never stored.

Because a stream depends only on its key, the number of workers, a crash and a resume cannot change a result.
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
    """A ready key where a bit generator asks for a seed; given as its ``key`` it would first draw entropy in vain."""

    words: NDArray[np.uint64]

    def generate_state(self, n_words: int, dtype: object = np.uint64) -> NDArray[np.uint64]:
        return self.words


_START = np.zeros(4, dtype=np.uint64)
"""The counter at which a stream starts; given as an array, it need not be made from a number each time."""
_START.setflags(write=False)


def stream(seed: int, purpose: str, *place: int) -> np.random.Generator:
    """The generator of one ``place`` (generation, individual, ...) for one ``purpose`` in the run of ``seed``.

    The 128-bit Philox key is the first half of a SHA-256 over the words of the key, so neighbouring seeds and places
    have unrelated streams. Non-negative and negative integers are both fine.
    """
    words = f"{seed}\x1f{purpose}\x1f" + "\x1f".join([str(int(p)) for p in place])
    digest = hashlib.sha256(words.encode()).digest()
    key = np.frombuffer(digest, dtype="<u8", count=2)
    philox = np.random.Philox(_Key(key), counter=_START)  # type: ignore[arg-type]  # numpy's stub is too narrow
    return np.random.Generator(philox)


class Streams:
    """Generators of the places that differ in their last number alone, by that number.

    ``Streams(seed, purpose, *before)(last)`` draws what ``stream(seed, purpose, *before, last)`` draws, in a fraction
    of the time: it is always the same object, keyed anew; the generator of one place ends where another is asked for.
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
        """The generator of one place; it is valid until the next call."""
        digest = self._begun.copy()
        digest.update(b"%d" % last)
        self._key[:] = _TWO_WORDS(digest.digest())
        self._generator.bit_generator.state = self._state
        return self._generator

    def keys(self, first: int, count: int) -> NDArray[np.uint64]:
        """The keys of the generators of so many places: uint64 (count, 2)."""
        digests = []
        for last in range(first, first + count):
            digest = self._begun.copy()
            digest.update(b"%d" % last)
            digests.append(digest.digest())
        words = np.frombuffer(b"".join(digests), dtype="<u8").reshape(count, 4)
        return np.array(words[:, :2], dtype=np.uint64, order="C")


_TWO_WORDS = Struct("<QQ").unpack_from


class Draws(Protocol):
    """Whatever gives uniform numbers one after the other, as a generator does."""

    def random(self) -> float:
        """The next one, of [0, 1)."""


def below(rng: Draws, n: int) -> int:
    """A uniform integer of 0 … n − 1 (``n`` at least 1, far below 2^53): faster than ``rng.integers`` for one draw."""
    return int(rng.random() * n)


def by_share(rng: Draws, sums: Sequence[float]) -> int:
    """A place of 0 … n − 1, each as often as its share: of n shares the running sums, the last of them above 0."""
    return min(bisect_right(sums, rng.random() * sums[-1]), len(sums) - 1)
