"""Where compiled kernels are kept, and that nobody else can plant any there."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.cache_folder import CacheFolder, CacheFolderError, base_folder

needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="the system knows no owners")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of somebody who has set nothing, and who stands in another folder."""
    for name in ("GPKIT_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "home"


def test_the_cache_is_in_the_home_folder_unless_it_is_set(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert base_folder() == home / ".cache" / "gpkit"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert base_folder() == tmp_path / "caches" / "gpkit"
    monkeypatch.setenv("GPKIT_CACHE_DIR", str(tmp_path / "kernels"))
    assert base_folder() == tmp_path / "kernels"
    monkeypatch.setenv("GPKIT_CACHE_DIR", "kernels")
    assert base_folder() == tmp_path / "here" / "kernels"


@pytest.mark.parametrize(
    ("name", "value"), [("GPKIT_CACHE_DIR", ""), ("XDG_CACHE_HOME", ""), ("XDG_CACHE_HOME", "caches")]
)
def test_what_is_empty_or_relative_is_not_set(
    name: str, value: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    assert base_folder() == home / ".cache" / "gpkit"


def test_without_a_home_there_is_no_cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("HOME", "home")
    monkeypatch.setenv("USERPROFILE", "home")
    assert base_folder() is None
    monkeypatch.setattr(Path, "home", unknown)
    assert base_folder() is None


def test_without_a_current_folder_a_relative_one_is_none(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def removed() -> str:
        raise FileNotFoundError

    monkeypatch.setenv("GPKIT_CACHE_DIR", "kernels")
    monkeypatch.setattr(os, "getcwd", removed)
    assert base_folder() is None


@needs_owners
def test_folders_are_made_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = CacheFolder(tmp_path / "a" / "b", "hash").make()
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (made, made.parent, made.parent.parent)] == [0o700] * 3


def kernels(base: Path) -> CacheFolder:
    CacheFolder(base, "hash").make()
    return CacheFolder(base, "hash")


@needs_owners
@pytest.mark.parametrize("which", ["kernels", "kernels/hash"])
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_can_write_is_refused(which: str, mode: int, tmp_path: Path) -> None:
    folder = kernels(tmp_path / "kernels")
    (tmp_path / which).chmod(mode)
    for asked in (folder.is_there, folder.make, folder.why_nothing_is_kept):
        with pytest.raises(
            CacheFolderError, match=f"{which} is writable by others.*chmod go-w {tmp_path / which}"
        ):
            asked()


@needs_owners
def test_a_base_such_as_tmp_will_do_where_only_owners_remove(tmp_path: Path) -> None:
    folder = kernels(tmp_path / "kernels")
    (tmp_path / "kernels").chmod(0o1777)
    assert folder.is_there()
    (tmp_path / "kernels" / "hash").chmod(0o1777)
    with pytest.raises(CacheFolderError, match="is writable by others"):
        CacheFolder(tmp_path / "kernels", "hash").is_there()


@needs_owners
def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = kernels(tmp_path / "kernels")
    owner = tmp_path.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    if owner == 0:
        assert folder.is_there()  # the administrator's are everybody's
        os.chown(tmp_path / "kernels" / "hash", owner + 2, -1)
        folder = CacheFolder(tmp_path / "kernels", "hash")
    with pytest.raises(CacheFolderError, match="belongs to another user"):
        folder.is_there()


@needs_owners
def test_a_link_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(0o700)
    (tmp_path / "kernels").mkdir(0o700)
    (tmp_path / "kernels" / "hash").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CacheFolderError, match="is a link"):
        CacheFolder(tmp_path / "kernels", "hash").is_there()


@needs_owners
def test_a_folder_that_comes_later_is_looked_at_too(tmp_path: Path) -> None:
    folder = CacheFolder(tmp_path / "kernels", "hash")
    assert not folder.is_there()
    (tmp_path / "kernels").mkdir(0o700)
    (tmp_path / "kernels" / "hash").mkdir()
    (tmp_path / "kernels" / "hash").chmod(0o777)
    with pytest.raises(CacheFolderError):
        folder.is_there()


def test_why_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("text")
    assert CacheFolder(tmp_path / "new", "hash").why_nothing_is_kept() is None
    assert (
        CacheFolder(tmp_path / "file", "hash").why_nothing_is_kept() == f"{tmp_path / 'file'} is not a folder"
    )
    assert "there is no home folder" in str(CacheFolder(None, "hash").why_nothing_is_kept())
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert CacheFolder(tmp_path, "hash").why_nothing_is_kept() == f"{tmp_path} cannot be written"


@needs_owners
@given(
    bad=st.sampled_from(("above", "above/deep", "elsewhere", "elsewhere/real")),
    fault=st.sampled_from((0o702, 0o733, 0o777, "owner")),
    sticky=st.booleans(),
    is_linked=st.booleans(),
    depth=st.integers(0, 2),
)
def test_every_folder_on_the_way_must_be_safe(
    tmp_path_factory: pytest.TempPathFactory,
    bad: str,
    fault: int | str,
    sticky: bool,
    is_linked: bool,
    depth: int,
) -> None:
    root = tmp_path_factory.mktemp("way")
    for name in ("above/deep", "elsewhere/real"):
        (root / name).mkdir(parents=True)
    (root / "above" / "deep" / "link").symlink_to(Path("..", "..", "elsewhere", "real"))
    below = root / "above" / "deep" / ("link" if is_linked else "plain")
    base = below.joinpath(*"xyz"[:depth], "kernels")
    CacheFolder(base, "hash").make()
    assert CacheFolder(base, "hash").is_there()
    if fault == "owner":
        if os.geteuid():
            return
        os.chown(root / bad, 12345, -1)
    else:
        assert isinstance(fault, int)
        (root / bad).chmod(fault | (0o1000 if sticky else 0))
    is_safe = (fault != "owner" and sticky) or (bad.startswith("elsewhere") and not is_linked)
    folder = CacheFolder(base, "hash")
    if is_safe:
        assert folder.is_there()
        return
    for asked in (folder.is_there, folder.make, folder.why_nothing_is_kept):
        with pytest.raises(CacheFolderError, match=str(root / bad)):
            asked()


@needs_owners
def test_a_link_of_somebody_else_on_the_way_is_refused(tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("only the administrator can give a link away")
    (tmp_path / "own").mkdir()
    (tmp_path / "link").symlink_to("own")
    base = tmp_path / "link" / "kernels"
    CacheFolder(base, "hash").make()
    os.chown(tmp_path / "link", 12345, -1, follow_symlinks=False)
    with pytest.raises(CacheFolderError, match="link belongs to another user"):
        CacheFolder(base, "hash").is_there()


@needs_owners
def test_the_group_of_one_user_alone_may_write_above(tmp_path: Path) -> None:
    grp, pwd = pytest.importorskip("grp"), pytest.importorskip("pwd")
    user = pwd.getpwuid(os.geteuid())
    own = grp.getgrgid(user.pw_gid)
    base = tmp_path / "above" / "kernels"
    CacheFolder(base, "hash").make()
    (tmp_path / "above").chmod(0o775)
    if own.gr_name == user.pw_name and not own.gr_mem:
        assert CacheFolder(base, "hash").is_there()
    if os.geteuid() == 0:
        os.chown(tmp_path / "above", -1, 12345)
        with pytest.raises(CacheFolderError, match="above is writable by others"):
            CacheFolder(base, "hash").is_there()


@needs_owners
@given(
    st.lists(st.sampled_from(["../x/{}", "{}/../{}", "./{}", "../../way/x/{}", "{}"]), min_size=1, max_size=3)
)
def test_links_that_lead_to_each_other_come_to_an_end(
    tmp_path_factory: pytest.TempPathFactory, forms: list[str]
) -> None:
    """A circle of so many links, each of which says in its own form where the next one is."""
    root = tmp_path_factory.mktemp("links") / "way"
    (root / "x").mkdir(parents=True)
    for number, form in enumerate(forms):
        (root / "x" / f"l{number}").symlink_to(form.replace("{}", f"l{(number + 1) % len(forms)}"))
    folder = CacheFolder(root / "x" / "l0" / "kernels", "hash")
    for asked in (folder.is_there, folder.make, folder.why_nothing_is_kept):
        with pytest.raises(CacheFolderError, match="kernels cannot be reached: a link leads to itself"):
            asked()


SPANS = st.lists(
    st.tuples(st.integers(0, 70_000), st.integers(0, 200_000), st.integers(1, 65_536)), max_size=3
)


@needs_owners
@given(st.sampled_from([0, 1, 1000, 65_534]), st.just([(0, 0, 4_294_967_295)]) | SPANS)
def test_nothing_is_kept_where_owners_are_not_known(owner: int, spans: list[tuple[int, int, int]]) -> None:
    """In a user namespace root, and everybody else whom it does not know, appears as the user 65534."""
    text = "".join(f"{first:>10} {outside:>10} {count:>10}\n" for first, outside, count in spans)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPKIT_CACHE_DIR", "/kernels")
        patch.setattr(Path, "read_text", lambda *_, **__: text)
        patch.setattr(Path, "stat", lambda *_, **__: SimpleNamespace(st_uid=owner))
        is_known = owner != 65_534 or spans == [(0, 0, 4_294_967_295)]
        assert base_folder() == (Path("/kernels") if is_known else None)
        found = CacheFolder(base_folder(), "hash")
        if not is_known:
            assert "does not know who owns /" in str(found.why_nothing_is_kept())
            with pytest.raises(OSError, match="does not know who owns /"):
                found.make()
