"""The computer that measurements come from: its processor, and the versions that they depend on."""

import os
import platform
from importlib import metadata
from pathlib import Path

from gpkit.core.version import VERSION

PACKAGES = ("numpy", "numba", "llvmlite", "deap")


def describe_computer() -> dict[str, str | int]:
    """Processor, cores, system and versions, in words; no paths and no names."""
    versions = {name: _version(name) for name in PACKAGES}
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version for name, version in versions.items() if version},
        "gpkit": VERSION,
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
