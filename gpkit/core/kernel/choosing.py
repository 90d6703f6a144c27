"""Choices by value: of candidates in their order the first of the highest value is chosen."""

from gpkit.core.compiled import inlined


@inlined
def is_higher(value, best):  # type: ignore[no-untyped-def]
    """Whether a value, a float, is chosen before the best one so far; NaN is below everything, and stands for none."""
    return value > best or (best != best and value == value)
