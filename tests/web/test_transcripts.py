"""Transcripts of persons' games: kept on a page, read by ``gpkit trace``, and the same game again."""

import html
import json
import re
from pathlib import Path

import pytest
from web_clients import guest

from gpkit.cli.main import main
from gpkit.gamekit.view import Overlay
from gpkit.playing.session import SUFFIX, GameSetup, conversation_of, new_session
from gpkit.web.play_table import SAVED, save_game, seated, table_named
from gpkit.web.site import open_site

PART = {"hx-request": "true"}


@pytest.mark.parametrize(
    ("game", "rules", "opening"),
    [
        pytest.param("sevens", {}, [], marks=pytest.mark.release),
        ("battleship", {"vs": "hunt", "rule.board": "6x6", "rule.fleet": "3,2"}, ["F1 v", "A3"]),
        pytest.param("mastermind", {}, [], marks=pytest.mark.release),
        pytest.param("dots_and_boxes", {}, [], marks=pytest.mark.release),
    ],
)
def test_game_is_read_from_its_transcript(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, rules: dict[str, str], opening: list[str]
) -> None:
    client, site = guest(tmp_path)
    path = client.post(f"/play/{game}", params={"seed": "5", **rules}).headers["location"]
    assert client.get(f"/trace?table={path.rpartition('/')[2]}").status_code == 400  # what is hidden stays so
    for number, typed in enumerate(opening):
        client.post(f"{path}/act", data={"turn": str(number), "text": typed}, headers=PART)
    table = site.tables.get(path.rpartition("/")[2])
    assert not table.session.answers
    while not (state := table.session.state).is_terminal:
        action = str(state.legal_actions()[0])
        client.post(f"{path}/act", data={"turn": str(table.turn), "action": action}, headers=PART)
    file = tmp_path / "game.json"
    file.write_text(client.get(f"{path}/transcript").text, encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8"))["opening"] == opening
    assert main(["trace", str(file), "--json", "--until", "over"]) == 0
    head, *steps = map(json.loads, capsys.readouterr().out.splitlines())
    assert (head["game"], head["seed"]) == (game, 5)
    assert steps[-1]["scores"] == list(table.session.state.returns())
    assert len(steps) > len(table.session.actions)
    client, _ = guest(tmp_path)  # the server was started again
    assert "Play again" in client.get(path).text
    query = f"table={path.rpartition('/')[2]}"
    page = client.get(f"/trace?{query}").text
    assert f'data-last="{len(steps) - 1}"' in page
    parts = [html.unescape(client.get(f"/trace/step?{query}&step={k}").text) for k in range(len(steps))]
    for part, step in zip(parts, steps, strict=True):
        happened = f"{step['words'][:1].upper()}{step['words'][1:].removesuffix('.')}."
        told = re.search(r"<h2>What happened</h2>\s*<p>(.*?)</p>", part)
        assert told is not None
        assert told[1].lower() == happened.lower()
    hints = [re.search("The hint here from .+: .+[.]<", part) for part in parts]
    choices = [state for state in table.session.states[:-1] if len(state.legal_actions()) > 1]
    assert sum(map(bool, hints)) == len(choices) > 0
    assert re.search(r'<p class="task over">|Step 0 of', page)


def test_texts_that_are_no_transcripts_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = {
        "schema": "gpkit/game/1", "game": "dots_and_boxes", "opponents": [], "rules": {}, "seat": 0, "seed": 1,
        "deal": 0, "opening": [], "actions": ["A1 top"],
    }  # fmt: skip
    (kept := tmp_path / ".gpkit-games" / "abcdefghijkl.json").parent.mkdir()
    for wrong, told in (
        ({}, ""),
        ({"schema": "x"}, "not a transcript"),
        ({"seat": -1}, "seat = -1: expected 0 to 9,223"),
        ({"game": "nim.py"}, "there is no game"),
        ({"actions": ["A1 top", "A1 top"]}, "action 2: A1 top is already drawn"),
        ({"rules": {"bord": "2x2"}}, "board"),
    ):
        file = tmp_path / "game.json"
        file.write_text(json.dumps({**good, **wrong}), encoding="utf-8")
        assert main(["trace", str(file)]) == (2 if wrong else 0)
        assert told in capsys.readouterr().err
        kept.write_text(json.dumps({**good, "against": ["x"], "over": 0, "gave_up": 0, **wrong}), "utf-8")
        client, _ = guest(tmp_path)
        assert client.get("/play/dots_and_boxes/abcdefghijkl").status_code == (404 if wrong else 200)
        assert wrong or 'href="/play/dots_and_boxes/abcdefghijkl">Continue' in client.get("/").text
    kept.unlink()
    kept.symlink_to(file)
    client, _ = guest(tmp_path)
    assert client.get("/play/dots_and_boxes/abcdefghijkl").status_code == 404
    file.write_text("{", encoding="utf-8")
    assert main(["trace", str(file)]) == 2
    assert main(["trace", str(file), "--opponent", "greedy"]) == 2


SMALL = {"board": "6x6", "fleet": "3,2"}


@pytest.mark.parametrize("opening", [(), ("r",), ("a1 v",), ("r", "start"), ("r", "r"), ("a1 v", "c3 h")])
def test_a_fleet_that_is_not_whole_is_placed_at_random(opening: tuple[str, ...]) -> None:
    setup = GameSetup("battleship", ("hunt",), SMALL, 0, 5, 0)
    session = new_session(conversation_of(setup, ("hunt",)), 5, 0, opening)
    assert not session.answers
    fleet = session.state.boards[1].fleet
    drawn = new_session(conversation_of(setup, ("hunt",)), 5, 0).state.boards[1].fleet
    assert (fleet == drawn) == (opening not in (("r", "r"), ("a1 v", "c3 h")))


def test_a_saved_game_of_a_fleet_that_began_at_once_goes_on(tmp_path: Path) -> None:
    table = seated(GameSetup("battleship", ("hunt",), SMALL, 0, 5, 0), ("hunt",))
    for word in ("r", "start"):
        table.answer(table.turn, word)
    table.act_by_text(0, "a1")
    save_game(open_site(tmp_path), "abcdefghijkl", table)
    file = tmp_path / SAVED / f"abcdefghijkl{SUFFIX}"
    saved = json.loads(file.read_text(encoding="utf-8"))
    assert (saved["opening"], saved["actions"]) == (["r", "start"], ["A1"])
    file.write_text(json.dumps(saved | {"opening": ["r"]}), encoding="utf-8")
    again = table_named(open_site(tmp_path), "abcdefghijkl")
    assert again is not None
    assert again.session.state == table.session.state


def test_the_ghost_tells_nothing_about_an_attack() -> None:
    for goal, shown in (({}, True), ({"attack": "random"}, False)):
        table = seated(GameSetup("build_order", (), goal, 0, 1, 0), ())
        overlay = Overlay(ghost=table.ghost)
        drawn = table.conversation.view.board_svg(table.session.state, 0, (), overlay)
        assert ("rush" in drawn) == shown
        while not table.is_over:
            table.act(table.turn, table.session.state.legal_actions()[-1])
        ended = table.conversation.view.board_svg(table.session.state, 0, (), overlay)
        right = [
            float(x) + float(width)
            for x, width in re.findall(r'"rival" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', ended)
        ]
        assert right
        assert max(right) < 848
