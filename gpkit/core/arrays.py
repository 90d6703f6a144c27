"""Array types for kernels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""An array of float64 numbers; the docstring of each function gives the shape."""

Ints = NDArray[np.int64]
"""An array of int64 integers; the docstring of each function gives the shape."""

Flags = NDArray[np.bool_]
"""An array of Booleans; the docstring of each function gives the shape."""


def for_reading(array: NDArray[np.generic]) -> NDArray[Any]:
    """A contiguous, read-only view of an array with the same shape and dtype, or a copy if the array is not contiguous.

    numba compiles a kernel again if an argument is writable in one call and read-only in another. Therefore, a kernel
    that only reads its arrays always gets read-only arrays.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
