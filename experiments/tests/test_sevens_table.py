"""Champions side by side are as strong as ``experiments/data/strength-sevens-table.json`` says."""

import json
from pathlib import Path

import pytest
from kernel_marks import compiled_only

from gpkit.games.sevens.primitives import GIVING
from gpkit.languages.arithmetic.parser import parse
from gpkit_experiments.held_out_sets import SEVENS
from gpkit_experiments.sevens_table import FILE, PROGRAMS, SEEDS, TABLES, measured

ROOT = Path(__file__).parents[2]
RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
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


def test_the_readme_tells_how_strong_the_searched_program_is() -> None:
    random, simple = (RESULTS["searched-40", opponent, 3]["mean"] for opponent in ("random", "simple"))
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"`searched-40` reaches {random:.4f} and {simple:.4f}; it was joined by hand" in text


def test_the_tuned_program_is_better_against_champions() -> None:
    old, new = (RESULTS[name, "champion", 3] for name in ("champion-40", "tuned-40"))
    assert new["ci95"][0] > old["ci95"][1]


@compiled_only
def test_a_set_comes_out_again() -> None:
    found = measured("searched-40", "simple", 3, 60_000, SEEDS[:1])
    assert found["mean"] == RESULTS["searched-40", "simple", 3]["sets"][0]


@compiled_only
@pytest.mark.slow
def test_all_sets_come_out_again() -> None:
    for opponent, players, games in TABLES:
        for name in PROGRAMS:
            assert measured(name, opponent, players, games) == RESULTS[name, opponent, players]
