"""Champions side by side are as strong as ``experiments/data/strength-sevens-table.json`` says."""

import json
from pathlib import Path

import pytest
from held_out_sets import SEVENS
from kernel_marks import compiled_only
from result_pages import results

from gpkit.games.sevens.game import GAME
from gpkit.games.sevens.primitives import GIVING
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name, player_of_text

ROOT = Path(__file__).parents[2]
RECORDED = json.loads(
    (ROOT / "experiments" / "data" / "strength-sevens-table.json").read_text(encoding="utf-8")
)
SEEDS = (85001, 85002, 85003, 85004, 85005)
"""The seeds of the five disjoint sets, named before any was played; nothing was chosen by them."""

PROGRAMS = ("champion", "champion-40", "tuned-40", "searched-40")
TABLES = (
    ("simple", 3, 60_000),
    ("random", 3, 60_000),
    ("medium", 3, 60_000),
    ("champion", 3, 60_000),
    ("champion-40", 3, 60_000),
    ("tuned-40", 3, 60_000),
    ("searched-40", 3, 60_000),
    ("simple", 2, 20_000),
    ("simple", 4, 20_000),
    ("simple", 5, 20_000),
    ("champion", 2, 20_000),
    ("champion", 4, 20_000),
    ("champion", 5, 20_000),
)
"""The opponent in all other seats, players at the table, and games of each set."""

RESULTS = {(one["program"], one["opponent"], one["players"]): one for one in RECORDED["results"]}


def test_every_program_met_every_table() -> None:
    assert tuple(RECORDED["seeds"]) == SEEDS
    assert list(RESULTS) == [
        (name, opponent, players) for opponent, players, _ in TABLES for name in PROGRAMS
    ]
    for opponent, players, games in TABLES:
        for name in PROGRAMS:
            one = RESULTS[name, opponent, players]
            assert one["games"] == games // players * players * len(SEEDS)
            assert one["ci95"][0] <= one["mean"] <= one["ci95"][1]


@pytest.mark.parametrize("name", ["tuned-40", "searched-40"])
def test_a_formula_has_few_nodes_of_one_alphabet(name: str) -> None:
    program = parse(SEVENS.shipped(name)).program
    assert len(program) <= 40
    used = {symbol for tree in program.trees for symbol in tree.symbols if isinstance(symbol, str)}
    assert used <= {*GIVING.sensors, "math.random", *(operator.name for operator in GIVING.operators)}


def test_the_searched_program_is_the_strongest_of_three_players_and_of_two() -> None:
    for opponent, players, _ in TABLES:
        new = RESULTS["searched-40", opponent, players]
        others = [RESULTS[name, opponent, players] for name in PROGRAMS if name != "searched-40"]
        if players < 4:
            assert new["mean"] > max(one["mean"] for one in others), (opponent, players)
            assert new["ci95"][0] > RESULTS["tuned-40", opponent, players]["ci95"][1], (opponent, players)
    at_four_and_five = {
        max(PROGRAMS, key=lambda name: RESULTS[name, opponent, players]["mean"])
        for opponent, players, _ in TABLES
        if players > 3
    }
    assert len(at_four_and_five) > 1, (
        "no formula is the strongest there, and its title says so of two and three"
    )
    assert RESULTS["searched-40", "simple", 3]["mean"] > 0.43
    assert RESULTS["searched-40", "simple", 3]["ci95"][0] > 0.42


def test_the_page_tells_how_strong_the_searched_program_is() -> None:
    random, simple = (RESULTS["searched-40", opponent, 3]["mean"] for opponent in ("random", "simple"))
    assert f"`searched-40` reaches {random:.4f} and {simple:.4f}" in results("sevens")


def test_the_tuned_program_is_better_against_champions() -> None:
    old, new = (RESULTS[name, "champion", 3] for name in ("champion-40", "tuned-40"))
    assert new["ci95"][0] > old["ci95"][1]


@compiled_only
def test_a_set_comes_out_again() -> None:
    program = player_of_text(SEVENS.shipped("searched-40"), GAME, filename="searched-40.tree")
    other, rules = player_of_name("simple", GAME), GAME.make_rules({"players": "3"})
    found = play_match(GAME, program, [other], rules=rules, seed=SEEDS[0], games=60_000)
    assert found.interval.mean == RESULTS["searched-40", "simple", 3]["sets"][0]
