"""Program files are opened and saved below their folder, whatever its names lead to in the middle of that."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpkit.core import plain_files
from gpkit.core.errors import CheckpointError, GpkitError, UsageError
from gpkit.core.plain_files import is_reserved
from gpkit.web import workspace
from gpkit.web.workspace import NEW, free_name, open_below, save_below


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with one below it, and files outside of the same names."""
    for place in ("root/inside", "outside"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "old.tree").write_text(place, encoding="utf-8")
    return tmp_path / "root"


def turning(monkeypatch: pytest.MonkeyPatch, root: Path, step: str) -> None:
    """Let the folder become a link when this function of ``saving`` is called, as somebody else could."""
    real: Callable[..., Any] = getattr(workspace, step)

    def turned(*given: Any, **named: Any) -> Any:
        if not (root / "inside").is_symlink():
            (root / "inside").rename(root / "moved")
            (root / "inside").symlink_to(root.parent / "outside")
        return real(*given, **named)

    monkeypatch.setattr(workspace, step, turned)


@pytest.mark.skipif(not plain_files._HOLDS, reason="this system holds no folders open")
@pytest.mark.parametrize("step", ["read_plain", "is_there", "is_folder", "write_plain"])
@pytest.mark.parametrize("name", ["old.tree", "new.tree"])
def test_folder_that_becomes_a_link_leads_nowhere(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str, step: str
) -> None:
    before = open_below(root, "inside/old.tree")[1] if name == "old.tree" else NEW
    turning(monkeypatch, root, step)
    try:
        save_below(root, f"inside/{name}", "1", before, ".tree")
    except GpkitError:
        assert step != "write_plain"
    else:
        real = next(path for path in root.iterdir() if not path.is_symlink())
        assert (real / name).read_text(encoding="utf-8") == "1"
    outside = {path.name: path.read_text(encoding="utf-8") for path in (root.parent / "outside").iterdir()}
    assert outside == {"old.tree": "outside"}


@pytest.mark.parametrize("step", ["read_plain", "is_folder"])
def test_nothing_is_read_through_a_folder_that_becomes_a_link(
    root: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    turning(monkeypatch, root, step)
    try:
        assert open_below(root, "inside/old.tree")[0] == "root/inside"
    except CheckpointError as refused:
        assert "is a link" in str(refused)


def test_files_are_saved_where_no_folder_is_held_open(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_files, "_HOLDS", False)
    _, opened = open_below(root, "inside/old.tree")
    saved = save_below(root, "inside/old.tree", "new", opened, ".tree")
    assert open_below(root, "inside/old.tree") == ("new", saved)
    (root / "linked").symlink_to(root.parent / "outside")
    with pytest.raises(CheckpointError, match="is a link"):
        save_below(root, "linked/new.tree", "new", NEW, ".tree")


RESERVED = ("CON", "nul.tar", "Com1", "lpt9", "AUX ", "com\u00b9", "conin$", "x.", "x ")


@pytest.mark.parametrize("name", RESERVED)
def test_names_that_windows_keeps_are_refused(root: Path, name: str) -> None:
    assert is_reserved(name)
    with pytest.raises(UsageError, match="is not a valid program name"):
        save_below(root, f"{name}/x.tree", "1", NEW, ".tree")
    if is_reserved(f"{name}.tree"):
        with pytest.raises(UsageError, match="is not a valid program name"):
            save_below(root, f"inside/{name}.tree", "1", NEW, ".tree")


def test_other_names_are_not_kept() -> None:
    assert not any(
        map(is_reserved, ("common.tree", "com.tree", "com10.tree", "x.con", "console", "null.tree"))
    )


def test_free_name_is_one_that_every_system_takes(root: Path) -> None:
    assert free_name(root, "aux", ".tree") == "aux-2.tree"
