"""The learner: its accounts add up, it learns to play, and without true rewards it does not.

Configurations of the learner: text and back, and what is refused.
"""

from dataclasses import replace

import numpy as np
import pytest
from rule_rates import choices_in, result_of

from gpkit.core.settings import print_config
from gpkit.games.dots_and_boxes.kernel import learner as at
from gpkit.games.dots_and_boxes.learner.folder import greedy, learn, marks
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.games.dots_and_boxes.learning import (
    PRESETS,
    Config,
    ReproductionSettings,
    RewardSettings,
    config_from_data,
    parse_learner_config,
)
from gpkit.languages.rulegraph.text import parse, print_program


def learned(config: Config) -> Learner:
    learner = Learner(config)
    while learner.games < config.games:
        learner.play_batch()
    return learner


@pytest.mark.release
def test_accessibility_grows_by_use_and_fades_exactly() -> None:
    forgetting = 0.2
    config = replace(
        PRESETS["constant"],
        games=120,
        reward=RewardSettings(forgetting=forgetting),
        reproduction=ReproductionSettings(every=1, children=0),
    )
    learner = Learner(config)
    expected, sums, used, news = 0.0, [], [], []
    while learner.games < config.games:
        rules, before = len(learner.rules), learner.record.totals[at.USED]
        learner.play_batch()
        used.append(learner.record.totals[at.USED] - before)
        news.append((len(learner.rules) - rules) * config.population.access)
        expected = (1 - forgetting) * expected + used[-1] + news[-1]
        sums.append(learner.rules.arrays.access.sum())
        assert sums[-1] == pytest.approx(expected, rel=1e-9)
    assert len(learner.rules) < config.population.size
    assert np.mean(sums[40:]) == pytest.approx(
        (np.mean(used[40:]) + np.mean(news[40:])) / forgetting, rel=0.1
    )


@pytest.mark.release
def test_rules_act_nearly_everywhere_after_a_thousand_games() -> None:
    points = learn(Learner(replace(PRESETS["constant"], games=2000, seed=101)), (1000, 2000)).points
    assert points[-1].activity > 0.99
    assert points[-1].rules <= 1000


@pytest.mark.release
@pytest.mark.parametrize(
    ("preset", "games", "least"),
    [("ours", 1000, 0.3), pytest.param("constant", 2000, 0.1, marks=pytest.mark.slow)],
)
def test_learns_to_win_and_without_true_rewards_does_not(preset: str, games: int, least: float) -> None:
    rates = {}
    for boxes in ("true", "shuffled", "flipped"):
        data = {"reward": {"boxes": boxes}, "games": games, "seed": 101}
        rates[boxes] = greedy(learned(config_from_data(data, PRESETS[preset])), "chain")[0].mean
    assert rates["true"] > least
    assert rates["shuffled"] < rates["true"] / 2
    assert rates["flipped"] < 0.01


@pytest.mark.release
def test_learned_list_plays_as_the_learner_does() -> None:
    learner = learned(replace(PRESETS["ours"], games=500, seed=101))
    text = print_program(learner.rules.as_list())
    rules = parse(text).program
    strength, choices, _ = greedy(learner, "chain")
    assert result_of(rules, "chain").mean == pytest.approx(strength.mean, abs=1e-12)
    met = choices != 0
    assert np.array_equal(choices_in(rules)[met], choices[met])


@pytest.mark.release
def test_no_two_rules_are_equal_and_there_are_never_too_many() -> None:
    config = replace(PRESETS["ours"], games=2000, seed=101)
    learner = learned(config_from_data({"population": {"size": 100}}, config))
    rules = [named.rule for named in learner.rules.as_list().rules]
    assert len(rules) == len(set(rules)) == 100
    quality = [named.q for named in learner.rules.as_list().rules]
    assert quality == sorted(quality, reverse=True)


@pytest.mark.release
def test_points_of_a_curve() -> None:
    points = learn(Learner(replace(PRESETS["constant"], games=40)), (5, 7, 10, 25, 40)).points
    assert [point.games for point in points] == [10, 30, 40]
    assert all(0.0 <= point.online <= 1.0 for point in points)
    assert marks(10) == tuple(range(1, 11))
    assert marks(1_000_000)[-1] == 1_000_000
    assert marks(1_000_000)[10] == 20_000
    assert len(marks(1_000_000)) == 31


@pytest.mark.parametrize("name", PRESETS)
def test_presets_come_back_from_their_text(name: str) -> None:
    text = print_config(PRESETS[name])
    assert parse_learner_config(text, {}) == PRESETS[name]
    assert parse_learner_config(f'preset = "{name}"', PRESETS) == PRESETS[name]


def test_schedules_of_the_source() -> None:
    for name, ends in {"constant": (10.0, 10.0), "rising-20": (0.1, 20.0), "rising-10": (0.1, 10.0)}.items():
        config = PRESETS[name]
        assert (config.beta_after(0), config.beta_after(10**6)) == ends
    assert PRESETS["rising-20"].beta_after(25_000) == pytest.approx(0.5)
    assert PRESETS["rising-10"].beta_after(9_999) == 0.1


def test_missing_values_are_the_defaults() -> None:
    assert parse_learner_config("", {}) == Config()
