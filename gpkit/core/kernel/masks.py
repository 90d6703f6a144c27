"""Sets as masks: bit i of a mask, an int64 of at least 0, says that number i is in the set."""

from gpkit.core.compiled import inlined


@inlined
def ones(mask):  # type: ignore[no-untyped-def]
    """Population count: the number of set bits of a mask (the compiler turns this loop into one instruction)."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inlined
def lowest(mask):  # type: ignore[no-untyped-def]
    """The number of the lowest bit of a mask that is not 0."""
    return ones((mask & -mask) - 1)


@inlined
def nth(mask, n):  # type: ignore[no-untyped-def]
    """The number of the n-th lowest bit of a mask, from 0."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


@inlined
def one_of(mask, u):  # type: ignore[no-untyped-def]
    """The number of one of the bits of a mask that is not 0, all equally likely for a uniform u of [0, 1)."""
    return nth(mask, int(u * ones(mask)))
