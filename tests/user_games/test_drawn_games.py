"""Games that are drawn: what a file declares counts everywhere, and chance is asked for its outcomes alone."""

from pathlib import Path

import pytest
from drawn_games import CHOICES, drawn_game

import gpkit
from gpkit.app.configs import any_config
from gpkit.app.evaluation import Measured, held_out, table_of_run
from gpkit.app.game_setup import GameSetup
from gpkit.cli.main import main
from gpkit.core.registry import game_of, name_game
from gpkit.evolution.resolved import resolve
from gpkit.languages.arithmetic.parser import parse
from gpkit.web.play_page import whole_page
from gpkit.web.play_table import seated
from gpkit.web.site import open_site

pytestmark = pytest.mark.usefixtures("nobodys")


@pytest.mark.parametrize("seed", range(6))
def test_chance_is_not_asked_for_legal_actions(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    path = drawn_game(seed, 2 + seed % 2, 1 + seed % 3).write(Path())
    Path("mine.tree").write_text("choice: env.number\n")
    assert main(["doctor", "--game", path]) == 0, capsys.readouterr().out
    assert main(["run", "mine.tree", "mcts:5", "--game", path, "--games", "6"]) == 0
    assert main(["trace", "mine.tree", "--game", path, "--html", "trace.html"]) == 0
    assert main(["export", "mine.tree", "--game", path, "--to", "json"]) == 0
    game = game_of(name_game(path))
    if seed % 2 == 0:
        assert main(["run", "mine.tree", "--game", path, "--exact"]) == 0
    table = seated(GameSetup(game.name, ("takes_1",), {}, 0, seed), ("takes_1",))
    while not table.is_over:
        assert whole_page("x", table, open_site(Path()))["groups"]
        table.act(table.turn, 0)


@pytest.mark.parametrize(
    "functions", [(), ("lowest",), ("highest", "lowest")], ids=lambda names: f"{len(names)} functions"
)
def test_all_opponents_of_a_file_count_in_evolution_and_in_the_closing_table(
    functions: tuple[str, ...],
) -> None:
    named = ("random", *(f"takes_{number}" for number in range(CHOICES)), *functions)
    run = resolve(any_config(name_game(drawn_game(len(functions), 3, functions=functions).write(Path()))))
    assert run.opponents == named
    assert [each.name for each in run.search().problem.opponents] == list(named)
    games, program = held_out(run), parse("choice: env.number").program
    results = games.strengths(program, 3)
    table = table_of_run(games, run.training, Measured("mine", program, results, 3))
    assert [row.trial.opponent for row in table.rows][: len(named)] == list(named)
    assert {
        each.opponent for each in gpkit.run(gpkit.parse("choice: env.number", game="less"), games=3)
    } == set(named)
