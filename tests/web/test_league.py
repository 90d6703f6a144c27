"""Players who meet on a page: the table, what follows from it, and the games behind its cells."""

import html
import os
import random
import re
import signal
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import tasks_for_workers
from starlette.testclient import TestClient
from web_clients import guest

from gpkit.core.registry import game_of
from gpkit.playing.session import opponents_of
from gpkit.web import league

Asked = dict[str, str | list[str]]


class Pool:
    """A pool of no processes, whose work is done at once, or when it is told to."""

    def __init__(self, waits: bool = False) -> None:
        self.waits = waits
        self.waiting: list[tuple[Future[Any], Any, tuple[Any, ...]]] = []

    def open(self) -> "Pool":
        """Begin."""
        return self

    def look(self, _executor: "Pool") -> None:
        """Nobody dies."""

    def close(self, _executor: "Pool") -> None:
        """Forget what was asked."""
        self.waiting.clear()

    def submit(self, function: Any, *arguments: Any) -> "Future[Any]":
        """A call that is made now or later."""
        self.waiting.append((Future(), function, arguments))
        asked = self.waiting[-1][0]
        if not self.waits:
            self.work()
        return asked

    def work(self) -> None:
        """Make the calls."""
        for future, function, arguments in self.waiting:
            future.set_result(function(*arguments))
        self.waiting.clear()


def play(client: TestClient, asked: Asked) -> Any:
    """The page of a league after it was asked for."""
    answer = client.post("/league", content=urlencode(asked, doseq=True))
    return client.get(answer.headers["location"]) if answer.status_code == 303 else answer


def asked_for(*players: str, **others: str) -> Asked:
    """The fields of a form in which a league of these players is to be played."""
    return {"game": "sevens", "player": list(players), "play": "1", **others}


def test_league_shows_standings_and_a_game_of_each_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.tree").write_text("// game: sevens\nplay: env.rounds\nsend: 1\n", encoding="utf-8")
    client, site = guest(tmp_path)
    monkeypatch.setattr(site.leagues, "_pool", Pool())
    asked = asked_for("random", "simple", "mine.tree", count="60")
    text = play(client, asked).text
    cells = re.findall(
        r'class="step(-?\d)"><a href="(/trace\?[^"]*)" aria-label="(.*?) against (.*?): (\d+)%,', text
    )
    assert len(cells) == 6
    assert cells[0][2] == "simple"  # the best one is in the first row
    shares = {(one, other): (int(share), int(step)) for step, _, one, other, share in cells}
    assert shares["simple", "random"] > (33, 0) > shares["random", "simple"]
    assert re.search(r"wins \d+ of 100", text)
    assert "The order is clear." in text or "too close to call" in text
    assert "simple" in client.get(html.unescape(cells[0][1])).text
    kept = client.get("/league").text
    assert "Sevens: simple first of 3, 360 games" in kept
    assert html.escape(f"/league?{urlencode(asked, doseq=True)}") in kept
    (tmp_path / "leagues" / "x.json").write_text(
        '{"title": "x", "address": "//evil.example"}', encoding="utf-8"
    )
    assert "evil" not in client.get("/league").text


def test_leagues_that_cannot_be_are_refused(tmp_path: Path) -> None:
    client, _ = guest(tmp_path)
    for game, players in (
        ("sevens", ["simple"]),
        ("sevens", ["simple", "/etc/passwd"]),
        ("mastermind", ["knuth", "kooi"]),
        ("sevens", opponents_of(game_of("sevens"))[:9]),
    ):
        asked = asked_for(*players) | {"game": game}
        assert play(client, asked).status_code == client.get("/league", params=asked).status_code == 400
    assert play(client, asked_for("simple", "random", count="1000000")).status_code == 400
    assert client.get("/league").status_code == 200


