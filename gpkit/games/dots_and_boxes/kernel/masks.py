"""Sets of strings as masks: bit s of a mask says that string s is one of them."""

from gpkit.core.compiled import inlined


@inlined
def bits(mask):  # type: ignore[no-untyped-def]
    """The number of strings of a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inlined
def string_of(mask):  # type: ignore[no-untyped-def]
    """The number of the lowest string of a mask that is not 0."""
    string = 0
    while not mask & 0xFF:
        mask >>= 8
        string += 8
    while not mask & 1:
        mask >>= 1
        string += 1
    return string


@inlined
def one_of(mask, u):  # type: ignore[no-untyped-def]
    """One of the strings of a mask that is not 0, all equally likely for a uniform u of [0, 1)."""
    for _ in range(int(u * bits(mask))):
        mask &= mask - 1
    return string_of(mask)
