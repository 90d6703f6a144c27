"""``gpkit series --memory`` and ``gpkit agent``: kept game by game, through kills, damage and hostile folders."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile_folders import TRICKS, Trick, contents, hostile

from gpkit.cli.main import main
from gpkit.core import plain_files
from gpkit.core.rng import stream
from gpkit.core.work_folder import CURRENT, PREVIOUS, RUN
from gpkit.games.battleship.forms import memory as opponent_models
from gpkit.games.battleship.forms.memory import folder_of, remembered_series
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner import adaptive
from gpkit.games.battleship.learner.adaptive import EXPERIENCE, Adaptive, decode
from gpkit.games.battleship.learner.targeting import LearnerSettings
from gpkit.games.battleship.rules import BattleshipRules
from gpkit.playing.players import player_of_name

SMALL = ("--game", "battleship", "--rules", "board=6x6", "--rules", "fleet=3,2,2")
SERIES = ("series", "adaptive", "hunt:wall", *SMALL, "--games", "4", "--memory")


QUICK = Adaptive(LearnerSettings(generations=1, rounds=1, particles=10))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The adaptive player hardly evolves."""
    monkeypatch.setattr(adaptive, "ADAPTIVE", QUICK)


class Killed(BaseException):
    """End of the process, at least as far as the program can tell."""


def killed_after(writes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process end at a step of writing: files are opened, written through, and take their names."""
    left = iter(range(writes))

    def or_die(function):  # type: ignore[no-untyped-def]
        def call(*arguments, **named):  # type: ignore[no-untyped-def]
            if next(left, None) is None:
                raise Killed
            return function(*arguments, **named)

        return call

    monkeypatch.setattr(plain_files.os, "open", or_die(os.open))
    monkeypatch.setattr(plain_files.os, "fsync", or_die(os.fsync))
    monkeypatch.setattr(Path, "replace", or_die(Path.replace))


@pytest.mark.release
def test_a_series_survives_twenty_kills_and_ends_with_the_same_bytes(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(adaptive, "ADAPTIVE", Adaptive(LearnerSettings(generations=0, rounds=0, particles=5)))
    players = [player_of_name(name, GAME) for name in ("adaptive", "raster")]
    rules = GAME.make_rules({"mode": "duel", "board": "4x4", "fleet": "2,2"})

    def series(name: str) -> bytes:
        remembered_series(tmp_path / name, players, rules, seed=1, games=3, watch=lambda played: None)
        return (tmp_path / name / "raster" / CURRENT).read_bytes()

    whole = series("whole")
    moments = stream(5, "moments")
    kills = finished = 0
    while kills < 20:
        with pytest.MonkeyPatch.context() as patch:
            killed_after(int(moments.integers(30)), patch)
            try:
                series(f"killed-{finished}")
            except Killed:
                kills += 1
                continue
        assert series(f"killed-{finished}") == whole
        finished += 1
    assert series(f"killed-{finished}") == whole


@pytest.mark.slow
def test_a_series_survives_real_kills(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gpkit", *SERIES]
    subprocess.run([*command, str(tmp_path / "whole")], check=True, capture_output=True)
    expected = (folder_of(tmp_path / "whole", "hunt:wall") / CURRENT).read_bytes()
    moments = stream(6, "moments")
    kills = 0
    root = tmp_path / "killed"
    while kills < 20:
        process = subprocess.Popen(
            [*command, str(root)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(2.0 + 4.0 * moments.random())
        kills += process.poll() is None
        process.kill()
        if process.wait() == 0:
            assert (folder_of(root, "hunt:wall") / CURRENT).read_bytes() == expected
            root = tmp_path / f"killed-{kills}"
    subprocess.run([*command, str(root)], check=True, capture_output=True)
    assert (folder_of(root, "hunt:wall") / CURRENT).read_bytes() == expected


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with the memory of one opponent, as it was written."""
    root = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adaptive, "ADAPTIVE", QUICK)
        assert main([*SERIES, str(root)]) == 0
    return root


@pytest.fixture
def kept(tmp_path: Path, quick: None, played: Path) -> Path:
    """A copy of a root with the memory of one opponent."""
    return Path(shutil.copytree(played, tmp_path / "memories"))


@pytest.mark.release
def test_more_games_go_on_and_the_same_are_not_played_again(kept: Path, gpkit, monkeypatch) -> None:
    before = contents(folder_of(kept, "hunt:wall"))
    told = json.loads(gpkit(*SERIES, kept, "--json").out)["results"][0]
    after = contents(folder_of(kept, "hunt:wall"))
    assert after == before and told["games"] == 4
    longer = [*SERIES[:-2], "5", "--memory", kept, "--json"]
    told_longer = json.loads(gpkit(*longer).out)["results"][0]
    assert [each["mean"] for each in told_longer["by_game"][:4]] == [each["mean"] for each in told["by_game"]]
    assert told_longer["games"] == 5


