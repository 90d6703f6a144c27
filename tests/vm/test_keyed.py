"""The portable random numbers: compiled equals readable, known values, and no visible pattern."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.core.compiled import kernel
from gpkit.vm import keyed
from gpkit.vm.keyed import HALF, keyed_uniform_readable, keyed_word_readable

keyed_word, keyed_uniform = kernel(keyed.keyed_word), kernel(keyed.keyed_uniform)

KNOWN = [1044755717906833, 3530193480830082, 2242904220430247]
WORDS = st.integers(0, HALF - 1)


@settings(max_examples=200, deadline=None)
@given(WORDS, WORDS, WORDS)
def test_compiled_is_readable(key: int, left: int, right: int) -> None:
    assert keyed_word(key, left, right) == keyed_word_readable(key, left, right)
    assert keyed_uniform(key, left, right) == keyed_uniform_readable(key, left, right)


def test_known_values() -> None:
    """Pinned, because stored runs and exported modules depend on them."""
    assert [keyed_word_readable(*words) for words in ((0, 0, 0), (1, 2, 3), (HALF - 1,) * 3)] == KNOWN


def test_a_key_and_counter_give_distinct_words() -> None:
    """The cipher is a permutation for every key, so a stream never repeats."""
    words = [keyed_word_readable(7, 0, right) for right in range(20000)]
    assert len(set(words)) == 20000


@compiled_only
@pytest.mark.parametrize("varied", [0, 1, 2], ids=["key", "left", "right"])
def test_neighbouring_counters_look_independent(varied: int) -> None:
    """Chi-square over a grid of successive pairs: 2,499 degrees of freedom, five standard deviations."""
    words = [5, 7, 11]
    values = np.empty(100_000)
    for n in range(len(values)):
        words[varied] = n
        values[n] = keyed_uniform(words[0], words[1], words[2])
    pairs, _, _ = np.histogram2d(values[:-1], values[1:], bins=50, range=((0, 1), (0, 1)))
    expected = (len(values) - 1) / 2500
    statistic = ((pairs - expected) ** 2 / expected).sum()
    assert abs(statistic - 2499) < 5 * (2 * 2499) ** 0.5
    assert values.min() >= 0.0
    assert values.max() < 1.0
