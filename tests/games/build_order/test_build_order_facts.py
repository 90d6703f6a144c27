"""Traces of the build order: facts of a step, and games of programs that draw random numbers."""

import pytest

from gpkit.games.build_order.game import GAME
from gpkit.playing.contest import deal_of
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.playing.trace import Trace, read_condition, trace_game, until

RULES = GAME.make_rules({})


def traced(text: str, filename: str, deal: int = 0) -> Trace:
    players = [player_of_text(text, GAME, filename=filename), player_of_name("enemy", GAME)]
    return trace_game("build_order", players, deal_of(GAME, RULES, 1, deal), RULES)


def test_conditions_ask_when_an_order_began_and_how_the_game_stands() -> None:
    trace = traced("order: env.lack + 8 * env.is_spawning_pool", "pool.tree")
    *_, found = until(trace.steps, read_condition("began > 100", trace.vocabulary))
    assert found.values["began"] == found.after.orders[-1].begun > 100
    assert found.values["outcome"] == "going"
    *_, last = until(trace.steps, read_condition("outcome == reached", trace.vocabulary))
    assert last.after.is_terminal


@pytest.mark.parametrize(
    ("text", "filename"),
    [
        ("order: math.random() * env.lack + math.random()", "drawn.tree"),
        ("order:\n  chance 0.5\n    yes: drone\n    no: zerglings\n", "coin.decide"),
    ],
)
def test_games_of_programs_that_draw_are_those_of_the_kernel(text: str, filename: str) -> None:
    players = [player_of_text(text, GAME, filename=filename), player_of_name("enemy", GAME)]
    for deal in range(3):
        *_, last = traced(text, filename, deal).steps
        scores = GAME.play(players, deal_of(GAME, RULES, 1, deal), RULES)
        assert last.values["score"] == scores.values[0, 0]
