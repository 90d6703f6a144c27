"""Modules that commands load: evolution no other game and nothing that draws, texts and pictures no compiler."""

import subprocess
import sys
from pathlib import Path

import pytest

MOST = 135
"""Modules of gpkit at most; lower it with their number."""

CODE = """
import sys
from gpkit.cli.main import main
assert main(["evolve", "sevens", "--generations", "0", "--seed", "1", "--out", "run"]) == 0
print(*[name for name in sys.modules if name.partition(".")[0] == "gpkit"])
"""


@pytest.mark.release
def test_evolution_loads_one_game_and_nothing_that_draws_or_exports(tmp_path: Path) -> None:
    loaded = subprocess.check_output([sys.executable, "-c", CODE], text=True, cwd=tmp_path).splitlines()[-1]
    names = [name.split(".") for name in loaded.split()]
    assert [name for name in names if name[1:2] in (["show"], ["export"])] == []
    slices = {tuple(name[1:3]) for name in names if name[1:2] in (["games"], ["languages"]) and len(name) > 2}
    assert slices == {("games", "sevens"), ("languages", "arithmetic")}
    assert len(names) <= MOST


TEXTS = """
import sys
from gpkit.cli.main import main
assert main(["check", *sys.argv[1:]]) == main(["fmt", *sys.argv[1:]]) == 0
assert all(main(["draw", name]) == 0 for name in sys.argv[1:])
print("numba" in sys.modules)
"""


def test_programs_are_checked_laid_out_and_drawn_without_a_compiler(tmp_path: Path) -> None:
    (tmp_path / "p.tree").write_text("// game: sevens\nplay: env.rank\nsend: env.dist\n")
    (tmp_path / "p.rules").write_text("# game: dots_and_boxes\ntake: x_0 w => x_0 - w\n")
    (tmp_path / "p.sink").write_text("// game: battleship\n\ntargeting:\n  Target\n  Shoot\n")
    (tmp_path / "p.plan").write_text("// game: build_order\ndo drone\n")
    (tmp_path / "p.decide").write_text("// game: build_order\norder: zerglings\n")
    names = sorted(path.name for path in tmp_path.iterdir())
    said = subprocess.check_output([sys.executable, "-c", TEXTS, *names], text=True, cwd=tmp_path)
    assert said.splitlines()[-1] == "False"
