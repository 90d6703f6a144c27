"""Uniform numbers in kernels are those of ``stream``."""

import numpy as np

from gpkit.core.compiled import kernel
from gpkit.core.rng import Streams, stream
from gpkit.genomes.kernel.breeding import next_uniform, start_stream


@kernel
def _draw(key, random, numbers):  # type: ignore[no-untyped-def]
    start_stream(random, key)
    for place in range(numbers.shape[0]):
        numbers[place] = next_uniform(random)


def test_kernels_draw_the_numbers_of_the_stream_of_a_key() -> None:
    keys = Streams(7, "child", 3).keys(5, 20)
    for place, key in enumerate(keys):
        numbers = np.empty(37)
        _draw(key, np.zeros(7, dtype=np.uint64), numbers)
        assert numbers.tolist() == stream(7, "child", 3, 5 + place).random(37).tolist()
