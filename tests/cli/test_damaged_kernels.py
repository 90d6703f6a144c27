"""Commands with compiled kernels that are damaged, cannot be kept, or lie where others can write."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gpkit.core import compiled
from gpkit.core.cache_folder import CacheFolder
from gpkit.core.compiled import Condition, condition

pytestmark = pytest.mark.skipif(not compiled.COMPILED, reason="nothing is compiled")

PLAYING = ("solve", "--board", "1x2", "--json")
KERNEL = "gpkit.games.dots_and_boxes.kernel.opponents.settle-*"
"""One that takes little time to compile."""


def play(**environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command that needs kernels in a new process."""
    return subprocess.run(
        [sys.executable, "-m", "gpkit", *PLAYING],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[CacheFolder, str]:
    """A cache that holds the kernels of the command, and what the command prints."""
    done = play()
    assert done.returncode == 0
    suite = compiled.kernel_folder().path
    assert suite is not None
    folder = CacheFolder(tmp_path_factory.mktemp("kernels"), suite.name)
    copy = folder.make()
    for path in suite.glob("gpkit.games.dots_and_boxes.kernel.opponents.*"):
        shutil.copy(path, copy)
    return folder, done.stdout


@pytest.mark.release
def test_damaged_kernels_are_compiled_again_and_told_once(warm: tuple[CacheFolder, str]) -> None:
    folder, printed = warm
    assert folder.path is not None
    assert condition(folder).damaged == 0
    for path in folder.path.glob(KERNEL):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data if path.suffix == ".nbc" else b"")
    assert condition(folder).damaged == 1
    healing = play(GPKIT_CACHE_DIR=str(folder.path.parent))
    assert (healing.returncode, healing.stdout) == (0, printed)
    assert healing.stderr == f"a compiled kernel in {folder.path} is damaged: compiling it again\n"
    assert condition(folder).damaged == 0


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damaged", [lambda data: b"", lambda data: data[: len(data) // 2]])
def test_all_kernels_of_a_command_damaged(
    suffix: str, damaged: Callable[[bytes], bytes], warm: tuple[CacheFolder, str]
) -> None:
    folder, printed = warm
    assert folder.path is not None
    for path in folder.path.glob(f"*{suffix}"):
        path.write_bytes(damaged(path.read_bytes()))
    healing = play(GPKIT_CACHE_DIR=str(folder.path.parent))
    assert (healing.returncode, healing.stdout) == (0, printed)
    assert healing.stderr.count("damaged") == 1
    assert condition(folder) == Condition(intact=2, damaged=0)


def test_a_folder_that_others_can_write_is_refused(
    gpkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gpkit(*PLAYING).code == 0  # so that nothing is left to be compiled
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels").chmod(0o777)
    monkeypatch.setattr(compiled, "kernel_folder", lambda: CacheFolder(tmp_path / "kernels", "hash"))
    refused = gpkit(*PLAYING)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(f"error: {tmp_path / 'kernels'} is writable by others")


def test_where_nothing_can_be_kept_compilation_is_not_once(
    gpkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gpkit(*PLAYING).code == 0
    (tmp_path / "file").write_text("text")
    for base in (None, tmp_path / "file"):
        monkeypatch.setattr(compiled, "kernel_folder", lambda base=base: CacheFolder(base, "hash"))
        outcome = gpkit(*PLAYING)
        assert outcome.code == 0
        assert outcome.err.startswith("compiling the kernels of dots_and_boxes, about ")
