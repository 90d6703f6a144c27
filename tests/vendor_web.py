"""Build ``gpkit/web/vendor/`` and ``tests/web/vendor/`` from the package registry of npm.

``python tests/vendor_web.py`` asks ``npm pack`` for the packages below, in these versions, and copies their built files
with the licence; the editor is bundled by esbuild from the packages of CodeMirror, in these versions. ``vendored.json``
beside the files says what they are, and a test holds the files against that list.
"""

import hashlib
import json
import subprocess
import tarfile
import tempfile
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHIPPED, FOR_TESTS = ROOT / "gpkit" / "web" / "vendor", ROOT / "tests" / "web" / "vendor"
LISTED = "vendored.json"

PACKAGES = (
    (SHIPPED, "htmx.org", "2.0.11", "0BSD", {"package/dist/htmx.min.js": "htmx.min.js"}, "package/LICENSE"),
    (FOR_TESTS, "axe-core", "4.14.1", "MPL-2.0", {"package/axe.min.js": "axe.min.js"}, "package/LICENSE"),
)

EDITOR = ("codemirror", "6", "MIT", "codemirror.min.js")
"""Name, version, licence and file of the editor, which is bundled from several packages."""

PARTS = {
    "@codemirror/autocomplete": "6.20.4",
    "@codemirror/commands": "6.11.1",
    "@codemirror/language": "6.13.1",
    "@codemirror/lint": "6.9.8",
    "@codemirror/search": "6.7.2",
    "@codemirror/state": "6.7.6",
    "@codemirror/view": "6.43.15",
    "@lezer/common": "1.5.5",
    "@lezer/highlight": "1.2.5",
    "@marijn/find-cluster-break": "1.0.4",
    "crelt": "1.0.7",
    "style-mod": "4.1.4",
    "w3c-keyname": "2.2.8",
}
"""Packages of the editor by version, all under one licence."""

BUNDLER = {"esbuild": "0.28.2"}
ENTRY = Path(__file__).parent / "web" / "editor_entry.js"


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


def bundled(folder: Path) -> tuple[bytes, str]:
    """The editor as one script, and the licences of all that is in it; npm checks the hashes of the packages."""
    wanted = {"private": True, "dependencies": PARTS | BUNDLER}
    (folder / "package.json").write_text(json.dumps(wanted), encoding="utf-8")
    (folder / ENTRY.name).write_bytes(ENTRY.read_bytes())
    run = partial(subprocess.run, cwd=folder, check=True, capture_output=True)
    run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"])
    options = ["--bundle", "--minify", "--format=iife", "--global-name=codemirror", "--target=es2020"]
    files = ["--legal-comments=none", "--metafile=meta.json", f"--outfile={EDITOR[3]}", ENTRY.name]
    run(["node_modules/.bin/esbuild", *options, *files])
    (made,) = json.loads((folder / "meta.json").read_text(encoding="utf-8"))["outputs"].values()
    inside = [path for path, share in made["inputs"].items() if share["bytesInOutput"]]
    others = [
        path for path in inside if not path.startswith(tuple(f"node_modules/{part}/" for part in PARTS))
    ]
    assert others == [ENTRY.name], f"something else is in it: {others}"
    texts: dict[str, list[str]] = {}
    for part in PARTS:
        package = folder / "node_modules" / part
        described = json.loads((package / "package.json").read_text(encoding="utf-8"))
        assert (described["version"], described["license"]) == (PARTS[part], EDITOR[2]), part
        texts.setdefault((package / "LICENSE").read_text(encoding="utf-8"), []).append(part)
    licences = [f"{', '.join(names)}:\n\n{text.strip()}\n" for text, names in texts.items()]
    return (folder / EDITOR[3]).read_bytes(), "\n".join(licences)


def row(
    file: str, package: str, version: str, licence: str, data: bytes, **others: object
) -> dict[str, object]:
    """The line of a file in the list."""
    sha256 = hashlib.sha256(data).hexdigest()
    named = {"file": file, "package": package, "version": version, "licence": licence}
    return {**named, "bytes": len(data), "sha256": sha256, **others}


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
                    lists[target].append(row(file, name, version, licence, data))
        data, licences = bundled(Path(scratch))
        package, version, licence, file = EDITOR
        (SHIPPED / file).write_bytes(data)
        (SHIPPED / f"{package}.LICENSE").write_text(licences, encoding="utf-8")
        lists[SHIPPED].append(row(file, package, version, licence, data, parts=PARTS))
    for target, rows in lists.items():
        (target / LISTED).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
