"""Vectors of numbers among JSON values: there and back, and no larger than expected.

What kernels are given to read is a view that cannot be written.
"""

import base64
import json
import tracemalloc
import zlib
from collections.abc import Mapping

import numpy as np
import pytest

from gpkit.core.arrays import for_reading
from gpkit.core.codec import codec
from gpkit.games.dots_and_boxes.learner.folder import pack, unpack


@pytest.mark.parametrize("kind", ["<f8", "<i8", "|b1", "|u1", ">f8"])
@pytest.mark.parametrize("count", [0, 1, 1000])
def test_there_and_back(kind: str, count: int) -> None:
    array = (np.arange(count) % 7).astype(kind)
    packed = json.loads(json.dumps(pack(array)))
    found = unpack(packed, kind, count)
    assert np.array_equal(found, array)
    assert found.dtype == np.dtype(kind).newbyteorder("<")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda packed: packed.pop("type"), "its type is None, not '<f8'"),
        (lambda packed: packed.update(type="|O"), "its type is '|O', not '<f8'"),
        (lambda packed: packed.update(type=[]), "expected a string"),
        (lambda packed: packed.update(numbers=7), "expected a string"),
        (lambda packed: packed.update(numbers="=*"), "damaged"),
        (lambda packed: packed.update(numbers=packed["numbers"][:-12]), "damaged"),
        (
            lambda packed: packed.update(numbers=base64.b64encode(zlib.compress(b"12345")).decode()),
            "whole numbers",
        ),
        (lambda packed: packed.update(pack(np.arange(5.0))), "more than 4 numbers"),
    ],
)
def test_what_is_damaged_is_refused(change, words: str) -> None:
    packed = pack(np.arange(4.0))
    change(packed)
    with pytest.raises(ValueError, match=words.replace("|", r"\|")):
        unpack(codec(Mapping[str, str]).read(packed), "<f8", 4)


def test_what_is_packed_very_densely_is_not_inflated() -> None:
    dense = base64.b64encode(zlib.compress(bytes(100_000_000))).decode()
    assert len(dense) < 200_000
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="it has more than 1,000 numbers"):
            unpack({"type": "<f8", "numbers": dense}, "<f8", 1000)
        assert tracemalloc.get_traced_memory()[1] < 1e6
    finally:
        tracemalloc.stop()


def test_a_contiguous_array_is_shared_and_stays_writable() -> None:
    array = np.arange(6)
    view = for_reading(array)
    array[0] = 7
    assert view[0] == 7
    assert not view.flags.writeable


def test_any_array_becomes_contiguous() -> None:
    array = np.arange(6).reshape(2, 3).T
    view = for_reading(array)
    assert view.flags.c_contiguous
    assert not view.flags.writeable
    assert view.tolist() == array.tolist()
