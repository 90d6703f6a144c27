"""Programs that come with gpkit go by their names wherever a program is taken."""

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from case_files import case_text

from gpkit.core.registry import GAMES, data_folder, shipped_programs


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("line", case_text("shipped_names.txt").splitlines())
def test_every_command_takes_names(line: str, gpkit) -> None:
    outcome = gpkit(*shlex.split(line))
    assert outcome.code in (0, 1), outcome.err
    assert "error:" not in outcome.err


@pytest.mark.parametrize(
    "command", [("run",), ("draw",), ("check",), ("fmt", "--check"), ("export", "--to", "lua")]
)
def test_a_name_of_several_games_lists_them(command: Sequence[str], gpkit) -> None:
    games = [entry.name for entry in GAMES if "champion" in shipped_programs(entry.name)]
    assert len(games) > 1
    outcome = gpkit(*command, "champion")
    assert outcome.code == 2
    assert f"`champion` is a program of {', '.join(games[:-1])} and {games[-1]}" in outcome.err
    assert "--game sevens" in outcome.err


def test_the_game_of_the_others_says_which_is_meant(gpkit) -> None:
    Path("own.tree").write_text("// game: sevens\nplay: env.depth\nsend: env.dist\n")
    outcome = gpkit("compare", "champion", "own.tree", "--games", "3")
    assert "champion" in outcome.out
    assert "sevens" in outcome.err


def test_a_path_is_the_file_and_a_word_the_shipped_program(gpkit) -> None:
    Path("textbook").write_text("targeting:\n  Target\n")
    assert "IfHit" in gpkit("draw", "textbook").out
    assert "IfHit" not in gpkit("draw", "./textbook", "--lang", "sinking", "--game", "battleship").out
    Path("textbook.sink").write_text("targeting:\n  Shoot\n")
    assert "IfHit" not in gpkit("draw", "textbook.sink").out


def test_the_table_shows_the_name(gpkit) -> None:
    assert gpkit("run", "hoarder", "--games", "3").out.split("\n")[1].startswith("hoarder ")


def test_shipped_programs_are_never_laid_out_in_place(gpkit) -> None:
    before = shipped_programs("battleship")["hunt"].read_text()
    outcome = gpkit("fmt", "hunt")
    assert outcome.code == 2
    assert (
        outcome.err
        == "error: `hunt` comes with gpkit and stays unchanged; --diff shows how it would be formatted\n"
    )
    assert shipped_programs("battleship")["hunt"].read_text() == before


def test_rules_are_taken_by_match(gpkit) -> None:
    assert (
        gpkit("match", "hunt").err == "error: dots_and_boxes has no program `hunt`, but battleship has one\n"
    )
    assert gpkit("match", "greedy", "--board", "1x2").out.split("\n")[1].startswith("take ")


def test_list_programs_shows_the_names(gpkit) -> None:
    out = gpkit("list", "programs", "--game", "sevens").out
    assert [line.split()[0] for line in out.split("\n")[1:-1]] == list(shipped_programs("sevens"))


@pytest.mark.release
def test_only_the_game_that_is_needed_is_imported() -> None:
    code = """
import sys
from gpkit.playing.named import game_for, read_named
assert game_for(read_named([sys.argv[1]], None, game=sys.argv[2] or None), None).name == "sevens"
print(*[each for each in sys.modules if each.startswith("gpkit.games.") and each.endswith(".game")])
"""
    for spec, game in (
        (str(data_folder("programs") / "sevens" / "champion.tree"), ""),
        ("champion", "sevens"),
    ):
        command = [sys.executable, "-c", code, spec, game]
        assert subprocess.check_output(command, text=True).split() == ["gpkit.games.sevens.game"]
