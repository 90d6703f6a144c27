"""Games that are followed on a page: steps, decisions, conditions, values on boards, the program that acted."""

import html
import re
from pathlib import Path

import pytest
from web_clients import guest

from gpkit.core.registry import GAMES

PART = {"hx-request": "true"}
SEVENS = "game=sevens&program=champion&vs=simple&seed=3"
FOLLOWED = {
    "sevens": "champion",
    "battleship": "hunt",
    "dots_and_boxes": "double-dealer",
    "mastermind": "knuth",
    "build_order": "six",
}


@pytest.mark.parametrize("game", [entry.name for entry in GAMES])
def test_game_is_stepped_to_its_end(tmp_path: Path, game: str) -> None:
    client, _ = guest(tmp_path)
    query = f"game={game}&program={FOLLOWED[game]}"
    first = client.get(f"/trace?{query}")
    assert first.status_code == 200, first.text
    (last,) = map(int, re.findall(r'id="step" data-step="0" data-last="(\d+)"', first.text))
    assert last > 3
    assert ("<summary>Symbols in the rules</summary>" in first.text) == (game == "dots_and_boxes")
    for number in (1, last // 2, last):
        text = client.get(f"/trace/step?{query}&step={number}", headers=PART).text
        assert f'data-step="{number}"' in text
        assert f"Step {number} of {last}: " in text
        assert "<svg" in text
    assert re.search(r'<p class="task over">[\w-]+(: \d+ \w+| won| lost)</p>', text)
    assert f'data-step="{last}"' in client.get(f"/trace/step?{query}&step={last + 5}", headers=PART).text


def test_decision_shows_candidates_values_on_the_board_and_nodes(tmp_path: Path) -> None:
    client, _ = guest(tmp_path)
    start = client.get(f"/trace?{SEVENS}").text
    (number,) = re.findall(r'data-after="(\d+)"', start)
    text = client.get(f"/trace/step?{SEVENS}&step={number}", headers=PART).text
    rows = text.partition("<tbody>")[2].partition("</tbody>")[0].count("<tr")
    assert rows > 1
    assert text.count('<g class="value') == 2 * rows  # in the wide drawing and in the narrow one
    assert 'class="chosen"' in text
    assert "env." in text
    drawn = client.get(f"/trace/drawn?{SEVENS}&step={number}", headers=PART).text
    assert "<svg" in drawn
    assert "style=" not in drawn


def test_condition_leads_to_the_next_step_where_it_holds(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    found = client.get("/trace/step?" + SEVENS, params={**_fields(SEVENS), "find": "mine and candidates > 1"})
    (number,) = map(int, re.findall(r'data-step="(\d+)"', found.text))
    watched = site.watched.get(next(iter(site.watched._kept)))
    assert watched is not None
    assert watched.step(number).values["candidates"] > 1
    for wrong, told in (("rank > 99", "holds in no later step"), ("rnak > 3", "rank")):
        refused = client.get("/trace/step", params={**_fields(SEVENS), "find": wrong}, headers=PART)
        assert refused.status_code == 400
        assert told in refused.text


def test_program_below_the_folder_is_followed_in_the_game_of_its_header(tmp_path: Path) -> None:
    (tmp_path / "mine.tree").write_text("// game: sevens\nplay: env.rounds\nsend: 1\n", encoding="utf-8")
    client, _ = guest(tmp_path)
    assert "mine, step by step" in client.get("/trace?program=mine.tree").text
    assert client.get("/trace?program=champion").status_code == 400
    assert client.get("/trace?game=sevens&program=../mine.tree").status_code == 400
    assert client.get("/trace?game=mastermind&program=codemaker").status_code == 400
    kept = client.get("/trace?game=sevens&program=hold&vs=simpel&seed=7")
    assert kept.status_code == 400
    for held in ('value="hold" selected', 'value="simpel"', 'value="7"', "did you mean <code>simple</code>"):
        assert held in html.unescape(kept.text)
    assert client.get("/trace").status_code == 200


def _fields(query: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in query.split("&"))
