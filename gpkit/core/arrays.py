"""Arrays as kernels are given them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Numbers, float64; the docstring of each function gives their shape."""


def for_reading(array: NDArray[Any]) -> NDArray[Any]:
    """Read-only view of an array, of its shape and dtype, contiguous (a copy where the array is not).

    A kernel is compiled once more for each of its arguments that can be written here and cannot be written there, so
    one that only reads is always given these.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
