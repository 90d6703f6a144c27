"""What the tests of exports share: programs of Sevens, and the tools of Lua."""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gpkit.core.registry import data_folder
from gpkit.export.subject import Subject
from gpkit.games.sevens.primitives import PRIMITIVES
from gpkit.languages.arithmetic.text import parse

ALL_OPERATORS = """// game: sevens
// seed: 7
play: 5.0 * env.selfblock - min(env.block, 3.5) * math.random() + ifle(env.hand, env.smallest, -env.rank, env.run)
send: floor(env.dist * env.dist / env.left) + sqrt(abs(env.next - env.previous)) + max(env.receiver, math.random())
"""

PROGRAMS = ("medium", "simple", "thrifty", "opponents/hold", "opponents/random", "opponents/own-minus-others")


def subject_of(text: str, name: str = "sample", rules: dict[str, str] | None = None) -> Subject:
    """What is exported of a program file for Sevens."""
    source = parse(text)
    return Subject(source.program, name, dict(source.header), PRIMITIVES, rules or {})


@pytest.fixture(scope="session")
def sevens() -> Callable[..., Subject]:
    """Makes a subject of a program's text."""
    return subject_of


@pytest.fixture(scope="session")
def sample() -> Subject:
    """A program that uses every operator."""
    return subject_of(ALL_OPERATORS)


@pytest.fixture(scope="session", params=PROGRAMS)
def shipped(request: pytest.FixtureRequest) -> Subject:
    """Each of some program files that come with the package."""
    path = data_folder("programs") / "sevens" / f"{request.param}.tree"
    return subject_of(path.read_text(encoding="utf-8"), path.stem)


def tool(name: str) -> str:
    """The path of a program, which may have come with a package of Node: in ``.bin`` of NODE_PATH; or skip."""
    folders = [os.environ.get("PATH", ""), str(Path(os.environ.get("NODE_PATH", "/none")) / ".bin")]
    path = shutil.which(name, path=os.pathsep.join(folders))
    if path is None:
        pytest.skip(f"{name} is not on the path")
    return path


def complaints(command: list[str], folder: Path) -> str:
    """What a tool says about the files of a folder; empty if it is content."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.fixture
def luacheck(tmp_path: Path) -> Callable[[Mapping[str, str], str], str]:
    """What luacheck says, with the globals of a ``std``, about texts by their file names."""

    def run(texts: Mapping[str, str], std: str) -> str:
        for name, text in texts.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        command = [tool("luacheck"), "--quiet", "--no-config", "--no-color", "--std", std, "."]
        return complaints(command, tmp_path)

    return run


@pytest.fixture
def stylua(tmp_path: Path) -> Callable[[Mapping[str, str]], str]:
    """What StyLua would change in texts by their file names, which say whether they are Lua or Luau."""

    def run(texts: Mapping[str, str]) -> str:
        for name, text in texts.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        command = [tool("stylua"), "--check", "--verify", "--no-editorconfig", "."]
        return "".join(
            complaints([*command, "--syntax", syntax, "-g", pattern], tmp_path)
            for syntax, pattern in (("Lua51", "**/*.lua"), ("Luau", "**/*.luau"))
            if any(Path(name).match(pattern) for name in texts)
        )

    return run
