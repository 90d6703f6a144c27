"""No kernel leaves its arrays under the smallest and the largest rules: ``tests/bounds`` with every index checked.

Kernels are compiled anew for it, in a folder of their own (``gpkit.core.compiled.kernel_hash``).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from kernel_marks import compiled_only

FOLDER = Path(__file__).parent / "bounds"
SECONDS = 7200


@compiled_only
@pytest.mark.slow
def test_no_kernel_leaves_its_arrays_under_extreme_rules() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "slow", "-rs", str(FOLDER)],
        env=os.environ | {"NUMBA_BOUNDSCHECK": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout, done.stdout
