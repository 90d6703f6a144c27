"""Reading what people name, and writing so that a crash loses nothing."""

import stat
from pathlib import Path

import pytest

from gpkit.core import files
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.files import MAX_BYTES, read_text, write_atomic
from gpkit.playing.named import program_paths


def test_reads_utf8_with_and_without_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.tree"
    path.write_bytes(b"\xef\xbb\xbf// \xe2\x99\xa5\r\nA\n")
    assert read_text(str(path)) == "// ♥\r\nA\n"


def test_missing_file_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "champion.tree").write_text("A")
    with pytest.raises(
        UsageError, match=r"there is no file .*champoin\.tree; did you mean .*champion\.tree\?"
    ):
        read_text(str(tmp_path / "champoin.tree"))


def test_a_file_whose_name_is_not_like_any_has_no_nearest(tmp_path: Path) -> None:
    (tmp_path / "nearby.html").write_text("A")
    with pytest.raises(UsageError, match=r"there is no file .*nothere\.toml$"):
        read_text(str(tmp_path / "nothere.toml"))


def test_missing_file_of_a_shipped_program_is_named_without_its_suffix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "champion.svg").write_text("<svg/>")
    with pytest.raises(UsageError, match=r"no file champion\.tree; .* without their suffix: champion$"):
        read_text("champion.tree")


def test_missing_file_in_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        read_text(str(tmp_path / "nowhere" / "a.tree"))


def test_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        read_text(str(tmp_path))


def test_not_utf8_says_where(tmp_path: Path) -> None:
    path = tmp_path / "a.tree"
    path.write_bytes(b"A\nB \xff\n")
    with pytest.raises(UsageError, match="not UTF-8 text: byte 0xff on line 2"):
        read_text(str(path))


def test_impossible_name() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_text("a\0b")
    with pytest.raises(UsageError, match="cannot be read: File name too long"):
        read_text("a" * 5000)


def test_size_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "a.tree"
    path.write_bytes(b"A" * MAX_BYTES)
    assert len(read_text(str(path))) == MAX_BYTES
    path.write_bytes(b"A" * (MAX_BYTES + 1))
    with pytest.raises(LimitError, match="larger than 1,000,000 bytes"):
        read_text(str(path))


def test_endless_file_is_not_read_to_its_end() -> None:
    with pytest.raises(LimitError):
        read_text("/dev/zero")


def test_folders_become_their_program_files(tmp_path: Path) -> None:
    for name in ("b.tree", "a.tree", "notes.txt", "deeper/c.tree", ".hidden/d.tree"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("A")
    found = program_paths([str(tmp_path), "-", "missing.tree", str(tmp_path / "a.tree")])
    assert found == [*(str(tmp_path / n) for n in ("a.tree", "b.tree", "deeper/c.tree")), "-", "missing.tree"]


def test_folder_without_programs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no program file"):
        program_paths([str(tmp_path)])


def test_write_makes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a.tree"
    write_atomic(path, "é")
    assert path.read_bytes() == "é".encode()
    path.chmod(0o640)
    write_atomic(str(path), b"B")
    assert path.read_bytes() == b"B"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["a.tree"]


def test_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    write_atomic(tmp_path / "ours", "")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_link_keeps_pointing(tmp_path: Path) -> None:
    (tmp_path / "real.tree").write_text("A")
    (tmp_path / "link.tree").symlink_to("real.tree")
    write_atomic(tmp_path / "link.tree", "B")
    assert (tmp_path / "link.tree").is_symlink()
    assert (tmp_path / "real.tree").read_text() == "B"


@pytest.mark.parametrize("step", ["fsync", "chmod"])
def test_crash_during_a_write_loses_nothing(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tree"
    path.write_text("old")

    def crash(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, step, crash)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.tree"]


def test_unwritable_place_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a.tree cannot be written: there is no folder .*nowhere"):
        write_atomic(tmp_path / "nowhere" / "a.tree", "A")
    with pytest.raises(UsageError, match="cannot be written"):
        write_atomic(tmp_path, "A")


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_atomic("/dev/null", "gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    if Path("/dev/full").is_char_device():
        with pytest.raises(UsageError, match="No space left"):
            write_atomic("/dev/full", "too much")
        assert Path("/dev/full").is_char_device()
