"""What people install: the sdist and the wheel built from it hold everything and work from any folder."""

import json
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.version import Version

from gpkit.core.registry import LANGUAGES

pytestmark = pytest.mark.release

ROOT = Path(__file__).resolve().parent.parent


def _files(*folders: str) -> set[str]:
    """The files of these folders that belong to the project, relative to its root."""
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    return {p.relative_to(ROOT).as_posix() for p in paths if "__pycache__" not in p.parts}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel is installed without its dependencies."""
    pytest.importorskip("pip")
    (wheel,) = built.glob("*.whl")
    target = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    return target


def _run(installed: Path, folder: Path, *arguments: str) -> str:
    """What the installed package prints, started in an empty folder."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_wheel_holds_the_package_with_its_data(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    data = {f"gpkit/{name}" for name in _files("grammars", "programs")}
    assert held == _files("gpkit") | data, "experiments stay in the checkout"
    assert "gpkit/py.typed" in held


def test_sdist_holds_what_a_developer_needs(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert _files("gpkit", "grammars", "programs", "experiments", "tests", "docs") - held == set()
    documents = {
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CITATION.cff",
        "LICENSE",
        "pyproject.toml",
        "mkdocs.yml",
    }
    assert documents - held == set()


def test_installed_package_finds_its_data_from_anywhere(installed: Path, tmp_path: Path) -> None:
    home = _run(installed, tmp_path, "-c", "import gpkit; print(gpkit.__file__)")
    assert home.startswith(str(installed))
    listed = json.loads(_run(installed, tmp_path, "-m", "gpkit", "list", "programs", "--json"))
    programs = [item["path"] for item in listed["items"]]
    suffixes = {entry.suffix for entry in LANGUAGES}
    of_games = {name for name in _files("programs") if name.startswith("programs/games/")}
    shipped = {name for name in _files("programs") - of_games if Path(name).suffix in suffixes}
    assert {Path(p).relative_to(installed / "gpkit").as_posix() for p in programs} == shipped
    _run(installed, tmp_path, "-m", "gpkit", "check", *programs)


def test_installed_command_starts(installed: Path, tmp_path: Path) -> None:
    out = _run(installed, tmp_path, str(installed / "bin" / "gpkit"), "--version")
    assert out.startswith("gpkit, version ")


def test_the_lowest_versions_are_those_of_the_project() -> None:
    """``.ci/run`` runs the demo with them."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    bounds = dict(each.partition(",")[0].split(">=") for each in wanted)
    lines = (ROOT / ".ci" / "lowest.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if "==" in line)
    assert {name: Version(each) for name, each in pinned.items()} == {
        name: Version(each) for name, each in bounds.items()
    }
