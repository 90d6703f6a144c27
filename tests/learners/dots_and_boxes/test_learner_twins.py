"""Compiled and readable games of the learner: one seed gives the same rules with the same numbers, bit for bit."""

import numpy as np
import pytest

from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.kernel import learner as at
from gpkit.games.dots_and_boxes.kernel.learner import judge
from gpkit.games.dots_and_boxes.learner import learner as learners
from gpkit.games.dots_and_boxes.learner.learner import RULES, Learner, SlottedRules, prepared
from gpkit.games.dots_and_boxes.learning import Config, config_from_data
from gpkit.languages.rulegraph.text import parse, print_program
from gpkit_experiments.learner_readable import Game, ReadableGames

PAPER = {"population": {"size": 12}, "reward": {"rate": 0.1, "forgetting": 0.05}}
OURS = {
    "population": {"size": 25, "access": 0.0},
    "choice": {"beta": 5.0, "beta_end": 5.0, "exploration": 0.1},
    "reward": {"measure": "advantage", "access": "gain", "begin": -1.0},
    "covering": {"mending": 0.5, "part": "fragment"},
    "reproduction": {"parents": "niche", "trial": 40},
}


def readable(rules: SlottedRules) -> ReadableGames:
    return ReadableGames(rules, classes(RULES).positions.tolist(), RULES)


@pytest.mark.parametrize(
    ("name", "data", "games"),
    [
        pytest.param("paper", PAPER, 60, marks=pytest.mark.release),
        pytest.param(
            "combined",
            PAPER | {"reward": {"measure": "combined", "boxes": "shuffled"}},
            40,
            marks=pytest.mark.release,
        ),
        pytest.param("ours", OURS, 40, marks=pytest.mark.release),
        pytest.param(
            "ours covered",
            OURS | {"covering": OURS["covering"] | {"few": 12}},
            20,
            marks=pytest.mark.release,
        ),
        ("two opponents", OURS | {"others": ["chain+ex12"]}, 20),
        ("ours flipped", OURS | {"reward": OURS["reward"] | {"boxes": "flipped"}}, 20),
    ],
)
def test_both_give_the_same(name: str, data: dict[str, dict[str, object]], games: int) -> None:
    config = config_from_data(data | {"games": games, "seed": 7}, Config())
    one, two = Learner(config), Learner(config)
    two.play = readable(two.rules)
    while one.games < games:
        one.play_batch()
        two.play_batch()
        assert np.array_equal(one.record.totals, two.record.totals)
        assert np.array_equal(one.record.decisions, two.record.decisions)
    for column in ("quality", "access", "uses"):
        assert np.array_equal(getattr(one.rules.arrays, column), getattr(two.rules.arrays, column)), column
    assert print_program(one.rules.as_list()) == print_program(two.rules.as_list())
    assert np.array_equal(one.critic.own, two.critic.own)
    assert np.array_equal(one.critic.other, two.critic.other)
    assert len(one.rules) > 5


def test_classes_that_were_not_met_for_long_are_matched_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_from_data(OURS | {"games": 60, "seed": 7}, Config())
    programs = []
    for ring in (learners.RING, 12):
        monkeypatch.setattr(learners, "RING", ring)
        learner = Learner(config)
        while learner.games < config.games:
            learner.play_batch()
        programs.append(print_program(learner.rules.as_list()))
        memory = learner.memory
        met = np.flatnonzero(memory.seen != at.NEVER)
        bits = np.unpackbits(memory.matching[met].view(np.uint8), axis=1, bitorder="little")
        assert np.array_equal(memory.counts[met], bits.sum(axis=1))
        assert bits.any()
    assert learner.rules.arrays.changes[0] > 2 * learners.RING
    assert programs[0] == programs[1]


def test_trials_of_new_rules_are_the_same() -> None:
    config = config_from_data(OURS | {"games": 60, "seed": 3}, Config())
    learner = Learner(config)
    while learner.games < config.games:
        learner.play_batch()
    games = Game(readable(learner.rules), 0, 1.0, learner.world)
    recent, times = np.unique(learner.record.decisions[:80, at.AT_CLASS], return_counts=True)
    met = dict(zip(recent.tolist(), times.tolist(), strict=True))
    gains = []
    for text in ("x_0 w => x_0 - w", "t_0 w => t_0 - w", "q_0 n => q_0 - n", "l_0(2+) w => l_0[1] - w"):
        rule = parse(text).program.rules[0].rule
        if rule in learner.rules:
            continue
        found = judge(*prepared(rule), recent, times, np.zeros(80, dtype=np.int32), -1.0, 5, learner.world)
        assert found == games.judge(rule, met, -1.0, 5)
        gains.append(found[1])
    assert any(gain > 0 for gain in gains)
