"""Vectors of numbers among JSON values: nothing is taken in that is larger than the reader expects."""

import base64
import binascii
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import shortened


def pack(array: NDArray[Any]) -> dict[str, str]:
    """A vector of shape (numbers,) as JSON values: its dtype in numpy's words, and its bytes, deflated, in base 64."""
    ordered = array.astype(array.dtype.newbyteorder("<"))
    packed = base64.b64encode(zlib.compress(ordered.tobytes())).decode("ascii")
    return {"type": ordered.dtype.str, "numbers": packed}


def unpack(value: Mapping[str, str], kind: str, most: int) -> NDArray[Any]:
    """The vector of JSON values of ``pack``, of shape (numbers,) and dtype ``kind``; at most ``most`` are inflated.

    Args:
        value: of ``pack``.
        kind: the type of the numbers, as numpy calls it.
        most: how many there are at most.

    Raises:
        ValueError: it is damaged, or of another type, or there are more.
    """
    dtype = np.dtype(kind).newbyteorder("<")
    if value.get("type") != dtype.str:
        raise ValueError(f"it is of {shortened(repr(value.get('type')))}, not of {dtype.str!r}")
    inflating = zlib.decompressobj()
    try:
        packed = base64.b64decode(value.get("numbers", ""), validate=True)
        content = inflating.decompress(packed, most * dtype.itemsize + 1)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(f"it is damaged: {error}") from error
    if len(content) > most * dtype.itemsize:
        raise ValueError(f"it has more than {most:,} numbers")
    if not inflating.eof or inflating.unused_data or len(content) % dtype.itemsize:
        raise ValueError("it is damaged: its bytes are not whole numbers")
    return np.frombuffer(content, dtype)
