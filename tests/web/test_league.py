"""Players who meet on a page: the table, what follows from it, and the games behind its cells."""

import html
import re
from pathlib import Path

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
        ("sevens", "simple, pimc"),
        ("mastermind", "knuth, kooi"),
        ("sevens", ", ".join(["simple"] * 20)),
    ):
        assert client.get("/league", params={"game": game, "players": players}).status_code == 400
    assert client.get("/league", params={"count": "1000000"}).status_code == 400
    assert client.get("/league").status_code == 200
