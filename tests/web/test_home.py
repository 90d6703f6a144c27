"""The first page and those of programs and runs: what is offered at first, and what is known of one's own."""

import html
import os
import re
from pathlib import Path

import pytest
from web_clients import guest

from gpkit.core.registry import GAMES
from gpkit.web import home
from gpkit.web.home import best_of
from gpkit.web.site import STATIC

OLD = (
    "you is to play", "Your turn: (sow|side|guess|order)", "Play one of", "nothing has happened yet",
    r"\d has won", "You have not found it", ">Again<", "Follow it", ">Transcript<", "Hint of", ">nobody<",
    "or type it", ">Belief<", ">Left<", ">Choose<", "The board as text", "New game with other players",
    ">Back<", "Heat maps of the squares", ">Count<", "Every node of the formula", "would choose", "Trace of",
    "did not choose here", "on to …", ">Find<", "Names that a condition can use", "was worth to it",
    "Let them meet", "Players, with commas", "process of their own", "Nobody works on this run",
    r"\(going on\)", "looks again by itself", "Where it comes from", "win share", "diversity: ",
    "That did not work", "to the games", "to the content", "Write it", "There are none yet", ">below ",
    ">Findings<", "All played", "written here is lost", "Programs that come along", "separated by commas",
)  # fmt: skip
"""Labels that pages had once, and have no more."""


def test_first_visit_offers_one_button_where_nothing_is_yet(tmp_path: Path) -> None:
    client, _ = guest(tmp_path)
    text = client.get("/").text
    assert "Continue" not in text
    assert text.count('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 200"') == len(GAMES)
    assert len(text) < 60_000
    for offered in (
        "Dots and Boxes",
        "Copy champion, Sevens",
        "Evolve a Sevens player",
        "gpkit new game &gt;",
    ):
        assert offered in text
    assert str(tmp_path) not in text


def test_home_goes_on_with_games_and_says_what_is_known_of_programs(tmp_path: Path) -> None:
    (tmp_path / "good.tree").write_text("// game: sevens\nplay: env.rounds\nsend: 1\n", encoding="utf-8")
    (tmp_path / "broken.tree").write_text("// game: sevens\nplay: env.rounds +\nsend: 1\n", encoding="utf-8")
    (tmp_path / "loose.tree").write_text("play: 1\nsend: 1\n", encoding="utf-8")
    client, _ = guest(tmp_path)
    place = client.post("/play/dots_and_boxes?seed=1").headers["location"]
    text = client.get("/").text
    assert f'href="{place}">Continue' in text
    for known in ("<b>1 error</b> in line ", "Fix it", "Strength not measured yet", "No game named"):
        assert known in text
    programs = client.get("/programs").text
    assert "plays the card that opens the fewest places" in programs  # the title of a shipped program
    assert 'href="/play/sevens?vs=hoarder"' in programs
    names = [programs.index(f'loading="lazy">{name}</th>') for name in ("champion", "simple", "hoarder")]
    assert names == sorted(names)  # the strongest first
    assert re.search(r"<b>42</b> of 100 .*?Beats \d+ of \d+ others", programs, re.DOTALL)


def test_programs_have_small_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = guest(tmp_path)
    given = client.get("/picture/sevens/simple.svg")
    assert given.headers["content-type"] == "image/svg+xml"
    assert ">selfblock</text>" in given.text
    assert client.get("/picture/sevens/none.svg").status_code == 404
    monkeypatch.setattr(home, "MOST_NODES", 0)
    assert ">…</text>" in client.get("/picture/sevens/hoarder.svg").text


def test_games_that_have_ended_are_counted_and_those_of_a_day_named(tmp_path: Path) -> None:
    client, _ = guest(tmp_path)
    for seed in ("20261201", "20261199", "7"):  # a day, no day, and any other deal
        place = client.post(f"/play/sevens?seed={seed}&vs=simple").headers["location"]
        client.post(f"{place}/leave", data={"turn": "0"})
        page = client.get(place).text
        assert ("Copy the result" in page, "deal of 2026-12-01" in page) == (seed == "20261201",) * 2
    place = client.post("/play/dots_and_boxes?seed=1&rule.board=1x1&vs=greedy").headers["location"]
    for turn in range(2):
        client.post(f"{place}/act", data={"turn": str(turn), "action": str(turn)})
    client, _ = guest(tmp_path)  # as after a restart
    first = client.get("/").text
    assert 'data-days="2026-12-01"' in first
    assert "<b>0 of 3 won</b> against two simple players" in first
    assert re.search(r"<b>[01] of 1 won</b> against greedy", first)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="asks the rights of POSIX")
def test_folder_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = guest(tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "This folder cannot be read." in client.get("/").text


@pytest.mark.release
def test_labels_of_old_are_gone(tmp_path: Path) -> None:
    client, _ = guest(tmp_path)
    paths = ["/", "/programs", "/runs", "/league", "/trace", "/nothing"]
    for game in (entry.name for entry in GAMES):
        begun = client.post(f"/play/{game}?seed=1").headers["location"]
        paths += [
            begun,
            f"{begun}/say/hint",
            f"/trace?game={game}&program={best_of(game)}",
            f"/league?game={game}",
        ]
    texts = [client.get(path).text for path in paths]
    texts += [path.read_text("utf-8") for path in (STATIC.parent / "templates").glob("*.html")]
    texts += [path.read_text("utf-8") for path in STATIC.glob("*.js")]
    assert [each for each in OLD if any(re.search(each, html.unescape(text)) for text in texts)] == []
