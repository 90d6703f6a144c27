"""``gpkit demo``: its commands are gpkit's own, what they cannot make is named, and nothing is overwritten."""

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import pytest
from lupa.lua54 import LuaRuntime

from gpkit.cli import demo
from gpkit.cli.commands import gpkit_command
from gpkit.cli.main import EXIT_KEYBOARD
from gpkit.core.errors import EXIT_INTERRUPTED, UsageError
from gpkit.core.registry import GAMES
from gpkit.evolution.history import read_history
from gpkit.export.subject import programs_in
from gpkit.gamekit.forms import DemoRun
from gpkit.languages.arithmetic.text import parse

MADE = {"champion.svg", "champion.lua", "champion.conformance.jsonl", "report.html"}

CPU_SECONDS = 30
"""The most that the short demo may take in all its processes, from an empty kernel cache."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The folder of a demo, what it printed, and the processor's seconds that it took."""

    folder: Path
    out: str
    err: str
    seconds: float


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The short demo, as a person meets it first: in a process of its own, without compiled kernels."""
    folder = tmp_path_factory.mktemp("demo")
    environment = os.environ | {"GPKIT_CACHE_DIR": str(folder / "cache"), "NO_COLOR": "1"}
    before = _children()
    done = subprocess.run(
        [sys.executable, "-m", "gpkit", "demo"],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Shown(folder / demo.FOLDER, done.stdout, done.stderr, _children() - before)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.release
def test_the_short_demo_is_short_with_nothing_compiled_before(shown: Shown) -> None:
    assert shown.seconds < CPU_SECONDS
    assert "compiling the kernels of sevens, once" in shown.err
    assert re.search(r"^compiling kernels took \d+ of these \d+ s; it happens only once$", shown.err, re.M)
    assert re.search(r"^6 commands in \d+ s; .* Compiling kernels took \d+ s of it", shown.out, re.M)


@pytest.mark.release
def test_it_prints_its_commands_and_what_they_print(shown: Shown) -> None:
    lines = re.findall(r"^\$ gpkit (\w+) ", shown.out, re.MULTILINE)
    assert lines == ["run", "trace", "evolve", "draw", "export", "report"]
    assert all(name in shown.out for name in ("own-minus-others  simple", "champion  lua54", "play: "))
    played = re.search(r"^  gpkit play sevens --vs (\S+)$", shown.out, re.MULTILINE)
    assert played is not None
    assert (shown.folder.parent / played[1]).is_file()


@pytest.mark.release
def test_what_it_makes_is_of_the_champion(shown: Shown) -> None:
    assert {path.name for path in shown.folder.iterdir()} == MADE | {"player"}
    champion = parse(read_history(shown.folder / "player").champion.program).program
    assert parse((shown.folder / "player/best/champion.tree").read_text()).program == champion
    lua = (shown.folder / "champion.lua").read_text()
    ((_, text),) = programs_in(lua, "champion.lua", ".lua")
    assert parse(text).program == champion
    assert LuaRuntime(unpack_returned_tuples=True).execute(lua).selftest()[0] == 0
    assert json.loads((shown.folder / "player/run.json").read_text())["argv"][0] == "evolve"
    page = (shown.folder / "report.html").read_text()
    assert all(link.startswith("#") for link in re.findall(r"(?:src|href)=[\"']?([^\"'> ]*)", page))


@pytest.mark.slow
def test_the_full_demo_shows_every_game(tmp_path: Path, gpkit) -> None:
    """Some minutes."""
    outcome = gpkit("demo", "--full", "--json", "--out", tmp_path / "new")
    assert outcome.code == 0
    data = json.loads(outcome.out)
    assert data["missing"] == []
    assert len(data["commands"]) == 6 * len(GAMES)
    for game in GAMES:
        names = {path.name for path in (tmp_path / "new" / game.name).iterdir()}
        assert names == MADE | {"player", "game.html"}


@pytest.mark.parametrize(
    ("game", "course"), [*demo.courses(full=False).items(), *demo.courses(full=True).items()]
)
def test_every_command_is_one_that_can_be_typed(game: str, course: DemoRun, tmp_path: Path) -> None:
    for step in demo.steps(game, course, tmp_path, workers=2):
        name, *arguments = step.arguments
        with click.Context(gpkit_command, info_name="gpkit") as context:
            command = gpkit_command.get_command(context, name)
            assert command is not None
            command.make_context(name, arguments, parent=context)


def test_the_full_demo_is_about_every_game() -> None:
    full = demo.courses(full=True)
    assert [*full] == [entry.name for entry in GAMES]
    assert None not in full.values()


FIRST = demo.Step("What is there?", ("list", "games"), "")
MISSING = demo.Step("Is it well?", ("check", "no-such.tree"), "")
LAST = demo.Step("What is new?", ("new", "arithmetic", "--game", "sevens"), "")


def _show(monkeypatch: pytest.MonkeyPatch, *steps: demo.Step) -> None:
    """Let the demo be these commands."""
    monkeypatch.setattr(demo, "steps", lambda game, course, folder, workers: steps)


def test_what_is_missing_is_named_and_the_rest_is_made(
    tmp_path: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    _show(monkeypatch, FIRST, MISSING, LAST)
    outcome = gpkit("demo", "--out", tmp_path / "new")
    assert outcome.code == 1
    assert "there is no file no-such.tree" in outcome.err
    assert outcome.err.endswith("failed: gpkit check no-such.tree (exit code 2)\n")
    told = ["What is there?", "$ gpkit list games", "$ gpkit check no-such.tree", "// game: sevens"]
    places = [
        outcome.out.index(text) for text in (*told, "3 commands in ", "FAILED: gpkit check no-such.tree")
    ]
    assert places == sorted(places)
    data = json.loads(gpkit("demo", "--out", tmp_path / "other", "--json").out)
    assert (data["schema"], data["missing"]) == ("gpkit/demo/2", ["gpkit check no-such.tree"])
    assert [each["code"] for each in data["commands"]] == [0, 2, 0]
    assert "mastermind" in data["commands"][0]["printed"]


@pytest.mark.parametrize("code", [EXIT_INTERRUPTED, EXIT_KEYBOARD])
def test_an_interrupt_ends_it(tmp_path: Path, gpkit, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    begun: list[Sequence[str]] = []

    def carry_out(arguments: Sequence[str]) -> int:
        begun.append(arguments)
        return code

    _show(monkeypatch, FIRST, LAST)
    monkeypatch.setattr(demo, "carry_out", carry_out)
    assert gpkit("demo", "--out", tmp_path / "new").code == code
    assert begun == [FIRST.arguments]


def test_what_needs_a_tool_that_is_not_here_is_left_out(
    tmp_path: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_hosts() -> None:
        raise UsageError("no Lua")

    monkeypatch.setattr("gpkit.show.render.renderers", lambda: ())
    monkeypatch.setattr("gpkit.export.lua.hosts.hosts", no_hosts)
    _show(monkeypatch, FIRST, replace(MISSING, needs="Graphviz"), replace(LAST, needs="Lua"))
    outcome = gpkit("demo", "--out", tmp_path / "new")
    assert outcome.code == 0
    assert "left out, because it needs Graphviz: gpkit check no-such.tree; pip install" in outcome.err
    assert "left out, because it needs Lua: gpkit new arithmetic" in outcome.err
    assert "1 command in " in outcome.out


def test_all_is_well(tmp_path: Path, gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    _show(monkeypatch, FIRST)
    monkeypatch.chdir(tmp_path)
    assert gpkit("demo").code == 0
    again = gpkit("demo", "--json")
    assert again.code == 0
    assert json.loads(again.out)["folder"] == "gpkit-demo-2"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gpkit-demo", "gpkit-demo-2"]
