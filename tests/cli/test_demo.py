"""``gpkit demo``: everything is made, what cannot be made is named, and nothing is overwritten."""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from gpkit.app import demo_agents, showcase
from gpkit.app.demo_parts import Made, Part, Place
from gpkit.app.showcase import SHOWCASES, levels_of, showcase_parts
from gpkit.cli import demo
from gpkit.cli.main import main
from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES, LANGUAGES, data_folder
from gpkit.evolution.config import parse_config
from gpkit.evolution.history import read_history
from gpkit.export.lua.reader import read_program, read_roster
from gpkit.languages.arithmetic.parser import parse

SHOWN = ("sevens", "battleship")
PARTS = [
    "programs",
    *(f"{game} {part}" for game in SHOWN for part in ("evolve", "strength", "pictures", "lua")),
    "battleship players",
    "trees",
    "report",
]
FILES = {
    "report.html",
    "programs.txt",
    "sevens/config.toml",
    "sevens/champion.tree",
    "sevens/champion.svg",
    "sevens/simple.svg",
    "sevens/curves.svg",
    "sevens/champion.lua",
    "sevens/champion.conformance.jsonl",
    "sevens/computer.lua",
    "battleship/config.toml",
    "battleship/champion.sink",
    "battleship/champion.svg",
    "battleship/corrected.svg",
    "battleship/curves.svg",
    "battleship/champion.lua",
    "battleship/champion.conformance.jsonl",
    "battleship/champion-nested.lua",
    "battleship/champion-nested.conformance.jsonl",
    "battleship/belief.html",
    "build_order/8_pool.svg",
    "build_order/scout.svg",
    "build_order/timeline.svg",
    "sevens/champion-15.svg",
    "blue-nodes.svg",
}


QUICK = {"STRONGEST": "mcs:5", "SHOOTERS": {"reference": 4}, "LEARNER": "counts", "GAMES": 2}
"""Players of the part about agents that are quick."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The folder of a short demo and what it printed."""

    folder: Path
    out: str


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """A short demo, without the players that take long."""
    folder = tmp_path_factory.mktemp("demo")
    out = StringIO()
    with chdir(folder), redirect_stdout(out), pytest.MonkeyPatch.context() as patch:
        for name, value in QUICK.items():
            patch.setattr(demo_agents, name, value)
        assert main(["demo", "--generations", "1", "--workers", "1"]) == 0
    return Shown(folder / "gpkit-demo", out.getvalue())


@pytest.fixture(scope="module")
def made(shown: Shown) -> Path:
    """The folder of a short demo."""
    return shown.folder


def _names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.release
def test_everything_is_made(made: Path) -> None:
    files = {name for name in _names(made) if "/run/" not in name}
    assert files - {f"{game}/last-change.svg" for game in SHOWN} == FILES
    assert all((made / name).stat().st_size > 100 for name in FILES)
    for game in SHOWN:
        history = read_history(made / game / "run")
        assert [generation.generation for generation in history.generations] == [0, 1]
        assert parse_config((made / game / "config.toml").read_text(), {}) == history.config


@pytest.mark.release
def test_it_opens_with_what_was_made_on_one_screen(shown: Shown) -> None:
    lines = shown.out.splitlines()
    assert re.fullmatch(r"Made in gpkit-demo in \d+ s:", lines[0])
    assert len(lines) <= 22
    assert max(map(len, lines)) <= 80
    described = dict(re.findall(r"^  (\S+\.\w+)  +(.+)$", shown.out, re.MULTILINE))
    assert {"report.html", "programs.txt", "sevens/champion.tree", "battleship/champion.sink"} <= set(
        described
    )
    assert all((shown.folder / name).is_file() for name in described)
    assert re.fullmatch(
        r"win share 0\.\d{3} against random, 0\.\d{3} against simple", described["sevens/champion.tree"]
    )
    assert re.fullmatch(r"shots \d\d\.\d against uniform", described["battleship/champion.sink"])
    commands = re.findall(r"^  gpkit (\w+) .*?(gpkit-demo/\S+)", shown.out, re.MULTILINE)
    assert [name for name, _ in commands] == ["play", "trace"]
    assert all((shown.folder.parent / path).is_file() for _, path in commands)


