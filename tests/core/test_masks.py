"""Sets as masks in kernels, against sets."""

from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.compiled import kernel
from gpkit.core.kernel.masks import lowest, nth, one_of, ones


@kernel
def looked_at(mask, n, u):  # type: ignore[no-untyped-def]
    """Everything that is asked of a mask, in one call."""
    return ones(mask), lowest(mask), nth(mask, n), one_of(mask, u)


@given(st.sets(st.integers(0, 61), min_size=1), st.floats(0, 1, exclude_max=True), st.data())
def test_masks_are_sets(numbers: set[int], u: float, data: st.DataObject) -> None:
    ordered = sorted(numbers)
    n = data.draw(st.integers(0, len(ordered) - 1))
    mask = sum(1 << number for number in ordered)
    expected = len(ordered), ordered[0], ordered[n], ordered[int(u * len(ordered))]
    assert looked_at(mask, n, u) == expected
