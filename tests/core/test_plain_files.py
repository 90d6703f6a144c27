"""Plain files: whole or not at all, and never through anything else."""

import os
from pathlib import Path

import pytest
from hostile_folders import TRICKS, Trick, contents, folder

from gpkit.core.errors import CheckpointError
from gpkit.core.plain_files import (
    append_line,
    check_plain,
    is_folder,
    is_there,
    make_folder,
    read_plain,
    remove_plain,
    write_plain,
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert not is_there(path)
    write_plain(path, "é")
    write_plain(path, b"new", keep=tmp_path / "old")
    assert (read_plain(path, 3), read_plain(tmp_path / "old", 9)) == (b"new", "é".encode())
    append_line(path, "line")
    append_line(path, "last")
    assert path.read_bytes() == b"new\nline\nlast\n"
    remove_plain(path)
    remove_plain(path)
    assert contents(tmp_path) == {"old": "é".encode()}


def test_no_more_is_read_than_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1234")
    with pytest.raises(CheckpointError, match="larger than 3 bytes"):
        read_plain(tmp_path / "a", 3)
    with pytest.raises(CheckpointError, match=r"cannot read .*b: No such file"):
        read_plain(tmp_path / "b", 3)


def test_what_a_crash_left_of_a_write_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / ".a.new").write_text("half of")
    write_plain(tmp_path / "a", "whole")
    assert contents(tmp_path) == {"a": b"whole"}


def test_a_write_that_fails_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    write_plain(tmp_path / "a", "old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CheckpointError, match=r"cannot write .*a: No space left on device"):
        write_plain(tmp_path / "a", "new")
    assert contents(tmp_path) == {"a": b"old"}


@pytest.mark.parametrize("trick", TRICKS)
def test_everything_else_is_refused(trick: Trick, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "precious").write_text("precious")
    trick(inside / "a", outside)
    trick(inside / ".b.new", outside)
    for use in (
        is_there,
        remove_plain,
        lambda path: read_plain(path, 9),
        lambda path: append_line(path, "x"),
    ):
        with pytest.raises(CheckpointError, match=f"{inside / 'a'} is .*expected a file|hard link"):
            use(inside / "a")
    for name in ("a", "b"):
        with pytest.raises(CheckpointError):
            write_plain(inside / name, "new")
        with pytest.raises(CheckpointError):
            check_plain(inside, [name])
    (inside / "c").write_text("c")
    with pytest.raises(CheckpointError):
        write_plain(inside / "c", "new", keep=inside / "a")
    if trick is not folder:
        with pytest.raises(CheckpointError, match="expected a folder"):
            make_folder(inside / "a")
    assert contents(outside) == {"precious": b"precious"}
    assert (inside / "c").read_text() == "c"


def test_a_link_to_a_folder_is_no_folder(tmp_path: Path) -> None:
    make_folder(tmp_path / "real")
    make_folder(tmp_path / "real")
    assert is_folder(tmp_path / "real")
    assert not is_folder(tmp_path / "nothing")
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(CheckpointError, match="link is a link"):
        is_folder(tmp_path / "link")
