"""Types of arrays for kernels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Numbers, float64; each function's docstring gives their shape."""

Ints = NDArray[np.int64]
"""Whole numbers, int64; each function's docstring gives their shape."""

Flags = NDArray[np.bool_]
"""Truth values, bool; each function's docstring gives their shape."""


def for_reading(array: NDArray[np.generic]) -> NDArray[Any]:
    """A read-only view of an array with the same shape and dtype; it is contiguous (a copy if the array is not).

    A kernel is compiled again if an argument is writable in one call and read-only in another. So a kernel that only
    reads always gets read-only arrays.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
