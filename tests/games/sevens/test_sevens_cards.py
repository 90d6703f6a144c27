"""Cards: numbers, names and their reading."""

import pytest

from gpkit.core.errors import UsageError
from gpkit.games.sevens.cards import ACE_HIGH, ACE_LOW, CARDS, Pack, suit_of


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
