"""Files with functions of Python: named with ``--primitives``, in headers that import nothing, and in runs."""

from pathlib import Path

import pytest

from gpkit.core import plugins

pytestmark = pytest.mark.usefixtures("folder")

FILE = """import math
import gpkit


@gpkit.primitive
def ripple(x, y):
    return math.sin(math.sqrt(x * x + y * y))
"""

PROBLEM = """import gpkit

def score(program):
    return -sum((program(x=k / 3, y=1.0) - k) ** 2 for k in range(5))

PROBLEM = gpkit.problem(
    score, sensors="x y", operators=["+", "*", "ripple"], settings={"population": {"size": 12}}
)
"""

HOSTILE = "from pathlib import Path\nPath('imported').touch()\n" + FILE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ripple.py").write_text(FILE, encoding="utf-8")
    (tmp_path / "problem.py").write_text(PROBLEM, encoding="utf-8")
    text = "// primitives: ./ripple.py\n2 * ripple(x, 1)\n"
    (tmp_path / "wave.tree").write_text(text, encoding="utf-8")
    tree = "// primitives: ./ripple.py\ntest ripple(x, 1) <= 0.5\n  yes: 1\n  no: 2\n"
    (tmp_path / "wave.decide").write_text(tree, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["wave.tree", "wave.decide"])
def test_a_header_imports_nothing_and_names_the_way(gpkit, folder: Path, name: str) -> None:
    (folder / "ripple.py").write_text(HOSTILE, encoding="utf-8")
    found = gpkit("check", name)
    assert found.code == 1
    assert "error[E006]: there is no operator `ripple`" in found.out + found.err
    assert "name the file of the functions: `--primitives ./ripple.py`" in found.out + found.err
    assert not (folder / "imported").exists()
    assert gpkit("check", name, "--primitives", "ripple.py").code == 0
    assert (folder / "imported").exists()


def test_programs_are_drawn_and_laid_out_with_it(gpkit) -> None:
    assert "ripple\n   ├─ x: x" in gpkit("draw", "wave.tree", "--primitives", "ripple.py").out
    told = gpkit("export", "wave.tree", "--to", "lua", "--primitives", "ripple.py")
    assert told.code == 2
    assert 'gpkit.primitive(ripple, lua="...")' in told.err


@pytest.mark.release
def test_a_run_names_its_file_and_needs_it_again(gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    told = gpkit("evolve", "problem.py", "--out", "run", "--generations", 1)
    assert "there is no operator of formulas `ripple`" in told.err
    given = ("evolve", "problem.py", "--primitives", "ripple.py", "--out", "run", "--generations")
    found = gpkit(*given, 2)
    assert found.code == 0, found.err
    assert found.out.startswith("// problem: score\n// primitives: ripple.py\n")
    told = gpkit("report", "run", "-o", "run.html")  # `ripple` has no text in Lua
    assert told.code == 0, told.err
    monkeypatch.setattr(plugins, "here", plugins.Discovery(installed=plugins.here.installed))
    assert "--primitives FILE.py" in gpkit("evolve", "problem.py", "--resume", "--out", "run").err


@pytest.mark.release
def test_a_changed_file_is_refused_by_the_name_of_its_function(
    gpkit, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ("evolve", "problem.py", "--primitives", "ripple.py", "--out", "run", "--generations")
    assert gpkit(*given, 1, "--workers", 2).code == 0
    monkeypatch.setattr(plugins, "here", plugins.Discovery(installed=plugins.here.installed))
    (folder / "ripple.py").write_text(FILE.replace("math.sin", "math.cos"), encoding="utf-8")
    told = gpkit(*given, 2, "--resume")
    assert told.code == 2
    assert "the code of the primitive `ripple` has changed since the run started" in told.err
