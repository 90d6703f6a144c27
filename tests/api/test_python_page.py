"""The page about Python tells the truth: its blocks run one after another and print what it shows."""

import contextlib
import io
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import gpkit
from gpkit.core import plugins

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def notebook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder and a module of its own, in which the blocks run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "notebook", ModuleType("notebook"))
    monkeypatch.setattr(plugins, "here", plugins.Discovery())


def test_blocks_print_what_is_shown() -> None:
    for number, (code, shown) in enumerate(BLOCKS):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"<block {number}>", "exec"), vars(sys.modules["notebook"]))  # noqa: S102
        assert printed.getvalue().strip() == shown.strip(), f"block {number}\n{code}"
    assert len(BLOCKS) == PAGE.count("```python") > 5


def test_every_name_is_listed() -> None:
    assert re.findall(r"^\| `(\w+)", PAGE, re.MULTILINE) == gpkit.__all__
