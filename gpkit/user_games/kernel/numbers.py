"""Random numbers of many deals at once."""

from gpkit.core.compiled import kernel
from gpkit.vm.keyed import keyed_uniform


@kernel
def fill(keys, purpose, numbers):  # type: ignore[no-untyped-def]
    """Fill float64 (deals, count) with the first numbers of a purpose for keys, int64 (deals,)."""
    for deal in range(numbers.shape[0]):
        for number in range(numbers.shape[1]):
            numbers[deal, number] = keyed_uniform(keys[deal], number, purpose)
