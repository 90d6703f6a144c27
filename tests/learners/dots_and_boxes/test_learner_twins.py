"""Compiled and readable games of the learner: one seed gives the same rules with the same numbers, bit for bit."""

import numpy as np
import pytest
from readable_replay import ReadableReplay

from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.learner import slotted_rules
from gpkit.games.dots_and_boxes.learner.config import Config, config_from_data
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.learning import judge
from gpkit.games.dots_and_boxes.learner.kernel.replay import Acting, find_place, take_place
from gpkit.games.dots_and_boxes.learner.learner import RULES, Learner
from gpkit.games.dots_and_boxes.learner.replaying import Replaying, own_course
from gpkit.games.dots_and_boxes.learner.slotted_rules import SlottedRules, prepared
from gpkit.languages.rulegraph.parser import parse
from gpkit.languages.rulegraph.printer import print_program
from gpkit_experiments.learner_readable import Game, ReadableGames

PAPER = {"population": {"size": 12}, "reward": {"rate": 0.1, "forgetting": 0.05}}
OURS = {
    "population": {"size": 25, "access": 0.0},
    "choice": {"beta": 5.0, "beta_end": 5.0, "exploration": 0.1},
    "reward": {"measure": "advantage", "access": "gain", "begin": -1.0},
    "covering": {"mending": 0.5, "part": "fragment"},
    "reproduction": {"parents": "niche", "trial": 40},
}
REPLAYED = OURS | {
    "reward": OURS["reward"] | {"access": "replay"},
    "covering": {"replay": 8, "part": "fragment"},
    "reproduction": {"every": 5, "children": 0, "trial": 150},
    "ordering": {"every": 20, "decisions": 60},
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
            "ordered", OURS | {"ordering": {"every": 10, "decisions": 60}}, 40, marks=pytest.mark.release
        ),
        pytest.param("replayed", REPLAYED, 40, marks=pytest.mark.release),
        pytest.param(
            "replayed and covered",
            REPLAYED | {"covering": REPLAYED["covering"] | {"few": 12}},
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
    for column in ("quality", "access", "uses", "ordered"):
        assert np.array_equal(getattr(one.rules.arrays, column), getattr(two.rules.arrays, column)), column
    assert print_program(one.rules.as_list()) == print_program(two.rules.as_list())
    assert np.array_equal(one.critic.own, two.critic.own)
    assert np.array_equal(one.critic.other, two.critic.other)
    assert len(one.rules) > 5


@pytest.mark.parametrize("data", [OURS, pytest.param(REPLAYED, marks=pytest.mark.release)])
def test_classes_that_were_not_met_for_long_are_matched_anew(
    data: dict[str, dict[str, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_from_data(data | {"games": 60, "seed": 7}, Config())
    programs = []
    for ring in (slotted_rules.RING, 12):
        monkeypatch.setattr(slotted_rules, "RING", ring)
        learner = Learner(config)
        while learner.games < config.games:
            learner.play_batch()
        programs.append(print_program(learner.rules.as_list()))
        memory = learner.memory
        met = np.flatnonzero(memory.seen != at.NEVER)
        bits = np.unpackbits(memory.matching[met].view(np.uint8), axis=1, bitorder="little")
        assert np.array_equal(memory.counts[met], bits.sum(axis=1))
        assert bits.any()
    assert learner.rules.arrays.changes[0] > 2 * slotted_rules.RING
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


@pytest.mark.release
def test_replays_of_decisions_are_the_same() -> None:
    """The rules that act are found anew as they were kept up to date, and places as in plain Python."""
    learner = Learner(config_from_data(REPLAYED | {"games": 60, "seed": 3}, Config()))
    while learner.games < 60:
        learner.play_batch()
    recent, times = np.unique(learner.recent[: learner.met], return_counts=True)
    replaying = Replaying(learner.rules, 25, recent, times, learner.world)
    twin = ReadableReplay(
        Game(readable(learner.rules), 0, 1.0, learner.world),
        dict(zip(recent.tolist(), times.tolist(), strict=True)),
    )
    rng, taken, parts = np.random.default_rng(1), 0, 0
    acting = Acting(np.zeros(200, dtype=np.int64), np.zeros(200), np.zeros(200, dtype=np.bool_))
    for _ in range(12):
        row = replaying.draw(rng)
        assert row is not None
        rule = learner._covering_rule(rng, int(recent[row]), int(replaying.replay.edges[row]))
        if rule in learner.rules:
            continue
        places = [
            find_place(*prepared(rule), row, least, replaying.replay, acting, learner.world)
            for least in (1e6, -1e6)
        ]
        assert places == [twin.find_place(rule, int(recent[row]), least) for least in (1e6, -1e6)]
        parts += places[0][0] < places[1][0]
        slot = learner.rules.add(rule, places[1][2], 0.0, 0)
        take_place(slot, learner.rules.arrays.quality, replaying.replay)
        for k, number in enumerate(recent.tolist()):
            slots = twin.acting(number)
            taken += slot in slots
            assert tuple(replaying.replay.acting[k]) == slots
            assert replaying.replay.values[k, 0] == twin.value(number, slots[0])
            if slots[0] != at.NO_SLOT:
                assert replaying.replay.values[k, 1] == twin.value(number, slots[1])
    assert taken > 10
    assert parts > 2
    replaying.make_room()
    assert len(learner.rules) == 25


def test_decisions_after_an_edge_drawn_at_random_are_not_of_the_own_course() -> None:
    slots = [(1, 4), (5, at.UNGUIDED), (9, 2), (0, 3), (7, 1), (2, at.UNGUIDED), (3, at.UNGUIDED), (8, 1)]
    decisions = np.array([(number, slot, 0, at.NOTHING) for number, slot in slots], dtype=np.int32)
    assert own_course(decisions).tolist() == [1, 5, 0, 7, 2]
