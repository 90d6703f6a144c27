"""The workshop: every language of every game, what an editor asks for, saving below the folder and nowhere else."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from web_clients import guest

from gpkit.core.registry import GAMES, LANGUAGES, find, offers_of
from gpkit.editing.reading_aids import Places, colours, comment_mark
from gpkit.show import render
from gpkit.web.workshop import beginnings

PART = {"hx-request": "true"}
PROGRAM = "// game: sevens\nplay: env.rank\nsend: env.dist\n"
LOWEST_FIRST = PROGRAM.replace("env.rank", "-env.rank")
PARTY = "// game: sevens\n// \N{PARTY POPPER} a comment\nplay: env.rnk\nsend: 1 +\n"


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A client that was let in, in a folder with a program."""
    (tmp_path / "mine.tree").write_text(PROGRAM, encoding="utf-8")
    return guest(tmp_path)[0]


def fields(page: str) -> dict[str, str]:
    """The hidden fields and the name in a page."""
    found = re.findall(r'<input[^>]* name="(\w+)" value="([^"]*)"', page)
    return dict(found)


def asked(client: TestClient, action: str, text: str, **others: str) -> Any:
    """The answer to a script, which must be good."""
    form = {"language": "arithmetic", "name": "x.tree", "text": text, **others}
    answer = client.post(f"/workshop/{action}", data=form, headers=PART)
    assert answer.status_code == 200, answer.text
    return answer.json()


@given(st.text("aé\N{PARTY POPPER}\n", max_size=20))
def test_places_are_counted_as_browsers_do(text: str) -> None:
    places = Places(text)
    for place in range(len(text) + 1):
        assert places.units(place) == len(text[:place].encode("utf-16-le")) // 2
        assert places.place(places.units(place)) == place
    assert places.place(10**6) == len(text)
    assert places.place(0) == 0


