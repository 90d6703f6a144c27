"""Heat maps of the squares of boards: counted games, their pictures with scale and table, games of any kind."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from case_files import case_text
from starlette.testclient import TestClient
from web_clients import guest_at

from gpkit.core.errors import UsageError
from gpkit.core.registry import name_game
from gpkit.gamekit.svg import GRADES
from gpkit.gamekit.view import Spot
from gpkit.playing.contest import deal_of
from gpkit.web.heat import HeatMap, HeatMapSetup, Tally, count_games, heat_maps, scale_of, seated, shown_map
from gpkit.web.site import open_site

SMALL = (("board", "5x4"), ("fleet", "3,2"))
PART = {"hx-request": "true"}


class Here:
    """Counts games in this process."""

    def count(self, function: Any, *arguments: Any) -> Any:
        """As ``Worker``."""
        return function(*arguments)

    def end(self) -> None:
        """Nothing to be ended."""


def client_of(folder: Path) -> TestClient:
    """A client that was let in, whose games are counted in this process."""
    here: Any = Here()
    return guest_at(replace(open_site(folder), counting=here))


def wanted(program: str, *rules: tuple[str, str], vs: tuple[str, ...] = (), seat: int = 0) -> HeatMapSetup:
    """A wish for games of Battleship on a small board."""
    return HeatMapSetup("battleship", program, vs, (*SMALL, *rules), seat, 3)


def test_shots_ships_and_turns_are_those_of_the_games() -> None:
    tally = count_games(wanted("hunt"), range(6))
    assert tally.games == 6
    assert sum(tally.laid[1].values()) == 6 * 5
    assert set(tally.laid) == {1}
    assert all(tally.chosen[square] >= tally.laid[1][square] for square in range(20))
    assert max(tally.chosen.values()) <= 6
    shots = sum(tally.chosen.values())
    _, turns = (each.values for each in list(heat_maps(tally, range(20), ("hunt", "uniform"), "hunt"))[:2])
    assert sum(turns[square] * tally.chosen[square] for square in turns) == pytest.approx(
        sum(tally.turns.values())
    )
    assert 30 < shots <= 120


def test_games_counted_in_parts_are_those_counted_at_once() -> None:
    parts = Tally()
    for numbers in (range(2), range(2, 5)):
        parts.add(count_games(wanted("likeliest"), numbers))
    whole = count_games(wanted("likeliest"), range(5))
    assert (parts.chosen, parts.turns, parts.laid) == (whole.chosen, whole.turns, whole.laid)
    assert parts.worth == pytest.approx(whole.worth)
    assert set(whole.worth) == set(range(20))


def test_duel_counts_both_fleets_and_the_shots_of_its_seat() -> None:
    tally = count_games(wanted("hunt", ("mode", "duel"), vs=("hunt:wall",), seat=1), range(5))
    assert set(tally.laid) == {0, 1}
    assert sum(tally.laid[0][square] for square in range(15, 20)) == 2 * 5  # both ships stand on the last row
    placed = count_games(wanted("", vs=("uniform",)), range(7))
    assert (placed.games, set(placed.laid), placed.chosen) == (7, {1}, {})


def test_edges_are_squares_too_and_cards_are_not() -> None:
    edges = HeatMapSetup("dots_and_boxes", "double-dealer", (), (("board", "2x2"),), 0, 0)
    tally = count_games(edges, range(3))
    assert set(tally.chosen) <= set(range(12))
    assert tally.laid == {}
    for game, program in (("sevens", "champion"), ("dots_and_boxes", "")):
        with pytest.raises(UsageError):
            seated(HeatMapSetup(game, program, (), (), 0, 0))


LINE = case_text("games/line.txt")
"""A game of one file that says its squares."""


def test_game_of_one_file_says_its_squares(tmp_path: Path) -> None:
    file = tmp_path / "line.py"
    file.write_text(LINE, encoding="utf-8")
    name_game(str(file))
    wish = HeatMapSetup("line_of_three", "last", (), (), 0, 0)
    tally = count_games(wish, range(2))
    assert (tally.chosen[2], tally.chosen.total()) == (2, 4)
    seating, view = seated(wish)
    assert view.squares is not None
    begun = seating.game.begin(seating.players, deal_of(seating.game, seating.rules, 0, 0), seating.rules)
    assert set(view.squares(begun)) == {0, 1, 2}
    assert set(view.placed(begun.apply(1))) == {0, 2}  # type: ignore[attr-defined]


def test_game_without_squares_has_no_heat_maps(tmp_path: Path) -> None:
    file = tmp_path / "bare.py"
    bare = LINE.replace("line_of_three", "bare_three").replace("def squares", "def nothing")
    file.write_text(bare, encoding="utf-8")
    name_game(str(file))
    client = client_of(tmp_path)
    answer = client.post("/heat?game=bare_three&program=last", headers=PART)
    assert (answer.status_code, "have no fixed squares" in answer.text) == (400, True)
    assert "Heat maps" not in client.get("/trace?game=bare_three&program=last").text
    place = client.post("/play/bare_three", params={"vs": "last"}).headers["location"]
    assert "/heat?" not in client.get(place).text


def test_map_has_names_numbers_and_a_scale() -> None:
    spots = {2 * y + x: Spot(30 * x, 30 * y, 30, 30) for y in range(2) for x in range(2)}
    names = {0: "A1", 1: "B1", 2: "A2", 3: "B2"}
    shown = shown_map(HeatMap("shots <1>", {0: 0.0, 1: 0.5, 2: 1.0}), spots, names)
    assert shown["columns"] == ("A", "B")
    assert shown["rows"] == [("1", ["A1: 0", "B1: 0.5"]), ("2", ["A2: 1", "B2: none"])]
    assert 'aria-label="shots &lt;1&gt;; most on A2, 1; least on A1, 0;' in shown["svg"]
    assert shown["svg"].count("<rect") == 4
    assert [grade for grade, _, _ in shown["scale"]] == list(range(len(GRADES)))
    assert (shown["scale"][0][1], shown["scale"][-1][2]) == ("0", "1")
    assert scale_of({}) == []
    assert len(scale_of({0: 2.0, 1: 2.0})) == 1


def test_page_counts_more_with_every_request_until_there_are_enough(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    query = "game=battleship&program=hunt&rule.board=5x4&rule.fleet=3,2&games=8"
    first = client.post(f"/heat?{query}", headers=PART).text
    assert 'data-counted="5"' in first
    (more,) = re.findall(r'hx-post="([^"]+)" hx-trigger="load"', first)
    second = client.post(more.replace("&amp;", "&"), headers=PART).text
    assert 'data-counted="8"' in second
    assert "hx-trigger" not in second
    assert "A1: " in second
    for wrong in (
        "game=sevens&program=champion",
        "game=battleship&program=nobody",
        "game=battleship&games=x",
    ):
        assert client.post(f"/heat?{wrong}", headers=PART).status_code == 400
    assert "Heat maps" in client.get("/trace?game=battleship&program=hunt").text
    assert "Heat maps" not in client.get("/trace?game=sevens&program=champion").text


@pytest.mark.parametrize(
    ("game", "fields", "heat"),
    [
        pytest.param("battleship", {}, "vs=uniform", marks=pytest.mark.release),
        ("battleship", {"vs": "hunt"}, "program=hunt"),
        pytest.param(
            "dots_and_boxes", {"vs": "double-dealer"}, "program=double-dealer", marks=pytest.mark.release
        ),
        ("sevens", {}, ""),
    ],
)
def test_table_leads_to_the_maps_of_the_opponent(
    tmp_path: Path, game: str, fields: dict[str, str], heat: str
) -> None:
    client = client_of(tmp_path)
    place = client.post(f"/play/{game}", params={"seed": "1", **fields}).headers["location"]
    found = re.findall(r'hx-post="/heat\?([^"]+)"', client.get(place).text)
    assert bool(found) == bool(heat)
    if heat:
        assert heat in found[0]
        answer = client.post(f"/heat?{found[0].replace('&amp;', '&')}&games=1", headers=PART)
        assert (answer.status_code, 'data-counted="1"' in answer.text) == (200, True)
