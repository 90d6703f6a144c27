"""Keyed random streams: the generator of one place in one run, made when it is needed and never stored.

Because a stream depends only on its key, the number of workers, a crash and a resume cannot change a result.
"""

import hashlib

import numpy as np


def stream(seed: int, purpose: str, *place: int) -> np.random.Generator:
    """The generator of one ``place`` (generation, individual, ...) for one ``purpose`` in the run of ``seed``.

    The 128-bit Philox key is the first half of a SHA-256 over the words of the key, so neighbouring seeds and places
    have unrelated streams. Non-negative and negative integers are both fine.
    """
    words = f"{seed}\x1f{purpose}\x1f" + "\x1f".join(str(int(p)) for p in place)
    digest = hashlib.sha256(words.encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "little")))


def below(rng: np.random.Generator, n: int) -> int:
    """A uniform integer of 0 … n − 1 (``n`` at least 1, far below 2^53): faster than ``rng.integers`` for one draw."""
    return int(rng.random() * n)
