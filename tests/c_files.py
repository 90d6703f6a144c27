"""Exported C files as programs: compiled strictly, where there is a compiler."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gpkit.export.c import FLAGS

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
compiled = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on the path")


def built(folder: Path, text: str, *more: str) -> Path:
    """The program that a C file is: by itself, or together with further files of its folder."""
    (folder / "file.c").write_text(text, encoding="utf-8")
    strict = ("-Wall", "-Wextra", "-Werror", "-pedantic")
    files = more or ("-DGPKIT_MAIN",)
    command = [str(COMPILER), *FLAGS, *strict, *files, "file.c", "-o", "file", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "file"


def assert_same_bits(found: Any, expected: NDArray[np.float64]) -> None:
    """Equal, to the sign of zeros; all NaN are one."""
    values = np.array(found, dtype=np.float64)
    assert (np.isnan(values) == np.isnan(expected)).all()
    kept = ~np.isnan(expected)
    assert values[kept].tobytes() == expected[kept].tobytes()
