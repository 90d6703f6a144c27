"""Configurations of the learner: text and back, and what is refused."""

import pytest

from gpkit.core.errors import UsageError
from gpkit.core.settings import print_config
from gpkit.games.dots_and_boxes.learner.config import PRESETS, Config, parse_config


@pytest.mark.parametrize("name", PRESETS)
def test_presets_come_back_from_their_text(name: str) -> None:
    text = print_config(PRESETS[name])
    assert parse_config(text, {}) == PRESETS[name]
    assert parse_config(f'preset = "{name}"', PRESETS) == PRESETS[name]


def test_schedules_of_the_source() -> None:
    for name, ends in {"constant": (10.0, 10.0), "rising-20": (0.1, 20.0), "rising-10": (0.1, 10.0)}.items():
        config = PRESETS[name]
        assert (config.beta_after(0), config.beta_after(10**6)) == ends
    assert PRESETS["rising-20"].beta_after(25_000) == pytest.approx(0.5)
    assert PRESETS["rising-10"].beta_after(9_999) == 0.1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('opponent = "chian"', "chain"),
        ("[population]\nsize = 0", "population.size"),
        ("[mutations]\nadd = 0.0", "needs an edit"),
        ("[mutations]\nflip = 1.0", "flip"),
        ('[reward]\naccess = "gain"', "needs reward.measure"),
        ("[covering]\nmending = 0.5", "covering.mending needs"),
        ("[reproduction]\ntrial = 10", "reproduction.trial needs"),
        ("[ordering]\nevery = 100", "ordering.every needs"),
        ('preset = "ordered"\n[ordering]\nevery = 105', "ordering.every must be whole batches, of 10 games"),
        ("[covering]\nreplay = 5", "covering.replay needs"),
        ('preset = "ours"\n[covering]\nreplay = 5', "need each other"),
        ('preset = "placed"\n[ordering]\nevery = 0', "covering.replay needs ordering.every"),
        ('preset = "our"', "ours"),
        ('preset = ["ours"]', "no preset"),
    ],
)
def test_what_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_config(text, PRESETS)


def test_missing_values_are_the_defaults() -> None:
    assert parse_config("", {}) == Config()
