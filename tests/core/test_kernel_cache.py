"""Compiled kernels on disk: what is not as it was written is compiled again, and what cannot be kept is not kept."""

import errno
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import caching
from numba.core.compiler import CompileResult

from gpkit.core import compiled
from gpkit.core.cache_folder import CacheFolder
from gpkit.core.compiled import CheckedEntry, Condition, condition, is_cold, is_intact, kernel

pytestmark = pytest.mark.skipif(not compiled.COMPILED, reason="nothing is compiled")

KEY, DATA = ("a signature", 1), (b"machine code " * 100, {"name": 2.5})


def triple(number: int) -> int:
    return 3 * number + 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache that the kernels of this process are given."""
    return cache_in(tmp_path, monkeypatch)


def cache_in(base: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = CacheFolder(base, "hash")
    monkeypatch.setattr(compiled, "kernel_folder", lambda: found)
    return base / "hash"


def hits(argument: float = 5) -> int:
    """Call the kernel as a new process would; gives how often it was found on disk."""
    dispatcher: Any = kernel(triple)
    assert dispatcher(argument) == 3 * argument + 1
    return sum(dispatcher.stats.cache_hits.values())


def half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes, place: float) -> bytes:
    changed = bytearray(data)
    changed[int(place * (len(data) - 1))] ^= 16
    return bytes(changed)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda data: b"",
    "halved": half,
    "without its end": lambda data: data[:-1],
    "longer": lambda data: data + b"\0",
    "of zeros": lambda data: bytes(len(data)),
    **{f"flipped at {place}": lambda data, place=place: flipped(data, place) for place in (0, 0.3, 0.6, 1)},
}


def test_what_is_taken_from_numba_is_there() -> None:
    """The parts of numba that the cache stands on, which are not public."""
    asked = {"cache_path", "load_overload", "save_overload", "enable", "disable", "flush"}
    assert caching._Cache.__abstractmethods__ == asked
    for name in ("load", "save", "_load_index", "_load_data", "_data_path", "_open_for_write"):
        assert callable(getattr(caching.IndexDataCacheFile, name))
    assert callable(CompileResult._reduce)
    assert callable(CompileResult._rebuild)
    assert isinstance(vars(kernel(triple))["_cache"], compiled.KernelCache)


MATRICES = """
import sys
import numba, numpy
from gpkit.core.compiled import kernel
assert kernel(lambda number: 3 * number)(5) == 15
before = "scipy.linalg" in sys.modules
print(before, numba.njit(lambda a: numpy.dot(a, a).sum() + numpy.linalg.inv(a).sum())(numpy.eye(3)))
"""


@pytest.mark.release
def test_matrices_of_others_are_multiplied_where_scipy_was_not_loaded() -> None:
    pytest.importorskip("scipy")
    done = subprocess.run([sys.executable, "-c", MATRICES], capture_output=True, text=True, check=True)
    assert done.stdout == "False 6.0\n"


def test_a_kernel_is_found_again_for_each_of_its_signatures(folder: Path) -> None:
    assert is_cold()
    assert hits() == 0
    assert hits(2.5) == 0
    assert not is_cold()
    assert (hits(), hits(2.5)) == (1, 1)
    assert condition(compiled.kernel_folder()) == Condition(intact=2, damaged=0)
    assert sorted(path.suffix for path in folder.iterdir()) == [".nbc", ".nbc", ".nbi", ".nbi"]


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_compiled_again_and_healed(
    suffix: str, damage: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hits()
    (path,) = folder.glob(f"*{suffix}")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert is_cold()
    assert condition(compiled.kernel_folder()) == Condition(intact=0, damaged=1)
    assert hits() == 0
    assert [record.getMessage() for record in caplog.records] == [
        f"a compiled kernel in {folder} is damaged: compiling it again"
    ]
    assert condition(compiled.kernel_folder()) == Condition(intact=1, damaged=0)
    assert hits() == 1


def test_damage_is_told_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    for argument in (5, 2.5):
        hits(argument)
    for path in folder.iterdir():
        path.write_bytes(b"")
    assert (hits(5), hits(2.5)) == (0, 0)
    assert len(caplog.records) == 1


def test_entries_that_were_swapped_are_damaged(folder: Path) -> None:
    for argument in (5, 2.5):
        hits(argument)
    one, other = folder.glob("*.nbc")
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    assert (hits(5), hits(2.5)) == (0, 0)
    assert (hits(5), hits(2.5)) == (1, 1)


def test_a_removed_file_of_an_entry_is_compiled_again(folder: Path) -> None:
    for suffix in (".nbi", ".nbc"):
        hits()
        next(folder.glob(f"*{suffix}")).unlink()
        assert condition(compiled.kernel_folder()) == Condition(intact=0, damaged=0)
        assert (hits(), hits()) == (0, 1)


def test_an_entry_that_cannot_be_read_is_damaged(folder: Path) -> None:
    hits()
    (path,) = folder.glob("*.nbc")
    path.unlink()
    path.mkdir()
    assert hits() == 0


def test_other_settings_of_numba_are_other_entries(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hits()
    monkeypatch.setattr(compiled._CONFIG, "BOUNDSCHECK", 1)
    assert (hits(), hits()) == (0, 1)


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_cache_that_cannot_be_written_costs_speed_alone(
    fault: int, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(*_arguments: object) -> None:
        raise OSError(fault, "no")

    hits()
    monkeypatch.setattr(caching.os, "replace", refused)
    assert (hits(5), hits(2.5), hits(2.5)) == (1, 0, 0)
    told = f"compiled kernels cannot be cached in {folder} (no): every command compiles them again"
    assert [record.getMessage() for record in caplog.records] == [told]
    assert [path for path in folder.iterdir() if ".tmp." in path.name] == []


def test_a_file_in_the_place_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("text")
    cache_in(tmp_path / "file", monkeypatch)
    assert is_cold()
    assert (hits(), hits()) == (0, 0)
    assert len(caplog.records) == 1
    assert (tmp_path / "file").read_text() == "text"


def test_no_home_no_cache(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(compiled, "kernel_folder", lambda: CacheFolder(None, "hash"))
    assert is_cold()
    assert hits() == 0
    assert "name a folder with GPKIT_CACHE_DIR" in caplog.text


def test_what_a_cache_forgets_is_not_found(folder: Path) -> None:
    hits()
    (folder / "tests.other-1.nbi").write_text("of another kernel")
    vars(kernel(triple))["_cache"].flush()
    assert [path.name for path in folder.iterdir()] == ["tests.other-1.nbi"]


def test_a_disabled_cache_neither_loads_nor_saves(folder: Path) -> None:
    for _ in range(2):
        dispatcher: Any = kernel(triple)
        dispatcher._cache.disable()
        dispatcher(5)
        assert sum(dispatcher.stats.cache_hits.values()) == 0
    assert not folder.exists()


def test_every_change_of_an_entry_is_noticed(tmp_path: Path) -> None:
    _change_entries(tmp_path, 60)


@pytest.mark.slow
def test_very_many_changes_of_entries_are_noticed(tmp_path: Path) -> None:
    _change_entries(tmp_path, 100_000)


def _change_entries(folder: Path, count: int) -> None:
    """Change an entry that often at random; numba must never see one that is not as it was written."""
    rng = np.random.default_rng(1)
    entry = CheckedEntry(str(folder), "entry", "")
    entry.save(KEY, DATA)
    files = {path: path.read_bytes() for path in folder.iterdir()}
    assert len(files) == 2
    assert entry.load(KEY) == DATA
    for _ in range(count):
        path = list(files)[rng.integers(2)]
        changed = bytearray(files[path])
        start, length = int(rng.integers(len(changed))), int(rng.integers(1, 40))
        match rng.integers(4):
            case 0:
                changed[start] ^= 1 << int(rng.integers(8))
            case 1:
                del changed[start:]
            case 2:
                del changed[start : start + length]
            case _:
                changed[start:start] = rng.bytes(length)
        path.write_bytes(changed)
        assert is_intact(path) is False
        assert CheckedEntry(str(folder), "entry", "").load(KEY) is None
        path.write_bytes(files[path])
    assert entry.load(KEY) == DATA
