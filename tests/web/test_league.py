"""Players who meet on a page: the table, what follows from it, and the games behind its cells."""

import html
import re
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from web_clients import guest


def test_league_shows_the_table_ratings_and_a_game_of_each_pair(tmp_path: Path) -> None:
    (tmp_path / "mine.tree").write_text("// game: sevens\nplay: env.rounds\nsend: 1\n", encoding="utf-8")
    client, _ = guest(tmp_path)
    asked = {"game": "sevens", "players": "simple, random, mine.tree", "count": "60"}
    text = client.get("/league", params=asked).text
    cells = re.findall(r'<a href="(/trace\?[^"]*)" title="[\d.]+ to [\d.]+, 60 games">([\d.]+)</a>', text)
    assert len(cells) == 6
    shares = [float(share) for _, share in cells]
    assert shares[0] > 1 / 3 > shares[2]  # simple against random, and the other way round
    assert re.search(r"<td>simple</td><td class=\"number\">\+\d+</td>", text)
    watched = client.get(html.unescape(cells[0][0])).text
    assert "Trace of simple" in watched


def test_leagues_that_cannot_be_are_refused(tmp_path: Path) -> None:
    client, _ = guest(tmp_path)
    for game, players in (
        ("sevens", "simple"),
        ("sevens", "simple, /etc/passwd"),
        ("mastermind", "knuth, kooi"),
        ("sevens", ", ".join(["simple"] * 20)),
    ):
        assert client.get("/league", params={"game": game, "players": players}).status_code == 400
    assert client.get("/league", params={"count": "1000000"}).status_code == 400
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
    for game, own in (
        ("sevens", ["any.tree", "cards.tree"]),
        ("dots_and_boxes", ["lines.rules"]),
    ):
        for page in ("/league", "/trace"):
            offered = re.findall(r'<option value="([^"]*)">', client.get(page, params={"game": game}).text)
            assert [name for name in offered if "." in name] == own


def test_form_stays_as_it_was_filled_in_on_a_mistake(tmp_path: Path) -> None:
    client, _ = guest(tmp_path)
    asked = {"game": "sevens", "players": "simple, simpel", "count": "77", "seed": "5", "rule.players": "4"}
    for change in ({}, {"count": "x<"}, {"seed": "-"}, {"rule.players": "99"}):
        answer = client.get("/league", params={**asked, **change})
        assert answer.status_code == 400
        for name, value in {**asked, **change}.items():
            text = html.unescape(answer.text)
            assert f'value="{value}"' in text or f"<option selected>{value}" in text or name == "rule.players"
        assert 'role="alert">' in answer.text.replace('<div id="mistake" role="alert">', "")


class AtOnce:
    """A pool of no processes, whose work is done when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Any, Any]] = []

    def open(self) -> "AtOnce":
        """Begin."""
        return self

    def close(self, _executor: "AtOnce") -> None:
        """Forget what was asked."""
        self.waiting.clear()

    def submit(self, function: Any, argument: Any) -> "Future[Any]":
        """A call that is to be made later."""
        self.waiting.append((Future(), function, argument))
        return self.waiting[-1][0]

    def work(self) -> None:
        """Make the calls."""
        for future, function, argument in self.waiting:
            future.set_result(function(argument))


def test_slow_players_meet_in_a_process_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client, site = guest(tmp_path)
    pool = AtOnce()
    monkeypatch.setattr(site.leagues, "_pool", pool)
    asked = {"game": "sevens", "players": "simple, pimc:1", "count": "3"}
    assert "refreshes automatically" in client.get("/league", params=asked).text
    other = client.get("/league", params={**asked, "count": "6"})
    assert (other.status_code, "another league" in other.text) == (400, True)
    pool.work()
    text = client.get("/league", params=asked).text
    assert "looks again" not in text
    assert len(re.findall(r'<a href="/trace[^>]*>[\d.]+</a>', text)) == 2
    assert client.post("/league/stop").status_code == 303
    assert "refreshes automatically" in client.get("/league", params={**asked, "count": "6"}).text
