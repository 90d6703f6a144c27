"""Agents at Battleship: traces are the games that are scored, and heat maps tell what is believed."""

import pytest

from gpkit.gamekit.svg import GRADES
from gpkit.games.battleship.board import heat_text
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.rules import Board
from gpkit.playing.contest import deal_of
from gpkit.playing.players import player_of_name
from gpkit.playing.trace import trace_game

SMALL = {"board": "6x6", "fleet": "3,2"}


@pytest.mark.parametrize("seat", [0, 1])
def test_a_trace_is_the_game_that_is_scored(seat: int) -> None:
    rules = GAME.make_rules({**SMALL, "mode": "duel", "shots": "again"})
    agent, hunt = player_of_name("mcs:5:corner", GAME), player_of_name("hunt", GAME)
    deals = deal_of(GAME, rules, 3, 1)
    steps = list(trace_game("battleship", [agent, hunt], deals, rules, seat=seat).steps)
    end = steps[-1].after
    scores = GAME.play([agent, hunt] if seat == 0 else [hunt, agent], deals, rules)
    assert end.returns()[0] == scores.values[0, 0]
    mine = [step for step in steps if step.values.get("mine")]
    assert len(mine) == end.boards[seat].turns
    for step in mine:
        assert set(step.worths) == set(step.before.legal_actions())
        assert step.action is not None
        assert step.values["chance"] == step.worths[step.action]
        table = step.table()
        assert table is not None
        assert table.columns == ("square", "chance")
        assert table.rows[table.chosen] == (step.values["square"], step.values["chance"])
        record = step.record()["decision"]
        assert record["chosen"] == step.values["square"]  # type: ignore[index]
        assert [each["value"] for each in record["candidates"]] == list(step.worths.values())  # type: ignore[index]
        drawn = sum(step.picture().count(f'fill="{grade}"') for grade in GRADES)
        assert drawn == 36 - step.values["shots"]  # type: ignore[operator]
        assert "belief before the shot" in step.board()


def test_heat_maps_show_chances_where_nothing_is_known() -> None:
    rules = GAME.make_rules({"board": "4x2", "fleet": "2"})
    board = Board.of((0,), rules).shoot(0).shoot(7)
    assert heat_text(board, [1.0, 0.5, 0.0, 0.999, 0.25, 1.0, 0.07, 0.0]) == (
        "   A  B  C  D\n"  # in hundredths
        "1  x 50  0 99\n"
        "2 25 99  7  o\n"
    )
    wide = GAME.make_rules({"board": "30x1", "fleet": "2"})
    first, second = heat_text(Board.of((0,), wide), [0.55] * 30).splitlines()
    assert second == "1 " + "5" * 30
    assert first == "  ABCDEFGHIJKLMNOPQRSTUVWXYZABCD"


def test_a_person_sees_what_is_believed() -> None:
    from battleship_table import conversation_of

    rules = GAME.make_rules({**SMALL, "mode": "duel"})
    table = conversation_of("mcs:5", rules, 0)
    state = GAME.begin([player_of_name("uniform", GAME)] * 2, deal_of(GAME, rules, 1, 0), rules)
    deals = deal_of(GAME, rules, 1, 0)
    (own,) = table.commands()["b"](state, deals)
    (theirs,) = table.commands()["w"](state, deals)
    assert str(own).startswith("chances of a ship, in percent:\n   A  B  C  D  E  F\n1 ")
    assert str(theirs).startswith("where mcs:5 expects your ships, in percent:\n")
    alone = conversation_of("uniform", GAME.make_rules(SMALL), 0)
    assert "w" not in alone.commands()
