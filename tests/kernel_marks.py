"""Marks of tests that need their kernels compiled."""

import numba
import pytest

compiled_only = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="takes too long with interpreted kernels")

bounds_checked = pytest.mark.skipif(
    not numba.config.BOUNDSCHECK, reason="tests/test_bounds.py runs it with NUMBA_BOUNDSCHECK=1"
)