def test_league_offers_players_of_its_game_alone(tmp_path: Path) -> None:
    for name, text in {
        "cards.tree": "// game: sevens\nplay: 1\nsend: 1\n",
        "code.tree": "// game: mastermind\nguess: 1\n",
        "any.tree": "play: 1\nsend: 1\n",
        "lines.rules": "# game: dots_and_boxes\nx_0 => x_0 - w\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    client, _ = guest(tmp_path)
    for game, own in (("sevens", ["any.tree", "cards.tree"]), ("dots_and_boxes", ["lines.rules"])):
        text = client.get("/league", params={"game": game}).text
        offered = re.findall(r'<button name="(?:add|drop)" value="([^"]*)"', text)
        traced = re.findall(r'<option value="([^"]*)"', client.get("/trace", params={"game": game}).text)
        for names in (offered, traced):
            assert [name for name in names if "." in name] == own
        added = client.get("/league", params={"game": game, "player": "random", "add": own[0]}).text
        assert re.findall(r'name="player" value="([^"]*)"', added) == ["random", own[0]]
        dropped = client.get(
            "/league", params={"game": game, "player": ["random", own[0]], "drop": "random"}
        ).text
        assert re.findall(r'name="player" value="([^"]*)"', dropped) == [own[0]]


def test_form_stays_as_it_was_filled_in_on_a_mistake(tmp_path: Path) -> None:
    client, _ = guest(tmp_path)
    asked = asked_for("simple", "simpel", count="77", seed="5") | {"rule.players": "4"}
    for change in ({}, {"count": "x<"}, {"seed": "-"}, {"rule.players": "99"}):
        answer = play(client, {**asked, **change})
        assert answer.status_code == 400
        text = html.unescape(answer.text)
        for name, value in {"count": "77", "seed": "5", **change}.items():
            assert f'value="{value}"' in text or name == "rule.players"
        assert re.findall(r'name="player" value="([^"]*)"', text) == ["simple", "simpel"]
        assert 'class="chip wrong"' in text
        assert "did you mean <code>simple</code>" in text


@pytest.mark.release
def test_leagues_go_on_in_a_process_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client, site = guest(tmp_path)
    pool = Pool(waits=True)
    monkeypatch.setattr(site.leagues, "_pool", pool)
    monkeypatch.setattr(league, "SOON", 0.0)
    asked = asked_for("simple", "pimc:1", count="3")
    assert "data-begins" in client.get("/league", params=asked).text
    assert "Playing" not in client.get("/league").text
    assert "Playing: 0 of 6 games.</b> You can leave this page." in play(client, asked).text
    assert ">Watch it<" in client.get("/league").text
    other = play(client, {**asked, "count": "6"})
    assert (other.status_code, "Another league is being played" in other.text) == (400, True)
    pool.work()
    text = client.get("/league", params=asked).text
    assert "Playing" not in text
    assert len(re.findall(r'"><a href="/trace[^>]*>\d+</a>', text)) == 2
    assert client.post("/league/stop").status_code == 303
    assert "Playing: 0 of 12 games" in play(client, {**asked, "count": "6"}).text
    assert client.post("/league/stop").status_code == 303
    assert "Playing" not in client.get("/league").text


def test_a_league_that_is_not_in_memory_is_played_again_under_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = urlencode(asked_for("simple", "random", count="3", seed="7"), doseq=True)
    for _ in range(2):
        client, site = guest(tmp_path)
        monkeypatch.setattr(site.leagues, "_pool", Pool())
        assert '<form method="post" class="panel" data-begins>' in client.get(f"/league?{asked}").text
        begun = client.post(f"/league?{asked}")
        assert (begun.status_code, begun.headers["location"]) == (303, f"/league?{asked}")
        assert client.get("/league").text.count("Sevens: ") == 1


@pytest.mark.release
def test_the_page_of_a_league_comes_to_an_end_when_its_process_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies as it writes so many bytes of a result, or while it waits for work."""
    drawn = random.Random(4)  # noqa: S311
    monkeypatch.setattr(league, "SOON", 0.1)
    client, site = guest(tmp_path)
    worker, asked = site.leagues, asked_for("simple", "random", count="3")
    start = worker.start
    for number, written in enumerate([0, drawn.randrange(1, 4_000)]):
        (place := tmp_path / str(number)).mkdir()
        task = partial(tasks_for_workers.squares_after_deaths, str(place), 1, written, [])
        monkeypatch.setattr(worker, "start", lambda name, _call, *told, task=task: start(name, task, *told))
        answer = play(client, asked)
        for _ in range(100):
            if "Playing" not in answer.text:
                break
            answer = client.get("/league", params=asked)
        assert (answer.status_code, "The process that played the games has died" in answer.text) == (
            400,
            True,
        )
        assert "Playing" not in client.get("/league").text
    monkeypatch.setattr(worker, "start", start)
    os.kill(worker.count(os.getpid), signal.SIGKILL)
    process = next(iter(worker._executor._processes.values()))  # type: ignore[union-attr]
    process.join(30)
    assert worker.count(len, "abc") == 3
    answer = play(client, asked)
    while "Playing" in answer.text:
        answer = client.get("/league", params=asked)
    assert (answer.status_code, "Standings" in answer.text) == (200, True)
    site.end()