@pytest.mark.release
def test_the_table_of_the_programs_is_a_file(shown: Shown) -> None:
    heading, *rows = (shown.folder / "programs.txt").read_text().splitlines()
    assert heading.split() == ["game", "program", "against", "metric", "mean", "95", "%", "interval"]
    assert {row.split()[0] for row in rows} == {entry.name for entry in GAMES}
    assert "own-minus-others" not in shown.out


@pytest.mark.release
def test_every_file_is_of_the_champion(made: Path) -> None:
    history = read_history(made / "sevens" / "run")
    champion = parse(history.champion.program).program
    folder = made / "sevens"
    assert parse((folder / "champion.tree").read_text()).program == champion
    assert read_program((folder / "champion.lua").read_text()) == champion
    levels = read_roster((folder / "computer.lua").read_text())
    assert list(levels) == ["easy", "medium", "hard", "expert"]
    assert levels == levels_of(history)
    assert levels["expert"][0] == champion
    assert all(len(specimens) == 3 for specimens in levels.values())


@pytest.mark.release
@pytest.mark.parametrize("name", ["sevens/champion", "battleship/champion", "battleship/champion-nested"])
def test_the_lua_module_passes_its_own_test(made: Path, name: str) -> None:
    lupa = pytest.importorskip("lupa")
    lua = lupa.LuaRuntime(unpack_returned_tuples=True)
    module = lua.execute((made / f"{name}.lua").read_text())
    assert module.selftest()[0] == 0


@pytest.mark.release
def test_the_page_holds_all_parts_and_needs_no_network(made: Path) -> None:
    text = (made / "report.html").read_text()
    headings = re.findall(r"<h2>(.*?)</h2>", text)
    assert headings == [
        "Programs that come along",
        *(
            f"{game.capitalize()}: {part}"
            for game, in_others in zip(SHOWN, ("in other languages", "in Lua"), strict=True)
            for part in (
                *("the champion", "the run", "lineage", "a game", in_others),
                "equal in every Lua",
            )
        ),
        "Battleship: players that think and adapt",
        "Plans, decision trees and a population",
    ]
    for program in (
        path.stem
        for game in GAMES
        for language in LANGUAGES
        for path in (data_folder("programs") / game.name).rglob(f"*{language.suffix}")
    ):
        assert f"<td>{program}</td>" in text
    assert all(link.startswith("#") for link in re.findall(r"(?:src|href)=[\"']?([^\"'> ]*)", text))
    assert len(text) < 2_000_000


def _part(name: str, result: Made | Exception, *needs: str) -> Part:
    def make(place: Place, before: Mapping[str, Made]) -> Made:
        if isinstance(result, Exception):
            raise result
        return result

    return Part(name, name.capitalize(), needs, make)


