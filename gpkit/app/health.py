"""Findings about the installation: what gpkit needs, what is there, and whether it works."""

import os
import platform
import re
from collections import Counter
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.registry import data_folder
from gpkit.core.tabular import Tabular
from gpkit.core.version import VERSION
from gpkit.core.wording import DISTRIBUTION, install_command
from gpkit.export.lua.hosts import hosts

OK, MISSING, NOT_INSTALLED = "ok", "MISSING", "not installed"


@dataclass(frozen=True, slots=True)
class Installed(Tabular):
    """One thing that was looked at.

    Attributes:
        subject: what was looked at.
        ok: whether gpkit works with what was found.
        state: how it is, in a word or two: ``OK``, ``MISSING``, ``NOT_INSTALLED`` (and not needed), or for kernels
            damaged, not kept or refused.
        found: what that was.
    """

    subject: str
    ok: bool
    state: str
    found: str

    def __str__(self) -> str:
        """The finding in a line."""
        return f"{self.subject}: {self.state}, {self.found}"

    def to_rows(self) -> list[dict[str, object]]:
        """The finding as JSON values."""
        return [asdict(self)]


def examine() -> list[Installed]:
    """The findings, from the system to Lua."""
    data = [_data(name) for name in ("grammars", "programs")]
    return [
        _well("gpkit", f"{VERSION} in {Path(__file__).parents[1]}"),
        _well("Python", f"{platform.python_version()} ({platform.python_implementation()})"),
        _well("system", f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"),
        *(*_packages(), *data, _kernels(), _pictures(), _lua()),
    ]


def _packages() -> list[Installed]:
    """The packages that the distribution asks for; those of its extras may be missing."""
    try:
        requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return [_missing(DISTRIBUTION, "not installed, so its requirements are unknown: pip install -e .")]
    extras_of: dict[str, list[str]] = {}  # by package; empty for what all need
    for requirement in requirements:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"](\w+)['\"]", requirement)
        extras_of.setdefault(name, []).append(extra[1] if extra else "")
    sizes = Counter(extra for extras in extras_of.values() for extra in extras)
    findings = []
    for name, extras in extras_of.items():
        try:
            findings.append(_well(name, metadata.version(name)))
        except metadata.PackageNotFoundError:
            if "" in extras:
                findings.append(_missing(name, "not installed"))
            else:
                smallest = min(extras, key=lambda extra: (sizes[extra], extra))
                findings.append(Installed(name, True, NOT_INSTALLED, install_command(smallest)))
    return findings


def _data(name: str) -> Installed:
    folder = data_folder(name)
    files = sum(1 for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0
    found = f"{files} files in {folder}"
    return _well(name, found) if files else _missing(name, found)


def _kernels() -> Installed:
    """The compiled kernels on disk, each of which is looked at."""
    try:
        from gpkit.core.compiled import COMPILED, kernel_folder
        from gpkit.core.kernel_cache import condition
    except ImportError as error:
        return _missing("kernels", str(error))
    if not COMPILED:
        return _well("kernels", "run as Python, because NUMBA_DISABLE_JIT is set")
    folder = kernel_folder()
    try:
        kept, why_not = condition(folder), folder.why_nothing_is_kept()
    except GpkitError as error:
        return Installed("kernels", False, "refused", str(error))
    if kept.damaged:
        total = kept.damaged + kept.intact
        found = f"{kept.damaged} of {total}: compiled again when needed, in {folder.path}"
        return Installed("kernels", True, "damaged", found)
    if why_not and not kept.intact:
        found = f"every command that plays games compiles them again: {why_not}"
        return Installed("kernels", True, "not kept", found)
    if kept.intact:
        return _well("kernels", f"{kept.intact} compiled, in {folder.path}")
    return _well(
        "kernels", f"not compiled yet: the first command that plays games will do it, in {folder.path}"
    )


def _pictures() -> Installed:
    """The renderer that would be used, tried on a graph of one node."""
    try:
        from gpkit.draw.render import render_dot, renderers

        render_dot("graph { a }", "svg")
    except (GpkitError, ImportError) as error:
        return _missing("pictures", str(error))
    return _well("pictures", ", else ".join(f"{r.name} {r.detail}" for r in renderers()))


def _lua() -> Installed:
    """The Lua versions in which exported code can be checked."""
    try:
        return _well("Lua", ", ".join(host.name for host in hosts()))
    except UsageError as error:
        return Installed("Lua", True, NOT_INSTALLED, f"exported Lua cannot be run here: {error}")


def _well(subject: str, found: str) -> Installed:
    return Installed(subject, True, OK, found)


def _missing(subject: str, found: str) -> Installed:
    return Installed(subject, False, MISSING, found)
