"""Modules that evolution for one game loads: no other game or language, and nothing that draws or exports."""

import subprocess
import sys
from pathlib import Path

MOST = 184
"""Modules of gpkit at most; lower it with their number."""

CODE = """
import sys
from gpkit.cli.main import main
assert main(["evolve", "sevens", "--generations", "0", "--seed", "1", "--out", "run"]) == 0
print(*[name for name in sys.modules if name.partition(".")[0] == "gpkit"])
"""


def test_evolution_loads_one_game_and_nothing_that_draws_or_exports(tmp_path: Path) -> None:
    loaded = subprocess.check_output([sys.executable, "-c", CODE], text=True, cwd=tmp_path).splitlines()[-1]
    names = [name.split(".") for name in loaded.split()]
    assert [name for name in names if name[1:2] in (["draw"], ["export"])] == []
    slices = {tuple(name[1:3]) for name in names if name[1:2] in (["games"], ["languages"]) and len(name) > 2}
    assert slices == {("games", "sevens"), ("languages", "arithmetic")}
    assert len(names) <= MOST
