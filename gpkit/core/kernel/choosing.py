"""Choices by value: of candidates in their order the first of the highest value is chosen."""

from gpkit.core.compiled import inlined


@inlined
def is_higher(value, best):  # type: ignore[no-untyped-def]
    """Whether a value, a float, is chosen before the best one so far; NaN is below everything, and stands for none.

    It is asked without a jump, which a processor would often guess wrong.
    """
    return (value > best) | ((best != best) & (value == value))
