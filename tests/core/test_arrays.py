"""What kernels are given to read is a view that cannot be written."""

import numpy as np

from gpkit.core.arrays import for_reading


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
