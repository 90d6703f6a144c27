"""Programs on the path that are Lua are found, named by their version, run without a shell, and not waited for."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from gpkit.export.lua import hosts as module
from gpkit.export.lua.hosts import PROGRAMS, LuaError, ProgramHost, hosts, runtime_names
from gpkit.export.registry import check_export
from gpkit.export.subject import Subject

REAL = f"""#!{sys.executable}
import sys
from lupa.lua53 import LuaRuntime

if sys.argv[1] == "-v":
    print("Lua 5.3.99  Copyright (C) 1994-2026 Lua.org, PUC-Rio")
else:
    LuaRuntime().execute(open(sys.argv[1], encoding="utf-8").read())
"""
"""A Lua by the package lupa, which is there wherever the tests are."""

SHELL = "#!/bin/sh\n"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the whole path."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def install(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    (folder / name).chmod(0o755)


def programs() -> list[str]:
    return [host.name for host in hosts() if isinstance(host, ProgramHost)]


@pytest.mark.release
def test_a_check_runs_a_program_on_the_path(path: Path, sample: Subject) -> None:
    install(path, "lua5.3", REAL)
    for mode in ("player", "function"):
        report = check_export(sample, "lua", mode, evaluations=20, games=1)
        assert report.is_equal, report
        assert [row.host for row in report.rows] == [*runtime_names(), "lua5.3 (Lua 5.3.99)"]


def test_without_lupa_the_programs_do(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(path, "lua5.3", REAL)
    monkeypatch.setitem(sys.modules, "lupa", None)
    (host,) = hosts()
    assert (host.name, host.run("return 1 + 1")) == ("lua5.3 (Lua 5.3.99)", "2")


def test_the_same_program_counts_once_and_by_the_name_of_its_version(path: Path) -> None:
    install(path, "lua5.3", REAL)
    (path / "lua").symlink_to("lua5.3")
    install(path, "luajit", SHELL + "echo 'LuaJIT 2.1.0-beta3 -- Copyright (C) 2005-2022 Mike Pall.' >&2\n")
    assert programs() == ["lua5.3 (Lua 5.3.99)", "luajit (LuaJIT 2.1.0-beta3)"]


@pytest.mark.parametrize("text", ["echo TeXLua 5.3", "exit 1", "exec sleep 100", ""])
def test_what_does_not_say_that_it_is_lua_is_left_alone(
    path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PROBE_SECONDS", 0.3)
    install(
        path, "lua", SHELL + text.replace("sleep", str(shutil.which("sleep", path="/bin:/usr/bin"))) + "\n"
    )
    assert programs() == []


def test_what_cannot_be_run_is_left_alone(path: Path) -> None:
    install(path, "lua", "#!/nowhere/lua\n")
    assert programs() == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("echo 17", "is 17 instead of -1.0"),
        ("echo bad luck >&2; exit 3", "bad luck"),
        ("exit 3", "it ended with the code 3"),
        ("exec sleep 100", "not finished after 0.3 s"),
    ],
)
def test_a_program_that_computes_something_else_is_a_finding(
    path: Path, sample: Subject, text: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.3)
    sleep = str(shutil.which("sleep", path="/bin:/usr/bin"))
    version = 'if [ "$1" = -v ]; then echo Lua 5.1.5; exit; fi\n'
    install(path, "lua", SHELL + version + text.replace("sleep", sleep) + "\n")
    report = check_export(sample, "lua", "function", evaluations=1)
    assert not report.is_equal
    (row,) = (row for row in report.rows if row.host == "lua (Lua 5.1.5)")
    assert row.failures in (1, 2)
    assert first in row.first
    assert all(other.failures == 0 for other in report.rows if other is not row)


def test_lua_gets_nothing_to_load_from_the_environment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUA_INIT", "error('loaded')")
    monkeypatch.setenv("LUA_PATH_5_3", "/elsewhere/?.lua")
    install(
        path, "lua", f"#!{sys.executable}\nimport os\nprint(*(n for n in os.environ if n[:4] == 'LUA_'))\n"
    )
    assert ProgramHost("lua", str(path / "lua")).run("return 1") == "\n"


INSTALLED = [name for name in PROGRAMS if shutil.which(name)]


@pytest.mark.skipif(not INSTALLED, reason="no program on the path is Lua")
def test_real_programs_agree(sample: Subject) -> None:
    assert programs(), INSTALLED
    report = check_export(sample, "lua", "player", evaluations=50, games=2)
    assert report.is_equal, report
    assert {*programs()} < {row.host for row in report.rows}
    for host in hosts():
        assert host.run("return 'a' .. 1").strip() == "a1"
        with pytest.raises(LuaError, match="no such thing"):
            host.run("error('no such thing')")
    assert os.environ["PATH"]
