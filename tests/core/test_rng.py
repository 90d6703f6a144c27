"""Streams depend on their key alone."""

import hashlib

import numpy as np

from gpkit.core.rng import below, stream


def test_a_stream_is_philox_under_the_hash_of_its_key() -> None:
    digest = hashlib.sha256(b"3\x1fdeals\x1f1\x1f-2").digest()
    key = np.frombuffer(digest, dtype="<u8", count=2)
    expected = np.random.Generator(np.random.Philox(key=key)).random(10)
    first = stream(3, "deals", 1, -2)
    assert (first.random(10) == expected).all()
    assert (stream(3, "deals", 1, -2).random(10) == expected).all(), "whatever was drawn from another before"


def test_any_part_of_the_key_makes_another_stream() -> None:
    keys = [(0, "a", 1), (1, "a", 1), (0, "b", 1), (0, "a", 2), (0, "a"), (0, "a", 1, 0)]
    firsts = {stream(seed, purpose, *place).random() for seed, purpose, *place in keys}
    assert len(firsts) == len(keys)


def test_below_is_uniform() -> None:
    rng = stream(0, "below")
    counts = np.bincount([below(rng, 5) for _ in range(5_000)])
    assert len(counts) == 5
    assert counts.min() > 900
