"""The options of Sevens and their text form.

Cards: numbers, names and their reading.
"""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.games.sevens.cards import ACE_HIGH, ACE_LOW, CARDS, Pack, suit_of
from gpkit.games.sevens.game import metric_of
from gpkit.games.sevens.rules import OPTIONS, SevensRules


def test_one_option_for_each_field_with_its_default_among_the_values() -> None:
    assert [option.name for option in OPTIONS] == [field.name for field in fields(SevensRules)]
    defaults = SevensRules().to_options()
    for option in OPTIONS:
        value = defaults[option.name]
        assert value in option.choices if option.choices else option.low <= int(value) <= option.high


@given(data=st.data())
def test_options_and_rules_round_trip(any_rules: st.SearchStrategy[SevensRules], data: st.DataObject) -> None:
    rules = data.draw(any_rules)
    assert SevensRules.from_options(rules.to_options()) == rules


def test_no_options_are_the_default_rules() -> None:
    assert SevensRules.from_options({}) == SevensRules()


@pytest.mark.parametrize("text", ["yes", "true", "on", "1", "Yes", " TRUE "])
def test_spellings_of_yes(text: str) -> None:
    assert SevensRules.from_options({"gates": text}).gates is True


@pytest.mark.parametrize(("name", "text"), [("laps", "9" * 5000), ("end", "")], ids=["long", "empty"])
def test_long_and_empty_values_are_refused(name: str, text: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        SevensRules.from_options({name: text})


@pytest.mark.parametrize(
    ("end", "metric"), [("first", "win_share"), ("ranks", "rank_score"), ("points", "points")]
)
def test_the_metric_follows_from_the_end(end: str, metric: str) -> None:
    assert metric_of(SevensRules(end=end)).name == metric


def test_the_opening_card() -> None:
    assert [SevensRules(start=start).opening for start in ("7h", "7d", "7c", "7s", "any")] == [
        6,
        19,
        32,
        45,
        None,
    ]
    assert SevensRules(start="7d", ace_high=True).opening == 18


@pytest.mark.parametrize("pack", [ACE_LOW, ACE_HIGH])
def test_names_read_back(pack: Pack) -> None:
    for card in range(CARDS):
        assert pack.parse(pack.name(card)) == card
        assert pack.parse(pack.ascii_name(card)) == card
        assert pack.card(suit_of(card), pack.rank(card)) == card
        assert pack.lowest <= pack.rank(card) <= pack.highest
    assert len({pack.name(card) for card in range(CARDS)}) == CARDS


def test_numbers_rise_with_the_rank_within_a_suit() -> None:
    assert [ACE_LOW.parse(name) for name in ("Ah", "7h", "Kh", "Ad", "7s")] == [0, 6, 12, 13, 45]
    assert [ACE_HIGH.parse(name) for name in ("2h", "7h", "Ah", "2d", "7s")] == [0, 5, 12, 13, 44]
    assert ACE_HIGH.rank(ACE_HIGH.parse("Ah")) == 14


@pytest.mark.parametrize("text", ["♠10", "10♠", "10s", "s10", "TS", " 10S ", "♠\N{VARIATION SELECTOR-16}10"])
def test_spellings(text: str) -> None:
    assert ACE_LOW.name(ACE_LOW.parse(text)) == "♠10"


@pytest.mark.parametrize("text", ["", "7", "h", "11h", "1h", "7x", "♥♥", "77h", "0h"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a card"):
        ACE_LOW.parse(text)


def test_the_nearest_card_is_named() -> None:
    with pytest.raises(UsageError, match="did you mean `10h`"):
        ACE_LOW.parse("100h")