def test_new_program_of_every_language_and_game_is_valid_and_can_be_saved(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    offered = [value for _, languages in beginnings() for value, _ in languages]
    shipped = [f"{entry.name}/{language}" for entry in GAMES for language in offers_of(entry.name)]
    assert offered[: len(shipped)] == shipped  # behind them those that other tests brought
    languages = []
    for value in shipped:
        page = client.get("/edit", params={"new": value}).text
        form = fields(page)
        text = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
        assert text is not None
        assert form["name"].startswith(value.partition("/")[0])
        assert '<li class="error">' not in page, value
        if form["language"] in languages:
            continue
        languages.append(form["language"])
        saved = client.post("/workshop/save", data={**form, "text": "// \N{PARTY POPPER}\n"})
        assert (saved.status_code, saved.headers["location"]) == (303, f"/edit/{form['name']}")
    assert len(site.below().programs) == len(languages) == len(LANGUAGES)
    assert f"/edit/{site.below().programs[0]}" in client.get("/").text


def test_shipped_program_is_opened_as_a_copy(client: TestClient, tmp_path: Path) -> None:
    form = fields(client.get("/edit?game=sevens&program=simple").text)
    assert (form["name"], form["opened"], form["origin"]) == ("simple.tree", "", "sevens/simple")
    (tmp_path / "simple.tree").write_text(PROGRAM, encoding="utf-8")
    assert fields(client.get("/edit?game=sevens&program=simple").text)["name"] == "simple-2.tree"
    for wrong in ("game=sevens&program=none", "game=none&program=simple", "new=sevens/none", "new=x/y"):
        assert client.get(f"/edit?{wrong}").status_code == 400
    for wrong in ("/edit", "/edit/none.tree", "/edit/../mine.tree", "/edit//etc/passwd"):
        assert client.get(wrong).status_code == 404
    assert client.post("/workshop/none", data={}).status_code == 404
    assert client.post("/workshop/look", data={"language": "none"}).status_code == 400


def test_findings_have_their_places_and_what_was_meant(client: TestClient) -> None:
    found = asked(client, "look", PARTY)["findings"]
    wide = PARTY.encode("utf-16-le")
    sensor, end = sorted(found, key=lambda each: str(each["line"]))
    assert wide[2 * sensor["from"] : 2 * sensor["to"]].decode("utf-16-le") == "env.rnk"
    assert (sensor["code"], sensor["line"], sensor["column"]) == ("E010", 3, 7)
    assert sensor["fix"]["text"] == "env.rank"
    assert end["line"] == 4
    assert asked(client, "look", PROGRAM) == {"findings": [], "game": "sevens"}


def test_completions_and_meanings_come_from_the_language_and_the_game(client: TestClient) -> None:
    text = PARTY.replace("env.rnk", "env.ra")
    units = len(text[: text.index("env.ra") + 6].encode("utf-16-le")) // 2
    words = {each["label"]: each for each in asked(client, "complete", text, place=str(units))}
    assert words["env.rank"]["from"] == units - 6
    assert "the rank" in words["env.rank"]["info"]
    text = PARTY.replace("env.rnk", "env.rank")
    told = asked(client, "explain", text, place=str(units))
    assert (told["from"], told["to"], told["usage"]) == (units - 6, units + 2, "env.rank")
    assert asked(client, "explain", text, place="0") is None
    wrong = client.post("/workshop/explain", data={"language": "arithmetic", "text": "", "place": "x"})
    assert wrong.status_code == 400


def test_each_edit_is_compared_with_the_saved_version(client: TestClient, tmp_path: Path) -> None:
    form = {"language": "arithmetic", "name": "mine.tree", "opened": "mine.tree"}

    def told(text: str, **others: str) -> str:
        answer = client.post("/workshop/differ", data={**form, "text": text, **others}, headers=PART)
        assert answer.status_code == 200
        return answer.text

    found = re.fullmatch(r"Differs from the saved version in (\d+)% of 400 states\.", told(LOWEST_FIRST))
    assert found is not None
    assert int(found[1]) > 10
    assert told(f"{PROGRAM}// a comment\n") == ""
    assert told("play: 1 +") == ""
    assert told(PROGRAM, opened="") == ""


@pytest.mark.release
def test_layout_picture_and_lua_are_those_of_the_commands(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = PROGRAM.replace("play: ", "play:   ").replace("\n", "\r\n")
    assert asked(client, "format", long)["text"] == PROGRAM
    form = {"language": "arithmetic", "name": "mine.tree", "text": long}
    assert client.post("/workshop/draw", data=form, headers=PART).text.count("<svg") == 1
    shown = client.post("/workshop/lua", data=form, headers=PART).text
    assert '<pre class="scroll listing"' in shown
    file = client.post("/workshop/lua", data=form)
    assert file.headers["content-disposition"] == 'attachment; filename="mine.lua"'
    assert "env.rank" in file.text
    for action in ("format", "draw", "lua"):
        broken = client.post(f"/workshop/{action}", data={**form, "text": "play: 1 +"}, headers=PART)
        assert broken.status_code == 400
        assert "in the middle of a formula" in broken.text
    monkeypatch.setattr(render, "NODE_LIMIT", 1)
    large = client.post("/workshop/draw", data=form)
    assert (large.status_code, "too large" in large.text) == (200, True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.tree"]


def test_page_does_its_work_without_a_script(client: TestClient) -> None:
    form = {**fields(client.get("/edit/mine.tree").text), "text": PARTY.replace("\n", "\r\n")}
    looked = client.post("/workshop/look", data=form).text
    assert "has no sensor <code>env.rnk</code>" in looked
    assert "play: env.rnk\nsend" in looked
    assert "<svg" in client.post("/workshop/look", data={**form, "text": PROGRAM}).text
    for action in ("format", "lua"):
        refused = client.post(f"/workshop/{action}", data=form)
        assert refused.status_code == 400
        assert "play: env.rnk\nsend" in refused.text
    laid = client.post("/workshop/format", data={**form, "text": PROGRAM.replace("env", "  env")})
    assert PROGRAM in laid.text
    assert client.post("/workshop/save", data=form).status_code == 303
    assert "\N{PARTY POPPER} a comment\nplay" in client.get("/edit/mine.tree").text


def test_file_that_changed_meanwhile_is_not_written(client: TestClient, tmp_path: Path) -> None:
    form = {**fields(client.get("/edit/mine.tree").text), "text": PROGRAM + "// mine\n"}
    (tmp_path / "mine.tree").write_text(PROGRAM + "// of somebody else\n", encoding="utf-8")
    refused = client.post("/workshop/save", data=form, headers=PART)
    assert refused.status_code == 409
    assert "changed on disk" in refused.text
    page = client.post("/workshop/save", data=form)
    assert page.status_code == 409
    assert "// mine" in page.text
    assert 'href="/edit/mine.tree"' in page.text
    assert "somebody else" in (tmp_path / "mine.tree").read_text(encoding="utf-8")
    other = client.post("/workshop/save", data={**form, "name": "other.tree"}, headers=PART).json()
    assert other["name"] == "other.tree"
    assert "// mine" in (tmp_path / "other.tree").read_text(encoding="utf-8")
    assert client.post("/workshop/save", data={**form, "name": "other.tree"}).status_code == 409
    (tmp_path / "odd #1?.tree").write_text(PROGRAM, encoding="utf-8")
    odd = fields(client.get("/edit/odd %231%3F.tree").text)
    assert odd["opened"] == "odd #1?.tree"
    saved = client.post("/workshop/save", data={**odd, "text": PROGRAM})
    assert saved.headers["location"] == "/edit/odd%20%231%3F.tree"
    (tmp_path / "mine.tree").unlink()
    assert "is gone" in client.post("/workshop/save", data=form, headers=PART).text


def test_editor_knows_the_terminals_of_every_language(client: TestClient) -> None:
    bare = replace(find(LANGUAGES, "arithmetic", "language").load(), recovery=None)
    assert (list(colours(bare)), comment_mark(bare)) == ([], "//")  # a language of somebody else
    for value in ("sevens/arithmetic", "dots_and_boxes/rulegraph", "battleship/sinking"):
        page = client.get("/edit", params={"new": value}).text
        found = re.search(r'data-editor="([^"]*)"', page)
        assert found is not None
        told = json.loads(unescape(found[1]))
        assert any(scope.startswith("comment") for _, scope, _ in told["colours"])
        assert all(re.compile(pattern) for pattern, _, _ in told["colours"])
