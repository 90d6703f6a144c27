"""The Luas of this machine: those in the package lupa, and the programs on the path; tests run in every one of them."""

import os
import pkgutil
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from gpkit.core.check_report import CheckReport, CheckRow
from gpkit.core.errors import UsageError
from gpkit.core.wording import install_command

PROGRAMS = ("lua5.1", "lua5.2", "lua5.3", "lua5.4", "lua5.5", "luajit", "lua")
"""The names under which programs are looked for; one that is found twice counts under the first."""

SECONDS = 300.0

_PROBE_SECONDS = 10.0
_VERSION = re.compile(r"Lua(?:JIT)? \d[\w.+-]*")


class LuaError(Exception):
    """Lua code that failed, in words."""


class Host(Protocol):
    """A Lua."""

    @property
    def name(self) -> str:
        """Its name in reports."""

    def run(self, chunk: str) -> str:
        """The text that a chunk returns.

        Raises:
            LuaError: it failed.
        """


@dataclass(frozen=True, slots=True)
class LupaHost:
    """A Lua of the package lupa, such as ``lua51`` or ``luajit21``."""

    name: str

    def run(self, chunk: str) -> str:
        """The text that a chunk returns, in a state of its own.

        Raises:
            LuaError: the chunk fails, or Lua cannot be run.
        """
        lupa = import_module(f"lupa.{self.name}")
        try:
            return str(lupa.LuaRuntime().execute(chunk))
        except lupa.LuaError as error:
            raise LuaError(str(error).partition("\n")[0]) from None


@dataclass(frozen=True, slots=True)
class ProgramHost:
    """A Lua on the path: its ``name`` says which version it says that it is."""

    name: str
    path: str

    def run(self, chunk: str) -> str:
        """The text that a chunk returns, in a process of its own.

        Raises:
            LuaError: the chunk fails, or Lua cannot be run.
        """
        with TemporaryDirectory() as folder:
            file = Path(folder) / "chunk.lua"
            file.write_text(f"io.write((function(...) {chunk}\nend)(...))\n", encoding="utf-8", newline="\n")
            try:
                done = _run(self.path, str(file), folder, SECONDS)
            except subprocess.TimeoutExpired:
                raise LuaError(f"not finished after {SECONDS:g} s") from None
            except OSError as error:
                raise LuaError(f"{self.path} cannot be run: {error.strerror or error}") from None
        if done.returncode:
            said = done.stderr.strip().replace(folder, "").splitlines()
            raise LuaError(said[0] if said else f"it ended with the code {done.returncode}")
        return done.stdout


def hosts() -> tuple[Host, ...]:
    """Every Lua: first those of lupa, then the programs.

    Raises:
        UsageError: there is none.
    """
    found: list[Host] = [*map(LupaHost, runtime_names()), *_programs()]
    if not found:
        raise UsageError(
            f"running Lua needs the package lupa ({install_command('play')}), or lua or luajit on the path"
        )
    return tuple(found)


def runtime_names() -> tuple[str, ...]:
    """The names of the Luas in lupa, such as ``lua51`` and ``luajit21``; none where it is not installed."""
    try:
        lupa = import_module("lupa")
    except ImportError:
        return ()
    return tuple(sorted(m.name for m in pkgutil.iter_modules(lupa.__path__) if m.name.startswith("lua")))


def _programs() -> tuple[ProgramHost, ...]:
    """The programs on the path that say of themselves that they are Lua."""
    found: dict[str, ProgramHost] = {}
    for name in PROGRAMS:
        path = shutil.which(name)
        if path is None or os.path.realpath(path) in found:
            continue
        try:
            done = _run(path, "-v", None, _PROBE_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            continue
        version = _VERSION.match(done.stdout or done.stderr)
        if version is not None:
            found[os.path.realpath(path)] = ProgramHost(f"{name} ({version[0]})", path)
    return tuple(found.values())


def _run(path: str, argument: str, folder: str | None, seconds: float) -> subprocess.CompletedProcess[str]:
    """Run a program without what the environment would have Lua load."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LUA_")}
    return subprocess.run(  # noqa: S603 - a Lua of the person who asks for it, without a shell
        [path, argument],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=seconds,
        check=False,
    )


def run_everywhere(
    counts: tuple[int, int], test: Callable[[Host], list[str]], notes: tuple[str, ...] = ()
) -> CheckReport:
    """Results of a test in every Lua, the test giving the differences.

    Args:
        counts: evaluations and whole games in the test.
        test: code that fails altogether counts as one failure.
        notes: what a reader should know.
    """
    rows = []
    for host in hosts():
        try:
            found = test(host)
        except LuaError as error:
            found = [str(error)]
        rows.append(CheckRow(host.name, *counts, len(found), found[0] if found else ""))
    return CheckReport(tuple(rows), notes)
