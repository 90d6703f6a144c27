"""The pages about Python tell the truth: their blocks run one after another and print what they show."""

import contextlib
import io
import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import gpkit
import gpkit.types
from gpkit.api.games import commands_of_games
from gpkit.core import plugins
from gpkit.core.registry import GAMES

ROOT = Path(__file__).parents[2]
PAGE = "".join((ROOT / "docs" / "python" / name).read_text("utf-8") for name in ("programs.md", "runs.md"))
BLOCKS = re.findall(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def notebook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder and a module of its own, in which the blocks run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "notebook", ModuleType("notebook"))
    monkeypatch.setattr(plugins, "here", plugins.Discovery(installed=plugins.here.installed))


def test_blocks_print_what_is_shown() -> None:
    for number, (code, shown) in enumerate(BLOCKS):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"<block {number}>", "exec"), vars(sys.modules["notebook"]))  # noqa: S102
        assert printed.getvalue().strip() == shown.strip(), f"block {number}\n{code}"
    assert len(BLOCKS) == PAGE.count("```python") > 5


def test_every_name_is_in_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "hooks"))
    text = import_module("python_reference").python_reference()
    listed = {
        *re.findall(r"^### gpkit\.([\w.]+)$", text, re.MULTILINE),
        *re.findall(r"`gpkit\.(\w+)`[,.]", text),
    }
    functions = {"list", *(each.__name__ for _, found in commands_of_games(GAMES) for each in found)}
    assert {*gpkit.__all__, *functions, *(f"types.{name}" for name in gpkit.types.__all__)} <= listed
    assert "Raises:" in text
    assert "``" not in text.replace("```", "")
