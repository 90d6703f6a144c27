"""Games that a person saves in the terminal: ``gpkit trace`` follows them, whatever the defaults are later."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from gpkit.cli.main import main
from gpkit.core.registry import data_folder, game_of

NIM = str(data_folder("programs") / "games" / "nim.py")


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let a person type these lines."""
    text = "".join(f"{line}\n" for line in lines).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))


def followed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """The steps of a trace."""
    capsys.readouterr()
    assert main(["trace", *arguments, "--json"]) == 0
    _, *steps = map(json.loads, capsys.readouterr().out.splitlines())
    return steps


GAMES = {
    "sevens": (["sevens"], ["h", "no card", *["1"] * 60]),
    "boxes": (
        ["dots_and_boxes", "--rules", "board=2x1"],
        ["?", *("A1 t", "A1 l", "A1 r", "A1 b", "B1 t", "B1 r", "B1 b")],
    ),
    "battleship": (
        ["battleship", "--vs", "hunt", "--rules", "board=3x3", "--rules", "fleet=2"],
        ["A1 h", *(f"{column}{row}" for column in "abc" for row in "123")],
    ),
    "mastermind": (["mastermind", "--rules", "guesses=2"], ["1122", "", "3344"]),
    "nim": ([NIM], [f"{heap}{count}" for count in (5, 4, 3, 2, 1, 1) for heap in "abc"]),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_saved_game_is_followed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game, lines = GAMES[name]
    file = str(tmp_path / "game.json")
    typed(monkeypatch, *lines)
    assert main(["play", *game, "--seed", "5", "--save", file]) == 0
    out = capsys.readouterr().out
    own = ["--game", NIM] if name == "nim" else []
    assert " ".join(["gpkit trace", file, *own]) in out
    steps = followed(capsys, file, *own)
    saved = json.loads(Path(file).read_text(encoding="utf-8"))
    mine = [step["action"] for step in steps[1:] if step["player"] == 0]
    assert name == "sevens" or mine == saved["actions"]  # where cards have other names, and some are forced
    assert len(mine) >= len(saved["actions"]) > 0
    assert steps[-1]["scores"] is not None
    seats = {step["player"] for step in steps[1:]}
    assert len(seats) == (1 if name == "mastermind" else 3 if name == "sevens" else 2)
    rules = game_of("nim" if name == "nim" else game[0])
    assert saved["opponents"]  # so that no later default changes the game
    assert rules.make_rules(saved["rules"]).to_options() == saved["rules"]
    assert {option.name for option in rules.all_options} - set(saved["rules"]) <= {
        "variant"
    }  # a name for others


def test_each_game_of_a_session_has_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "game.json")
    command = ["play", "mastermind", "--rules", "guesses=1", "--seed", "5"]
    typed(monkeypatch, "1122", "y", "3344", "y", "q")
    assert main([*command, "--save", file]) == 0
    found = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()}
    assert {name: (each["deal"], each["actions"]) for name, each in found.items()} == {
        "game.json": (0, ["1122"]),
        "game-2.json": (1, ["3344"]),
    }
    assert followed(capsys, str(tmp_path / "game-2.json"))
    (tmp_path / "game.json").unlink()
    typed(monkeypatch, "1122", "y", "3344", "n")
    assert main([*command, "--save", file]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game-2.json", "game-3.json", "game.json"]
    capsys.readouterr()
    typed(monkeypatch, "1122", "y", "3344", "n")
    assert main(command) == 0
    assert capsys.readouterr().out.count("--save game.json") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["sevens", "--save", "game.txt"], "game.txt: the name of a game's file ends in .json"),
        (["sevens", "--save", "there.json"], "there.json exists already; name another file"),
        (["sevens", "--save", "no/game.json"], "no"),
        (["sevens", "--save", "game.json", "--web"], "--save cannot be combined with --web"),
        (
            ["mastermind", "--vs", "knuth", "--save", "game.json"],
            "only games in which you choose actions can be saved",
        ),
    ],
)
def test_what_cannot_be_saved_is_refused_first(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.json").write_text("{}")
    typed(monkeypatch)
    assert main(["play", *arguments]) == 2
    output = capsys.readouterr()
    assert told in output.err
    assert output.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]
