"""Headless Neovim, set up as the documentation says, with the language server."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = "// game: sevens\nplay: env.rank * 2 // \N{PARTY POPPER}\nsend: env.rnk\n"


@pytest.mark.release
def test_neovim_gets_findings_meanings_and_completions(tmp_path: Path) -> None:
    neovim = shutil.which("nvim")
    if neovim is None:
        pytest.skip("there is no nvim on the path: apt-get install neovim")
    said = subprocess.run([neovim, "--version"], capture_output=True, text=True, check=True).stdout
    version = tuple(int(number) for number in re.findall(r"\d+", said)[:2])
    newer, older = re.findall(r"```lua\n(.*?)```", (ROOT / "docs/writers/editors.md").read_text(), re.DOTALL)
    (tmp_path / "init.lua").write_text(newer if version >= (0, 11) else older)
    (tmp_path / "a.tree").write_text(PROGRAM)
    environment = {
        **os.environ,
        **{name: str(tmp_path / name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")},
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "GPKIT_PROGRAM": str(tmp_path / "a.tree"),
        "GPKIT_ANSWERS": str(tmp_path / "answers.json"),
    }
    command = [
        neovim,
        "--headless",
        "-n",
        "-u",
        str(tmp_path / "init.lua"),
        "-S",
        str(ROOT / "tests/lsp/neovim.lua"),
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=90, check=False)
    assert (tmp_path / "answers.json").is_file(), done.stdout + done.stderr
    answers = json.loads((tmp_path / "answers.json").read_text())
    assert answers["filetype"] == "gpkit"
    (found,) = answers["found"]
    assert (found["line"], found["column"]) == (2, 6)
    assert "did you mean `env.rank`?" in found["message"]
    assert "the rank" in answers["hover"]["contents"]["value"]
    assert "env.rank" in [item["label"] for item in answers["completion"]["items"]]
    assert [symbol["name"] for symbol in answers["symbols"]] == ["play", "send"]
    assert [action["title"] for action in answers["actions"]] == ["Replace `env.rnk` by `env.rank`"]
