"""Games that are drawn: what a file declares counts everywhere, and chance is asked for its outcomes alone."""

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from drawn_games import CHOICES, drawn_game

import gpkit
from gpkit.analysis import evaluation
from gpkit.analysis.evaluation import HeldOut, Watch, held_out, table_of_run
from gpkit.api.runs import GRACE, RunFollower
from gpkit.cli.main import main
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import stream
from gpkit.evolution.config import Config
from gpkit.evolution.config_files import evolution_config
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import begin
from gpkit.evolution.search import summarise
from gpkit.evolution.subjects import resolve
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.contest import Result
from gpkit.playing.session import GameSetup
from gpkit.web.play import whole_page
from gpkit.web.play_table import seated
from gpkit.web.site import open_site

pytestmark = pytest.mark.usefixtures("nobodys")


@pytest.mark.usefixtures("brief_doctor")
@pytest.mark.parametrize(
    "seed", [2, *(pytest.param(each, marks=pytest.mark.release) for each in (5, *range(6, 12)))]
)
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
    table = seated(GameSetup(game.name, ("takes_1",), {}, 0, seed, 0), ("takes_1",))
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
    run = resolve(
        evolution_config(name_game(drawn_game(len(functions), 3, functions=functions).write(Path())))
    )
    assert run.opponents == named
    assert [each.name for each in run.search().problem.opponents] == list(named)
    games, program = held_out(run), parse("choice: env.number").program
    results = games.strengths([program], 3)
    table = table_of_run(games, run.training, "mine", program, results, 3)
    assert [row.trial.opponent for row in table.rows][: len(named)] == list(named)
    assert {
        each.opponent for each in gpkit.run(gpkit.parse("choice: env.number", game="less"), games=3)
    } == set(named)


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.release] * (seed > 2)) for seed in range(8)]
)
def test_the_closing_table_takes_its_time_and_no_more(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = stream(seed, "slow games")
    run = resolve(evolution_config(name_game(drawn_game(seed, 2 + seed % 3).write(Path()))))
    pace, now = 10.0 ** rng.uniform(-5, 0), 0.0
    left = None if seed % 2 else float(rng.uniform(5, 40))

    def play(games: HeldOut, programs: list[Any], count: int, watch: Watch | None = None) -> list[Result]:
        nonlocal now
        found = played(games, programs, count, watch)
        now += pace * sum(each.games for each in found)
        return found

    played = HeldOut.strengths
    monkeypatch.setattr(HeldOut, "strengths", play)
    monkeypatch.setattr("gpkit.analysis.evaluation.games_of_champion", lambda name: 120)
    told: list[str] = []
    program = parse("choice: env.number").program
    results, table = evaluation.closing_table(run, "mine", program, told.append, lambda: now, left)
    games, deal = results[0].games, run.game.seatings(run.rules)
    one = pace * deal * len(run.opponents)
    assert "closing table" in told[0]
    assert games == 120 + -120 % deal or one * games / deal > (left or evaluation.CLOSING) / 9
    assert now <= max((left or evaluation.CLOSING) + 3 * one, 6 * one)
    again = played(held_out(run), [program], games, None)
    assert [each.by_deal.tolist() for each in results] == [each.by_deal.tolist() for each in again]
    assert {row.games for row in table.rows[: len(results)]} == {games}


@pytest.mark.parametrize("seed", range(2))
def test_the_time_left_counts_what_follows_the_last_generation(seed: int) -> None:
    config = evolution_config(name_game(drawn_game(seed, 3).write(Path())))
    assert isinstance(config, Config)
    run = resolve(replace(config, population=replace(config.population, size=6)))
    told, seconds = list[str](), float(stream(seed, "clock").uniform(1, 9))
    moments = itertools.count(0.0, seconds)
    live = RunFollower(run, told.append, lambda: next(moments))
    state = begin(run.search(), SerialExecutor()).state
    summary = summarise(1, state.islands)
    for generation in (0, int(str(run.config.stop.generations))):
        live.generation(replace(summary, generation=generation, trials=10), state)
    live.ending()
    left = [float(each) for each in re.findall(r"(\d+) s left", " ".join(told))]
    assert len(left) == 2, "nothing is known before the first generation"
    assert min(left) > evaluation.CLOSING


def test_a_run_says_why_numbers_of_its_champion_are_negative(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpkit.analysis.evaluation.games_of_champion", lambda name: 6)
    small = 'game = "{}"\npopulation.size = 6\nscheme.elites = 1\nfitness.deals = 2\nfitness.validation_deals = 2\n'
    for lower in (True, False):
        path = drawn_game(1, 3).write(Path(), lower=lower)
        Path("small.toml").write_text(small.format(Path(path).stem))
        assert (
            main(["evolve", "small.toml", "--game", path, "--generations", "0", "--out", Path(path).stem])
            == 0
        )
        assert ("coins with a minus sign" in capsys.readouterr().err) == lower


@pytest.mark.parametrize("seed", range(4))
def test_a_time_limit_keeps_seconds_for_the_closing_table(seed: int) -> None:
    rng = stream(seed, "limits")
    run = resolve(evolution_config(name_game(drawn_game(seed, 2).write(Path()))))
    limit, closing, now = float(rng.uniform(5, 50)), float(rng.uniform(0, 4)), 0.0
    live = RunFollower(run, str, lambda: now, time_limit=limit, closing=closing)
    rule: Any = live.stop
    now = limit - closing - 0.01
    assert rule(None) is None
    now = limit - closing
    assert rule(None) == f"{limit:g} seconds"
    assert live.left() == pytest.approx(GRACE)
