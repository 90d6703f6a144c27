"""The lock of a folder: one process at a time, told by its number, and free when that process has gone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gpkit.core.errors import CheckpointError
from gpkit.core.work_folder import locked

HOLD = """
import sys
from pathlib import Path
{before}
from gpkit.core.work_folder import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

BLOCKED = "sys.modules['fcntl'] = None"
"""What makes Python a platform without that module."""


def test_the_holder_is_told_and_the_lock_ends_with_the_block(tmp_path: Path) -> None:
    with (
        locked(tmp_path),
        pytest.raises(CheckpointError, match=f"{tmp_path} is in use by process {os.getpid()}$"),
        locked(tmp_path),
    ):
        raise AssertionError
    with locked(tmp_path):
        pass
    assert {path.name for path in tmp_path.iterdir()} <= {"run.lock"}


@pytest.mark.parametrize(
    "before", ["", pytest.param(BLOCKED, marks=pytest.mark.release)], ids=["fcntl", "no fcntl"]
)
def test_the_lock_ends_with_a_process_that_is_killed(before: str, tmp_path: Path) -> None:
    def hold() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", HOLD.format(before=before), str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    with hold() as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with hold() as second:
            assert f"{tmp_path} is in use by process {first.pid}" in second.communicate(timeout=60)[1]
        first.kill()
        first.wait()
    assert first.returncode == -signal.SIGKILL
    with hold() as third:
        assert third.communicate("", timeout=60) == ("held\n", "")
