"""Under ``NUMBA_BOUNDSCHECK=1`` a kernel that leaves its arrays is caught, or all these tests would show nothing."""

import numpy as np
import pytest
from kernel_marks import bounds_checked

from gpkit.core.compiled import inlined, kernel

pytestmark = [pytest.mark.slow, bounds_checked]


@inlined
def element(values, place):  # type: ignore[no-untyped-def]
    """An element, for kernels that read too far by a part of theirs."""
    return values[place]


@kernel
def read(values, places):  # type: ignore[no-untyped-def]
    """The sum of so many elements."""
    total = 0.0
    for place in range(places):
        total += element(values, place)
    return total


@kernel
def write(table, row, column):  # type: ignore[no-untyped-def]
    """Write one element of a table by a view of its row."""
    line = table[row]
    line[column] = 1.0


def test_a_kernel_that_reads_beyond_its_array_is_caught() -> None:
    values = np.ones(3)
    assert read(values, 3) == 3.0
    with pytest.raises(IndexError, match="out of bounds"):
        read(values, 4)


@pytest.mark.parametrize("place", [(2, 0), (0, 3), (-3, 0), (1, -4)])
def test_a_kernel_that_writes_beyond_its_array_is_caught(place: tuple[int, int]) -> None:
    table = np.zeros((2, 3))
    write(table, 1, 2)
    with pytest.raises(IndexError, match="out of bounds"):
        write(table, *place)
    assert table.sum() == 1.0