def test_show_tells_and_draws_what_is_known(kept: Path, gpkit, tmp_path: Path) -> None:
    picture = tmp_path / "maps.svg"
    shown = gpkit("agent", "show", "hunt:wall", "--memory", kept, "-o", picture)
    assert shown.code == 0, shown.err
    assert "hunt:wall: 4 games" in shown.out and "where its ships are expected" in shown.out
    assert "targeting:\n  Target" in shown.out
    assert picture.read_text().count("<rect") > 2 * 36
    values = json.loads(gpkit("agent", "show", "hunt:wall", "--memory", kept, "--json").out)
    assert (values["schema"], values["games"]) == ("gpkit/agent/1", 4)
    assert {name: len(each) for name, each in values["densities"].items()} == dict.fromkeys(
        ("opponent", "received", "random", "own"), 36
    )


def test_export_writes_a_program_that_runs_and_densities(kept: Path, gpkit, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    assert gpkit("agent", "export", "hunt:wall", "--memory", kept, "-o", folder).code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["hunt-wall.json", "hunt-wall.sink"]
    assert json.loads((folder / "hunt-wall.json").read_text())["opponent"] == "hunt:wall"
    checked = gpkit("check", folder / "hunt-wall.sink")
    assert checked.code == 0, checked.out + checked.err
    lua = gpkit("export", folder / "hunt-wall.sink", "--to", "lua")
    assert lua.code == 0, lua.err


def test_reset_forgets_one_opponent(kept: Path, gpkit) -> None:
    folder = folder_of(kept, "hunt:wall")
    (folder / "notes.txt").write_text("my own")
    forgot = gpkit("agent", "reset", "hunt:wall", "--memory", kept)
    assert forgot.code == 0 and "forgot hunt:wall" in forgot.err
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    again = gpkit("agent", "reset", "hunt:wall", "--memory", kept)
    assert again.code == 2 and "holds no memory of hunt:wall" in again.err
    shown = gpkit("agent", "show", "hunt", "--memory", kept)
    assert shown.code == 2 and "has memories of nobody" in shown.err


def test_another_series_in_the_folder_is_refused(kept: Path, gpkit) -> None:
    other = gpkit(*SERIES, kept, "--seed", "1")
    assert other.code == 2 and "was started with --seed 0" in other.err
    larger = gpkit("series", "adaptive", "hunt:wall", "--game", "battleship", "--memory", kept)
    assert larger.code == 2 and "board" in larger.err
    assert gpkit("agent", "reset", "hunt:wall", "--memory", kept, "-o", "x").code == 2


def test_damage_is_told_with_its_place(kept: Path, gpkit) -> None:
    folder = folder_of(kept, "hunt:wall")
    (folder / CURRENT).write_text("{}")
    assert gpkit("agent", "show", "hunt:wall", "--memory", kept).code == 0, "the state before it"
    (folder / PREVIOUS).write_text("{")
    told = gpkit("agent", "show", "hunt:wall", "--memory", kept)
    assert told.code == 2 and str(folder / CURRENT) in told.err


@pytest.mark.parametrize("name", [RUN, CURRENT])
@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__)
def test_hostile_folders_lead_nowhere(kept: Path, tmp_path: Path, name: str, trick: Trick, gpkit) -> None:
    copy, outside = hostile(folder_of(kept, "hunt:wall"), tmp_path, name, trick)
    before = contents(outside)
    for command in (("show",), ("reset",)):
        done = gpkit("agent", *command, "run", "--memory", copy.parent)
        assert done.code == 2, done.out
    assert contents(outside) == before


def test_values_of_another_shape_are_refused(kept: Path) -> None:
    known = opponent_models.read_opponent_model(kept, "hunt:wall")
    values = EXPERIENCE.write(known.experience)
    rules = known.rules
    assert decode(json.loads(json.dumps(values)), rules) == known.experience
    for change, message in (
        ({"saved": [[0, 0, 0]]}, "not a legal fleet"),
        ({"waves": [[[1.0, 2.0]]]}, "a list of 4 values"),
        ({"programs": [["targeting:", "  Fire"]]}, r"programs\[0\]: "),
        ({"programs": []}, "no waves or programs"),
        ({"games": -1}, "games = -1: expected 0 to 1,000,000"),
        ({"seen": {"ships": [0], "known": [0]}}, "each of the 36 squares"),
    ):
        with pytest.raises(ValueError, match=message):
            decode({**values, **change}, rules)
    with pytest.raises(ValueError, match="each of the 100 squares"):
        decode(values, BattleshipRules())
