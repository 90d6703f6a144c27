"""Streams depend on their key alone."""

import hashlib

import numpy as np

from gpkit.core.rng import Streams, below, by_share, stream


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


def test_a_generator_that_is_keyed_anew_draws_as_a_new_one_does() -> None:
    streams = Streams(3, "deals", 1)
    for last in (0, 7, -2, 10**12):
        expected, found = stream(3, "deals", 1, last), streams(last)
        for draws in (1, 3, 2):  # an odd number of 32 bits leaves half a word behind for the next place
            assert found.random(draws).tolist() == expected.random(draws).tolist()
            assert found.integers(2**31, size=1, dtype=np.uint32) == expected.integers(
                2**31, size=1, dtype=np.uint32
            )
            assert found.standard_normal() == expected.standard_normal()
            assert found.permutation(9).tolist() == expected.permutation(9).tolist()


def test_below_is_uniform() -> None:
    rng = stream(0, "below")
    counts = np.bincount([below(rng, 5) for _ in range(5_000)])
    assert len(counts) == 5
    assert counts.min() > 900


def test_places_are_drawn_by_their_shares() -> None:
    rng = stream(0, "shares")
    counts = np.bincount([by_share(rng, [0.0, 1.5, 1.5, 2.0]) for _ in range(4_000)], minlength=4)
    assert (counts[[0, 2]] == 0).all()
    assert 2_850 < counts[1] < 3_150


class Last:
    """Gives the largest double below 1; times the least double it is rounded to that one."""

    def random(self) -> float:
        """The same number every time."""
        return 1 - 2**-53


def test_the_largest_number_gives_the_last_place() -> None:
    assert by_share(Last(), [0.0, 5e-324]) == 1
