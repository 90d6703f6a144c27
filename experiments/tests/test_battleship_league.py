"""The league of all Battleship players: the data are of its command, and a cell comes out again."""

import json
from pathlib import Path

from gpkit.games.battleship.game import GAME
from gpkit.playing.players import player_of_name
from gpkit.playing.tournament import play_league

DATA = json.loads((Path(__file__).parents[1] / "data" / "league-battleship.json").read_text(encoding="utf-8"))


def test_the_data_are_of_the_command() -> None:
    words = DATA["command"].split()
    assert words[2 : words.index("--game")] == DATA["programs"]
    assert words[words.index("--seed") + 1] == str(DATA["seed"])
    assert len(DATA["results"]) == len(DATA["programs"]) * (len(DATA["programs"]) - 1)


def test_a_cell_comes_out_again() -> None:
    players = [player_of_name(name, GAME) for name in ("hunt", "counts")]
    league = play_league(
        GAME, players, rules=GAME.make_rules(DATA["rules"]), seed=DATA["seed"], games=11, repeat=4
    )
    cell = league.cells[0][1]
    assert cell is not None
    recorded = [row for row in DATA["results"] if (row["program"], row["opponent"]) == ("hunt", "counts")]
    assert [cell.to_json()] == [{**row, "different_games": None} for row in recorded]


def test_who_adapts_leads_and_nobody_beats_in_circles() -> None:
    assert DATA["ratings"][0]["program"] == "adaptive"
    assert DATA["cycles"] == []
