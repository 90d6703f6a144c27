"""Build ``gpkit/web/vendor/`` and ``tests/web/vendor/`` from the package registry of npm.

``python tests/vendor_web.py`` asks ``npm pack`` for the packages below, in these versions, and copies their built files
with the licence; ``vendored.json`` beside them says what they are. A test holds the files against that list.
"""

import hashlib
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHIPPED, FOR_TESTS = ROOT / "gpkit" / "web" / "vendor", ROOT / "tests" / "web" / "vendor"
LISTED = "vendored.json"

PACKAGES = (
    (SHIPPED, "htmx.org", "2.0.11", "0BSD", {"package/dist/htmx.min.js": "htmx.min.js"}, "package/LICENSE"),
    (
        SHIPPED,
        "uplot",
        "1.6.32",
        "MIT",
        {"package/dist/uPlot.iife.min.js": "uplot.min.js", "package/dist/uPlot.min.css": "uplot.min.css"},
        "package/LICENSE",
    ),
    (FOR_TESTS, "axe-core", "4.14.1", "MPL-2.0", {"package/axe.min.js": "axe.min.js"}, "package/LICENSE"),
)


def packed(name: str, version: str, folder: Path) -> tarfile.TarFile:
    """The package as the registry gives it; npm checks its hash."""
    done = subprocess.run(
        ["npm", "pack", "--silent", f"{name}@{version}"],
        cwd=folder, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return tarfile.open(folder / done.stdout.split()[-1])


def content(archive: tarfile.TarFile, member: str) -> bytes:
    """The content of a file in a package."""
    found = archive.extractfile(member)
    assert found is not None, member
    return found.read()


def main() -> None:
    """Write the files, their licences, and the lists."""
    lists: dict[Path, list[dict[str, object]]] = {SHIPPED: [], FOR_TESTS: []}
    with tempfile.TemporaryDirectory() as scratch:
        for target, name, version, licence, files, licence_file in PACKAGES:
            target.mkdir(parents=True, exist_ok=True)
            with packed(name, version, Path(scratch)) as archive:
                (target / f"{name}.LICENSE").write_bytes(content(archive, licence_file))
                for member, file in files.items():
                    data = content(archive, member)
                    (target / file).write_bytes(data)
                    lists[target].append(
                        {
                            "file": file,
                            "package": name,
                            "version": version,
                            "licence": licence,
                            "bytes": len(data),
                            "sha256": hashlib.sha256(data).hexdigest(),
                        }
                    )
    for target, rows in lists.items():
        (target / LISTED).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
