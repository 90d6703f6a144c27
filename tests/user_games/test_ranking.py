"""Who wins where less is better: everything that ranks agrees, and ranks as in the mirror image."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from drawn_games import CHOICES, HIGHEST, Drawn, drawn_game

import gpkit
from gpkit.adapters import pettingzoo
from gpkit.api.runs import RunFollower
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import stream
from gpkit.evolution.config import Config, StopSettings
from gpkit.evolution.config_files import evolution_config
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import evolve
from gpkit.evolution.search import Hooks
from gpkit.evolution.subjects import resolve
from gpkit.gamekit.game import Game
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.players import player_of_name
from gpkit.playing.session import GameSetup
from gpkit.user_games.exact import exploitability
from gpkit.web.play_table import PlayTable, seated

pytestmark = pytest.mark.usefixtures("nobodys")

PLAYERS = (2, 3, 4)
NAMES = [f"takes_{number}" for number in range(CHOICES)]


def drawn(seed: int) -> Drawn:
    """The game of a seed."""
    return drawn_game(seed, PLAYERS[seed % len(PLAYERS)])


def both(seed: int) -> tuple[Game, Game]:
    """The game of a seed, and its mirror image."""
    game = drawn(seed)
    return tuple(game_of(name_game(game.write(Path(), lower=lower))) for lower in (True, False))


def ended(game: Game, line: tuple[int, ...], seat: int) -> PlayTable:
    """The table of a person in a seat, against players who choose as the line says, after the game."""
    others = tuple(f"takes_{line[(seat + step) % len(line)]}" for step in range(1, len(line)))
    table = seated(GameSetup(game.name, others, {}, seat, 1, 0), others)
    table.act(table.turn, line[seat])
    assert table.is_over
    return table


def said(text: str, names: tuple[str, ...]) -> set[int]:
    """The seats that a sentence names as winners; all for a draw."""
    if re.match("A (draw|tie)", text):
        return set(range(len(names)))
    head = re.split(" won| have won| has won| share", text)[0]
    return {seat for seat, name in enumerate(names) if name in head.lower().split(" and ")}


def wins_of(table: Any, direction: float) -> set[tuple[str, str]]:
    """Who is better than whom, by the means of a cross table without chance."""
    means = [[None if cell is None else cell.mean for cell in row] for row in table.cells]
    pairs = ((i, j) for i in range(CHOICES) for j in range(CHOICES) if i != j)
    return {(NAMES[i], NAMES[j]) for i, j in pairs if direction * (means[i][j] - means[j][i]) > 0}


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.release] * (seed > 1)) for seed in range(6)]
)
def test_page_terminal_and_next_opponent_name_the_winner(seed: int) -> None:
    game, rng = drawn(seed), stream(seed, "lines")
    own = game_of(name_game(game.write(Path())))
    lines = sorted(game.table)
    for line in [lines[int(place)] for place in rng.integers(0, len(lines), 6)]:
        for seat in range(game.players):
            table, winners = ended(own, line, seat), game.winners(line)
            page, _ = table.conversation.view.words.ending(table.played)
            names = table.conversation.names
            assert said(page, names) == winners, page
            terminal = table.conversation.result(table.session.state)
            assert said(terminal, names) == winners, terminal
            assert (table.margin > 0) == (winners == {seat})
            assert (table.lost_in_a_row > 0) == (seat not in winners)


@pytest.mark.parametrize("seed", range(3))
def test_round_robins_rank_as_in_the_mirror_image(seed: int) -> None:
    less, more = both(seed)
    here, there = (gpkit.tournament(NAMES, game=game, games=60) for game in (less, more))
    assert here.order.programs == there.order.programs
    assert here.order.wins == there.order.wins
    assert set(here.order.wins) <= wins_of(here.table, -1.0)
    ratings = {each.program: each.interval.mean for each in there.ratings.ratings}
    for each in here.ratings.ratings:
        assert each.interval.mean == pytest.approx(ratings[each.program], abs=1e-9)
    means = [each.interval.mean for each in here.ratings.ratings]
    assert means == sorted(means, reverse=True)
    assert here.ratings.unit == "fewer coins a game"
    if drawn(seed).players == 2:
        leagues = [gpkit.tournament(NAMES, game=game, games=60, series=6).order.wins for game in (less, more)]
        assert leagues[0] == leagues[1]


@pytest.mark.parametrize("seed", range(3))
def test_comparisons_searches_and_rewards_are_those_of_the_mirror_image(seed: int) -> None:
    less, more = both(seed)
    for name in NAMES[1:]:
        met = [gpkit.compare(NAMES[0], name, "random", game=game, games=60) for game in (less, more)]
        assert met[0].overall.verdict == met[1].overall.verdict
    actions = []
    for game in (less, more):
        rules = game.make_rules({})
        deals = game.deal(stream(1, "deals"), 1, rules)
        search = player_of_name("mcts:200", game)
        state = game.begin([search] * game.players(rules), deals, rules)
        assert game.choose is not None
        actions.append(game.choose(search, state, deals))
    assert actions[0] == actions[1]
    env = pettingzoo.env(less.name)
    env.reset(seed=seed)
    line = []
    while not any(env.terminations.values()):
        line.append(seed % CHOICES)
        env.step(line[-1])
    best = max(env.rewards.values())
    assert {env.seats[agent] for agent, reward in env.rewards.items() if reward == best} == drawn(
        seed
    ).winners(tuple(line))


@pytest.mark.parametrize("seed", range(0, 9, 3))
def test_a_best_response_is_that_of_the_mirror_image(seed: int) -> None:
    found = []
    for game in both(seed):
        for name in NAMES:
            (result,) = gpkit.run(name, "random", game=game, exact=True)
            player, rules = player_of_name(name, game), game.make_rules({})
            readable = result.expected.details["exploitability"]
            assert readable == pytest.approx(exploitability(game, [player], rules))
            assert readable >= 0.0
            found.append(readable)
    assert found[:CHOICES] == pytest.approx(found[CHOICES:])


@pytest.mark.parametrize("seed", range(3))
def test_evolution_ranks_as_in_the_mirror_image(seed: int) -> None:
    fitness: list[list[float]] = []
    for game in both(seed):
        config = evolution_config(game.name)
        assert isinstance(config, Config)
        problem = resolve(config).search().problem
        genomes = [parse(f"choice: -abs(env.number - {number})").program for number in range(CHOICES)]
        fitness.append([each.score for each in problem.evaluate(genomes, 1, 0, SerialExecutor())])
    order = [sorted(range(CHOICES), key=lambda k: (round(each[k], 9), k)) for each in fitness]
    assert order[0] == order[1]


def test_evolution_shows_scores_as_the_metric_counts_them() -> None:
    config = evolution_config(name_game(drawn(1).write(Path())))
    assert isinstance(config, Config)
    small = replace(
        config,
        population=replace(config.population, size=8),
        stop=StopSettings(generations=1),
        refinement=replace(config.refinement, finish=False),
        fitness=replace(config.fitness, deals=2, validation_deals=4),
    )
    told: list[str] = []
    run = resolve(small)
    live = RunFollower(run, told.append, lambda: 0.0)
    evolve(run, SerialExecutor(), hooks=Hooks(generation=live.generation))
    shown = re.findall(r"(?:best|median|champion) (-?[\d.]+)", "".join(told))
    assert len(shown) == 6
    assert all(not each.startswith("-") and float(each) <= HIGHEST + 1 for each in shown)


@pytest.mark.parametrize(
    ("name", "rules"),
    [("sevens", {"players": "2"}), ("sevens", {"players": "4"}), ("dots_and_boxes", {})],
)
def test_page_and_terminal_of_a_shipped_game_name_its_winner(name: str, rules: dict[str, str]) -> None:
    for deal in range(3):
        table = seated(GameSetup(name, ("random",), rules, deal % 2, 1, deal), ("random",))
        while not table.is_over:
            table.act(table.turn, int(table.session.state.legal_actions()[0]))
        said_of = table.conversation
        state = table.session.state
        winners = set(said_of.game.metric(said_of.rules).best(state.returns()))
        for text in (said_of.view.words.ending(table.played)[0], said_of.result(state)):
            assert said(text, said_of.names) == winners, text
        assert (table.margin > 0) == (winners == {said_of.seat})
