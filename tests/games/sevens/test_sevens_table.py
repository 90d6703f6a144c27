"""Champions side by side are as strong as ``tests/data/strength-sevens-table.json`` says."""

import json

import pytest
from held_out_sets import SEVENS
from kernel_marks import compiled_only
from sevens_table import FILE, PROGRAMS, SEEDS, TABLES, measured
from sevens_tuning import PLAY, SEND

from gpkit.games.sevens.primitives import GIVING
from gpkit.languages.arithmetic.parser import parse

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


def test_tuned_constants_stand_in_the_form_that_was_tuned() -> None:
    program = parse(SEVENS.shipped("tuned-40")).program
    assert len(program) <= 40
    form = parse(f"play: {PLAY}\nsend: {SEND}".format(*range(1, 8))).program
    for tree, other in zip(program.trees, form.trees, strict=True):
        assert tree.sizes == other.sizes
        assert {s for s in tree.symbols if isinstance(s, str)} <= {
            *GIVING.sensors,
            "math.random",
            "+",
            "-",
            "*",
        }


def test_the_tuned_program_is_better_against_champions() -> None:
    old, new = (RESULTS[name, "champion", 3] for name in ("champion-40", "tuned-40"))
    assert new["ci95"][0] > old["ci95"][1]


@compiled_only
def test_a_set_comes_out_again() -> None:
    found = measured("tuned-40", "simple", 3, 60_000, SEEDS[:1])
    assert found["mean"] == RESULTS["tuned-40", "simple", 3]["sets"][0]


@compiled_only
@pytest.mark.slow
def test_all_sets_come_out_again() -> None:
    for opponent, players, games in TABLES:
        for name in PROGRAMS:
            assert measured(name, opponent, players, games) == RESULTS[name, opponent, players]
