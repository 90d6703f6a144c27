"""Marks of tests that need their kernels compiled."""

import numba
import pytest

compiled_only = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="takes too long with interpreted kernels")
