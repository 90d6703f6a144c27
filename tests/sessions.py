"""Sessions of documents: their commands run as printed, and print what is shown.

A ``console`` block is a session: lines after ``$ `` are commands, the lines below a command are what it prints (both
streams); ``...`` stands for any text, a line of ``...`` for any lines. A comment before a block says what it is:

    <!-- file: NAME -->        the block is written to that file
    <!-- more: NAME -->        the block is added to the end of that file
    <!-- exit: 1 -->           the command ends with that exit code
    <!-- typed: b2; q -->      the lines that are typed while it runs
    <!-- not run: REASON -->   the block is only shown

``gpkit``, ``python``, ``lua`` and ``love`` run inside this process, so that nothing is imported or compiled twice; any
other command in a shell.
"""

import io
import os
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import lupa.lua54

from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.evolution import parts

SECONDS = 300
FRAMES = 200
"""Frames of a game for LÖVE that are run."""

ENVIRONMENT = {"NO_COLOR": "1", "COLUMNS": "100"}
PRINT = """
function print(...)
    local texts = {}
    for place = 1, select("#", ...) do texts[place] = tostring((select(place, ...))) end
    write(table.concat(texts, "\\t"))
end
"""
"""Lua's function, for Python's standard output."""

LOVE = Path(__file__).parent / "love.lua"


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: the comment before it as (key, value), its language, its text."""

    key: str
    value: str
    language: str
    text: str

    @property
    def is_session(self) -> bool:
        """Whether it is run."""
        return self.language == "console" and self.key != "not run"


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a session and what it prints; no lines mean that nothing of it is shown."""

    line: str
    printed: str


def blocks(markdown: str) -> Iterator[Block]:
    """The fenced blocks of a document."""
    pattern = r"(?:<!-- (file|more|exit|typed|not run): (.+?) -->\n)?^```(\w*)\n(.*?)^```$"
    for key, value, language, text in re.findall(pattern, markdown, re.MULTILINE | re.DOTALL):
        yield Block(key, value, language, text)


def commands(session: str) -> list[Command]:
    """The commands of a console block."""
    parts = re.split(r"^\$ ", session, flags=re.MULTILINE)
    assert parts[0] == "", "a console block starts with a command"
    found = []
    for part in parts[1:]:
        line = re.match(r"(?:.*\\\n)*.*\n", part)
        assert line is not None
        found.append(Command(line[0].strip(), part[line.end() :].strip("\n")))
    return found


def write_files(given: Iterable[Block], folder: Path) -> None:
    """Write the blocks that are files."""
    for block in given:
        if block.key in ("file", "more"):
            path = folder / block.value
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w" if block.key == "file" else "a", encoding="utf-8") as file:
                file.write(block.text)


def follow(given: Iterable[Block], folder: Path) -> None:
    """Do what a reader does, block by block: write files, and run commands, which must print what is shown."""
    for block in given:
        write_files([block], folder)
        if block.is_session:
            for command in commands(block.text):
                typed = block.value.split("; ") if block.key == "typed" else []
                code, printed = _run(command.line, folder, typed)
                told = f"$ {command.line}\n{printed}"
                assert code == (int(block.value) if block.key == "exit" else 0), told
                assert not command.printed or _matches(command.printed, printed), told


def _matches(shown: str, printed: str) -> bool:
    """Whether what is shown, with its ellipses, is what was printed."""
    pattern = re.escape(shown).replace(re.escape("..."), ".*?")
    return re.fullmatch(pattern, printed.strip("\n"), re.DOTALL) is not None


def _run(line: str, folder: Path, typed: list[str]) -> tuple[int, str]:
    """The exit code of a command, and what it prints."""
    name, *arguments = shlex.split(line.replace("\\\n", ""))
    if name not in PROGRAMS or set(arguments) & {"|", "&&", ";"}:
        return _in_shell(line, folder)
    target = arguments[-1] if arguments[-2:-1] == [">"] else None
    printed = _stream("")
    with ExitStack() as around:
        around.enter_context(chdir(folder))
        around.enter_context(patch.dict(os.environ, ENVIRONMENT))
        around.enter_context(patch.object(sys, "stdin", _stream("".join(f"{line}\n" for line in typed))))
        around.enter_context(redirect_stderr(printed))
        out = around.enter_context(Path(target).open("w", encoding="utf-8")) if target else printed
        around.enter_context(redirect_stdout(out))
        around.enter_context(
            patch.object(plugins, "here", plugins.Discovery(installed=plugins.here.installed))
        )
        around.enter_context(_parts_are_taken_back())
        code = PROGRAMS[name](arguments[:-2] if target else arguments)
        out.flush()
        return code, printed.buffer.getvalue().decode()  # type: ignore[attr-defined]


@contextmanager
def _parts_are_taken_back() -> Iterator[None]:
    """Parts of evolution that a command registers are unknown to the next one."""
    known = {of: set(table) for of, table in parts._REGISTERED.items()}
    yield
    for of, table in parts._REGISTERED.items():
        for name in [name for name, part in table.items() if part.version]:
            if name not in known.get(of, ()):
                del table[name]


def _stream(text: str) -> io.TextIOWrapper:
    """A standard stream, with what is to be read from it."""
    return io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8", write_through=True)


def _in_shell(line: str, folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=os.environ
        | ENVIRONMENT
        | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return done.returncode, done.stdout


def _python(arguments: list[str]) -> int:
    with (
        patch.object(sys, "path", [str(Path(arguments[0]).resolve().parent), *sys.path]),
        patch.object(sys, "argv", arguments),
    ):
        runpy.run_path(arguments[0], run_name="__main__")
    return 0


def _lua(arguments: list[str]) -> int:
    lua_state().execute(Path(arguments[0]).read_text(encoding="utf-8"))
    return 0


def _love(_arguments: list[str]) -> int:
    """Begin a game for LÖVE with one number, and let it run without a window."""
    state = lua_state()
    state.globals().love = state.execute(LOVE.read_text(encoding="utf-8"))
    state.execute(Path("main.lua").read_text(encoding="utf-8"))
    state.execute(f"""
        love.load({{ "1" }})
        for _ = 1, {FRAMES} do love.update(0.1); love.draw() end
        print(table.concat(love.printed, "\\n"))
    """)
    return 0


def lua_state() -> Any:
    """A Lua that prints as Python does, and finds modules in this folder."""
    state = lupa.lua54.LuaRuntime()
    state.globals().write = lambda line: sys.stdout.write(f"{line}\n")
    state.execute(PRINT)
    state.globals().package.path = "./?.lua"
    return state


PROGRAMS: Mapping[str, Callable[[list[str]], int]] = {
    "gpkit": main,
    "python": _python,
    "lua": _lua,
    "love": _love,
}
"""Commands that run inside this process, with what follows their name."""
