"""The sensors: on positions made by hand, by their definitions, within their bounds, and from what is seen only."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.primitives import OPERATORS, RANDOM
from gpkit.games.sevens.cards import CARDS, suit_of
from gpkit.games.sevens.primitives import ARTICLE, FULL, PRIMITIVES, SENSORS
from gpkit.games.sevens.rules import SevensState
from gpkit.games.sevens.sensors import LARGEST_HAND, sense

Make = Callable[..., SevensState]


def senses(state: SevensState, card: str) -> dict[str, float]:
    """The sensors of the card of that name, for who is to choose, without the prefix ``env.``."""
    seen = state.observation(state.current_player)
    values = sense(seen, state.rules.pack.parse(card))
    return {name.removeprefix("env."): value for name, value in values.items()}


def test_a_card_in_the_middle_of_a_suit(position: Make) -> None:
    state = position(["4h 3h Ah 9h Kh 8s Ks", "Qh 2h Jh", "10h Kd Kc Qc"], "5-8 7-7 . 6-7", turn=13)
    assert senses(state, "4h") == {
        "rounds": 4,
        "suit": 5,
        "suitid": 0,
        "rank": 4,
        "safe": 1,
        "block": 1,
        "selfblock": 2,
        "dist": 0,
        "depth": 3,
        "hand": 7,
        "smallest": 3,
        "next": 3,
        "previous": 4,
        "receiver": 0,
        "playable": 3,
        "run": 4,
        "opens": 1,
        "isend": 0,
        "left": 52 - 7,
        "opened": 3,
        "players": 3,
        "gift": 0,
    }


def test_who_holds_the_cards_further_out(position: Make) -> None:
    state = position(["4h 3h Ah 9h Kh 7s 6s 8s 10s", "Kd"], "5-8 . . .")
    nine, king, seven = senses(state, "9h"), senses(state, "Kh"), senses(state, "7s")
    assert [nine[k] for k in ("safe", "block", "selfblock", "opens", "isend")] == [0, 3, 1, 1, 0]
    assert [king[k] for k in ("safe", "block", "selfblock", "opens", "isend")] == [1, 0, 0, 0, 1]
    assert [seven[k] for k in ("safe", "block", "selfblock", "opens", "isend")] == [1, 9, 3, 2, 0]
    assert [nine["gift"], king["gift"], seven["gift"], senses(state, "10s")["gift"]] == [3, 0, 0, 3]


def test_a_gift_ends_at_the_next_own_card(position: Make) -> None:
    state = position(["7s 4s 10s Ks", "Kd"], "5-8 . . .")
    assert [senses(state, card)["gift"] for card in ("7s", "4s", "10s", "Ks")] == [4, 3, 2, 0]


@pytest.mark.parametrize(("hand", "safe"), [("7s", 0), ("7s 6s", 0), ("7s 8s", 0), ("7s 6s 8s", 1)])
def test_a_seven_is_safe_only_with_both_neighbours(position: Make, hand: str, safe: int) -> None:
    assert senses(position([hand, "Kd"], ". . . ."), "7s")["safe"] == safe


@pytest.mark.parametrize(
    ("runs", "gates", "dists"),
    [
        (". . . .", "no", {"7h": 0, "6h": 1, "8h": 1, "Ah": 6, "Kh": 6, "2h": 5}),
        ("5-8 . . .", "no", {"4h": 0, "3h": 1, "Ah": 3, "9h": 0, "Kh": 4}),
        (". . . .", "yes", {"7h": 0, "6h": 1, "8h": 2, "9h": 3, "5h": 3, "4h": 4, "Ah": 7, "Kh": 7}),
        ("7-7 . . .", "yes", {"6h": 0, "8h": 1, "5h": 2, "Kh": 6}),
        ("6-7 . . .", "yes", {"8h": 0, "5h": 1, "4h": 2, "9h": 1}),
        ("6-8 . . .", "yes", {"5h": 0, "9h": 0, "Ah": 4, "Kh": 4}),
    ],
)
def test_cards_that_must_be_played_before(
    position: Make, runs: str, gates: str, dists: dict[str, int]
) -> None:
    for card, dist in dists.items():
        state = position([card, "Kd"], runs, gates=gates)
        assert senses(state, card)["dist"] == dist, card


def test_a_high_ace_is_seven_steps_out(position: Make) -> None:
    ace = senses(position(["Ah", "Kd"], ". . . .", ace_high="yes", gates="yes"), "Ah")
    assert [ace[k] for k in ("rank", "depth", "dist", "isend")] == [14, 7, 8, 1]
    two = senses(position(["2h", "Kd"], ". . . .", ace_high="yes"), "2h")
    assert [two[k] for k in ("rank", "depth", "dist", "isend", "block")] == [2, 5, 5, 1, 0]


def test_sending(position: Make) -> None:
    state = position(
        ["2d 3d", "Kc 9s 2h", "2c"], "7-8 . . .", decision="send", receiver=1, senders=(0,), turn=31
    )
    values = senses(state, "3d")
    assert [values[k] for k in ("receiver", "hand", "playable", "dist", "run")] == [3, 2, 0, 4, 0]


def test_who_has_left_is_no_neighbour(position: Make) -> None:
    state = position(["", "9h Kd", "", "Kc 9s 2h", "2c"], "7-8 . . .", player=1, end="ranks", finished=(2, 0))
    values = senses(state, "9h")
    assert [values[k] for k in ("next", "previous", "smallest", "players")] == [3, 1, 1, 5]


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_definitions_and_bounds(any_position: st.SearchStrategy[SevensState], data: st.DataObject) -> None:
    state = data.draw(any_position)
    seen, pack, tableau = state.observation(state.current_player), state.rules.pack, state.tableau
    for card in seen.hand:
        values = sense(seen, card)
        assert tuple(values) == PRIMITIVES.sensor_names
        for sensor in SENSORS:
            value = values[sensor.name]
            assert type(value) is float
            assert sensor.low <= value <= sensor.high
            assert not sensor.integer or value == int(value)
        rank, suit = pack.rank(card), suit_of(card)
        sides = [rank >= 7 and pack.highest - rank, rank <= 7 and rank - pack.lowest]
        assert values["env.block"] + values["env.selfblock"] == sum(sides)
        assert (values["env.dist"] == 0) == state.can_play(card)
        assert values["env.suit"] == sum(suit_of(c) == suit for c in seen.hand)
        assert values["env.run"] + values["env.suit"] <= 13
        assert values["env.run"] == sum(tableau.has(suit, r) for r in range(1, 15))
        assert values["env.left"] == sum(map(len, state.hands))
        outward = {rank - 1, rank + 1} if rank == 7 else {rank + (1 if rank > 7 else -1)}
        inside = [r for r in outward if pack.lowest <= r <= pack.highest]
        assert values["env.safe"] == all(pack.card(suit, r) in seen.hand for r in inside)
        assert values["env.opens"] == len(inside)
        assert (values["env.gift"] == 0) == values["env.safe"]
        assert values["env.gift"] <= values["env.block"]
        assert values["env.isend"] == (not inside)
        assert values["env.smallest"] <= min(values["env.next"], values["env.previous"])
        between = range(7, rank) if rank > 7 else range(rank + 1, 8)
        missing = sum(not tableau.has(suit, r) for r in between)
        assert missing <= values["env.dist"] <= missing + state.rules.gates


def test_bounds_hold_for_the_largest_hand() -> None:
    """Two players: one card is on the table and one in the other hand."""
    assert LARGEST_HAND == CARDS - 2


def test_alphabets_name_what_there_is() -> None:
    names = {*PRIMITIVES.sensor_names, RANDOM}
    for alphabet in PRIMITIVES.alphabets:
        assert set(alphabet.sensors) <= names
        assert set(alphabet.operators) <= set(OPERATORS)
    assert [o.name for o in ARTICLE.operators] == ["+", "*"]
    assert len(ARTICLE.sensors) == 8
    assert "env.suitid" not in FULL.sensors