def test_what_is_missing_is_named_and_the_rest_is_made(
    tmp_path: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = (
        _part("first", Made("fine", files=("a.txt",))),
        _part("second", UsageError("no such thing")),
        _part("third", Made("never"), "second"),
        _part("fourth", Made("written", columns=("a", "b"), rows=(("x", 0.5),), problem="not equal")),
        _part("fifth", Made("fine too"), "first", "fourth"),
    )
    monkeypatch.setattr(demo, "PARTS", parts)
    outcome = gpkit("demo", "--out", tmp_path / "new")
    assert outcome.code == 1
    assert outcome.err.splitlines()[-3:] == [
        "missing: second: no such thing",
        "missing: third: second is missing",
        "missing: fourth: not equal",
    ]
    assert "[5/5] Fifth\n" in outcome.err
    assert re.findall(r"^  MISSING: (\w+)$", outcome.out, re.MULTILINE) == ["second", "third", "fourth"]
    assert "0.5000" not in outcome.out
    assert gpkit("demo", "--all", "--out", tmp_path / "all").out.endswith("a       b\nx  0.5000\n")
    data = json.loads(gpkit("demo", "--out", tmp_path / "other", "--json").out)
    assert data["schema"] == "gpkit/demo/1"
    assert data["missing"] == ["second", "third", "fourth"]
    assert [part["ok"] for part in data["parts"]] == [True, False, False, False, True]


def test_all_is_well(tmp_path: Path, gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "PARTS", (_part("only", Made("fine")),))
    monkeypatch.chdir(tmp_path)
    assert gpkit("demo").code == 0
    again = gpkit("demo", "--json")
    assert again.code == 0
    assert json.loads(again.out)["folder"] == "gpkit-demo-2"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gpkit-demo", "gpkit-demo-2"]


def test_nothing_is_overwritten(tmp_path: Path, gpkit) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    refused = gpkit("demo", "--out", tmp_path)
    assert refused.code == 2
    assert "is not empty (it holds mine.txt)" in refused.err
    assert _names(tmp_path) == {"mine.txt"}
    in_the_way = gpkit("demo", "--out", tmp_path / "mine.txt")
    assert in_the_way.code == 2
    assert "cannot use" in in_the_way.err


def test_the_parts_are_those_of_every_showcase() -> None:
    assert [part.name for part in demo.PARTS] == PARTS
    assert {showcase.game for showcase in SHOWCASES} <= {entry.name for entry in GAMES}
    for part in demo.PARTS:
        earlier = [other.name for other in demo.PARTS[: demo.PARTS.index(part)]]
        assert set(part.needs) <= set(earlier)


@pytest.mark.release
@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (UsageError("running Lua needs the package lupa: pip install lupa"), "needs the package lupa"),
        ("difference", "computer.lua in lua54: play() is 1 instead of 2"),
    ],
)
def test_lua_that_is_not_proved_is_missing(
    made: Path, monkeypatch: pytest.MonkeyPatch, failure: Any, words: str
) -> None:
    def check(subject: Any, to: str, mode: str, **_options: int) -> Any:
        if isinstance(failure, Exception):
            raise failure
        wrong = mode == "article"
        row = showcase.Row("lua54", 10, 0, int(wrong), "play() is 1 instead of 2" * wrong)
        return import_module("gpkit.export.check").Report((row,))

    monkeypatch.setattr(showcase, "check_export", check)
    (lua,) = (part for part in showcase_parts(SHOWCASES[0]) if part.name == "sevens lua")
    result = lua.make(Place(made, 1, 1, "1", demo.TERMINAL), {})
    assert words in result.problem
    assert set(result.files) <= FILES
    assert len(result.files) == 3


@pytest.mark.slow
def test_the_whole_demo_in_a_fresh_environment(tmp_path: Path) -> None:
    """Under three minutes with the first compilation, and the same bytes for one worker and two."""
    digests = []
    for workers in ("1", "2"):
        folder = tmp_path / workers
        environment = os.environ | {"GPKIT_CACHE_DIR": str(tmp_path / f"cache-{workers}")}
        began = time.monotonic()
        command = [
            sys.executable,
            "-m",
            "gpkit",
            "demo",
            "--out",
            str(folder),
            "--workers",
            workers,
            "--json",
        ]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert time.monotonic() - began < 180
        data = json.loads(done.stdout)
        assert data["missing"] == []
        held_out = {
            result["opponent"]: result["mean"]
            for part in data["parts"]
            for result in part["data"].get("held_out", [])
        }
        assert held_out["random"] > 0.82
        assert held_out["simple"] > 0.38
        names = [name for name in sorted(_names(folder)) if "/run/" not in name]
        digests.append({name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names})
    assert digests[0] == digests[1]
