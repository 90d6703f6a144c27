"""Arrays as kernels are given them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def for_reading(array: NDArray[Any]) -> NDArray[Any]:
    """View of an array that cannot be written, contiguous (a copy where the array is not).

    A kernel is compiled once more for each of its arguments that can be written here and cannot be written there, so
    one that only reads is always given these.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
