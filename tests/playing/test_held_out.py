"""Held-out tables: what counts as trained, what is read from headers, and tables as JSON and back."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.registry import GAMES, game_of
from gpkit.core.statistics import mean_interval
from gpkit.gamekit.forms import Trial
from gpkit.gamekit.game import Game
from gpkit.playing.contest import play_match
from gpkit.playing.evaluation import (
    HeldOutTable,
    Row,
    Training,
    TrainingSetup,
    measure,
    read_training,
    shortened,
    trials_of,
    without_default_rules,
)
from gpkit.playing.players import player_of_name, player_of_text
from gpkit_experiments.held_out_tables import table_from_json

NAMES = st.text(st.sampled_from("abc+:"), min_size=1, max_size=6)
OPTIONS = st.dictionaries(st.sampled_from(["board", "players"]), st.sampled_from(["4x4", "2"]), max_size=2)
GROUNDS = st.builds(TrainingSetup, st.lists(NAMES, min_size=1, max_size=3).map(tuple), OPTIONS)
TRAININGS = st.builds(
    Training, st.lists(GROUNDS, max_size=3).map(tuple), st.lists(st.integers(0, 10**6), max_size=3).map(tuple)
)


@given(TRAININGS)
@settings(max_examples=60)
def test_a_training_is_read_from_its_text(training: Training) -> None:
    assert read_training(str(training)) == training


@given(st.text(st.sampled_from("deals on=,;x4 \u0660"), max_size=30))
@settings(max_examples=60)
def test_any_header_can_be_read(text: str) -> None:
    training = read_training(text)
    assert read_training(str(training)) == training


TRAINING = read_training("chain, chain+ex12; chain on board=4x4; deals 7")


@pytest.mark.parametrize(
    ("opponent", "options", "seeds", "expected"),
    [
        ("chain", {}, (), ()),
        ("chain", {}, (7, 8), ()),
        ("chain", {}, (8,), ("deals",)),
        ("greedy", {}, (), ("opponent",)),
        ("chain", {"board": "4x4"}, (7,), ()),
        ("chain+ex12", {"board": "4x4"}, (7,), ("opponent",)),
        ("chain+ex12", {"board": "5x5"}, (8,), ("rules", "deals")),
        ("greedy", {"board": "5x5"}, (8,), ("opponent", "rules", "deals")),
    ],
)
def test_what_training_had_no_part_of(
    opponent: str, options: Mapping[str, str], seeds: tuple[int, ...], expected: tuple[str, ...]
) -> None:
    assert TRAINING.unseen(Trial(opponent, options), seeds) == expected


def test_to_a_program_by_hand_everything_is_new() -> None:
    assert read_training("nothing").unseen(Trial("chain"), (1,)) == ("opponent", "rules", "deals")


def test_rules_that_are_the_usual_ones_are_not_told_apart() -> None:
    game: Game = game_of("dots_and_boxes")
    training = without_default_rules(read_training("chain on board=3x3; chain on board=4x4"), game)
    assert training.setups == (TrainingSetup(("chain",)), TrainingSetup(("chain",), {"board": "4x4"}))


@pytest.mark.parametrize("name", [entry.name for entry in GAMES])
def test_the_trials_of_a_game_can_be_seated(name: str) -> None:
    game: Game = game_of(name)
    trials = trials_of(game)
    assert len({(trial.opponent, *trial.options.items()) for trial in trials}) == len(trials)
    for trial in trials:
        game.make_rules(trial.options)
        player_of_name(trial.opponent, game)
        assert not trial.exact or game.exact is not None
        assert trial.sets * trial.games > 0
        usual = game.make_rules({}).to_options()
        assert all(usual.get(key) != text for key, text in trial.options.items()), "as training names them"


def test_a_row_pools_its_sets_and_says_how_to_measure_each_again() -> None:
    game: Game = game_of("build_order")
    player, opponent = player_of_name("pool", game), player_of_name("enemy", game)
    trial = Trial("enemy", {"attack": "random"}, games=20, sets=3)
    table = measure(
        game, player, [(trial, opponent)], seed=40, training=read_training("enemy on attack=random")
    )
    (row,) = table.rows
    assert row.seeds == (40, 41, 42)
    assert row.games == row.interval.units == 60
    assert (row.part, row.held_out) == ("held out", "deals")
    rules = game.make_rules(trial.options)
    again = [play_match(game, player, [opponent], rules=rules, seed=seed, games=20) for seed in row.seeds]
    assert row.sets == tuple(result.mean for result in again)
    pooled = mean_interval([score for result in again for score in result.by_deal], support=(0.0, 1.0))
    assert row.interval == pooled
    command = "gpkit run pool --game build_order --opponent enemy --rules attack=random --games 20 --seed"
    assert row.commands("pool", "build_order") == tuple(f"{command} {seed}" for seed in row.seeds)
    assert table_from_json(json.loads(json.dumps(table.to_json()))) == table


def test_an_exact_trial_of_a_program_that_draws_is_played() -> None:
    game: Game = game_of("mastermind")
    options = {"length": "2", "colours": "3"}
    trial = Trial("codemaker", options, games=30, sets=2, exact=True)
    seated = [(trial, player_of_name("codemaker", game))]
    entropy, drawing = (
        player_of_name("entropy", game),
        player_of_text("guess: math.random()", game, filename="a.tree"),
    )
    computed, played = (measure(game, each, seated, seed=1).rows[0] for each in (entropy, drawing))
    assert (computed.is_exact, computed.cells[4], computed.games) == (True, "exact", 0)
    assert (played.is_exact, played.part, played.games) == (False, "not said", 60)
    tables = [HeldOutTable(name, "mastermind", None, (computed, played)) for name in ("a", "b")]
    assert [table_from_json(table.to_json()) for table in tables] == tables


def test_a_shortened_trial_keeps_its_sets() -> None:
    assert shortened(Trial("chain", games=100, sets=5), 50) == Trial("chain", games=10, sets=5)
    assert shortened(Trial("chain", games=100, sets=5), 3).games == 1


def _row(**values: object) -> dict[str, object]:
    trial = Trial("chain", games=1, sets=1)
    row = Row(trial, (1,), ("deals",), "win_rate", mean_interval([0.0, 1.0]), (0.5,), 2)
    (found,) = HeldOutTable("p", "g", None, (row,)).to_json()["rows"]  # type: ignore[misc]
    return {**found, **values}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mean": "much"}, "a finite number"),
        ({"seeds": 7}, "a list"),
        ({"held_out": ["weather"]}, '"opponent", "rules", "deals"'),
        ({"rules": []}, "a table"),
        ({"ci95": [0.1]}, "2 values"),
    ],
)
def test_a_damaged_table_is_refused(change: dict[str, object], said: str) -> None:
    data = {"program": "p", "game": "g", "trained": None, "rows": [_row(**change)]}
    with pytest.raises(ValueError, match=said):
        table_from_json(data)
