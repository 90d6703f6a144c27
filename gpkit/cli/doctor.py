"""``gpkit doctor``: what is installed and whether it works."""

import os
import pkgutil
import platform
import re
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path

import click

import gpkit
from gpkit.cli import output
from gpkit.cli.options import json_option
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, GpkitError
from gpkit.core.registry import data_folder

DISTRIBUTION = "gpkit-games"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor: what was looked at, whether gpkit works with what was found, and what that was."""

    subject: str
    ok: bool
    found: str


@click.command(name="doctor")
@json_option
def command(as_json: bool) -> int:
    """Show what is installed and whether it works; exit code 1 if something that gpkit needs is missing."""
    findings = [
        *_system(),
        *_packages(),
        _data("grammars"),
        _data("programs"),
        _kernels(),
        _pictures(),
        _lua(),
    ]
    if as_json:
        output.json_object("gpkit/doctor/1", findings=findings)
    else:
        rows = [(f.subject, "ok" if f.ok else "MISSING", f.found) for f in findings]
        output.table(("subject", "state", "found"), rows)
    return EXIT_OK if all(f.ok for f in findings) else EXIT_FINDINGS


def _system() -> list[Finding]:
    return [
        Finding("gpkit", True, f"{gpkit.__version__} in {Path(gpkit.__file__).parent}"),
        Finding("Python", True, f"{platform.python_version()} ({platform.python_implementation()})"),
        Finding("system", True, f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"),
    ]


def _packages() -> list[Finding]:
    """The packages that the distribution asks for; those of its extras may be missing."""
    findings: dict[str, Finding] = {}
    for requirement in metadata.requires(DISTRIBUTION) or []:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"](\w+)['\"]", requirement)
        if name in findings:
            continue
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            found = f"not installed; it comes with the extra [{extra[1]}]" if extra else "not installed"
            findings[name] = Finding(name, extra is not None, found)
        else:
            findings[name] = Finding(name, True, found)
    return list(findings.values())


def _data(name: str) -> Finding:
    folder = data_folder(name)
    files = sum(1 for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0
    return Finding(name, files > 0, f"{files} files in {folder}")


def _kernels() -> Finding:
    try:
        from gpkit.core.compiled import cache_folder, is_cold
    except ImportError as error:
        return Finding("kernels", False, str(error))
    state = "not compiled yet: the first command that plays games will do it" if is_cold() else "compiled"
    return Finding("kernels", True, f"{state}, in {cache_folder()}")


def _pictures() -> Finding:
    """The renderer that would be used, tried on a graph of one node."""
    from gpkit.draw.render import render_dot, renderers

    try:
        render_dot("graph { a }", "svg")
    except GpkitError as error:
        return Finding("pictures", False, str(error))
    return Finding("pictures", True, ", else ".join(f"{r.name} {r.detail}" for r in renderers()))


def _lua() -> Finding:
    """The Lua versions in which exported code can be checked."""
    spec = util.find_spec("lupa")
    if spec is None or spec.submodule_search_locations is None:
        return Finding(
            "Lua", True, "no lupa, so exported Lua cannot be run here; it comes with the extra [dev]"
        )
    names = (module.name for module in pkgutil.iter_modules(list(spec.submodule_search_locations)))
    return Finding("Lua", True, ", ".join(name for name in names if name.startswith("lua")))
