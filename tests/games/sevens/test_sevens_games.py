"""What holds in every game of Sevens, under any rules: property tests over random games."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.rng import below, stream
from gpkit.gamekit.state import NOBODY
from gpkit.games.sevens.cards import CARDS, SUITS, suit_of
from gpkit.games.sevens.rules import OPTIONS, SevensRules, SevensState, deal
from gpkit_experiments.readable.sevens import play


def random_game(rules: SevensRules, seed: int) -> list[SevensState]:
    """Every state of a game of random choices, from the deal to the end."""
    rng = stream(seed, "test game")
    first = deal(rng.permutation(CARDS).tolist(), rules)

    def choose(state: SevensState) -> int:
        legal = state.legal_actions()
        return legal[below(rng, len(legal))]

    return [first, *play(first, choose)]


def on_table(state: SevensState) -> list[int]:
    """The cards on the table."""
    cards = range(CARDS)
    return [c for c in cards if state.tableau.has(suit_of(c), state.rules.pack.rank(c))]


def check_state(state: SevensState) -> None:
    """What holds in every state."""
    rules, pack = state.rules, state.rules.pack
    held = [card for hand in state.hands for card in hand]
    assert sorted(held + on_table(state)) == list(range(CARDS))
    assert state.tableau.count == CARDS - len(held)
    assert all(list(hand) == sorted(hand) for hand in state.hands)
    for suit in range(SUITS):
        low, high = state.tableau.low[suit], state.tableau.high[suit]
        assert (low, high) == (0, 0) or pack.lowest <= low <= 7 <= high <= pack.highest
    assert 0 <= state.turn <= rules.laps * rules.players
    if rules.end == "ranks" and len(state.finished) == rules.players:
        assert not any(state.hands[seat] for seat in state.finished[:-1])
    else:
        assert {seat for seat, hand in enumerate(state.hands) if not hand} == set(state.finished)
    if state.is_terminal:
        assert (state.current_player, state.receiver, state.senders, state.legal_actions()) == (
            NOBODY,
            NOBODY,
            (),
            (),
        )
        return
    legal = state.legal_actions()
    assert legal
    assert set(legal) <= set(state.hands[state.current_player])
    assert list(legal) == sorted(legal)
    assert state.current_player not in state.finished
    if state.decision == "send":
        assert state.senders[0] == state.current_player
        assert state.receiver not in state.senders
        assert len(state.hands[state.current_player]) > (0 if rules.send_last else 1)
        assert rules.sender != "none"
        assert len(state.senders) == 1 or rules.sender == "all"
        assert rules.send_first_lap or state.turn >= rules.players
    else:
        assert all(state.can_play(card) for card in legal)
        assert (state.receiver, state.senders) == (NOBODY, ())


def check_step(before: SevensState, after: SevensState) -> None:
    """What holds of an action and what followed."""
    first, *passes = after.events
    assert after.actions == before.actions + len(after.events)
    assert (first.kind, first.actor) == (before.decision, before.current_player)
    assert first.card in before.legal_actions()
    assert first.receiver == before.receiver
    assert [event.kind for event in passes] == ["pass"] * len(passes)
    assert len(passes) <= before.rules.players  # somebody can always play
    assert len(on_table(after)) - len(on_table(before)) == (first.kind == "play")
    assert after.turn - before.turn in range(len(after.events) + 1)
    assert after.finished[: len(before.finished)] == before.finished
    if first.kind == "play" and after.decision == "send":
        assert not any(after.can_play(card) for card in after.hands[after.receiver])


@settings(max_examples=100, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_every_state_of_every_game_is_sound(
    any_rules: st.SearchStrategy[SevensRules], data: st.DataObject, seed: int
) -> None:
    states = random_game(data.draw(any_rules), seed)
    for state in states:
        check_state(state)
    for before, after in pairwise(states):
        check_step(before, after)
    check_returns(states[-1])
    assert all(state.returns() == (0.0,) * state.rules.players for state in states[:-1])


def check_returns(over: SevensState) -> None:
    """What holds of the scores at the end."""
    returns, players = over.returns(), over.rules.players
    if over.rules.end == "ranks":
        shares = [(players - place) / (players - 1) for place in range(1, players + 1)]
        assert sorted(returns, reverse=True) == shares[: len(over.finished)] + [0.0] * (
            players - len(over.finished)
        )
        assert over.is_stalled != (len(over.finished) == players)
    elif over.is_stalled:
        assert returns == (0.0,) * players
    elif over.rules.end == "points":
        assert sum(returns) == 0.0
        assert [round(-r) for r in returns if r <= 0] == [len(hand) for hand in over.hands if hand]
    else:
        assert Counter(returns) == {1.0: 1, 0.0: players - 1}


@pytest.mark.parametrize(
    ("name", "text"),
    [(o.name, text) for o in OPTIONS for text in (o.choices or map(str, range(o.low, min(o.high, 7) + 1)))],
)
def test_every_value_of_every_option_plays_to_the_end(name: str, text: str) -> None:
    for seed in range(2):
        states = random_game(SevensRules.from_options({name: text}), seed)
        assert states[-1].is_terminal
        assert all(state.turn <= state.rules.laps * state.rules.players for state in states)


@pytest.mark.release
def test_random_choices_win_equally_often_in_every_seat() -> None:
    """Over 300 deals the seats share the wins; 4.5 standard errors of a third are 0.12."""
    wins = [random_game(SevensRules(), seed)[-1].returns() for seed in range(300)]
    for seat in range(3):
        assert abs(sum(returns[seat] for returns in wins) / len(wins) - 1 / 3) < 0.12


@settings(max_examples=100, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_hidden_cards_change_nothing_that_a_player_sees(
    any_position: st.SearchStrategy[SevensState], data: st.DataObject, seed: int
) -> None:
    """The other hands shuffled among each other, in their sizes: the same observation."""
    state = data.draw(any_position)
    for player in range(state.rules.players):
        assert shuffled_unseen(state, player, seed).observation(player) == state.observation(player)


def shuffled_unseen(state: SevensState, player: int, seed: int) -> SevensState:
    """The state with the cards that a player does not see dealt anew to the other hands.

    What the others passed between them just before is another card too, as it is not seen either.
    """
    others = [seat for seat in range(state.rules.players) if seat != player]
    unseen = [card for seat in others for card in state.hands[seat]]
    order = stream(seed, "unseen").permutation(len(unseen)).tolist()
    cards = iter(unseen[k] for k in order)
    hands = list(state.hands)
    for seat in others:
        hands[seat] = tuple(sorted(next(cards) for _ in state.hands[seat]))
    events = tuple(
        replace(event, card=hands[event.receiver][0]) if event.seen_by(player) != event else event
        for event in state.events
    )
    return replace(state, hands=tuple(hands), events=events)
