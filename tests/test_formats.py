"""Files of earlier versions stay readable: programs and exports for ever, folders of runs for one minor version.

``tests/cases/formats`` has a folder for each minor version. Before a version is published, a commit may make its files
again, and says why; after that nobody changes them. ``gpkit export FILE --to FORMAT`` made the exports, and
``gpkit.evolve`` made the run with the settings below; its callback returned False at generation 1.
"""

import shutil
from pathlib import Path

import pytest

import gpkit
from gpkit.core.wording import VERSION

FORMATS = Path(__file__).parent / "cases" / "formats"
PROGRAMS = sorted(FORMATS.glob("*/programs/*"))
EXPORTS = sorted(FORMATS.glob("*/exports/*"))
RUNS = sorted(FORMATS.glob("*/run"))

SETTINGS = {"population": {"size": 8}, "fitness": {"deals": 2, "validation_deals": 4}}


def name(path: Path) -> str:
    """The version and the name of a file."""
    return f"{path.parents[1].name}/{path.name}"


def test_this_version_has_its_files() -> None:
    minor = VERSION.rpartition(".")[0]
    for found in (PROGRAMS, EXPORTS, RUNS):
        assert minor in {path.relative_to(FORMATS).parts[0] for path in found}


@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_a_program_is_read_and_prints_the_same(path: Path) -> None:
    program = gpkit.load(path)
    assert list(gpkit.check(path)) == []
    assert gpkit.parse(str(program), language=program.language) == program


@pytest.mark.parametrize("path", EXPORTS, ids=name)
def test_an_export_goes_back_to_its_program(path: Path, tmp_path: Path) -> None:
    (source,) = path.parents[1].glob(f"programs/{path.stem}.*")
    text = gpkit.exports(path, "tree").text
    (tmp_path / source.name).write_text(text)
    assert gpkit.load(tmp_path / source.name) == gpkit.load(source)


@pytest.mark.release
@pytest.mark.parametrize("path", RUNS, ids=name)
def test_a_run_is_read_and_continues_as_if_it_had_never_stopped(path: Path, tmp_path: Path) -> None:
    assert gpkit.load(path).game == "sevens"
    shutil.copytree(path, tmp_path / "run")
    champion, run = gpkit.evolve(folder=tmp_path / "run", resume=True)
    again, whole = gpkit.evolve("sevens", generations=3, seed=1, settings=SETTINGS)
    assert champion == again
    assert [each.best for each in run.generations] == [each.best for each in whole.generations]
