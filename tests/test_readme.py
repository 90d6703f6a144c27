"""The README tells the truth: its commands run as printed and print what it shows, its tables are the registries.

A ``console`` block is a session: lines after ``$ `` are commands, the lines below a command are what it prints (both
streams); ``...`` stands for any text, a line of ``...`` for any lines. The blocks below a heading run one after another
in a folder of their own, which holds the files of all headings. A comment before a block changes what is done with it:

    <!-- file: NAME -->        the block is written to that file
    <!-- exit: 1 -->           the command ends with that exit code
    <!-- not run: REASON -->   the block is only shown
    <!-- table: NAME -->       the table below is that of the registry
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gpkit.cli.main import COMMANDS
from gpkit.core.registry import GAMES, LANGUAGES, PAPERS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
INSTALL = "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/"
SECONDS = 300


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: the comment before it as (key, value), its language, its text."""

    key: str
    value: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a session and what it prints; no lines mean that the README shows nothing of it."""

    line: str
    printed: str


def _blocks(markdown: str) -> Iterator[Block]:
    pattern = r"(?:<!-- (file|exit|not run): (.+?) -->\n)?^```(\w*)\n(.*?)^```$"
    for key, value, language, text in re.findall(pattern, markdown, re.MULTILINE | re.DOTALL):
        yield Block(key, value, language, text)


def _commands(session: str) -> list[Command]:
    parts = re.split(r"^\$ ", session, flags=re.MULTILINE)
    assert parts[0] == "", "a console block starts with a command"
    commands = []
    for part in parts[1:]:
        line = re.match(r"(?:.*\\\n)*.*\n", part)
        assert line is not None
        commands.append(Command(line[0].strip(), part[line.end() :].strip("\n")))
    return commands


def _matches(shown: str, printed: str) -> bool:
    """Whether what is shown, with its ellipses, is what was printed."""
    pattern = re.escape(shown).replace(re.escape("..."), ".*?")
    return re.fullmatch(pattern, printed.strip("\n"), re.DOTALL) is not None


def _run(command: Command, folder: Path, code: int) -> None:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
    done = subprocess.run(
        ["bash", "-c", command.line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == code, f"$ {command.line}\n{done.stdout}"
    if command.printed:
        assert _matches(command.printed, done.stdout), f"$ {command.line}\n{done.stdout}"


def _chapters() -> dict[str, list[Block]]:
    """By heading the blocks below it, of those that run something."""
    parts = re.split(r"^##+ (.+)\n", README, flags=re.MULTILINE)
    chapters = {heading: list(_blocks(text)) for heading, text in zip(parts[1::2], parts[2::2], strict=True)}
    return {heading: blocks for heading, blocks in chapters.items() if any(map(_is_session, blocks))}


def _is_session(block: Block) -> bool:
    return block.language == "console" and block.key != "not run"


def _write_files(folder: Path) -> None:
    for block in _blocks(README):
        if block.key == "file":
            path = folder / block.value
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")


CHAPTERS = _chapters()


@pytest.mark.parametrize("heading", CHAPTERS)
def test_sessions_run_as_printed(heading: str, tmp_path: Path) -> None:
    _write_files(tmp_path)
    for block in filter(_is_session, CHAPTERS[heading]):
        for command in _commands(block.text):
            _run(command, tmp_path, int(block.value) if block.key == "exit" else 0)


def test_every_session_stands_below_a_heading() -> None:
    below = [block for blocks in CHAPTERS.values() for block in blocks if _is_session(block)]
    assert below == [block for block in _blocks(README) if _is_session(block)]


def test_set_up_is_two_commands_and_the_second_is_what_ci_runs() -> None:
    assert f"{INSTALL}gpkit demo\n" in README
    assert f"{INSTALL}python -m pytest -q\n" in README
    assert "uv run gpkit demo" in README
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "install -q -e '.[dev]'" in script
    assert 'python" -m pytest -q' in script


TABLES = {
    "commands": [("command", "what it does"), *((f"`gpkit {line.name}`", line.help) for line in COMMANDS)],
    "games": [("game", "what it is"), *((f"`{e.name}`", e.title) for e in GAMES)],
    "languages": [
        ("language", "files", "what it is"),
        *((f"`{e.name}`", f"`{e.suffix}`", e.title) for e in LANGUAGES),
    ],
    "papers": [("paper", "source"), *((f"`{e.name}`", e.title) for e in PAPERS)],
}


@pytest.mark.parametrize("name", TABLES)
def test_table_is_that_of_the_registry(name: str) -> None:
    (heading, *rows) = (f"| {' | '.join(row)} |" for row in TABLES[name])
    rule = "|---" * len(TABLES[name][0]) + "|"
    expected = "\n".join([f"<!-- table: {name} -->", heading, rule, *rows])
    assert f"{expected}\n\n" in README, f"the table of {name} should be\n\n{expected}"


def test_links_to_files_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", README):
        assert (ROOT / target).exists(), target
