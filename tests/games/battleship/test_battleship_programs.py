"""Shipped programs take the shots that are known of them, on held-out boards."""

import pytest

from gpkit.core.rng import stream
from gpkit.games.battleship.game import GAME
from gpkit.play.agents import agent_of_name, agent_of_program, program_of_name

GAMES = 20_000


def shots(name: str, header: dict[str, str], placement: str = "uniform") -> tuple[float, int]:
    """The mean, and the number of games that were not finished."""
    rules = GAME.make_rules({})
    deals = GAME.deal(stream(20261121, "held out"), GAMES, rules)
    agent = agent_of_program(program_of_name(name, GAME), GAME, name, header)
    scores = GAME.play([agent, agent_of_name(placement, GAME)], deals, rules)
    return float(scores.values.mean()), scores.invalid + scores.stalled


@pytest.mark.parametrize(
    ("name", "header", "expected"),
    [
        ("corrected", {}, 57.9),
        ("corrected", {"target": "uniform"}, 65.9),
        ("corrected", {"sunk": "reset"}, 55.7),
        ("corrected", {"if": "one-line"}, 80.3),
        ("textbook", {}, 58.0),
        ("champion", {}, 58.7),
        ("hunt", {"target": "hunt"}, 51.2),
    ],
)
def test_every_game_is_finished_in_so_many_shots(name: str, header: dict[str, str], expected: float) -> None:
    mean, unfinished = shots(name, header)
    assert unfinished == 0
    assert mean == pytest.approx(expected, abs=0.4)


def test_figure_8_as_printed_does_not_play() -> None:
    _, unfinished = shots("figure8-as-printed", {"dialect": "literal"})
    assert unfinished > 0.99 * GAMES
    assert shots("figure8-as-printed", {})[1] == GAMES
